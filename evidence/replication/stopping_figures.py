"""Every figure of the published comparison of stopping techniques, from their published stops.

SOP is the developers' configuration; CV, RCIW and KLD are the rules of Laaber et al. Stops of the
models ROCKET and FCN are not published: `model_stops` computes them, where weights are there.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Final, NamedTuple

import numpy as np

from analysis.statistics.answers import Floats
from analysis.statistics.bootstrap import BootstrapSettings
from analysis.statistics.effect_sizes import vargha_delaney
from analysis.statistics.error_seconds import elapsed_seconds
from analysis.statistics.measurement_deviation import (
    CondensedForks,
    RatioInterval,
    interval_of,
    preview_ratios,
    steady_part,
)
from analysis.statistics.result_quality import (
    BenchmarkOutcome,
    deviations,
    gain_verdict,
    quartiles,
    tally,
)
from detectors.learned.crossfit import FOLDS
from detectors.training.labels.folds import assign_folds
from detectors.training.labels.labelled_windows import window_starts
from evidence.replication.monte_carlo import (
    MonteCarloSpread,
    RepeatedInterval,
    monte_carlo_spread,
    repeat_interval,
)
from evidence.replication.progress import track_items
from evidence.replication.published_study import PublishedBenchmark

COUNTED: Final = frozenset({"segments", "figure-4"})
"""Groups of figures that need no measurement: they are known at once."""
BESIDE_RULES: Final = tuple(
    f"{model}/{rule}" for model in ("ROCKET", "FCN") for rule in ("CV", "RCIW", "KLD")
)
"""A model that measures 100 iterations in the forks that a rule executed."""

TECHNIQUES: Final = ("SOP", "CV", "RCIW", "KLD", "ROCKET", "FCN", *BESIDE_RULES)
PAIRS: Final = (
    *(("CV", "SOP"), ("RCIW", "SOP"), ("KLD", "SOP"), ("KLD", "CV"), ("RCIW", "KLD")),
    *(("ROCKET", "SOP"), ("FCN", "SOP")),
    *((technique, technique.partition("/")[2]) for technique in BESIDE_RULES),
)
N: Final = 3000
"""Iterations of a published fork: segments of forks without measurements are counted with it."""

DRAWS: Final = BootstrapSettings(repeats=10_000)
"""As published."""


# --- one benchmark --------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class MeasuredTechnique:
    """One technique on one benchmark with measurements.

    errors    signed warm-up estimation error in seconds, by fork that is steady
    outcome   whether the result differs, and the testing time
    interval  None where none is to be had
    repeated  the interval with other random numbers
    """

    errors: Mapping[int, float]
    outcome: BenchmarkOutcome
    interval: RatioInterval | None
    repeated: RepeatedInterval | None


def measured_techniques(
    benchmark: PublishedBenchmark, *, quick: bool = False
) -> dict[str, MeasuredTechnique]:
    """Every technique with forks to execute; nothing where a fork has no measurements.

    `quick` takes previews of the intervals, of as many draws.
    """
    forks = benchmark.forks
    if len(forks) < len(benchmark.steady):
        return {}
    generator = np.random.default_rng(DRAWS.seed)
    totals = [elapsed_seconds(fork) for fork in forks]
    steady_forks = [
        fork[s + 1 :] for fork, s in zip(forks, benchmark.steady, strict=True) if s >= 0
    ]
    runs = {
        technique: list(enumerate(benchmark.run(technique)))
        for technique in TECHNIQUES
        if benchmark.run(technique)
    }
    pieces = [[forks[fork][w + 1 : e + 1] for fork, (w, e) in run] for run in runs.values()]
    measured_by_technique = {}
    for (technique, run), ratios in zip(
        runs.items(), (_preview_ratios if quick else _ratios)(pieces, steady_forks), strict=True
    ):
        interval = None if ratios is None else interval_of(ratios, DRAWS, is_exact=not quick)
        repeated_figures = (
            None if ratios is None else repeat_interval(ratios, DRAWS.level, generator)
        )
        seconds = sum(float(totals[fork][e + 1]) for fork, (_, e) in run)
        interval_differs = None if interval is None else interval.differs
        errors = _excess_seconds(benchmark, technique, totals)
        measured_by_technique[technique] = MeasuredTechnique(
            errors, BenchmarkOutcome(interval_differs, seconds), interval, repeated_figures
        )
    return measured_by_technique


Pieces = Sequence[Sequence[Floats]]


def _ratios(pieces: Pieces, steady_forks: Sequence[Floats]) -> list[Floats | None]:
    """Draw the ratios of each technique's measurement to the steady part, as published."""
    steady_values = steady_part(steady_forks, DRAWS)
    return [
        None if steady_values is None else steady_values.ratios(measurement)
        for measurement in pieces
    ]


def _preview_ratios(pieces: Pieces, steady_forks: Sequence[Floats]) -> list[Floats | None]:
    """Draw nearly the same ratios, by previews, in a seventh of the time."""
    condensed_forks = [CondensedForks.from_forks(measurement) for measurement in pieces]
    return preview_ratios(condensed_forks, CondensedForks.from_forks(steady_forks), DRAWS)


