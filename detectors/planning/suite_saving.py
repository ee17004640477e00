"""Machine time of a suite by its plans and by stability metrics, and the precision that it costs.

Every way is judged by the same interval: that of the plan, which counts how forks differ. Pure.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from typing import Annotated, Final

import numpy as np

from detectors.contract import Values
from detectors.planning.benchmark_plan import BenchmarkPlan, Configuration, MeasuredFork
from detectors.planning.stability_metrics import METRICS, least_stable

CONFIGURED: Final = "configured"
PLAN: Final = "plan"
WAYS: Final = (CONFIGURED, PLAN, *METRICS)


@dataclass(frozen=True, slots=True)
class SavingRow:
    """One benchmark, measured in one way; None is an empty cell."""

    benchmark: str
    way: Annotated[str, "configured, plan, or the stability metric of µOpTime"]
    forks: Annotated[int, "to run"]
    iterations: Annotated[int, "to measure in each fork"]
    seconds: Annotated[float, "machine time, with the start of forks and warm-up"]
    share: Annotated[float, "of the time as configured"]
    mean_change: Annotated[
        float | None, "of these values in the recorded forks, against the steady mean of all"
    ]
    half_width: Annotated[
        float | None, "of the interval of the mean, a share of it; empty for a single fork"
    ]
    width_ratio: Annotated[float | None, "of it to that of the recorded forks"]
    lacking: Annotated[str, "why there is no plan: the benchmark stays as configured"] = field(
        default=""
    )


@dataclass(frozen=True, slots=True)
class SuiteWay:
    """A whole suite, measured in one way."""

    way: Annotated[str, "configured, plan, or the stability metric of µOpTime"]
    benchmarks: Annotated[int, "with enough steady forks"]
    unplanned: Annotated[int, "of them without a plan, which stay as configured"]
    seconds: Annotated[float, "machine time"]
    share: Annotated[float, "of the time as configured"]
    mean_change: Annotated[float | None, "median size over benchmarks"]
    width_ratio: Annotated[float | None, "median over benchmarks where an interval is known"]
    without_interval: Annotated[int, "benchmarks with a single fork, so without an interval"]


def saving_rows(
    name: str, plan: BenchmarkPlan, forks: Sequence[MeasuredFork]
) -> Iterator[SavingRow]:
    """The rows of a benchmark, in the order of `WAYS`; none where too few forks are steady."""
    if plan.warm_up is None or plan.levels is None:
        return
    warm_up = plan.warm_up.iterations
    values = _steady_values(forks, warm_up)
    if not values.size:
        return
    configured_seconds = plan.present or sum(
        plan.costs.seconds(0, fork.recorded_to, 1) for fork in forks
    )
    present_configuration = plan.configuration(warm_up, values.shape[1], values.shape[0])
    mean = float(values.mean())

    def row(way: str, run: Configuration, seconds: float, change: float | None) -> SavingRow:
        widths = run.half_width, present_configuration.half_width
        ratio = widths[0] / widths[1] if widths[0] is not None and widths[1] else None
        share, lacking_words = seconds / configured_seconds, plan.lacking if way == PLAN else ""
        return SavingRow(
            name,
            way,
            run.forks,
            run.iterations,
            seconds,
            share,
            change,
            widths[0],
            ratio,
            lacking_words,
        )

    yield row(CONFIGURED, present_configuration, configured_seconds, 0.0)
    if plan.recommended is None or plan.lacking:
        yield row(PLAN, present_configuration, configured_seconds, 0.0)
    else:
        yield row(PLAN, plan.recommended, plan.recommended.seconds, plan.recommended.bias)
    for way_title, metric in METRICS.items():
        stable_configuration = least_stable(values, metric)
        run = plan.configuration(
            warm_up, stable_configuration.iterations, stable_configuration.forks
        )
        mean_of_part = float(
            values[: stable_configuration.forks, : stable_configuration.iterations].mean()
        )
        yield row(way_title, run, run.seconds, mean_of_part / mean - 1 if mean else None)


def _steady_values(forks: Sequence[MeasuredFork], warm_up: int) -> Values:
    """Values after the warm-up of the forks that have any; float64 (forks, iterations)."""
    parts = [fork.values[max(warm_up - fork.recorded_from, 0) :] for fork in forks if fork.steady]
    parts = [steady_part for steady_part in parts if steady_part.size]
    length = min((steady_part.size for steady_part in parts), default=0)
    return np.array([steady_part[:length] for steady_part in parts]) if length else np.empty((0, 0))


def suite_ways(rows: Iterable[SavingRow]) -> list[SuiteWay]:
    """Sums and medians of all benchmarks, a row a way."""
    rows_by_way = dict[str, list[SavingRow]]()
    for row in rows:
        rows_by_way.setdefault(row.way, []).append(row)
    configured_seconds = sum(row.seconds for row in rows_by_way.get(CONFIGURED, ()))
    return [
        SuiteWay(
            way,
            len(way_rows),
            sum(bool(row.lacking) for row in way_rows),
            seconds := sum(row.seconds for row in way_rows),
            seconds / configured_seconds,
            _median([abs(row.mean_change) for row in way_rows if row.mean_change is not None]),
            _median([row.width_ratio for row in way_rows if row.width_ratio is not None]),
            sum(row.half_width is None for row in way_rows),
        )
        for way, way_rows in rows_by_way.items()
    ]


def _median(numbers: Sequence[float]) -> float | None:
    return float(np.median(numbers)) if numbers else None
