"""Forks of a benchmark with their lines, ground truth and answers, for one reader.

What a reader has yet to answer is drawn, without anybody's answer; then there is no truth of the
benchmark for them either, which is made of all forks.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Final

import numpy as np

from analysis.methods.method_style import MethodStyle, MethodStyles, with_unique_codes
from analysis.references import yardsticks
from analysis.references.yardsticks import Yardstick, YardstickAnswers
from analysis.series_page.fork_chart.lines import ForkLine, fork_line, log_limits, points_of
from analysis.series_page.fork_chart.query import ForkChartQuery
from analysis.series_page.fork_classes import ForkAnswers, stored_answers
from analysis.statistics.answers import Number
from annotate import blind
from annotate.blind import Reader
from detectors.arrays.ranges import Limits, padded, plateau_range
from detectors.contract import NEVER, Values
from detectors.rules.benchmark_classes import of_starts
from people.models import User
from series.models import Benchmark, Recording, Series, SeriesValues
from series.queries import RecordingRow, recording_rows

DECADE: Final = 10.0  # over less a logarithmic axis shows no more than a linear one


class UnknownRecording(LookupError):
    """The benchmark was not measured in a recording of that label; the sentence says in which."""


@dataclass(frozen=True, slots=True, eq=False)
class ChartedFork:
    """One fork. `mean` is that of its values from the ground truth on, None without a start.

    hidden  the reader has yet to answer it: no truth, and no answer of a method
    starts  by name of the method; None for no answer
    """

    series: Series
    line: ForkLine
    hidden: bool
    truth: Number | None
    agreement: str
    mean: float | None
    starts: Mapping[str, int | None]


@dataclass(frozen=True, slots=True, eq=False)
class RecordedForks:
    """Forks of one recording of a benchmark, for one reader.

    recordings  all of the benchmark, the newest first
    seen, hidden  forks whose answers the reader may see, and the others
    """

    row: RecordingRow
    recordings: Sequence[Recording]
    seen: Sequence[Series]
    hidden: blind.HiddenSeriesCount


@dataclass(frozen=True, slots=True, eq=False)
class ForkChart:
    """Everything that page and file show.

    limits  y-range, on a linear axis
    begin, end  the window [begin, end);  n: iterations of the longest fork
    truth   of the benchmark; None without a yardstick, and where a fork is hidden
    methods by name, in their order, each with what its answers come to
    """

    benchmark: Benchmark
    recording: Recording
    recordings: Sequence[Recording]
    forks: Sequence[ChartedFork]
    limits: Limits
    begin: int
    end: int
    n: int
    yardstick: Yardstick | None
    choices: Sequence[Yardstick]
    truth: ForkAnswers | None
    methods: Mapping[str, tuple[MethodStyle, ForkAnswers]]
    hidden: blind.HiddenSeriesCount

    @property
    def log_limits(self) -> Limits | None:
        """The y-range on a logarithmic axis; None where a value is not above zero."""
        return log_limits([each.line for each in self.forks], self.limits)

    @property
    def is_wide(self) -> bool:
        """Whether a logarithmic axis shows more: values reach over a decade or more."""
        found = self.log_limits
        return found is not None and found[1] >= DECADE * found[0]

    @property
    def stretch(self) -> int:
        """Values in a point of the longest line."""
        return max((each.line.stretch for each in self.forks), default=1)


def fork_chart(benchmark: Benchmark, reader: User, asked: ForkChartQuery) -> ForkChart | None:
    """None of a benchmark without series. Raises UnknownRecording and UnknownYardstick."""
    there = recorded_forks(benchmark, reader, asked.recording)
    if there is None:
        return None
    row, seen = there.row, [fork.pk for fork in there.seen]
    chosen, choices = fork_yardstick(benchmark, asked.yardstick, seen)
    truths = None if chosen is None else yardsticks.yardstick_answers(chosen, seen)
    stored = stored_answers(seen)
    looks = with_unique_codes(map(MethodStyles(benchmark.dataset.study), stored))
    answers = {look: stored[look.key] for look in looks}
    n = max(fork.n for fork in row.forks)
    begin, end = _window(asked, n)
    drawn = _Drawn(row.forks, begin, end, asked.range)
    forks = tuple(_forks(row, drawn, seen, truths, answers))
    whole = len(seen) == len(row.forks)
    return ForkChart(
        benchmark=benchmark,
        recording=row.recording,
        recordings=there.recordings,
        forks=forks,
        limits=drawn.limits,
        begin=begin,
        end=end,
        n=n,
        yardstick=chosen,
        choices=choices,
        truth=_truth(forks, drawn.steady) if chosen is not None and whole else None,
        methods={
            look.name: (look, ForkAnswers.of_method(seen, by)) for look, by in answers.items()
        },
        hidden=there.hidden,
    )


def recorded_forks(benchmark: Benchmark, reader: Reader, label: str) -> RecordedForks | None:
    """Those of the recording of that label, of the newest for none; None without any series.

    Raises UnknownRecording.
    """
    rows = recording_rows(benchmark)
    if not rows:
        return None
    row = next((row for row in rows if label in {"", row.recording.label}), None)
    recordings = [each.recording for each in rows]
    if row is None:
        there = ", ".join(each.label for each in recordings)
        raise UnknownRecording(f"no recording {label!r} of this benchmark; there are: {there}")
    every = benchmark.series.filter(recording=row.recording)
    closed = set(blind.open_series(reader).filter(pk__in=every).values_list("pk", flat=True))
    seen = [fork for fork in row.forks if fork.pk not in closed]
    return RecordedForks(row, recordings, seen, blind.left_out(reader, every))


def fork_yardstick(
    benchmark: Benchmark, code: str, seen: Sequence[int]
) -> tuple[Yardstick | None, Sequence[Yardstick]]:
    """The chosen yardstick, and all ground truth and known answers that cover any fork."""
    study = benchmark.dataset.study
    there = [each for each in yardsticks.truths(study) if each.series().filter(pk__in=seen)]
    if not code:
        return next(iter(there), None), there
    chosen = yardsticks.yardstick(study, code)
    return chosen, there if chosen is None or chosen in there else [*there, chosen]


def _window(asked: ForkChartQuery, n: int) -> tuple[int, int]:
    """[begin, end) in view; one that shows nothing is that of all."""
    begin, end = asked.begin or 0, n if asked.end is None else min(asked.end + 1, n)
    return (begin, end) if begin < end else (0, n)


# --- values -----------------------------------------------------------------------------------
class _Drawn:
    """Lines and ranges of forks: values are read one fork after the other, and not kept."""

    def __init__(self, forks: Sequence[Series], begin: int, end: int, wanted: str) -> None:
        self.steady: dict[int, tuple[float, int]] = {}  # mean and number from the truth on
        self._forks, self._window, self._wanted = forks, (begin, end), wanted
        self._ranges: list[Limits] = []

    def draw(self, fork: Series, truth: Number | None) -> ForkLine:
        # By the fork's own scale, so that no sum or middle of giant values overflows.
        values = SeriesValues.objects.get(pk=fork.pk).array() / fork.scale
        begin, end = self._window
        line = fork_line(values, begin, end, points_of(len(self._forks)))
        low, high = self._range(fork, values)
        self._ranges.append((low, high))
        if truth is not None and truth != NEVER and truth < fork.n:
            part = values[int(np.ceil(truth)) :]
            self.steady[fork.pk] = (float(part.mean()) * fork.scale, part.size)
        return ForkLine(line.first, line.stretch, line.y * fork.scale)

    def _range(self, fork: Series, values: Values) -> Limits:
        if self._wanted == "robust":
            return fork.robust_low, fork.robust_high
        if self._wanted == "plateau":
            low, high = plateau_range(values)
        elif self._wanted == "full":
            low, high = padded(float(values.min()), float(values.max()))
        else:
            part = values[slice(*self._window)] if values.size > self._window[0] else values
            low, high = padded(float(part.min()), float(part.max()))
        return low * fork.scale, high * fork.scale

    @property
    def limits(self) -> Limits:
        return min(low for low, _ in self._ranges), max(high for _, high in self._ranges)


Answers = Mapping[MethodStyle, Mapping[int, tuple[int | None, str]]]


def _forks(
    row: RecordingRow,
    drawn: _Drawn,
    seen: Sequence[int],
    truths: YardstickAnswers | None,
    answers: Answers,
) -> list[ChartedFork]:
    place = {pk: at for at, pk in enumerate(seen)}
    found = []
    for fork in row.forks:
        at = place.get(fork.pk)
        truth, agreement = None, ""
        if truths is not None and at is not None:
            truth, agreement = truths.answers.value(at), truths.words[at]
        found.append(
            ChartedFork(
                series=fork,
                line=drawn.draw(fork, truth),
                hidden=at is None,
                truth=truth,
                agreement=agreement,
                mean=drawn.steady.get(fork.pk, (None, 0))[0],
                starts={look.name: by.get(fork.pk, (None, ""))[0] for look, by in answers.items()},
            )
        )
    return found


# --- of all forks -----------------------------------------------------------------------------
def _truth(forks: Sequence[ChartedFork], steady: Mapping[int, tuple[float, int]]) -> ForkAnswers:
    """By the classes of Traini et al., and the mean over all steady values of all steady forks."""
    starts = tuple(fork.truth for fork in forks)
    given = [start for start in starts if start is not None]
    name = of_starts(NEVER if each == NEVER else int(each) for each in given) if given else ""
    count = sum(number for _, number in steady.values())
    mean = sum(each * (number / count) for each, number in steady.values()) if count else None
    return ForkAnswers(name, starts, mean)
