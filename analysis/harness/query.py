"""The query of the harness page: each setting is declared here."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Final

from analysis.harness.rules import BY_NAME, HARNESSES, HarnessChoice
from people.query_form import CommandOption, PageControl, QueryForm, choice_field, text_field
from series.models.series import SeriesQuerySet
from series.queries import matching

SERIES: Final = "series"  # the place of controls that leave series out


def _series_field(key: str, called: str, metavar: str, label: str, column: str) -> Any:
    """Only the series whose `column` is the value; empty for all."""
    option = CommandOption("only its series", metavar)
    return text_field(key, called, option, PageControl(label, SERIES, empty="all"), column)


@dataclass(frozen=True, slots=True)
class HarnessQuery(QueryForm):
    """What says where the series become steady, which of them are counted, and which rules shown.

    yardstick  its code; empty: the ground truth of the data set, else known answers, else plateau
    harnesses  names of rules; none: all
    """

    yardstick: str = text_field(
        "y",
        "yardstick",
        option=CommandOption(
            "where series become steady, as campaign:SLUG, known or method:NAME; default: ground "
            "truth, else known answers, else what plateau says",
            "CODE",
        ),
    )
    recording: str = _series_field("r", "recording", "LABEL", "Recording", "recording__label")
    system: str = _series_field("s", "system", "NAME", "System", "benchmark__system")
    text: str = text_field(
        "q",
        "text",
        CommandOption("only series with these words in system, benchmark or parameters", "WORDS"),
        PageControl("Words in the name", SERIES),
    )
    harnesses: tuple[str, ...] = choice_field(
        "h",
        "harness",
        tuple(BY_NAME),
        default=(),
        otherwise="all harnesses",
        option=CommandOption("only this rule; may repeat; default: all", "NAME"),
    )

    @property
    def choices(self) -> Sequence[HarnessChoice]:
        """The rules that are shown, in their order."""
        return [each for each in HARNESSES if each.name in self.harnesses] or HARNESSES

    @property
    def is_narrowed(self) -> bool:
        """Whether it leaves series out."""
        return bool(self.text or self.filters())

    def narrow(self, series: SeriesQuerySet) -> SeriesQuerySet:
        return matching(series.filter(**self.filters()), text=self.text)
