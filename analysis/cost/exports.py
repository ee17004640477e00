"""Tables of costs: what each method would take, and how far its results are off."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from itertools import chain
from typing import Any, Final

from analysis.comparison.command_checks import no_comparison_reason
from analysis.comparison.exports import UNKNOWN_ERRORS
from analysis.comparison.method_names import matching_methods, named_methods
from analysis.comparison.query import ComparisonQuery
from analysis.comparison.table import compare_stored
from analysis.comparison.views.requested_comparison import with_yardstick
from analysis.cost.method_pairs import SEGMENT_FIGURES, pair_rows, segment_rows
from analysis.cost.query import CONFIGURED, CostQuery
from analysis.cost.sentences import cost_text
from analysis.cost.table import BenchmarkCost, ComparisonCosts, comparison_costs, interval_word
from analysis.statistics.measurement_deviation import RatioInterval
from analysis.web.page_tables import (
    PageTables,
    TableEmpty,
    TableRefused,
    TableRequest,
    TableScope,
    column_table,
)
from analysis.web.series_columns import NAMING
from annotate.models import Campaign
from annotate.named_arguments import scope_named
from formats.tables import ANSWER_MEANINGS, METHOD_MEANINGS, Cell, attribute_row
from people.access import study_for
from people.models import Study

INTERVAL_SECONDS: Final = 2.0  # seconds of exact intervals in one download
TABLES_WITHOUT_INTERVALS: Final = {"forks", "segments"}


# --- meanings of columns ----------------------------------------------------------------------
def _quartile_columns(name: str, words: str) -> dict[str, str]:
    return {
        f"{name}_q25": f"25 % quantile of {words}",
        f"{name}_q50": f"median of {words}",
        f"{name}_q75": f"75 % quantile of {words}",
    }


_EXACT_MEANING: Final = "exact, or preview while intervals are still drawn; empty: none"
_TALLY_COLUMNS: Final = {
    "quality_improvement": "benchmarks with a better result than by the baseline",
    "time_improvement": "benchmarks with an equal result in less time",
    "quality_regression": "benchmarks with a worse result",
    "time_regression": "benchmarks with an equal result in more time",
    "none": "benchmarks without a difference",
    "net": "improvements minus regressions, as a share of the benchmarks",
    "tally_interval": _EXACT_MEANING,
}
_RATIO_COLUMNS: Final = {
    "ratio_low": "lower end of the interval of the result over that of the steady state",
    "ratio_high": "upper end of the same",
    "differs": "1: the interval does not hold 1; 0: it does",
    "close": "1: another seed might decide otherwise; 0: none would",
    "deviation": "distance of the middle of the interval from 1, as a share",
    "interval": _EXACT_MEANING,
}
_COUNT_COLUMNS: Final = {
    "forks": "series on which the method has an answer; with common series every method",
    "never": "series on which it says never",
    "capped": "series whose warm-up the cap ended",
}
_SPENT_COLUMNS: Final = {
    "wasted": "steady time before the measurement, in seconds",
    "contaminated": "measured time before the steady start, in seconds",
}
_SECONDS_MEANING: Final = "time of warm-up and measurement, in seconds"
_HONEST_MEANING: Final = "the same, charged for all that the method had to see"
_METHOD_COLUMNS: Final = {
    **METHOD_MEANINGS,
    "benchmarks": "benchmarks on which it has an answer",
    "untimed": "benchmarks without seconds: the length of an iteration is unknown",
    **_COUNT_COLUMNS,
    **_quartile_columns("warm_up", "the iterations before the measurement, over series"),
    "seconds_total": f"{_SECONDS_MEANING}, of all benchmarks",
    **_quartile_columns("seconds", f"the {_SECONDS_MEANING}, over benchmarks"),
    "seconds_honest_total": f"{_HONEST_MEANING}, of all benchmarks",
    **_quartile_columns(
        "seconds_honest", "the same time, charged for all that the method had to see"
    ),
    "over": "steady series on which its warm-up is too long",
    "under": "steady series on which its warm-up is too short",
    "exact": "steady series on which its warm-up ends at the steady start",
    "missed": "steady series that it calls never",
    "error_total": "sum of the sizes of these errors, in seconds",
    **_quartile_columns("error", "the sizes of these errors, in seconds"),
    **_SPENT_COLUMNS,
    "judged": "benchmarks with an interval of the result",
    "differs": "of these, benchmarks whose interval does not hold 1",
    "close": "of these, benchmarks that another seed might judge otherwise",
    **_quartile_columns("deviation", "the deviation of results, as a share, over benchmarks"),
    "interval": _EXACT_MEANING,
    **_quartile_columns(
        "precision", "half of the 95 % interval of a measured mean, as a share of it"
    ),
    "overhead": "time of computing its answers, as a share of the time that it had to see",
    **_TALLY_COLUMNS,
}
_BENCHMARK_COLUMNS: Final = {
    **{name: meaning for name, meaning in NAMING.items() if name not in {"fork", "n"}},
    "iteration": "how long an iteration lasts",
    "method": "name of the method",
    "forks": _COUNT_COLUMNS["forks"],
    "measured": "of these, series of which something is measured",
    "never": _COUNT_COLUMNS["never"],
    "capped": _COUNT_COLUMNS["capped"],
    "warm_up": "median of the iterations before the measurement",
    "seconds": f"{_SECONDS_MEANING}, of all its series",
    "seconds_honest": _HONEST_MEANING,
    **_SPENT_COLUMNS,
    **_RATIO_COLUMNS,
    "against_baseline": "verdict against the baseline; empty: none",
}
_FORK_COLUMNS: Final = {
    **NAMING,
    "iteration": "how long an iteration lasts",
    "method": "name of the method",
    "truth": "answer of the yardstick, 0-based; -1 never",
    "answer": "answer of the method, 0-based; -1 never",
    "decided_at": ANSWER_MEANINGS["decided_at"],
    "start": "first measured iteration",
    "stop": "iteration after the last measured one",
    "capped": "1: the cap ended the warm-up; 0: the method did",
    "seconds": _SECONDS_MEANING,
    "seconds_honest": _HONEST_MEANING,
    "error": "warm-up minus that of the yardstick, in seconds",
    **_SPENT_COLUMNS,
    "precision": "half of the 95 % interval of the measured mean, as a share of it",
}
_PAIR_COLUMNS: Final = {
    "method": "name of the method",
    "baseline": "name of the method that it is held against",
    "pairs": "series on which both have an error of the warm-up",
    "w": "statistic of Wilcoxon's signed-rank test of the errors' sizes",
    "p": "its p-value, two-sided",
    "a12": "share of these series on which the method's error is less, a tie as a half",
    "a12_all": "the same over all pairs of any two series (Vargha and Delaney)",
    "magnitude": "word for the size of that effect",
    "r": "matched-pairs rank-biserial correlation; positive favours the method",
    "judged": "benchmarks with intervals of both results",
    **_TALLY_COLUMNS,
}
_SEGMENT_COLUMNS: Final = {
    "method": "name of the method",
    "weights": "weights of its models",
    "folds": "models: each is scored on windows that it was not trained on",
    "windows": "these windows",
    **{
        f"{name}{part}": f"{words} {name.replace('_', ' ')} over the folds"
        for name in SEGMENT_FIGURES
        for part, words in {"": "mean of the", "_sd": "standard deviation of the"}.items()
    },
}


# --- rows -------------------------------------------------------------------------------------
def _benchmark_cells(row: BenchmarkCost) -> dict[str, Cell]:
    columns = [name for name in _BENCHMARK_COLUMNS if name not in _RATIO_COLUMNS]
    cells = attribute_row(columns, row, row.group, row.group.line)
    return {**dict(zip(columns, cells, strict=True)), **ratio_cells(row.interval)}


def ratio_cells(interval: RatioInterval | None) -> dict[str, Cell]:
    """Cells of an interval, empty without one."""
    if interval is None:
        return dict.fromkeys(_RATIO_COLUMNS)
    return {
        "ratio_low": interval.low,
        "ratio_high": interval.high,
        "differs": int(interval.differs),
        "close": int(interval.close),
        "deviation": interval.deviation,
        "interval": interval_word(is_exact=interval.exact),
    }


def _fork_rows(costs: ComparisonCosts) -> Iterator[dict[str, Cell]]:
    for method in costs.methods:
        is_counted = costs.counted_mask(method)
        for group in costs.groups:
            for line_index in group.line_indices[is_counted[group.line_indices]].tolist():
                yield costs.fork_cells(method, line_index)


# --- which tables there are -------------------------------------------------------------------
def _compute(request: TableRequest) -> ComparisonCosts:
    """Costs with exact intervals: of a command all, of a download those of `AT_ONCE` seconds."""
    query, cost_query = request.queries
    study, query = _study_and_query(request.scope, query)
    comparison = compare_stored(study, request.reader, query)
    if comparison is None:
        raise TableEmpty("no yardstick yet; a campaign needs complete answers")
    if request.is_command:
        looks = [
            look for look in comparison.looks.values() if look.name in comparison.inputs.methods
        ]
        baseline_looks = matching_methods(cost_query.baseline, looks) if cost_query.baseline else []
        if cost_query.baseline and looks and not baseline_looks:
            raise TableRefused(
                f"--baseline: found {cost_query.baseline!r}, "
                f"expected one of: {named_methods(looks)}"
            )
        cost_query = replace(cost_query, baseline=baseline_looks[0].name if baseline_looks else "")
    costs = comparison_costs(comparison, cost_query)
    if costs is None:
        raise TableEmpty(no_comparison_reason(comparison))
    if request.table_name not in TABLES_WITHOUT_INTERVALS:
        costs.compute(None if request.is_command else INTERVAL_SECONDS)
    return costs


def _study_and_query(scope: Any, query: ComparisonQuery) -> tuple[Study, ComparisonQuery]:
    """The study and the comparison of a page, or of STUDY/CAMPAIGN or STUDY/DATASET.

    Costs are about the first steady iteration, whatever index a comparison shows.
    """
    query = query.alone.changed(index="steady_start")
    if isinstance(scope, Study):
        return scope, with_yardstick(scope, query)
    if isinstance(scope, Campaign):
        return scope.study, query.changed(yardstick=query.yardstick or f"campaign:{scope.slug}")
    return scope.study, query.changed(dataset=scope.slug)


def _settings_and_counts(costs: ComparisonCosts, table_name: str) -> dict[str, Any]:
    """Settings and counts that the figures rest on."""
    cost_query = costs.query
    return {
        "what": f"costs: {table_name}",
        "study": costs.compared.yardstick.study.slug,
        "yardstick": costs.compared.yardstick.code,
        "accounting": cost_query.accounting,
        "cap": cost_query.cap,
        "measured": CONFIGURED if cost_query.measured is None else cost_query.measured,
        "until": cost_query.until,
        "forks": cost_query.forks,
        "forks_by": costs.runs.rule_title,
        "measured_otherwise": costs.runs.unconfigured_count,
        "over": cost_query.over,
        "baseline": costs.baseline,
        "common": costs.inputs.common,
        "series": len(costs.inputs.lines),
        "iterations_last": costs.lengths,
        "unrecorded": costs.unrecorded_count,
        "hidden_until_answered": costs.inputs.left_out,
        "intervals_not_yet_exact": len(costs.missing_pairs),
    }


COST_TABLES: Final = PageTables(
    scope=TableScope(
        *("scope", "STUDY/CAMPAIGN|STUDY/DATASET", scope_named, study_for),
        lambda study: (study.slug, "costs"),
    ),
    queries={ComparisonQuery: ("yardstick", "methods", "common"), CostQuery: ()},
    compute=_compute,
    tables={
        "methods": column_table(
            "Methods", _METHOD_COLUMNS, lambda costs: costs.method_cells.values()
        ),
        "benchmarks": column_table(
            "Every method on every benchmark",
            _BENCHMARK_COLUMNS,
            lambda costs: map(
                _benchmark_cells, chain.from_iterable(costs.benchmark_costs.values())
            ),
        ),
        "forks": column_table("Every method on every series", _FORK_COLUMNS, _fork_rows),
        "pairs": column_table("Every method against every baseline", _PAIR_COLUMNS, pair_rows),
        "segments": column_table("Models of learned methods", _SEGMENT_COLUMNS, segment_rows),
    },
    refusals=UNKNOWN_ERRORS,
    about=_settings_and_counts,
    lines=lambda costs, name: cost_text(costs) if name == "methods" else None,
)