def _excess_seconds(
    benchmark: PublishedBenchmark, technique: str, totals: Sequence[Floats]
) -> dict[int, float]:
    return {
        fork: float(totals[fork][w + 1] - totals[fork][benchmark.steady[fork] + 1])
        for fork, (w, _) in enumerate(benchmark.stops[technique])
        if benchmark.steady[fork] >= 0
    }


# --- all of them ----------------------------------------------------------------------------------


@dataclass(slots=True)
class MeasuredTechniques:
    """Measured techniques of the benchmarks so far, in their order."""

    measured: list[dict[str, MeasuredTechnique]] = field(default_factory=list)

    def measurements_by(self, technique: str) -> list[MeasuredTechnique]:
        return [
            measurement_by_technique[technique]
            for measurement_by_technique in self.measured
            if technique in measurement_by_technique
        ]


class StoppingFigures(NamedTuple):
    """Figures by name, and how far those that are simulated differ from run to run."""

    values: dict[str, float]
    spreads: dict[str, MonteCarloSpread] = {}


def stopping_figures_of(
    benchmarks: Sequence[PublishedBenchmark], *, quick: bool = False, only_slug: str | None = None
) -> StoppingFigures:
    """All that can be computed. `quick` takes previews; `only_slug`: one group of figures."""
    if only_slug in COUNTED:
        return StoppingFigures(dict(_count_figures(benchmarks)) | dict(_error_shares(benchmarks)))
    measurements = MeasuredTechniques()
    for benchmark in track_items(benchmarks, "intervals, benchmarks"):
        if values := measured_techniques(benchmark, quick=quick):
            measurements.measured.append(values)
    figure_by_name = dict(_count_figures(benchmarks)) | dict(_error_shares(benchmarks))
    figure_by_name |= dict(_quality_figures(measurements)) | dict(_pair_figures(measurements))
    return StoppingFigures(
        figure_by_name,
        {
            name: figure_spread
            for name, figure_spread in _spreads(measurements)
            if figure_spread is not None
        },
    )


Found = Iterator[tuple[str, float]]


def _count_figures(benchmarks: Sequence[PublishedBenchmark]) -> Found:
    """Segments and folds, which need no measurement."""
    yield "benchmarks", len(benchmarks)
    stable_count = unstable_count = 0
    for benchmark in benchmarks:
        for index in benchmark.steady:
            if index >= 0:
                starts = window_starts(N, index + 1)
                unstable_count, stable_count = (
                    unstable_count + starts[0].size,
                    stable_count + starts[1].size,
                )
    yield from (("segments.stable", stable_count), ("segments.unstable", unstable_count))
    yield "segments.training", (stable_count + unstable_count) * (1 - 1 / FOLDS)
    yield ("steady", sum(index >= 0 for benchmark in benchmarks for index in benchmark.steady))
    if len(benchmarks) >= FOLDS:
        folds = list(assign_folds([benchmark.name for benchmark in benchmarks]).values())
        yield from ((f"fold.{fold}", folds.count(fold)) for fold in range(FOLDS))


def _error_shares(benchmarks: Sequence[PublishedBenchmark]) -> Found:
    """Errors in whole iterations, of the forks that are steady."""
    for technique in TECHNIQUES:
        offsets = np.array(
            [
                w - s
                for benchmark in benchmarks
                for (w, _), s in zip(
                    benchmark.stops.get(technique, ()), benchmark.steady, strict=False
                )
                if s >= 0
            ]
        )
        if offsets.size:
            yield f"{technique}.n", offsets.size
            for word, is_counted in (
                ("over", offsets > 0),
                ("under", offsets < 0),
                ("exact", offsets == 0),
            ):
                yield f"{technique}.{word}", 100 * float(is_counted.mean())


def _quality_figures(measurements: MeasuredTechniques) -> Found:
    for technique in TECHNIQUES:
        benchmark_results = measurements.measurements_by(technique)
        if not benchmark_results:
            continue
        deviation = deviations(benchmark_result.interval for benchmark_result in benchmark_results)
        yield f"{technique}.differs", deviation.differs
        sizes = {
            "deviation": (deviation.sizes, 100.0),
            "seconds": (
                quartiles(
                    benchmark_result.outcome.seconds for benchmark_result in benchmark_results
                ),
                1.0,
            ),
            "error": (
                quartiles(
                    abs(s)
                    for benchmark_result in benchmark_results
                    for s in benchmark_result.errors.values()
                ),
                1.0,
            ),
        }
        for figure, (denominator, factor) in sizes.items():
            shares = (("q25", denominator.q25), ("q50", denominator.q50), ("q75", denominator.q75))
            yield from (
                (f"{technique}.{figure}.{name}", factor * value)
                for name, value in shares
                if value is not None
            )


