"""Tables of a comparison."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import asdict, astuple, replace
from itertools import combinations
from typing import Any, Final

from analysis.comparison import (
    drilldown as behind,
    error_plots,
    pairs,
    result_changes,
    stacked_bars,
)
from analysis.comparison.breakdown import breakdown_by_property
from analysis.comparison.column_meanings import meanings_by_name
from analysis.comparison.columns import LEADERBOARD
from analysis.comparison.drilldown import UnknownCell
from analysis.comparison.error_quantiles import error_strips
from analysis.comparison.figures import error_distribution
from analysis.comparison.gallery import gallery_figure
from analysis.comparison.inputs import UnknownMethod
from analysis.comparison.query import ComparisonQuery, DrilldownCell, GalleryName, GalleryQuery
from analysis.comparison.rank_diagram import rank_section
from analysis.comparison.second_setting import alternative_rows, key_figure
from analysis.comparison.table import (
    ComparisonResult,
    agreements,
    compare_stored,
    error_curves,
    rank_pairs,
)
from analysis.comparison.text_table import comparison_text
from analysis.references.yardsticks import UnknownYardstick
from analysis.statistics.comparison import CommonSetCost
from analysis.statistics.error_distributions import ErrorQuantiles
from analysis.statistics.histograms import histogram
from analysis.statistics.leaderboard_figures import FIGURES
from analysis.statistics.multiple_comparisons import Nemenyi, NoRankTest, RankedPair
from analysis.statistics.paired_differences import adjusted_p_values
from analysis.web.figures import WebFigure
from analysis.web.page_tables import (
    PageTable,
    PageTables,
    Row,
    TableRefused,
    TableRequest,
    TableRows,
    TableScope,
)
from formats.tables import Cell as FileCell, attribute_row, column_names, columns_of
from people.access import study_for

UNKNOWN_ERRORS: Final = (UnknownCell, UnknownMethod, UnknownYardstick)
SECOND_COLUMNS: Final = {
    "there": "the sorted figure by the second setting; this and the next only with one",
    "change": "first − second setting",
    "change_low": "lower end of its 95 % interval; empty with too few independent values",
    "change_high": "upper end of the same",
    "rank_there": "the rank by the second setting",
}
GROUP_KEYS: Final = tuple(
    name
    for name in FIGURES
    if name not in {"median_abs_low", "median_abs_high"} and not name.endswith("seconds")
)
DIGITS: Final = 12  # significant digits; further ones depend on the processor
Rows = Iterable[Row]
DrawFigure = Callable[[ComparisonResult], WebFigure | None]


def as_figure(cell: FileCell) -> FileCell:
    """A float with `DIGITS` significant digits; anything else as it is."""
    return float(f"{cell:.{DIGITS}g}") if isinstance(cell, float) else cell


# --- rows a method, and rows a series ---------------------------------------------------------
def _leaderboard(comparison: ComparisonResult) -> Rows:
    second_rows = alternative_rows(comparison)
    for entry in comparison.entries:
        cells, alternative = entry.cells(), second_rows.get(entry.name)
        second_cells = astuple(alternative) if alternative else (None,) * len(SECOND_COLUMNS)
        yield (*(cells[name] for name in LEADERBOARD), *(second_cells if comparison.other else ()))


def _left_out_rows(comparison: ComparisonResult) -> Rows:
    yield from comparison.left_out
    left_out_counts = comparison.inputs.left_out
    exclusion_words = left_out_counts.because
    yield "hidden", f"{exclusion_words[:1].upper()}{exclusion_words[1:]}.", int(left_out_counts)
    yield "excluded", "Left out by a decision.", len(comparison.inputs.excluded)


def _errors(comparison: ComparisonResult) -> Rows:
    for name, (_, quantiles) in error_curves(comparison.inputs).items():
        yield name, *astuple(quantiles)


def _ecdf(comparison: ComparisonResult) -> Rows:
    for name, (steps, _) in error_curves(comparison.inputs).items():
        for size, share in zip(steps.sizes, steps.shares, strict=True):
            yield name, size, share


def _directions(comparison: ComparisonResult) -> Rows:
    """Series on which each row is too early, exact and too late, without tolerance."""
    for entry in comparison.entries:
        yield (
            entry.name,
            entry.figures.total("n"),
            *stacked_bars.direction_counts(comparison, entry),
        )


def _histograms(comparison: ComparisonResult) -> Rows:
    """The histogram of the signed error of each row."""
    for entry in comparison.with_errors:
        bins = histogram(error_plots.signed_errors(comparison, entry.name))
        for low, high, count in zip(bins.edges, bins.edges[1:], bins.counts, strict=False):
            yield entry.name, low, high, count


def _breakdown(comparison: ComparisonResult) -> Rows:
    property_breakdown = breakdown_by_property(comparison)
    if property_breakdown is None:
        return
    grouping, groups = property_breakdown
    for group in groups:
        for method, figures in group.rows.items():
            yield grouping, group.name, group.n, method, *(figures[name] for name in GROUP_KEYS)


def _queue(comparison: ComparisonResult) -> Rows:
    queue = behind.disagreement_queue(comparison)
    largest_changes = result_changes.changes_by_index(
        comparison.inputs, [disagreement.series for disagreement in queue]
    )
    for disagreement in queue:
        change = result_changes.change_queue_cells(largest_changes.get(disagreement.series))
        yield *behind.queue_cells(comparison, disagreement), *change


def _series(comparison: ComparisonResult) -> Rows:
    """The series behind a number. Raises UnknownCell."""
    drilldown = behind.drilldown_for(comparison, comparison.cell)
    changes = result_changes.changes_by_series(drilldown.rows)
    return (
        (
            *behind.drilldown_cells(comparison, drilldown, row),
            *result_changes.change_cells(changes.get(row.line.pk)),
            row.exclusion_reason or None,
        )
        for row in drilldown.rows
    )


# --- two methods a row ------------------------------------------------------------------------
def _agreement(comparison: ComparisonResult) -> Rows:
    matrix = agreements(comparison.inputs)
    for a, b in combinations(matrix.names, 2):
        cell = matrix.cell(a, b)
        yield a, b, cell.agree_count, cell.answered_count, cell.share


def _ranks(comparison: ComparisonResult) -> Rows:
    """Every pair of the rank test, Nemenyi's p beside it."""
    test = rank_pairs(comparison.inputs, comparison.asked.alpha)
    if isinstance(test, NoRankTest):
        return
    p_by_pair = pairs.nemenyi_p_by_pair(comparison.inputs)
    for pair in test.pairs:
        yield *astuple(pair), p_by_pair.get((pair.first, pair.second))


