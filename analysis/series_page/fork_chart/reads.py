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
from analysis.series_page.fork_chart.lines import ForkLine, fork_line, log_limits, points_per_fork
from analysis.series_page.fork_chart.query import ForkChartQuery
from analysis.series_page.fork_classes import ForkAnswers, stored_answers
from analysis.statistics.answers import Number
from annotate import blind
from annotate.blind import Reader
from detectors.arrays.robust_range import Limits, pad_range, plateau_range
from detectors.contract import NEVER, Values
from detectors.rules.segments.benchmark_classes import class_of_starts
from series.models import Benchmark, Recording, Series, SeriesValues
from series.queries import RecordingRow, recording_rows

DECADE: Final = 10.0  # least ratio of values for which a logarithmic axis shows more


class UnknownRecording(LookupError):
    """The benchmark was not measured in a recording of that label; the sentence says in which."""


@dataclass(frozen=True, slots=True, eq=False)
class ChartedFork:
    """One fork. `mean` is that of its values from the ground truth on, None without a start.

    is_hidden  the reader has yet to answer it: no truth, and no answer of a method
    starts  by name of the method; None for no answer
    """

    series: Series
    line: ForkLine
    is_hidden: bool
    truth: Number | None
    agreement: str
    mean: float | None
    starts: Mapping[str, int | None]


@dataclass(frozen=True, slots=True, eq=False)
class RecordedForks:
    """Forks of one recording of a benchmark, for one reader.

    recordings  all of the benchmark, the newest first
    visible_forks, hidden_count  forks whose answers the reader may see, and the others
    """

    row: RecordingRow
    recordings: Sequence[Recording]
    visible_forks: Sequence[Series]
    hidden_count: blind.HiddenSeriesCount


@dataclass(frozen=True, slots=True, eq=False)
class ForkChart:
    """Everything that page and file show.

    query   by which it was asked for
    limits  y-range, on a linear axis
    begin, end  the window [begin, end);  n: iterations of the longest fork
    truth   of the benchmark; None without a yardstick, and where a fork is hidden
    methods by name, in their order, each with what its answers come to
    """

    query: ForkChartQuery
    benchmark: Benchmark
    recording: Recording
    recordings: Sequence[Recording]
    forks: Sequence[ChartedFork]
    limits: Limits
    begin: int
    end: int
    n: int
    yardstick: Yardstick | None
    yardsticks: Sequence[Yardstick]
    truth: ForkAnswers | None
    methods: Mapping[str, tuple[MethodStyle, ForkAnswers]]
    hidden_count: blind.HiddenSeriesCount

    @property
    def log_limits(self) -> Limits | None:
        """The y-range on a logarithmic axis; None where a value is not above zero."""
        return log_limits([charted_fork.line for charted_fork in self.forks], self.limits)

    @property
    def is_wide(self) -> bool:
        """True if a logarithmic axis shows more: values reach over a decade or more."""
        limits = self.log_limits
        return limits is not None and limits[1] >= DECADE * limits[0]

    @property
    def stretch(self) -> int:
        """Values in a point of the longest line."""
        return max((charted_fork.line.stretch for charted_fork in self.forks), default=1)


def fork_chart(benchmark: Benchmark, reader: Reader, query: ForkChartQuery) -> ForkChart | None:
    """Fork chart of a benchmark; None if it has no series. Raises UnknownRecording and
    UnknownYardstick.
    """
    fork_selection = recorded_forks(benchmark, reader, query.recording)
    if fork_selection is None:
        return None
    row, visible_pks = fork_selection.row, [fork.pk for fork in fork_selection.visible_forks]
    chosen_yardstick, choices = fork_yardstick(benchmark, query.yardstick, visible_pks)
    yardstick_answers = (
        None
        if chosen_yardstick is None
        else yardsticks.yardstick_answers(chosen_yardstick, visible_pks)
    )
    answers_by_key = stored_answers(visible_pks)
    styles = with_unique_codes(map(MethodStyles(benchmark.dataset.study), answers_by_key))
    answers_by_style = {style: answers_by_key[style.key] for style in styles}
    n = max(fork.n for fork in row.forks)
    begin, end = _window(query, n)
    fork_lines = _ForkLines(row.forks, begin, end, query.range)
    forks = tuple(_forks(row, fork_lines, visible_pks, yardstick_answers, answers_by_style))
    is_all_visible = len(visible_pks) == len(row.forks)
    return ForkChart(
        query=query,
        benchmark=benchmark,
        recording=row.recording,
        recordings=fork_selection.recordings,
        forks=forks,
        limits=fork_lines.limits,
        begin=begin,
        end=end,
        n=n,
        yardstick=chosen_yardstick,
        yardsticks=choices,
        truth=_truth(forks, fork_lines.steady_means)
        if chosen_yardstick is not None and is_all_visible
        else None,
        methods={
            style.name: (style, ForkAnswers.of_method(visible_pks, starts_by_fork))
            for style, starts_by_fork in answers_by_style.items()
        },
        hidden_count=fork_selection.hidden_count,
    )