def _pair_figures(measurements: MeasuredTechniques) -> Found:
    # SciPy's statistics take seconds to load, and this is the only place that needs them.
    from analysis.statistics.paired_tests import wilcoxon  # noqa: PLC0415

    for model, baseline in PAIRS:
        measured_pairs = [
            (measured_by_technique[model], measured_by_technique[baseline])
            for measured_by_technique in measurements.measured
            if {model, baseline} <= measured_by_technique.keys()
        ]
        sizes = np.array(
            [pair for techniques in measured_pairs for pair in _sizes(*techniques)]
        ).reshape(-1, 2)
        gains = sizes[:, 1] - sizes[:, 0]
        name = f"{model}/{baseline}"
        if not sizes.size:
            continue
        rank_test, all_pairs = wilcoxon(gains), vargha_delaney(sizes[:, 1], sizes[:, 0])
        yield f"{name}.n", gains.size
        yield f"{name}.a12", float((gains > 0).mean() + (gains == 0).mean() / 2)
        figures = {"p": rank_test.p, "r": rank_test.rank_biserial, "a12_all": all_pairs}
        yield from ((f"{name}.{key}", value) for key, value in figures.items() if value is not None)
        verdicts = tally(
            [
                gain_verdict(model_result.outcome, baseline_result.outcome)
                for model_result, baseline_result in measured_pairs
            ]
        )
        yield from (
            (f"{name}.qi", verdicts.quality_improvement),
            (f"{name}.ti", verdicts.time_improvement),
            (f"{name}.qr", verdicts.quality_regression),
            (f"{name}.tr", verdicts.time_regression),
        )


def _sizes(model: MeasuredTechnique, baseline: MeasuredTechnique) -> Iterator[tuple[float, float]]:
    """Sizes of both errors on the forks that both stopped on."""
    for fork in model.errors.keys() & baseline.errors.keys():
        yield abs(model.errors[fork]), abs(baseline.errors[fork])


# --- with other random numbers --------------------------------------------------------------------


def _spreads(measurements: MeasuredTechniques) -> Iterator[tuple[str, MonteCarloSpread | None]]:
    """Spread of every figure that depends on the bootstrap; repetitions of benchmarks are
    independent.
    """
    for technique in TECHNIQUES:
        repeated_intervals = [
            measurement.repeated
            for measurement in measurements.measurements_by(technique)
            if measurement.repeated is not None
        ]
        if repeated_intervals:
            interval_differs = np.array([interval.differs for interval in repeated_intervals])
            sizes = np.where(
                interval_differs,
                np.array([interval.deviation for interval in repeated_intervals]),
                np.nan,
            )
            yield (
                f"{technique}.differs",
                monte_carlo_spread(interval_differs.sum(0).astype(np.float64)),
            )
            yield from _spreads_of_quartiles(technique, sizes[:, interval_differs.any(0)])
    for model, baseline in PAIRS:
        yield from _spreads_of_verdicts(measurements, model, baseline)


def _spreads_of_quartiles(
    technique: str, sizes: Floats
) -> Iterator[tuple[str, MonteCarloSpread | None]]:
    """`sizes`: (benchmarks, repetitions), NaN where they do not differ; linear interpolation."""
    if not sizes.size:
        return
    sorted_sizes, last = np.sort(sizes, axis=0), (~np.isnan(sizes)).sum(0) - 1  # NaN is sorted last
    columns = np.arange(last.size)
    for name, share in (("q25", 0.25), ("q50", 0.5), ("q75", 0.75)):
        indices_below = np.floor(share * last).astype(np.int64)
        sizes_below, sizes_above = (
            sorted_sizes[indices_below, columns],
            sorted_sizes[np.minimum(indices_below + 1, last), columns],
        )
        values = 100 * (sizes_below + (sizes_above - sizes_below) * (share * last - indices_below))
        yield f"{technique}.deviation.{name}", monte_carlo_spread(values)


def _spreads_of_verdicts(
    measurements: MeasuredTechniques, model: str, baseline: str
) -> Iterator[tuple[str, MonteCarloSpread | None]]:
    counts: dict[str, Floats] = {}
    for measurement_by_technique in measurements.measured:
        if model not in measurement_by_technique or baseline not in measurement_by_technique:
            continue
        own_measurement, their_measurement = (
            measurement_by_technique[model],
            measurement_by_technique[baseline],
        )
        if own_measurement.repeated is None or their_measurement.repeated is None:
            continue
        a, b = own_measurement.repeated.differs, their_measurement.repeated.differs
        is_quicker = own_measurement.outcome.seconds < their_measurement.outcome.seconds
        is_slower = own_measurement.outcome.seconds > their_measurement.outcome.seconds
        verdicts = {
            "qi": ~a & b,
            "qr": a & ~b,
            "ti": ~a & ~b & is_quicker,
            "tr": ~a & ~b & is_slower,
        }
        for name, is_verdict in verdicts.items():
            counts[name] = counts.get(name, 0) + is_verdict.astype(np.float64)
    for name, values in counts.items():
        yield f"{model}/{baseline}.{name}", monte_carlo_spread(values)