TESTS: Final = (
    *("first", "second", "question", "test", "of", "default", "n", "statistic"),
    *("p", "p_adjusted", "p_adjusted_all", "p_of_five", "differ", "sentence"),
)
EFFECTS: Final = (
    *("first", "second", "n", "rank_biserial", "a12"),
    *("skewness", "shapiro", "shapiro_p", "symmetric", "sentence"),
)
DIFFERENCES: Final = (
    *("first", "second", "figure"),
    *("of_first", "of_second", "difference", "low", "high"),
)


def _tests(comparison: ComparisonResult) -> Rows:
    """Every test of every pair; adjusted within the pair, and over all pairs."""
    pair_tests = pairs.tests_by_pair(comparison)
    adjusted_ps = adjusted_p_values(list(pair_tests.values()))
    for (pair, pair_test), adjusted_p in zip(pair_tests.items(), adjusted_ps, strict=True):
        for result, p in zip(pair_test.results, adjusted_p, strict=True):
            yield attribute_row(TESTS, pair, result, p_adjusted_all=p)


def _effects(comparison: ComparisonResult) -> Rows:
    """Effect size of each pair's difference, and whether the difference is symmetric."""
    for pair, pair_tests in pairs.tests_by_pair(comparison).items():
        skew = pair_tests.skew["absolute"]
        yield attribute_row(EFFECTS, pair, pair_tests, pair_tests.effect, skew, shapiro_p=skew.p)


def _differences(comparison: ComparisonResult) -> Rows:
    """Every figure of every pair with the interval of its difference."""
    for pair in pairs.all_pairs(comparison):
        for figure_difference in pairs.shown_differences(comparison, pair).values():
            yield attribute_row(
                DIFFERENCES,
                pair,
                figure_difference,
                of_first=figure_difference.first,
                of_second=figure_difference.second,
            )


