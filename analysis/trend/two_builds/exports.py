"""Table of two builds, for download and command."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any, Final

from analysis.statistics.multiple_comparisons import ALPHA
from analysis.trend.exports import MOST_MEANS, check_all_computed
from analysis.trend.starts import UnknownStart
from analysis.trend.two_builds.query import TwoBuildsQuery
from analysis.trend.two_builds.table import NoSecondBuild, TwoBuilds, UnknownBuild, two_builds
from analysis.web.page_tables import (
    DATASET,
    PageTables,
    TableEmpty,
    TableNotReady,
    TableRequest,
    column_table,
)
from formats.tables import NAMING, Cell

COLUMNS: Final = {
    **{name: NAMING[name] for name in ("system", "benchmark", "params", "unit")},
    "better": "less or more: which values are better",
    "before": "mean over the forks of the first build, in the unit",
    "after": "the same of the second build",
    "forks_before": "forks with a result above 0: no other counts",
    "forks_after": "the same of the second build",
    "change": "after against before, as a share: 0.1 is 10 % more",
    "change_low": "lower end of its 95 % interval, of this benchmark alone (Welch, of the "
    "logarithm of the ratio; of a duet by its pairs); empty with fewer than two forks in a build, "
    "or pairs",
    "change_high": "upper end of the same",
    "cliffs_delta": "share of pairs of forks in which the second build is above, less the share in "
    "which it is below",
    "p": "two-sided, of no change (Welch; of a duet Student's t of its pairs)",
    "fork_pairs": "pairs of forks that ran side by side; empty where builds ran apart",
    "p_adjusted": "by Holm over all benchmarks with a p",
    "verdict": "worse, better, small (certain, below 1 %), equal (within 1 %), open (not certain), "
    "one fork, only before or only after; certain: p_adjusted below 0.05",
}
DUET_COLUMNS: Final = {
    **{name: NAMING[name] for name in ("system", "benchmark", "params", "unit")},
    "fork_pairs": "pairs of forks that ran side by side",
    "iteration_pairs": "pairs of iterations that count, of all forks",
    "change": "geometric mean of the ratios of paired iterations less 1: 0.1 is 10 % more",
    "change_low": "lower end of its 95 % interval: Student's t of the forks' mean logarithms, of "
    "one fork by its iterations",
    "change_high": "upper end of the same",
    "p": "two-sided, of no change",
    "saving": "variance of the difference had both sides run apart, over that of the pairs: so "
    "many times the forks would be needed",
    "fork_deviation": "standard deviation of log ratios between forks, without what iterations "
    "explain",
    "iteration_deviation": "of log ratios within a fork, as neighbours leave it to a mean",
    "forks_needed": "pairs of forks for the target with iterations as recorded; empty: over 1,000, "
    "or one pair",
    "plan_forks": "pairs of forks of the cheapest duet for the target",
    "plan_iterations": "its pairs of iterations of each",
    "plan_seconds": "its machine time",
}


def _build_rows(builds: TwoBuilds) -> Iterator[Mapping[str, Cell]]:
    for row in builds.rows:
        difference, benchmark = row.difference, row.benchmark
        yield {
            "system": benchmark.system,
            "benchmark": benchmark.name,
            "params": benchmark.params,
            "unit": benchmark.unit,
            "better": benchmark.direction.better,
            "before": float(row.before.mean()) if row.before.size else None,
            "after": float(row.after.mean()) if row.after.size else None,
            "forks_before": row.before.size,
            "forks_after": row.after.size,
            "change": row.change,
            "change_low": row.low,
            "change_high": row.high,
            "cliffs_delta": difference.delta if difference else None,
            "p": difference.p if difference else None,
            "fork_pairs": row.duet.difference.forks if row.duet else None,
            "p_adjusted": row.adjusted_p,
            "verdict": row.verdict,
        }


def _duet_rows(builds: TwoBuilds) -> Iterator[Mapping[str, Cell]]:
    for row in builds.rows:
        if row.duet is None:
            continue
        difference, benchmark = row.duet.difference, row.benchmark
        plan = row.duet.plan(builds.asked.target)
        yield {
            "system": benchmark.system,
            "benchmark": benchmark.name,
            "params": benchmark.params,
            "unit": benchmark.unit,
            "fork_pairs": difference.forks,
            "iteration_pairs": difference.pairs,
            "change": row.change,
            "change_low": None if difference.low is None else difference.low - 1,
            "change_high": None if difference.high is None else difference.high - 1,
            "p": difference.p,
            "saving": difference.saving,
            "fork_deviation": _deviation(difference.between_forks),
            "iteration_deviation": _deviation(difference.long_run),
            "forks_needed": row.duet.forks_needed(builds.asked.target),
            "plan_forks": plan.machines if plan else None,
            "plan_iterations": plan.iterations if plan else None,
            "plan_seconds": plan.seconds if plan else None,
        }


def _deviation(variance: float | None) -> float | None:
    return None if variance is None else max(variance, 0.0) ** 0.5


def _settings_and_counts(builds: TwoBuilds, _table_name: str) -> dict[str, Any]:
    return {
        "study": builds.after.dataset.study.slug,
        "before": {"dataset": builds.before.dataset.slug, "build": builds.before.name},
        "after": {"dataset": builds.after.dataset.slug, "build": builds.after.name},
        "start": builds.start.code,
        "alpha": ALPHA,
        "adjusted_over": builds.tested,
        "mean_loss": builds.mean_loss,
        "hidden_until_answered": builds.hidden_count,
        "excluded_in_review": builds.excluded_count,
    }


def _read_two_builds(request: TableRequest) -> TwoBuilds:
    """The table, complete: TableNotReady while a download has computed a part of the results."""
    (query,) = request.queries
    limit = None if request.is_command else MOST_MEANS
    try:
        builds = two_builds(request.scope, request.reader, query, limit=limit)
    except NoSecondBuild as error:
        raise TableEmpty(str(error)) from error
    check_all_computed(builds.waiting_count)
    if builds.unpaired_count:
        sentence = f"duets of more than {MOST_MEANS:,} series: ask manage.py builds for this table"
        raise TableNotReady(sentence)
    return builds


TWO_BUILDS_TABLES: Final = PageTables(
    scope=DATASET,
    queries={TwoBuildsQuery: ()},
    compute=_read_two_builds,
    tables={
        "builds": column_table("Two builds", COLUMNS, _build_rows),
        "duets": column_table("Duets of two builds", DUET_COLUMNS, _duet_rows),
    },
    refusals=(UnknownBuild, UnknownStart),
    about=_settings_and_counts,
)
