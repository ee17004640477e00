"""The forks of a benchmark together: for each recording and method one class, on its page.

A class needs every fork: where one is kept from the reader, the recording has none for them.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from statistics import median
from typing import Any, Final

from django.http import HttpRequest

from analysis.methods.method_style import MethodStyle, MethodStyles, style_order
from analysis.runs.models import Detection
from analysis.runs.models.detection import words_of
from analysis.statistics.answers import Number
from annotate import blind
from detectors.benchmark_classes import FORK_CLASSES, MEANING, ForkClass, of_forks, of_starts
from detectors.contract import NEVER
from people.models import User
from series.models import Benchmark, Recording
from series.models.series import SeriesQuerySet
from series.panels import PagePanel
from series.queries import recording_rows

FEWEST: Final = 2  # forks that can differ
NOTHING: Final = blind.HiddenSeriesCount(0, 0)


Answer = tuple[int | None, str]  # first steady iteration and flags


@dataclass(frozen=True, slots=True)
class ForkAnswers:
    """What one source says of the forks of a benchmark: a method, or a yardstick.

    benchmark_class  steady, inconsistent or never, or a class of Barrett et al.; "" of no answer
    starts           in the order of the forks; None without an answer
    mean             of all steady values of all steady forks; of a yardstick
    """

    benchmark_class: str
    starts: tuple[Number | None, ...]
    mean: float | None = None

    @classmethod
    def of_method(cls, forks: Sequence[int], answers: Mapping[int, Answer]) -> ForkAnswers:
        """Of its answers to these forks, by primary key."""
        given = [answers[pk] for pk in forks if pk in answers]
        return cls(class_of(given), tuple(answers.get(pk, (None, ""))[0] for pk in forks))

    @property
    def name(self) -> str:
        """The class as words: `good inconsistent`."""
        return self.benchmark_class.replace("-", " ")

    @property
    def words(self) -> str:
        return MEANING[self.benchmark_class]  # type: ignore[index]  # a class

    @property
    def steady(self) -> list[Number]:
        """First steady iterations of the forks that become steady, the least first."""
        return sorted(start for start in self.starts if start is not None and start != NEVER)

    @property
    def middle(self) -> float | None:
        return median(self.steady) if self.steady else None

    @property
    def lacking(self) -> int:
        """Forks without an answer, which the class leaves out."""
        return self.starts.count(None)

    @property
    def answered(self) -> int:
        return len(self.starts) - self.lacking


@dataclass(frozen=True, slots=True)
class RecordingForkClasses:
    """One recording with a line for each method, or the forks that are kept from the reader."""

    recording: Recording
    forks: int
    lines: tuple[tuple[MethodStyle, ForkAnswers], ...] = ()
    hidden: blind.HiddenSeriesCount = NOTHING


def panels(request: HttpRequest, benchmark: Benchmark) -> Iterable[PagePanel]:
    """Below the forks of a benchmark's page (`series.panels`)."""
    if not isinstance(request.user, User):
        return []
    found = fork_classes_of(benchmark, request.user)
    if not any(each.lines or each.hidden for each in found):
        return []
    context: dict[str, Any] = {"recordings": found, "several": len(found) > 1}
    return [PagePanel("under", "analysis/series_page/_fork_classes.html", context)]


def fork_classes_of(benchmark: Benchmark, reader: User) -> list[RecordingForkClasses]:
    """Recordings of a benchmark that have several forks, the newest first."""
    rows = [row for row in recording_rows(benchmark) if len(row.forks) >= FEWEST]
    series = benchmark.series.all()
    hidden = _keys(blind.open_series(reader).filter(pk__in=series))
    asked = _keys(blind.asked_series(reader).filter(pk__in=hidden)) if hidden else set()
    forks = {row.recording.pk: [fork.pk for fork in row.forks] for row in rows}
    shown = {pk: ids for pk, ids in forks.items() if hidden.isdisjoint(ids)}
    answers = stored_answers([fork for ids in shown.values() for fork in ids])
    looks = MethodStyles(benchmark.dataset.study)
    return [
        RecordingForkClasses(
            row.recording,
            len(row.forks),
            _lines(looks, forks[row.recording.pk], answers) if row.recording.pk in shown else (),
            hidden=blind.HiddenSeriesCount(
                len(hidden.intersection(forks[row.recording.pk])),
                len(asked.intersection(forks[row.recording.pk])),
            ),
        )
        for row in rows
    ]


def _keys(series: SeriesQuerySet) -> set[int]:
    return set(series.values_list("pk", flat=True))


def stored_answers(series: Sequence[int]) -> dict[str, dict[int, Answer]]:
    """Answers by detector key and series."""
    stored = Detection.objects.filter(series__in=series, outcome=Detection.Outcome.ANSWER)
    found: dict[str, dict[int, Answer]] = {}
    for pk, key, start, flags in stored.values_list(
        "series", "detector_key", "steady_start", "flags"
    ):
        found.setdefault(key, {})[pk] = (start, flags)
    return found


def _lines(
    looks: MethodStyles, forks: Sequence[int], answers: Mapping[str, Mapping[int, Answer]]
) -> tuple[tuple[MethodStyle, ForkAnswers], ...]:
    lines = [
        (looks(key), ForkAnswers.of_method(forks, found))
        for key, found in answers.items()
        if not found.keys().isdisjoint(forks)
    ]
    return tuple(sorted(lines, key=lambda line: style_order(line[0])))


def class_of(answers: Sequence[Answer]) -> str:
    """Barrett's classes where every answer says the class of its fork, else by starts alone."""
    said = [_said(flags) for _, flags in answers]
    known = [each for each in said if each is not None]
    if len(known) == len(said):
        return of_forks(known)
    return of_starts(NEVER if start is None else start for start, _ in answers)


def _said(flags: str) -> ForkClass | None:
    return next((name for name in FORK_CLASSES if name in words_of(flags)), None)