def _joint_rows(comparison: ComparisonResult) -> Rows:
    for pair in pairs.all_pairs(comparison):
        counts = pairs.joint_counts(comparison, pair)
        yield pair.first, pair.second, sum(counts), *counts


def _many_method_rows(comparison: ComparisonResult) -> Rows:
    """Tests over all methods at once."""
    alpha = comparison.asked.alpha
    rank_test = rank_pairs(comparison.inputs, alpha)
    cochran_test = pairs.cochran_of_methods(comparison.inputs, alpha)
    if not isinstance(rank_test, NoRankTest):
        method_count = len(rank_test.methods)
        yield (
            "friedman",
            method_count,
            rank_test.n,
            rank_test.friedman,
            method_count - 1,
            rank_test.p,
            rank_test.sentence,
        )
    nemenyi_test = pairs.nemenyi_of_methods(comparison.inputs, alpha)
    if isinstance(nemenyi_test, Nemenyi):
        critical_difference = nemenyi_test.critical_difference
        yield (
            "nemenyi",
            len(cochran_test.methods),
            nemenyi_test.n,
            critical_difference,
            None,
            None,
            nemenyi_test.sentence,
        )
    tested_count, degrees = len(cochran_test.methods), cochran_test.degrees
    yield (
        "cochran-q",
        tested_count,
        cochran_test.n,
        cochran_test.statistic,
        degrees,
        cochran_test.p,
        cochran_test.sentence,
    )


# --- figures ----------------------------------------------------------------------------------
def _methods_figure(draw: DrawFigure) -> DrawFigure:
    """Figure of all methods; nothing to draw without any."""
    return lambda compared: draw(compared) if compared.inputs.methods else None


def _further_figure(name: GalleryName, index: int = 0) -> DrawFigure:
    """Drawing of a further figure, about the rows of the cell or else the best rows."""

    def draw(comparison: ComparisonResult) -> WebFigure | None:
        query = GalleryQuery(name, comparison.cell.row, comparison.cell.other)
        drawings = gallery_figure(comparison, query).drawings
        return drawings[index] if drawings else None

    return draw


COMPARISON_FIGURES: Final[Mapping[str, DrawFigure]] = {
    "error-distribution": _methods_figure(error_distribution),
    "signed-error": _methods_figure(error_strips),
    "average-ranks": _methods_figure(lambda compared: rank_section(compared).figure),
    "agreement-map": _further_figure("agreement"),
    "error-histogram": _further_figure("errors"),
    "errors-together": _further_figure("together"),
    "absolute-errors-together": _further_figure("together", 1),
    "error-by-series": _further_figure("series"),
    "pairs-closer": _further_figure("pairs"),
    "pairs-sooner": _further_figure("pairs", 1),
    "clusters": _further_figure("clusters"),
    "directions": _further_figure("directions"),
    "decisions": _further_figure("decisions"),
    "right": _further_figure("right"),
}
"""What draws each figure, by its name in the page."""


# --- which tables there are -------------------------------------------------------------------
def _table(
    title: str, columns: Iterable[str], rows: Callable[[ComparisonResult], Rows]
) -> PageTable[ComparisonResult]:
    return PageTable(
        title, meanings_by_name(columns), lambda compared: _rounded_rows(rows(compared))
    )


def _rounded_rows(rows: Rows) -> Rows:
    return (tuple(map(as_figure, row)) for row in rows)


def _fields(row: type) -> tuple[str, ...]:
    return column_names(columns_of(row))


