"""The tables of costs as CSV and JSON: page, download and command line read the same."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import chain
from typing import Any, Final

from analysis.cost.pairs import (
    SEGMENT_FIGURES,
    PairCost,
    SegmentRow,
    pair_rows,
    segment_rows,
)
from analysis.cost.query import CONFIGURED
from analysis.cost.table import BenchmarkCost, ComparisonCosts, ForkCost, MethodCost
from analysis.statistics.measurement_deviation import RatioInterval
from analysis.statistics.result_quality import QualityTally
from analysis.web.series_columns import NAMING
from formats.tables import Cell

SECONDS: Final = ("seconds", "seconds_honest")
RATIO: Final = ("ratio_low", "ratio_high", "differs", "close", "deviation", "interval")
OF_BENCHMARK: Final = tuple(name for name in NAMING if name not in {"fork", "n"})
TALLY: Final = (
    "quality_improvement",
    "time_improvement",
    "quality_regression",
    "time_regression",
    "none",
    "net",
)
FILES: Final[dict[str, tuple[str, ...]]] = {
    "methods": (
        *("method", "version", "params", "benchmarks", "untimed", "forks", "never", "capped"),
        *("warm_up_q25", "warm_up_q50", "warm_up_q75"),
        *(f"{name}_{part}" for name in SECONDS for part in ("total", "q25", "q50", "q75")),
        *("over", "under", "exact", "missed", "error_total", "error_q25", "error_q50", "error_q75"),
        *("wasted", "contaminated", "judged", "differs", "close"),
        *("deviation_q25", "deviation_q50", "deviation_q75", "interval"),
        *("precision_q25", "precision_q50", "precision_q75", "overhead"),
        *TALLY,
        "tally_interval",
    ),
    "benchmarks": (
        *OF_BENCHMARK,
        "iteration",
        *("method", "forks", "measured", "never", "capped", "warm_up"),
        *SECONDS,
        *("wasted", "contaminated"),
        *RATIO,
        "against_baseline",
    ),
    "forks": (
        *NAMING,
        "iteration",
        *("method", "truth", "answer", "decided_at", "start", "stop", "capped"),
        *SECONDS,
        *("error", "wasted", "contaminated", "precision"),
    ),
    "pairs": (
        *("method", "baseline", "pairs", "w", "p", "a12", "a12_all", "magnitude", "r", "judged"),
        *TALLY,
        "tally_interval",
    ),
    "segments": (
        *("method", "weights", "folds", "windows"),
        *(f"{name}{part}" for name in SEGMENT_FIGURES for part in ("", "_sd")),
    ),
}
"""Tables by name, with their columns."""

TITLES: Final = {
    "methods": "Methods",
    "benchmarks": "Every method on every benchmark",
    "forks": "Every method on every series",
    "pairs": "Every method against every baseline",
    "segments": "Models of learned methods",
}
_NO_INTERVAL: Final = (None,) * len(RATIO)


def cost_rows(costs: ComparisonCosts, table_name: str) -> Iterator[tuple[Cell, ...]]:
    """The rows of one of FILES."""
    match table_name:
        case "methods":
            return map(_method, costs.by_method)
        case "benchmarks":
            return map(_benchmark, chain.from_iterable(costs.by_benchmark.values()))
        case "forks":
            return _forks(costs)
        case "pairs":
            return map(_pair, pair_rows(costs))
        case _:
            return map(_segment, segment_rows(costs))


def cost_document(costs: ComparisonCosts, table_name: str) -> dict[str, Any]:
    """The JSON of one table, with what its figures rest on."""
    cost_query, columns = costs.wanted, FILES[table_name]
    return {
        "what": f"costs: {table_name}",
        "study": costs.compared.yardstick.study.slug,
        "yardstick": costs.compared.yardstick.code,
        "accounting": cost_query.accounting,
        "cap": cost_query.cap,
        "measured": CONFIGURED if cost_query.measured is None else cost_query.measured,
        "until": cost_query.until,
        "forks": cost_query.forks,
        "forks_by": costs.runs.rule,
        "measured_otherwise": costs.runs.unsaid,
        "over": cost_query.over,
        "baseline": costs.baseline,
        "common": costs.inputs.common,
        "series": len(costs.inputs.lines),
        "iterations_last": costs.lengths,
        "unrecorded": costs.unrecorded,
        "hidden_until_answered": costs.inputs.left_out,
        "intervals_not_yet_exact": len(costs.waiting),
        "rows": [dict(zip(columns, row, strict=True)) for row in cost_rows(costs, table_name)],
    }


def _method(cost: MethodCost) -> tuple[Cell, ...]:
    look, errors, result = cost.look, cost.errors, cost.deviations
    return (
        *(look.slug, look.version, look.key.partition("?")[2]),
        *(cost.benchmarks, cost.untimed, cost.forks, cost.never, cost.capped),
        *(cost.warm_up.q25, cost.warm_up.q50, cost.warm_up.q75),
        *(cost.total, cost.seconds.q25, cost.seconds.q50, cost.seconds.q75),
        *(cost.honest_total, cost.honest_seconds.q25),
        *(cost.honest_seconds.q50, cost.honest_seconds.q75),
        *(errors.over, errors.under, errors.exact, errors.missed),
        *(errors.total if errors.n else None, errors.sizes.q25),
        *(errors.sizes.q50, errors.sizes.q75),
        *(cost.wasted, cost.contaminated, result.n, result.differs, result.close),
        *(result.sizes.q25, result.sizes.q50, result.sizes.q75),
        _how(result.exact) if result.n else None,
        *(cost.precision.q25, cost.precision.q50, cost.precision.q75, cost.overhead),
        *_tally(cost.tally),
        _how(cost.exact_tally) if cost.tally else None,
    )


def _tally(tally: QualityTally | None) -> tuple[Cell, ...]:
    if tally is None:
        return (None,) * len(TALLY)
    return tuple(getattr(tally, name) for name in TALLY)


def _pair(row: PairCost) -> tuple[Cell, ...]:
    errors, tally = row.errors, row.tally
    error_cells: tuple[Cell, ...] = (0, *(None,) * 6)
    if errors is not None:
        error_cells = (errors.pairs, errors.statistic, errors.p, errors.a12, errors.a12_all)
        error_cells += (errors.magnitude, errors.r)
    return (
        *(row.look.name, row.baseline.name, *error_cells, tally.n if tally else 0),
        *_tally(tally),
        _how(row.exact) if tally else None,
    )


def _segment(row: SegmentRow) -> tuple[Cell, ...]:
    cells = [row.figures[name] or (None, None) for name in SEGMENT_FIGURES]
    figures = (figure for cell in cells for figure in cell)
    return row.look.name, row.weights, row.folds, row.windows, *figures


def _benchmark(row: BenchmarkCost) -> tuple[Cell, ...]:
    line = row.group.line
    return (
        *(getattr(line, name) for name in OF_BENCHMARK),
        row.group.iteration,
        *(row.method, row.forks, row.measured, row.never, row.capped, row.warm_up),
        *(row.seconds, row.honest_seconds, row.wasted, row.contaminated),
        *_ratio(row.interval),
        row.verdict,
    )


def _ratio(interval: RatioInterval | None) -> tuple[Cell, ...]:
    if interval is None:
        return _NO_INTERVAL
    ends = interval.low, interval.high
    deviation_cells = int(interval.differs), int(interval.close), interval.deviation
    return *ends, *deviation_cells, _how(interval.exact)


def _how(exact: bool) -> str:  # noqa: FBT001  # the one thing that it tells
    return "exact" if exact else "preview"


def _forks(costs: ComparisonCosts) -> Iterator[tuple[Cell, ...]]:
    for method in costs.methods:
        for group in costs.groups:
            yield from map(_fork, costs.forks_of(method, group.places))


def _fork(row: ForkCost) -> tuple[Cell, ...]:
    return (
        *row.line.named,
        row.line.iteration,
        *(row.method, row.truth, row.answer, row.decided, row.start, row.stop, int(row.capped)),
        *(row.seconds, row.honest_seconds, row.signed, row.wasted, row.contaminated),
        row.precision,
    )
