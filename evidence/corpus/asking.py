"""Every method asked for the series of the corpus and for the recordings, and its figures.

A learned method whose models have seen recordings of a workload is judged on series that hold its
noise by the model that has not: the context names the workload.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Final

import numpy as np

from demo import layout
from demo.catalogue import CATALOGUE, Workload
from detectors.contract import NEVER, Context, Detector, Values, as_series
from detectors.learned.crossfit import benchmark_key
from detectors.training.figures.method_figures import (
    Detections,
    Indices,
    MethodAnswers,
    MethodFigures,
    answer_of,
    error_figures,
    figures_of,
    method_name,
    panel_starts,
    starts_with_constant,
)
from detectors.training.labels.panel_answers import MarkedSeries, PanelAnswers, ShownSeries
from evidence.corpus.levels import LEVELS
from evidence.corpus.series import CorpusSeries

ALL: Final = "all"
SPREADS: Final[Mapping[str, tuple[float, float]]] = {
    "spread below 1 %": (0.0, 0.01),
    "spread 1 to 5 %": (0.01, 0.05),
    "spread above 5 %": (0.05, float("inf")),
}
LENGTHS: Final[Mapping[str, tuple[int, int]]] = {
    "50 to 200": (50, 200),
    "400 to 1,500": (400, 1500),
    "3,000 to 10,000": (3000, 10_000),
}
LONGEST: Final = 3000  # the milliseconds are those of series of so many values
FAR: Final = 0.01  # a level farther from the steady one gives a wrong result
MEASURED: Final = 100  # values after the warm-up
CAP: Final = 500  # iterations of warm-up where a method says never, as on the cost page


@dataclass(frozen=True, slots=True, eq=False)
class TimedAnswers:
    """Answers of a method for each series, None where it cannot, and its CPU milliseconds."""

    method: Detector
    found: Detections
    milliseconds: Values


@dataclass(frozen=True, slots=True)
class GroupFigures:
    """One method on some series: how many it was asked for, answered, and called never.

    figures: on those that become steady, as in every table of methods; None without any. Its
    balanced accuracy is on all of the group. An error is the distance from the nearest right
    answer.
    relative: mean error as a share of the length. filled: mean error of all series that become
    steady; one without an answer gets the constant, as a never does. cost: what a harness pays, see
    `harness_costs`. These three are None without a steady series or any answer.
    """

    asked: int
    answered: int
    never: int
    figures: MethodFigures | None
    relative: float | None
    filled: float | None
    cost: float | None


def context_of_workload(workload: Workload) -> Context:
    key = benchmark_key(workload.runtime_title, workload.benchmark, workload.params_text)
    return Context(benchmark=key)


def timed_answers(
    method: Detector, series: Sequence[tuple[Values, Context]], progress: Callable[[int], object]
) -> TimedAnswers:
    """The first answer is asked for twice: it compiles, and reads weights."""
    answer_of(method, *series[0])
    detections, milliseconds = [], []
    for number, (values, context) in enumerate(series, start=1):
        began_at = time.process_time()
        detections.append(answer_of(method, values, context))
        milliseconds.append(1e3 * (time.process_time() - began_at))
        progress(number)
    return TimedAnswers(method, detections, np.array(milliseconds))


def inputs(series: Sequence[CorpusSeries]) -> list[tuple[Values, Context]]:
    contexts = {workload.name: context_of_workload(workload) for workload in CATALOGUE}
    return [(one_series.values, contexts[one_series.plan.workload]) for one_series in series]


def recordings() -> list[tuple[Values, Context]]:
    """All forks of every recording, in the order of the catalogue."""
    return [
        (as_series(np.array(fork, dtype=np.float64) / 1e9), context_of_workload(workload))
        for workload in CATALOGUE
        for fork in layout.read_recording(workload.path)["primaryMetric"]["rawData"]
    ]


# --- figures --------------------------------------------------------------------------------------
def groups(series: Sequence[CorpusSeries]) -> dict[str, Indices]:
    """Places of all series, and of those of each shape, spread of the noise, and runtime."""
    runtimes = dict.fromkeys(one_series.noise.system for one_series in series)
    tests: dict[str, Callable[[CorpusSeries], bool]] = {
        ALL: lambda _: True,
        **{shape: lambda s, shape=shape: s.plan.shape == shape for shape in LEVELS},  # type: ignore[misc]
        **{
            name: lambda s, low=low, high=high: low <= s.plan.n <= high  # type: ignore[misc]
            for name, (low, high) in LENGTHS.items()
        },
        **{
            name: lambda s, low=low, high=high: low <= s.noise.spread < high  # type: ignore[misc]
            for name, (low, high) in SPREADS.items()
        },
        **{title: lambda s, title=title: s.noise.system == title for title in runtimes},  # type: ignore[misc]
    }
    return {
        name: np.flatnonzero([test(one_series) for one_series in series])
        for name, test in tests.items()
    }


def panel_of(series: Sequence[CorpusSeries], starts: Values | None = None) -> PanelAnswers:
    """The corpus as what is known of series: those that become steady, and all, by workload.

    starts: one a steady series; of the right answers the one nearest to it counts.
    """
    steady_series = [one_series for one_series in series if one_series.is_steady]
    known_starts = np.array([one_series.known.middle for one_series in steady_series])
    if starts is not None:
        low = np.array([one_series.known.within_spread for one_series in steady_series])
        high = np.array([one_series.known.steady_start for one_series in steady_series])
        known_starts = np.where(np.isnan(starts), known_starts, np.clip(starts, low, high))
    return PanelAnswers(
        [
            MarkedSeries(one_series.plan.workload, one_series.values, int(start))
            for one_series, start in zip(steady_series, known_starts.tolist(), strict=True)
        ],
        [
            ShownSeries(one_series.plan.workload, one_series.values, (), one_series.is_steady)
            for one_series in series
        ],
        "benchmark",
    )


def harness_costs(series: Sequence[CorpusSeries], starts: Values) -> Values:
    """(k,) what a test costs on each series that becomes steady, in lengths of the series.

    A harness warms up until `starts`, and measures `MEASURED` values, or what is left. Never, and
    no answer (NaN), mean `CAP` iterations of warm-up. The test costs what it runs, and one length
    more if the known level of what it measures is farther than `FAR` from the steady one. Noise
    alone makes no result wrong.
    """
    return np.array([_harness_cost(s, start) for s, start in zip(series, starts, strict=True)])


def _harness_cost(series: CorpusSeries, start: float) -> float:
    levels, n = series.known.values, series.plan.n
    is_told = start != NEVER and not np.isnan(start)
    warm_up = int(start) if is_told else min(CAP, max(n - MEASURED, 0))
    measured_levels = levels[warm_up : warm_up + MEASURED]
    relative_error = abs(measured_levels.mean() / levels[series.known.steady_start :].mean() - 1)
    return (warm_up + measured_levels.size) / n + float(relative_error > FAR)


@dataclass(frozen=True, slots=True, eq=False)
class AskedCorpus:
    """The series that a method was asked for, and for each what stands for its never."""

    series: Sequence[CorpusSeries]
    constant: Values

    def subset(self, series_indices: Indices) -> AskedCorpus:
        return AskedCorpus(
            [self.series[series_index] for series_index in series_indices],
            self.constant[series_indices],
        )

    @property
    def steady(self) -> Indices:
        return np.flatnonzero([one_series.is_steady for one_series in self.series])

    def figures(self, method: Detector, detections: Detections) -> GroupFigures:
        valid_detections = [detection for detection in detections if detection is not None]
        steady_detections = [detections[series_index] for series_index in self.steady]
        row, cost, relative, filled_error = None, None, None, None
        if any(detection is not None for detection in steady_detections):
            answers = MethodAnswers(
                method_name(method), method.online, steady_detections, detections
            )
            constant_starts = self.constant[self.steady]
            panel = panel_of(self.series, starts_with_constant(answers.starts, constant_starts))
            row = replace(figures_of(panel, answers, constant_starts), waiting=None)
            cost = self._cost(answers.starts)
            errors = np.abs(
                starts_with_constant(answers.starts, constant_starts) - panel_starts(panel)
            )
            relative = float(
                np.nanmean(errors / [marked_series.values.size for marked_series in panel.marked])
            )
            filled_error = self._mean_error(answers.starts)
        never_count = sum(detection.steady_start == NEVER for detection in valid_detections)
        return GroupFigures(
            len(detections), len(valid_detections), never_count, row, relative, filled_error, cost
        )

    def _cost(self, starts: Values) -> float:
        costs = harness_costs([self.series[series_index] for series_index in self.steady], starts)
        return float(costs.mean())

    def _mean_error(self, starts: Values) -> float:
        constant_starts = self.constant[self.steady]
        counted_starts = starts_with_constant(
            np.where(np.isnan(starts), NEVER, starts), constant_starts
        )
        return float(
            np.abs(counted_starts - panel_starts(panel_of(self.series, counted_starts))).mean()
        )

    def cost_of_knowing(self) -> float:
        """Mean cost of a harness that knows the answers."""
        known_starts = [self.series[series_index].known.middle for series_index in self.steady]
        return self._cost(np.array(known_starts, dtype=np.float64))

    def cost_of_constant(self) -> float:
        return self._cost(np.round(self.constant[self.steady]))

    def constant_figures(self, name: str) -> MethodFigures:
        """Figures of an answer that knows nothing of the series."""
        starts = self.constant[self.steady]
        panel = panel_of(self.series, starts)
        errors = np.abs(starts - panel_starts(panel))
        return error_figures(name, errors, panel.marked)


def figures_by_group(
    corpus: AskedCorpus, answers: TimedAnswers
) -> Iterator[tuple[str, GroupFigures]]:
    for name, series_indices in groups(corpus.series).items():
        detections = [answers.found[series_index] for series_index in series_indices]
        yield name, corpus.subset(series_indices).figures(answers.method, detections)