JOINT: Final = ("first", "second", "n", "both_right", "first_right", "second_right", "both_wrong")
SERIES: Final = "series"
_TABLES: Final[Mapping[str, PageTable[ComparisonResult]]] = {
    "leaderboard": PageTable(
        "Leaderboard",
        lambda compared: {**LEADERBOARD, **(SECOND_COLUMNS if compared.other else {})},
        lambda compared: _rounded_rows(_leaderboard(compared)),
    ),
    "left-out": _table("Series left out, by rule", ("rule", "sentence", "series"), _left_out_rows),
    "kept-out": _table(
        "Common series that each method removes",
        _fields(CommonSetCost),
        lambda compared: map(astuple, compared.result.costs),
    ),
    "errors": _table(
        "Quantiles of the signed error", ("method", *_fields(ErrorQuantiles)), _errors
    ),
    "ecdf": _table(
        "Distribution of the absolute error", ("method", "absolute_error", "share"), _ecdf
    ),
    "agreement": _table(
        "Agreement of every pair", ("first", "second", "agree", "of", "share"), _agreement
    ),
    "ranks": _table(
        "Every pair of methods, by rank test", (*_fields(RankedPair), "p_nemenyi"), _ranks
    ),
    "tests": _table("Every test of every pair", TESTS, _tests),
    "effects": _table("Effect sizes of every pair", EFFECTS, _effects),
    "differences": _table("Differences of every pair, with intervals", DIFFERENCES, _differences),
    "many": _table(
        "Tests over all methods",
        ("test", "methods", "n", "statistic", "degrees", "p", "sentence"),
        _many_method_rows,
    ),
    "joint": _table("Right together, every pair", JOINT, _joint_rows),
    "directions": _table(
        "Under, exact, over", ("method", "n", "under", "exact", "over"), _directions
    ),
    "histograms": _table(
        "Histograms of the signed error", ("method", "from", "up_to", "series"), _histograms
    ),
    "breakdown": _table(
        "Breakdown by groups of series",
        ("by", "group", "series", "method", *GROUP_KEYS),
        _breakdown,
    ),
    "queue": _table(
        "Queue of disagreements", (*behind.QUEUE_COLUMNS, *result_changes.QUEUE_COLUMNS), _queue
    ),
    SERIES: PageTable(
        "Series behind a number",
        meanings_by_name((*behind.COLUMNS, *result_changes.COLUMNS, behind.EXCLUDED)),
        lambda compared: _rounded_rows(_series(compared)),
    ),
}


def comparison_table(comparison: ComparisonResult, table_name: str) -> TableRows:
    """The table `table_name`, its figures to `DIGITS`; of `series` those of every method."""
    columns, rows = COMPARISON_TABLES.table(comparison, table_name)
    return TableRows(columns, tuple(rows))


def _compute(request: TableRequest) -> ComparisonResult:
    query, cell = request.queries
    comparison = compare_stored(request.scope, request.reader, query)
    if comparison is None:
        raise TableRefused("nothing to compare with yet")
    return replace(comparison, cell=cell)


def _settings_and_counts(comparison: ComparisonResult, table_name: str) -> dict[str, Any]:
    """Settings and counts that the figures rest on."""
    result, query = comparison.result, comparison.asked
    return {
        "what": table_name,
        "study": comparison.yardstick.study.slug,
        "yardstick": comparison.yardstick.code,
        "index": query.index,
        "error": "predicted - truth, in iterations",
        "tolerance": comparison.one_tolerance if query.tolerance is None else query.tolerance,
        "common": result.common,
        "excluding": list(comparison.inputs.deciding),
        "series": result.n_series,
        "hidden_until_answered": comparison.inputs.left_out,
        "excluded": len(comparison.inputs.excluded),
        "with_truth": result.n_truth,
        "yes_no": result.n_yes_no,
        "distances": result.n_distances,
        "common_distances": result.n_common,
        "left_out": {rule: n for rule, _, n in comparison.left_out},
        "best_constant": None if result.constant is None else asdict(result.constant),
        "bootstrap": asdict(result.bootstrap),
        "alpha": query.alpha,
        "against": _second_setting(comparison.other, key_figure(query)),
    }


def _second_setting(comparison: ComparisonResult | None, figure: str) -> dict[str, Any] | None:
    """The second setting, and the figure by which the two are compared."""
    if comparison is None:
        return None
    return {
        "figure": figure,
        "yardstick": comparison.yardstick.code,
        "index": comparison.asked.index,
        "tolerance": comparison.one_tolerance,
        "common": comparison.result.common,
        "series": comparison.result.n_series,
        "distances": comparison.result.n_distances,
    }


COMPARISON_TABLES: Final = PageTables(
    scope=TableScope(*("scope", "STUDY[/CAMPAIGN]", str, study_for), lambda study: (study.slug,)),
    queries={ComparisonQuery: (), DrilldownCell: ()},
    compute=_compute,
    tables=_TABLES,
    refusals=UNKNOWN_ERRORS,
    about=_settings_and_counts,
    figures=COMPARISON_FIGURES,
    lines=lambda compared, name: comparison_text(compared, name, comparison_table(compared, name)),
)
WHATS: Final = COMPARISON_TABLES.titles
