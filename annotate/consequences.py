"""Changes of results by people's answers, told by a room that this one does not know.

Who can tell registers in `AppConfig.register()` a function of ground truths and marks. Lists and
files of this room show what it says; without one they show nothing.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

from people.late_registry import LateRegistry


@dataclass(frozen=True, slots=True)
class MarkedResult:
    """A steady ground truth of a series, and the steady marks of its people: 0-based iterations."""

    truth: int
    marks: Sequence[tuple[str, int]]  # pseudonym, iteration


@dataclass(frozen=True, slots=True)
class MarkConsequence:
    """The mark that makes the result of a series another by most: 0.031 is 3.1 % more.

    of          pseudonym of who set the mark
    low, high   95 % interval of the change; None where there are too few independent values
    matters     whether the result is another one
    words       the change as it is written, and its interval
    """

    of: str
    share: float
    low: float | None
    high: float | None
    matters: bool
    words: str
    interval: str


ConsequenceReporter = Callable[[Mapping[int, MarkedResult]], Mapping[int, MarkConsequence]]
_registered = LateRegistry[list[ConsequenceReporter]]([])


def register_consequences(reporter: ConsequenceReporter) -> None:
    """Let `reporter` say what marks change, by primary key of the series."""
    if reporter not in _registered.present:
        _registered.present.append(reporter)


def mark_consequences(result_by_series: Mapping[int, MarkedResult]) -> dict[int, MarkConsequence]:
    """Consequences by primary key of the series, where there is anything to say."""
    marked_results = {pk: result for pk, result in result_by_series.items() if result.marks}
    return {
        pk: consequence
        for reporter in _registered.entries
        for pk, consequence in reporter(marked_results).items()
    }
