"""GalleryName figures of a comparison, one at a time: which there are, and what one shows."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Final

from analysis.comparison import bars, pairs, plots
from analysis.comparison.drilldown import UnknownCell
from analysis.comparison.query import GALLERY, GalleryName, GalleryQuery
from analysis.comparison.table import ComparisonResult
from analysis.web.figures import WebFigure

OF_ONE: Final = frozenset({"errors", "series", "right"})
"""Figures of one method; `pairs` is of two, the others are of all."""


@dataclass(frozen=True, slots=True)
class GalleryChoice:
    """A row that a figure can be drawn of."""

    name: str
    title: str


@dataclass(frozen=True, slots=True)
class GalleryTab:
    figure: GalleryName
    words: str
    query: str
    here: bool


@dataclass(frozen=True, slots=True)
class GalleryFigure:
    """One figure; of its drawings only those that it needs are there."""

    figure: GalleryName
    tabs: Sequence[GalleryTab]
    choices: Sequence[GalleryChoice]
    of: str
    other: str
    histograms: Sequence[WebFigure] = ()
    points: WebFigure | None = None
    bars: bars.BarChart | None = None
    nothing: str = ""

    def still(self) -> GalleryFigure:
        """As a file can have it: nothing in it leads anywhere."""
        points = self.points.without_links if self.points else None
        histograms = [each.without_links for each in self.histograms]
        return replace(self, histograms=histograms, points=points)

    @property
    def fields(self) -> Sequence[tuple[str, str, str]]:
        """Names, labels and values of what chooses the rows."""
        if self.figure == "pairs":
            return ("of", "First", self.of), ("other", "Second", self.other)
        return (("of", "Method", self.of),) if self.figure in OF_ONE else ()


def gallery_figure(compared: ComparisonResult, wanted: GalleryQuery) -> GalleryFigure:
    """What the page shows. Raises UnknownCell for a row that is not there."""
    pair = pairs.chosen_pair(compared, *_two(wanted))
    of, other = (pair.first, pair.second) if pair else ("", "")
    if wanted.figure in {"errors", "series"}:
        of = _one(compared, wanted.row)
    there = pairs.choices(compared) if wanted.figure in {"pairs", "right"} else _rows(compared)
    plain = GalleryFigure(
        wanted.figure,
        _tabs(compared, wanted),
        [GalleryChoice(name, compared.entry(name).title) for name in there],
        of,
        other,
    )
    return _drawn(compared, plain, pair)


def _two(wanted: GalleryQuery) -> tuple[str, str]:
    """The rows that are asked for, as far as they can stand side by side."""
    if wanted.figure not in {"pairs", "right"}:
        return "", ""
    return wanted.row, wanted.other if wanted.other != wanted.row else ""


def _rows(compared: ComparisonResult) -> list[str]:
    """Rows with errors."""
    return [entry.name for entry in compared.entries if entry.row.distances.n]


def _one(compared: ComparisonResult, name: str) -> str:
    there = _rows(compared)
    if name and name not in there:
        raise UnknownCell(f"no row {name!r} with errors; there are: {', '.join(there) or 'none'}")
    best = next((each for each in there if compared.entry(each).rank == 1), "")
    return name or best or next(iter(there), "")


def _tabs(compared: ComparisonResult, wanted: GalleryQuery) -> list[GalleryTab]:
    return [
        GalleryTab(
            figure,
            words,
            compared.asked.query(wanted.changed(figure=figure)),
            figure == wanted.figure,
        )
        for figure, words in GALLERY.items()
    ]


NOTHING: Final[Mapping[GalleryName, str]] = {
    "errors": "On no series do a method and the yardstick both say steady.",
    "series": "On no series do a method and the yardstick both say steady.",
    "pairs": "This figure needs two methods with answers.",
    "right": "This figure needs two methods with answers.",
    "clusters": "This yardstick has no marks, so none that lie together or apart.",
    "directions": "On no series do a method and the yardstick both say steady.",
}


def _drawn(
    compared: ComparisonResult, plain: GalleryFigure, pair: pairs.ChosenPair | None
) -> GalleryFigure:
    drawing: dict[str, object] = {}
    if plain.figure == "errors" and plain.of:
        drawing = {"histograms": [plots.error_histogram(compared, plain.of)]}
    elif plain.figure == "series" and plain.of:
        drawing = {"points": plots.by_series(compared, plain.of)}
    elif plain.figure == "pairs" and pair:
        drawing = {"histograms": paired_histograms(compared, pair, "pairs")}
    elif plain.figure == "right" and pair:
        drawing = {"bars": _right(compared, pair.first)}
    elif plain.figure == "clusters":
        drawing = {"bars": bars.cluster_bars(compared)}
    elif plain.figure == "directions" and _rows(compared):
        drawing = {"bars": bars.direction_bars(compared)}
    if not any(drawing.values()):
        drawing = {"nothing": NOTHING[plain.figure]}
    return GalleryFigure(
        plain.figure,
        plain.tabs,
        plain.choices,
        plain.of,
        plain.other,
        **drawing,  # type: ignore[arg-type]  # names are the fields'
    )


def paired_histograms(
    compared: ComparisonResult, pair: pairs.ChosenPair, place: str
) -> list[WebFigure]:
    """Differences of absolute errors, and of answers; `place` begins their names in the page."""
    names = (
        pairs.code_of(compared.inputs, pair.first),
        pairs.code_of(compared.inputs, pair.second),
    )
    return [
        plots.difference_histogram(compared, pair, names, figure, place)
        for figure in ("closer", "sooner")
    ]


def _right(compared: ComparisonResult, first: str) -> bars.BarChart:
    counts = {
        other: pairs.joint_counts(compared, pairs.ChosenPair(first, other))
        for other in bars.other_rows(compared, first)
    }
    return bars.right_bars(compared, first, counts)
