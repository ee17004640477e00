"""The tables of costs as CSV and JSON: page, download and command line read the same."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from itertools import chain
from typing import Any, Final

from analysis.cost.pairs import SEGMENT_FIGURES, pair_rows, segment_rows
from analysis.cost.query import CONFIGURED
from analysis.cost.table import TALLY, BenchmarkCost, ComparisonCosts, drawn_how
from analysis.statistics.measurement_deviation import RatioInterval
from analysis.web.series_columns import NAMING
from formats.tables import Cell, picked

SECONDS: Final = ("seconds", "seconds_honest")
RATIO: Final = ("ratio_low", "ratio_high", "differs", "close", "deviation", "interval")
OF_BENCHMARK: Final = tuple(name for name in NAMING if name not in {"fork", "n"})
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


def cost_rows(costs: ComparisonCosts, table_name: str) -> Iterator[tuple[Cell, ...]]:
    """The rows of one of FILES."""
    columns = FILES[table_name]
    return (tuple(row[name] for name in columns) for row in ROWS[table_name](costs))


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


def _benchmark(row: BenchmarkCost) -> dict[str, Cell]:
    columns = [name for name in FILES["benchmarks"] if name not in RATIO]
    cells = picked(columns, row, row.group, row.group.line)
    return {**dict(zip(columns, cells, strict=True)), **ratio_cells(row.interval)}


def ratio_cells(interval: RatioInterval | None) -> dict[str, Cell]:
    """Cells of an interval, empty without one."""
    if interval is None:
        return dict.fromkeys(RATIO)
    return {
        "ratio_low": interval.low,
        "ratio_high": interval.high,
        "differs": int(interval.differs),
        "close": int(interval.close),
        "deviation": interval.deviation,
        "interval": drawn_how(is_exact=interval.exact),
    }


def _forks(costs: ComparisonCosts) -> Iterator[dict[str, Cell]]:
    for method in costs.methods:
        is_counted = costs.counted(method)
        for group in costs.groups:
            for line_index in group.places[is_counted[group.places]].tolist():
                yield costs.fork_cells(method, line_index)


ROWS: Final[Mapping[str, Callable[[ComparisonCosts], Iterable[Mapping[str, Cell]]]]] = {
    "methods": lambda costs: costs.by_method.values(),
    "benchmarks": lambda costs: map(_benchmark, chain.from_iterable(costs.by_benchmark.values())),
    "forks": _forks,
    "pairs": pair_rows,
    "segments": segment_rows,
}
"""Rows of each table, by its name: cells by column."""
