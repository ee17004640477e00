"""The query of a plan: what is wished, what repeating costs, who says where forks are steady."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final, Literal

from detectors.planning.harness_commands import HARNESSES, HarnessName
from detectors.registry import DEFAULT_METHOD
from formats.iterations import EXPECTED, stated_settings
from people.query_form import (
    CommandOption,
    PageControl,
    QueryForm,
    choice_field,
    text_field,
    whole_field,
)

TARGETS: Final = {text: float(text) / 100 for text in ("1", "0.1", "0.2", "0.5", "2", "5", "10")}
CONFIDENCES: Final = {"95": 0.95, "90": 0.9, "99": 0.99}
LONGEST: Final = 86_400  # seconds, a day
MORE: Final = "more"  # place of controls that are seldom changed
_HARNESS_TITLES: Final[dict[str, str]] = {
    "recorded": "as recorded",
    **{name: title for name, (title, _) in HARNESSES.items()},
}
_NARROW: Final = {"size": 10}


def _percent(words: dict[str, float], sign: str = "") -> dict[str, str]:
    return {word: f"{sign}{word} %" for word in sorted(words, key=float)}


@dataclass(frozen=True, slots=True)
class PlanQuery(QueryForm):
    """One plan, or those of a data set.

    target, confidence  shares of the mean, and of one
    recording           its label; empty: the newest
    source              code of a yardstick, or name of a method; empty: the first there is
    iteration           length of one, as text; empty: as recorded
    start               seconds that the start of a fork takes
    """

    target: float = choice_field(
        "t",
        "target",
        TARGETS,
        fallback="±1 %",
        option=CommandOption("the result may be off by so many percent; default: 1", words=TARGETS),
        control=PageControl("Target", shown=_percent(TARGETS, "±")),
    )
    harness: HarnessName | Literal[""] = choice_field(
        "h",
        "harness",
        {"recorded": "", **{name: name for name in HARNESSES}},
        fallback="that of the recording",
        option=CommandOption("that the command is written for; default: that of the recording"),
        control=PageControl("Harness", shown=_HARNESS_TITLES),
    )
    confidence: float = choice_field(
        "c",
        "confidence",
        CONFIDENCES,
        fallback="95 %",
        option=CommandOption("in percent; default: 95", words=CONFIDENCES),
        control=PageControl("Confidence", MORE, _percent(CONFIDENCES)),
    )
    recording: str = text_field("r", "recording", control=PageControl("Recording", MORE))
    source: str = text_field(
        "s",
        "source",
        option=CommandOption(
            "yardstick or method that says where forks are steady; default: ground truth, else "
            f"{DEFAULT_METHOD}",
            "CODE",
        ),
        control=PageControl("Steady by"),
    )
    iteration: str = text_field(
        "i",
        "iteration",
        option=CommandOption(EXPECTED, "TEXT"),
        control=PageControl(
            "Iteration", MORE, empty="as recorded", title=EXPECTED, attributes=_NARROW
        ),
    )
    start: int = whole_field(
        "start",
        "start",
        0,
        LONGEST,
        default=1,
        fallback="1 second",
        option=CommandOption("seconds that the start of a fork takes; default: 1", "S"),
        control=PageControl(
            "Start of a fork", MORE, title="Seconds", attributes={"size": 3, "inputmode": "numeric"}
        ),
    )

    @property
    def stated_length(self) -> dict[str, object]:
        """The setting that `iteration` means; nothing for what means none."""
        try:
            return dict(stated_settings(self.iteration))
        except ValueError:
            return {}
