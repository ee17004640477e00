"""Further figures of a comparison, one at a time: which there are, and what one shows."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Final

from analysis.comparison import error_plots, errors_together, pairs, stacked_bars
from analysis.comparison.agreement_map import agreement_map
from analysis.comparison.drilldown import UnknownCell
from analysis.comparison.query import GALLERY, GalleryName, GalleryQuery
from analysis.comparison.table import ComparisonResult
from analysis.web.figures import WebFigure

FIGURES_OF_ONE: Final = frozenset({"errors", "series", "right"})
"""Figures of one method; `pairs` is of two, the others are of all."""


RowChoices = Sequence[tuple[str, str]]
"""Names and titles of the rows that a figure can be drawn of."""


GalleryTab = tuple[GalleryName, str, str, bool]
"""A figure, its words, the query that asks for it, and whether it is the one shown."""


@dataclass(frozen=True, slots=True)
class GalleryFigure:
    """One figure, in one or two drawings; without any, `empty_reason` says why."""

    figure: GalleryName
    tabs: Sequence[GalleryTab]
    choices: RowChoices
    first_name: str
    second_name: str
    drawings: Sequence[WebFigure] = ()

    def still(self) -> GalleryFigure:
        """Return a copy for a file: no part of it leads anywhere."""
        return replace(self, drawings=[figure.without_links for figure in self.drawings])

    @property
    def note(self) -> str:
        """Note on reading the figure."""
        return NOTES.get(self.figure, "") if self.drawings else ""

    @property
    def empty_reason(self) -> str:
        """Why nothing is drawn."""
        return "" if self.drawings else EMPTY_REASONS[self.figure]

    @property
    def fields(self) -> Sequence[tuple[str, str, str]]:
        """Names, labels and values of what chooses the rows."""
        if self.figure == "pairs":
            return ("of", "First", self.first_name), ("other", "Second", self.second_name)
        return (("of", "Method", self.first_name),) if self.figure in FIGURES_OF_ONE else ()


def gallery_figure(comparison: ComparisonResult, gallery_query: GalleryQuery) -> GalleryFigure:
    """Further figure that the page shows. Raises UnknownCell for a row that is not there."""
    figure = gallery_query.figure
    pair = pairs.chosen_pair(comparison, *_asked_rows(gallery_query))
    first_name, second_name = (pair.first, pair.second) if pair else ("", "")
    if figure in {"errors", "series"}:
        first_name = _known_row(comparison, gallery_query.row)
    row_names = pairs.choices(comparison) if figure in {"pairs", "right"} else _rows(comparison)
    return GalleryFigure(
        figure,
        _tabs(comparison, gallery_query),
        [(name, comparison.entry(name).title) for name in row_names],
        first_name,
        second_name,
        [drawing for drawing in _drawings(comparison, figure, first_name, pair) if drawing],
    )


def _asked_rows(gallery_query: GalleryQuery) -> tuple[str, str]:
    """The rows that are asked for, as far as they can stand side by side."""
    if gallery_query.figure not in {"pairs", "right"}:
        return "", ""
    return (
        gallery_query.row,
        gallery_query.other if gallery_query.other != gallery_query.row else "",
    )


def _rows(comparison: ComparisonResult) -> list[str]:
    return [entry.name for entry in comparison.with_errors]


def _known_row(comparison: ComparisonResult, name: str) -> str:
    row_names = _rows(comparison)
    if name and name not in row_names:
        raise UnknownCell(
            f"no row {name!r} with errors; there are: {', '.join(row_names) or 'none'}"
        )
    best_name = next(
        (row_name for row_name in row_names if comparison.entry(row_name).rank == 1), ""
    )
    return name or best_name or next(iter(row_names), "")


def _tabs(comparison: ComparisonResult, gallery_query: GalleryQuery) -> list[GalleryTab]:
    return [
        (
            figure,
            words,
            comparison.asked.query(gallery_query.changed(figure=figure)),
            figure == gallery_query.figure,
        )
        for figure, words in GALLERY.items()
    ]


NO_ERRORS: Final = "On no series do a method and the yardstick both say steady."
EMPTY_REASONS: Final[Mapping[GalleryName, str]] = {
    "errors": NO_ERRORS,
    "together": NO_ERRORS,
    "series": NO_ERRORS,
    "pairs": "This figure needs two methods with answers.",
    "right": "This figure needs two methods with answers.",
    "clusters": "This yardstick has no marks, so none that lie together or apart.",
    "directions": NO_ERRORS,
    "decisions": "No method has said steady or never of a series that the yardstick has answered.",
    "agreement": "No method has answered.",
}
DRAWERS: Final[Mapping[GalleryName, Callable[[ComparisonResult], WebFigure | None]]] = {
    "agreement": agreement_map,
    "clusters": stacked_bars.cluster_bars,
    "directions": stacked_bars.direction_bars,
    "decisions": stacked_bars.decision_bars,
}
NOTES: Final[Mapping[GalleryName, str]] = {
    "errors": "Bars count series; the curve is the normal distribution of mean and deviation.",
    "together": "Steps count series, dotted curves are the normal distributions of mean and "
    "deviation; upright lines: mean, and dashed two deviations to both sides. Below, the same "
    "of |Δ|.",
    "pairs": "Bars count series.",
    "series": "Δ in iterations, both steady, one point per series in the order of systems and "
    "names. Late is above, early below. The band is the tolerance, if all series have the same.",
}


def _drawings(
    comparison: ComparisonResult, figure: GalleryName, row_name: str, pair: pairs.ChosenPair | None
) -> Sequence[WebFigure | None]:
    if figure == "pairs" and pair:
        return paired_histograms(comparison, pair, "pairs")
    if figure == "right" and pair:
        return [stacked_bars.right_bars(comparison, pair.first)]
    if figure == "together":
        return errors_together.error_figures(comparison)
    if figure in DRAWERS:
        return [DRAWERS[figure](comparison)] if figure != "directions" or _rows(comparison) else []
    draw = {"errors": error_plots.error_histogram, "series": error_plots.by_series}.get(figure)
    return [draw(comparison, row_name)] if draw and row_name else []


def paired_histograms(
    comparison: ComparisonResult, pair: pairs.ChosenPair, prefix: str
) -> list[WebFigure]:
    """Differences of absolute errors, and of answers; `prefix` begins their names in the page."""
    codes = (
        pairs.code_of(comparison.inputs, pair.first),
        pairs.code_of(comparison.inputs, pair.second),
    )
    return [
        error_plots.difference_histogram(comparison, pair, codes, figure, prefix)
        for figure in ("closer", "sooner")
    ]
