"""The query of harnesses, in files and on a command line: each setting is declared here."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from analysis.harness.rules import BY_NAME, HARNESSES, HarnessChoice
from detectors.registry import DEFAULT_METHOD
from people.query_form import CommandOption, QueryForm, choice_field, text_field
from series.models.series import SeriesQuerySet
from series.queries import matching


def _series_field(key: str, label: str, metavar: str, column: str) -> Any:
    """Field that narrows to series whose `column` is the value; empty for all."""
    return text_field(key, label, CommandOption("only its series", metavar), column=column)


@dataclass(frozen=True, slots=True)
class HarnessQuery(QueryForm):
    """Query of harnesses: yardstick of the steady state, counted series, and shown rules.

    yardstick  its code; empty: the ground truth of the data set, else known answers, else plateau
    harnesses  names of rules; none: all
    """

    yardstick: str = text_field(
        "y",
        "yardstick",
        option=CommandOption(
            "where series become steady, as campaign:SLUG, known or method:NAME; default: ground "
            f"truth, else known answers, else what {DEFAULT_METHOD} says",
            "CODE",
        ),
    )
    recording: str = _series_field("r", "recording", "LABEL", "recording__label")
    system: str = _series_field("s", "system", "NAME", "benchmark__system")
    text: str = text_field(
        "q",
        "text",
        CommandOption("only series with these words in system, benchmark or parameters", "WORDS"),
    )
    harnesses: tuple[str, ...] = choice_field(
        "h",
        "harness",
        tuple(BY_NAME),
        default=(),
        fallback="all harnesses",
        option=CommandOption("only this rule; may repeat; default: all", "NAME"),
    )

    @property
    def choices(self) -> Sequence[HarnessChoice]:
        """The rules that are shown, in their order."""
        return [choice for choice in HARNESSES if choice.name in self.harnesses] or HARNESSES

    def narrow(self, series: SeriesQuerySet) -> SeriesQuerySet:
        return matching(series.filter(**self.filters()), text=self.text)
