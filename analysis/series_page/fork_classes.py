"""The forks of a benchmark together: for each method one class.

A class needs every fork: where one is kept from the reader, the recording has none for them.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from statistics import median
from typing import Final

from analysis.runs.models import Detection
from analysis.runs.models.detection import flag_words
from analysis.statistics.answers import Number
from annotate import blind
from detectors.contract import NEVER
from detectors.rules.segments.benchmark_classes import (
    FORK_CLASSES,
    MEANING,
    class_of_forks,
    class_of_starts,
)

FEWEST: Final = 2  # fewest forks that can differ
NOTHING: Final = blind.HiddenSeriesCount(0, 0)


Answer = tuple[int | None, str]  # first steady iteration and flags


@dataclass(frozen=True, slots=True)
class ForkAnswers:
    """Answers of one source for the forks of a benchmark: a method, or a yardstick.

    benchmark_class  steady, inconsistent or never, or a class of Barrett et al.; "" of no answer
    starts           in the order of the forks; None without an answer
    mean             of all steady values of all steady forks; of a yardstick
    """

    benchmark_class: str
    starts: tuple[Number | None, ...]
    mean: float | None = None

    @classmethod
    def of_method(cls, forks: Sequence[int], answers: Mapping[int, Answer]) -> ForkAnswers:
        """Build from the method's answers to these forks, by primary key."""
        fork_answers = [answers[pk] for pk in forks if pk in answers]
        return cls(class_of(fork_answers), tuple(answers.get(pk, (None, ""))[0] for pk in forks))

    @property
    def name(self) -> str:
        """The class as words: `good inconsistent`."""
        return self.benchmark_class.replace("-", " ")

    @property
    def words(self) -> str:
        return MEANING[self.benchmark_class]  # type: ignore[index]  # a class

    @property
    def steady_starts(self) -> list[Number]:
        """First steady iterations of the forks that become steady, the least first."""
        return sorted(start for start in self.starts if start is not None and start != NEVER)

    @property
    def middle_start(self) -> float | None:
        return median(self.steady_starts) if self.steady_starts else None

    @property
    def unanswered_count(self) -> int:
        """Forks without an answer, which the class leaves out."""
        return self.starts.count(None)

    @property
    def answered_count(self) -> int:
        return len(self.starts) - self.unanswered_count


def stored_answers(series: Sequence[int]) -> dict[str, dict[int, Answer]]:
    """Answers by detector key and series."""
    answer_detections = Detection.objects.filter(
        series__in=series, outcome=Detection.Outcome.ANSWER
    )
    answers_by_key: dict[str, dict[int, Answer]] = {}
    for pk, key, start, flags in answer_detections.values_list(
        "series", "detector_key", "steady_start", "flags"
    ):
        answers_by_key.setdefault(key, {})[pk] = (start, flags)
    return answers_by_key


def class_of(answers: Sequence[Answer]) -> str:
    """Barrett's classes where every answer says the class of its fork, else by starts alone."""
    fork_classes = [
        next((name for name in FORK_CLASSES if name in flag_words(flags)), None)
        for _, flags in answers
    ]
    stated_classes = [fork_class for fork_class in fork_classes if fork_class is not None]
    if len(stated_classes) == len(fork_classes):
        return class_of_forks(stated_classes)
    return class_of_starts(NEVER if start is None else start for start, _ in answers)