def recorded_forks(benchmark: Benchmark, reader: Reader, label: str) -> RecordedForks | None:
    """Forks of the recording with that label, of the newest for an empty label; None without any
    series.

    Raises UnknownRecording.
    """
    rows = recording_rows(benchmark)
    if not rows:
        return None
    row = next((row for row in rows if label in {"", row.recording.label}), None)
    recordings = [recording_row.recording for recording_row in rows]
    if row is None:
        labels = ", ".join(recording.label for recording in recordings)
        raise UnknownRecording(f"no recording {label!r} of this benchmark; there are: {labels}")
    all_forks = benchmark.series.filter(recording=row.recording)
    blind_pks = set(blind.open_series(reader).filter(pk__in=all_forks).values_list("pk", flat=True))
    visible_forks = [fork for fork in row.forks if fork.pk not in blind_pks]
    return RecordedForks(
        row, recordings, visible_forks, blind.count_hidden_series(reader, all_forks)
    )


def fork_yardstick(
    benchmark: Benchmark, code: str, visible_pks: Sequence[int]
) -> tuple[Yardstick | None, Sequence[Yardstick]]:
    """The chosen yardstick, and all ground truth and known answers that cover any fork."""
    study = benchmark.dataset.study
    covering_yardsticks = [
        yardstick
        for yardstick in yardsticks.yardsticks_of(study)
        if yardstick.series().filter(pk__in=visible_pks)
    ]
    if not code:
        return next(iter(covering_yardsticks), None), covering_yardsticks
    chosen_yardstick = yardsticks.yardstick(study, code)
    return (
        chosen_yardstick,
        covering_yardsticks
        if chosen_yardstick is None or chosen_yardstick in covering_yardsticks
        else [*covering_yardsticks, chosen_yardstick],
    )


def _window(query: ForkChartQuery, n: int) -> tuple[int, int]:
    """[begin, end) in view; one that shows nothing is that of all."""
    begin, end = query.begin or 0, n if query.end is None else min(query.end + 1, n)
    return (begin, end) if begin < end else (0, n)


# --- values -----------------------------------------------------------------------------------
class _ForkLines:
    """Lines and ranges of forks: values are read one fork after the other, and not kept."""

    def __init__(self, forks: Sequence[Series], begin: int, end: int, range_name: str) -> None:
        self.steady_means: dict[int, tuple[float, int]] = {}  # mean and number from the truth on
        self._forks, self._window, self._range_name = forks, (begin, end), range_name
        self._ranges: list[Limits] = []

    def draw(self, fork: Series, truth: Number | None) -> ForkLine:
        # By the fork's own scale, so that no sum or middle of giant values overflows.
        values = SeriesValues.objects.get(pk=fork.pk).array() / fork.scale
        begin, end = self._window
        line = fork_line(values, begin, end, points_per_fork(len(self._forks)))
        low, high = self._range(fork, values)
        self._ranges.append((low, high))
        if truth is not None and truth != NEVER and truth < fork.n:
            steady_values = values[int(np.ceil(truth)) :]
            self.steady_means[fork.pk] = (
                float(steady_values.mean()) * fork.scale,
                steady_values.size,
            )
        return ForkLine(line.first, line.stretch, line.y * fork.scale)

    def _range(self, fork: Series, values: Values) -> Limits:
        if self._range_name == "robust":
            return fork.robust_low, fork.robust_high
        if self._range_name == "plateau":
            low, high = plateau_range(values)
        elif self._range_name == "full":
            low, high = pad_range(float(values.min()), float(values.max()))
        else:
            window_values = (
                values[slice(*self._window)] if values.size > self._window[0] else values
            )
            low, high = pad_range(float(window_values.min()), float(window_values.max()))
        return low * fork.scale, high * fork.scale

    @property
    def limits(self) -> Limits:
        return min(low for low, _ in self._ranges), max(high for _, high in self._ranges)


Answers = Mapping[MethodStyle, Mapping[int, tuple[int | None, str]]]


def _forks(
    row: RecordingRow,
    fork_lines: _ForkLines,
    visible_pks: Sequence[int],
    yardstick_answers: YardstickAnswers | None,
    answers_by_style: Answers,
) -> list[ChartedFork]:
    position_by_pk = {pk: position for position, pk in enumerate(visible_pks)}
    charted_forks = []
    for fork in row.forks:
        visible_position = position_by_pk.get(fork.pk)
        truth, agreement = None, ""
        if yardstick_answers is not None and visible_position is not None:
            truth, agreement = (
                yardstick_answers.answers.value(visible_position),
                yardstick_answers.words[visible_position],
            )
        charted_forks.append(
            ChartedFork(
                series=fork,
                line=fork_lines.draw(fork, truth),
                is_hidden=visible_position is None,
                truth=truth,
                agreement=agreement,
                mean=fork_lines.steady_means.get(fork.pk, (None, 0))[0],
                starts={
                    style.name: starts_by_fork.get(fork.pk, (None, ""))[0]
                    for style, starts_by_fork in answers_by_style.items()
                },
            )
        )
    return charted_forks


# --- of all forks -----------------------------------------------------------------------------
def _truth(forks: Sequence[ChartedFork], means: Mapping[int, tuple[float, int]]) -> ForkAnswers:
    """Ground truth by the classes of Traini et al., with the mean over the steady values of all
    forks.
    """
    starts = tuple(fork.truth for fork in forks)
    known_starts = [start for start in starts if start is not None]
    class_name = (
        class_of_starts(NEVER if start == NEVER else int(start) for start in known_starts)
        if known_starts
        else ""
    )
    value_count = sum(count for _, count in means.values())
    mean = (
        sum(fork_mean * (count / value_count) for fork_mean, count in means.values())
        if value_count
        else None
    )
    return ForkAnswers(class_name, starts, mean)
