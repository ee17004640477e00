"""Folded figures of a comparison: what each says while it is closed, and a drawing in small."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Final

from analysis.comparison import error_quantiles, figures
from analysis.comparison.agreement_map import agreement_section, agreement_thumbnail
from analysis.comparison.rank_diagram import RankSection, rank_section
from analysis.comparison.table import ComparisonResult, error_curves
from analysis.statistics.multiple_comparisons import LEAST_SERIES, RankTest
from analysis.web.figures import WebFigure
from analysis.web.thumbnails import ThumbnailPath, thumbnail
from people.templatetags.writing import grouped, share

TEMPLATES: Final = "analysis/comparison/_{}.html"


@dataclass(frozen=True, slots=True)
class FigureFold:
    """A figure that is folded until somebody opens it.

    name     of its template, and of the fold in the page
    finding  what the closed fold says
    query    asks for the figure when the fold is opened; empty where it is in the page
    """

    name: str
    title: str
    finding: str
    thumbnail: list[ThumbnailPath]
    query: str = ""

    @property
    def template(self) -> str:
        """Template of the open fold."""
        return TEMPLATES.format(self.name)


def figure_context(compared: ComparisonResult) -> dict[str, Any]:
    """Context of the folded figures; without a method people's agreement is the only one."""
    heat = agreement_section(compared)
    map_fold = FigureFold(
        "heat",
        "Agreement between methods",
        heat.sentence or f"No two methods have {LEAST_SERIES} series in common.",
        agreement_thumbnail(compared),
        heat.query,
    )
    if not compared.inputs.methods:
        return {"heat": heat, "figure_folds": [map_fold] if compared.inputs.people else []}
    ecdf, signed_figures = (
        figures.error_distribution(compared),
        error_quantiles.error_strips(compared),
    )
    ranks = rank_section(compared)
    return {
        "ecdf": ecdf,
        "readings": figures.shares_at_tolerance(compared),
        "signed": signed_figures,
        "heat": heat,
        "ranks": ranks,
        "figure_folds": [
            FigureFold("ecdf", "Absolute error", _error_finding(compared), _paths(ecdf)),
            map_fold,
            FigureFold(
                "ranks", "Average ranks", _rank_finding(compared, ranks), _paths(ranks.figure)
            ),
            FigureFold("signed", "Signed error", _signed_finding(compared), _paths(signed_figures)),
        ],
    }


def _paths(figure: WebFigure | None) -> list[ThumbnailPath]:
    return thumbnail(figure.document["data"], figure.layout) if figure else []


def _error_finding(comparison: ComparisonResult) -> str:
    """The method that is most often within the tolerance, and how often."""
    style, largest_share = figures.shares_at_tolerance(comparison)[0]
    tolerance = comparison.one_tolerance
    bound = "5\u00a0% of the series" if tolerance is None else f"{grouped(tolerance)} iterations"
    return (
        f"{style.title} is within {bound} most often: on {share(largest_share)} of its steady "
        "series."
    )


def _rank_finding(comparison: ComparisonResult, ranks: RankSection) -> str:
    """The method with the best average rank, and how many cannot be told apart from it."""
    test = ranks.test
    if not isinstance(test, RankTest):
        return ranks.sentence
    best_rank = test.methods[0]
    alike_count = sum(
        best_rank.method in (pair.first, pair.second) and not pair.differ for pair in test.pairs
    )
    return (
        f"{comparison.looks[best_rank.method].title} has the best average rank, "
        f"{best_rank.average_rank:.2f}; {_methods(alike_count)} not differ from it significantly."
    )


def _signed_finding(comparison: ComparisonResult) -> str:
    """Numbers of methods that are early and late in the median."""
    medians = [
        quantiles.q50
        for _, quantiles in error_curves(comparison.inputs).values()
        if quantiles.q50 is not None
    ]
    early_count, late_count = (
        sum(median < 0 for median in medians),
        sum(median > 0 for median in medians),
    )
    count = grouped(len(medians))
    return (
        f"In the median {grouped(early_count)} of {count} methods are early, {grouped(late_count)} "
        "late."
    )


def _methods(count: int) -> str:
    return f"{count or 'no'} other method{'s' * (count > 1)} do{'es' * (count < 2)}"
