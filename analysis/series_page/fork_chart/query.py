"""The query of a fork chart: which forks, what they are measured by, and what is in view."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Final, Literal

from people.query_form import PageControl, QueryForm, choice_field, text_field, whole_field

Range = Literal["robust", "window", "full", "plateau"]
RANGES: Final[dict[Range, str]] = {
    "robust": "robust",
    "window": "what is in view",
    "full": "everything",
    "plateau": "plateau",
}
Scale = Literal["linear", "log"]
SCALES: Final[dict[Scale, str]] = {"linear": "linear", "log": "logarithmic"}
WINDOW: Final = ("from", "to")
"""The names of the iterations in view in an address."""
LAST: Final = 100_000_000
FORKS: Final = 1_000_000
_NARROW: Final = {"size": 8, "inputmode": "numeric"}


def _iteration(key: str, called: str, label: str, empty_words: str) -> Any:
    control = PageControl(label, empty=empty_words, attributes=_NARROW)
    return whole_field(key, called, 0, LAST, fallback=empty_words, control=control)


@dataclass(frozen=True, slots=True)
class ForkChartQuery(QueryForm):
    """One chart.

    recording   its label; empty: the newest
    yardstick   code; empty: the default of those that cover any fork
    method      whose answers are marked, by name; empty: none
    scale       of the y-axis; a logarithmic one only of values above zero
    begin, end  iterations in view, the last one included
    fork        that is drawn above the others
    """

    recording: str = text_field("r", "recording", control=PageControl("Recording"))
    yardstick: str = text_field("y", "yardstick", control=PageControl("Ground truth"))
    method: str = text_field("m", "method", control=PageControl("Mark also the answers of"))
    range: Range = choice_field(
        "range", "range", RANGES.keys(), control=PageControl("Y-range", shown=RANGES)
    )
    scale: Scale = choice_field(
        "scale", "scale", SCALES.keys(), control=PageControl("Scale", shown=SCALES)
    )
    begin: int | None = _iteration(WINDOW[0], "first iteration", "Iterations from", "0")
    end: int | None = _iteration(WINDOW[1], "last iteration", "to", "the end")
    fork: int | None = whole_field("fork", "fork", 0, FORKS, fallback="no fork")
