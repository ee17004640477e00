"""A heat map of every pair of sources, as a figure."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, Final, NamedTuple

from analysis.web.figures import WIDTH, FigureCell, FigureTable, Trace, WebFigure, bars, ticks

MARGIN: Final = {"l": 52, "r": 8, "t": 40, "b": 8}
COLUMN: Final = 37  # most px of a column
ROW: Final = 28
LYING: Final = 12  # columns whose codes fit side by side on a narrow page
SHADES: Final = 10
HIGH: Final = 7  # first shade with light ink
INK: Final = ("var(--on-heat-low)", "var(--on-heat-high)")
SIDE: Final = 0.94  # share of a cell that is filled


class HeatSource(NamedTuple):
    """Label of a row and a column: short at the axis, complete in table and legend."""

    code: str
    title: str


class HeatCell(NamedTuple):
    """A share, and words about it; `pair` ends the address of its list, if it has one."""

    share: float | None
    words: str = ""
    pair: str = ""

    @property
    def shade(self) -> int | None:
        """A whole number, so that the colour is that of a token."""
        return None if self.share is None else round(SHADES * self.share)

    @property
    def text(self) -> str:
        """Percent."""
        return "" if self.share is None else f"{100 * self.share:.0f}"


def heat_map(
    name: str,
    label: str,
    sources: Mapping[str, HeatSource],
    rows: Sequence[Sequence[HeatCell]],
    *,
    lists: str = "",
    file: str = "",
    pdf: str = "",
) -> WebFigure:
    """A cell for each row and column of `sources`; `lists` begins the addresses of cells.

    One source raised shows its row and its column alone.
    """
    codes = [source.code for source in sources.values()]
    return WebFigure(
        name=name,
        label=label,
        traces=[heat_trace(list(sources), rows)],
        layout=heat_layout(codes),
        table=FigureTable.from_rows(
            ["", *codes],
            [
                [source.title, *(_table_cell(lists, cell) for cell in row)]
                for source, row in zip(sources.values(), rows, strict=True)
            ],
        ),
        file=file,
        pdf=pdf,
        height=MARGIN["t"] + ROW * len(sources) + MARGIN["b"],
        most_width=max(WIDTH, MARGIN["l"] + COLUMN * len(sources) + MARGIN["r"]),
        meta={"href": f"{lists}{{}}"} if lists else {},
        methods={source_name: source.title for source_name, source in sources.items()},
    )


def heat_layout(codes: Sequence[str]) -> dict[str, Any]:
    """Layout of a map of so many rows and columns, with codes at both axes."""
    positions, end = list(range(len(codes))), len(codes) - 0.5
    x_settings = {
        "side": "top",
        "showline": False,
        "ticks": "",
        "tickangle": -90 if len(codes) > LYING else 0,
        "ticklabelstandoff": 0,
    }
    return {
        "margin": MARGIN,
        "xaxis": {**ticks(positions, codes), **x_settings, "range": [-0.5, end]},
        "yaxis": {**ticks(positions, codes), "showgrid": False, "range": [end, -0.5]},
    }


def _table_cell(lists: str, cell: HeatCell) -> FigureCell:
    return FigureCell(cell.text or "–", lists + cell.pair if cell.pair else "")


def heat_trace(source_names: Sequence[str], rows: Sequence[Sequence[HeatCell]]) -> Trace:
    """Cells of a map, each with the end of the address of its list."""
    cells = [cell for row in rows for cell in row]
    return heat_bars(
        len(source_names),
        [cell.shade for cell in cells],
        [cell.text for cell in cells],
        [cell.words for cell in cells],
        customdata=[cell.pair for cell in cells],
        meta={"sources": list(source_names)},
    )


def heat_bars(
    column_count: int,
    shades: Sequence[int | None],
    texts: Sequence[str],
    hover_words: Sequence[str],
    **properties: object,
) -> Trace:
    """Cells as bars, row by row: Plotly's own heat map is one picture, which paper shows in pixels.

    A cell without a shade is left out.
    """
    return bars(
        [None if shade is None else SIDE for shade in shades],
        [cell_index // column_count for cell_index in range(len(shades))],
        {"color": [f"var(--heat-{shade or 0})" for shade in shades]},
        base=[cell_index % column_count - SIDE / 2 for cell_index in range(len(shades))],
        orientation="h",
        width=SIDE,
        text=texts,
        textfont={"color": [INK[(shade or 0) >= HIGH] for shade in shades]},
        hovertext=hover_words,
        **properties,
    )
