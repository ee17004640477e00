"""Analysis figures: Plotly figures with one template, and the table that says the same.

A colour is the name of a token of the style sheets (`var(--ink-2)`), which the page's script
resolves: light, dark and paper come from the same tokens.

Plotly is loaded by the processes that draw, when they start (`load_plotly`). Commands that draw
nothing import this module without Plotly.
"""

from __future__ import annotations

import math
from base64 import b64encode
from collections.abc import Container, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cache, cached_property
from typing import Any, Final, Literal, NamedTuple

import numpy as np
from django.utils.safestring import SafeString, mark_safe

Part = Mapping[str, Any]
"""A part of a trace or of a layout, in the words of Plotly."""
Floats = np.ndarray[Any, np.dtype[np.float64]]
Values = Sequence[Any] | np.ndarray | Part
"""A list, an array, or what `typed_array` makes of one."""
Trace = Any
"""A graph object of Plotly, `Scatter` or `Bar`."""

SANS: Final = 'Inter, "Inter stand-in", "Inter stand-in wide", system-ui, sans-serif'
WIDTH: Final = 588  # px: half of a page of 1280, less gutters and gap
MOST_ROWS: Final = 25  # rows of a table that a page holds before it is opened
MOST_TICKS: Final = 7  # most ticks of a logarithmic axis
WHOLE_PAGE: Final = 1232
NOTHING: Final = "rgba(0,0,0,0)"
FIXED: Final = {"fixedrange": True, "zeroline": False, "showgrid": False, "automargin": False}


@cache
def load_plotly() -> Part:
    """Load Plotly, register the template `plateau` of figures, and return it.

    A process that draws does so when it starts: the import takes 0.1 s, and fails while another
    thread imports pandas.
    """
    from plotly import graph_objects, io  # noqa: PLC0415  # see the module's docstring

    io.templates["plateau"] = graph_objects.layout.Template(
        layout={
            "font": {"family": SANS, "size": 12, "color": "var(--ink-2)"},
            "paper_bgcolor": "var(--bg)",  # a downloaded picture is read on any page
            "plot_bgcolor": NOTHING,
            "margin": {"l": 44, "r": 12, "t": 20, "b": 40, "pad": 0},
            "showlegend": False,
            "legend": {
                "orientation": "h",
                "traceorder": "normal",
                "x": 0,
                "y": 1,
                "yanchor": "bottom",
                "itemclick": False,
                "itemdoubleclick": False,
            },
            "dragmode": False,
            "hovermode": "closest",
            "hoverlabel": {
                "bgcolor": "var(--bg)",
                "bordercolor": "var(--border)",
                "font": {"family": SANS, "size": 12, "color": "var(--ink)"},
                "align": "left",
                "namelength": -1,
            },
            "barmode": "overlay",
            "uniformtext": {"mode": "hide", "minsize": 9},
            "separators": ".\u2009",
            "xaxis": {
                **FIXED,
                "showline": True,
                "linecolor": "var(--border)",
                "ticks": "outside",
                "ticklen": 4,
                "tickcolor": "var(--border)",
                "tickangle": 0,
            },
            # Horizontal grid lines alone.
            "yaxis": {
                **FIXED,
                "showgrid": True,
                "gridcolor": "var(--hair)",
                "ticklabelstandoff": 4,
            },
            "annotationdefaults": {
                "showarrow": False,
                "xanchor": "center",
                "yanchor": "bottom",
                "yref": "paper",
            },
            "shapedefaults": {"line": {"width": 1}},
        },
        data={
            "scatter": [{"hoverinfo": "text"}],
            "bar": [
                {
                    "hoverinfo": "text",
                    "textposition": "inside",
                    "insidetextanchor": "middle",
                    "textangle": 0,
                }
            ],
        },
    )
    io.to_json({}, validate=False)  # import of the writer, done once at the start
    template: Part = io.templates["plateau"].to_plotly_json()
    return template


ADDRESSES: Final = ("customdata", "href", "lists")
"""What leads from a figure to series."""


Ends = tuple[float, float]


class FigureCell(NamedTuple):
    """One cell of the table: its text, and the list or page that it opens."""

    text: str
    href: str = ""


class Tick(NamedTuple):
    """A tick of a small drawing that the server makes: CSS pixels, and its text."""

    at: float
    text: str


class FigureKey(NamedTuple):
    """Meaning of a symbol of a figure: a `line`, a `frame` or a `dot`.

    is_wide  whether it is only in view where there is room
    """

    symbol: Literal["line", "frame", "dot"]
    text: str
    is_wide: bool = False


@dataclass(frozen=True, slots=True)
class FigureTable:
    """Table that "Show as table" shows and the CSV holds; the first cell of a row names it."""

    heads: Sequence[str]
    rows: Sequence[Sequence[FigureCell]]

    @classmethod
    def from_rows(
        cls, heads: Sequence[str], rows: Iterable[Iterable[FigureCell | str]]
    ) -> FigureTable:
        """Cells that are text alone lead nowhere."""
        cells = [[FigureCell(c) if isinstance(c, str) else c for c in row] for row in rows]
        return cls(heads, cells)

    @property
    def is_long(self) -> bool:
        """True where the page keeps the table in a template until somebody opens it."""
        return len(self.rows) > MOST_ROWS


@dataclass(frozen=True)
class WebFigure:
    """A figure as `analysis/_figure.html` frames it.

    name    its id in the page, and the name of files made of it
    label   what it shows, for those who do not see it; the table has the figures
    keys    of its symbols, in a line below it
    more    the list that has them, where there is no table
    file    the address of its CSV
    pdf     the address of its PDF
    height  CSS pixels; the width is that of the place, at most `most_width`
    meta    what the script needs: `raised`, a method; `href`, where `{}` is a point's customdata;
            `zooms`, whether a person may zoom along the axis; `window`, the names of the fields
            of the page's form that have the first and the last iteration in view, so that
            what is zoomed into is drawn anew from finer values; `narrow`, the parts of the
            layout that are others where there is little room
    methods those of which one can be raised above the others, by name: their titles
    still   leads nowhere, as in a file: without the addresses of points
    """

    name: str
    label: str
    traces: Sequence[Trace]
    layout: Part
    table: FigureTable | None
    height: int = 260
    sentence: str = ""
    keys: Sequence[FigureKey] = ()
    more: FigureCell | None = None
    file: str = ""
    pdf: str = ""
    most_width: int = WIDTH
    meta: Part = field(default_factory=dict)
    methods: Mapping[str, str] = field(default_factory=dict)
    still: bool = False

    @cached_property
    def document(self) -> dict[str, Any]:
        """Data and layout as Plotly takes them."""
        removed_keys = ADDRESSES if self.still else ()
        meta = {**_drop_names(removed_keys, self.meta), "mostWidth": self.most_width}
        layout = {**self.layout, "template": load_plotly(), "height": self.height, "meta": meta}
        traces = [
            _drop_names(removed_keys, _copy_with_lists(trace.to_plotly_json()))
            for trace in self.traces
        ]
        return {"data": traces, "layout": layout}

    @property
    def is_wide(self) -> bool:
        return self.most_width > WIDTH

    @property
    def without_links(self) -> WebFigure:
        """Return a copy for a file: no point leads anywhere."""
        return replace(self, still=True)

    @property
    def json(self) -> SafeString:
        """The document between tags of a script: the same bytes for the same figure."""
        from plotly import io  # noqa: PLC0415  # see the module's docstring

        text = io.to_json(self.document, validate=False).replace("&", "\\u0026")
        return mark_safe(text)  # noqa: S308  # nothing in it can end the script


def _drop_names(names: Container[str], trace_or_meta: Part) -> dict[str, Any]:
    return {name: value for name, value in trace_or_meta.items() if name not in names}


def _copy_with_lists(trace: Part) -> Part:
    """Copy a trace, lists in place of arrays.

    Plotly asks pandas what an array is, which fails while another thread imports pandas.
    """
    return {
        name: value.tolist() if isinstance(value, np.ndarray) else value
        for name, value in trace.items()
    }


# --- traces -----------------------------------------------------------------------------------
HOVER_PROPERTIES: Final = frozenset({"hovertext", "hovertemplate", "text"})


def _make_trace(class_name: Literal["Scatter", "Bar"], properties: Part) -> Trace:
    """Make a trace without validation, which would take longer than the rest of a page.

    The tests validate every figure that any of them makes.
    """
    from plotly import graph_objects  # noqa: PLC0415  # see the module's docstring

    return getattr(graph_objects, class_name)(**properties, _validate=False)


def line_trace(x: Values | None, y: Values, line: Part, **properties: object) -> Trace:
    """Lines that say nothing when pointed at, unless `properties` has words for them."""
    hover = {} if HOVER_PROPERTIES & properties.keys() else {"hoverinfo": "skip"}
    return _make_trace(
        "Scatter", {"mode": "lines", "x": x, "y": y, "line": line, **hover, **properties}
    )


def points(x: Values, y: Values, marker: Part, **properties: object) -> Trace:
    """Symbols at places; with text beside them where `properties` has another mode."""
    return _make_trace(
        "Scatter", {"mode": "markers", "x": x, "y": y, "marker": marker, **properties}
    )


def bars(x: Values, y: Values, marker: Part, **properties: object) -> Trace:
    """Bars, whose text stands inside where there is room for it."""
    return _make_trace("Bar", {"x": x, "y": y, "marker": marker, **properties})


def typed_array(values: Floats) -> Part:
    """Write values as Plotly's array of 32-bit numbers, NaN for a gap; faster than a list."""
    return {"dtype": "f4", "bdata": b64encode(values.astype("<f4").tobytes()).decode()}


DIGITS: Final = 6  # significant digits of a height, more than pixels can show


def drawn_digits(heights: Floats) -> Floats:
    """Values rounded to six significant digits; those for which that is no float64 stay."""
    with np.errstate(all="ignore"):
        decimals = DIGITS - 1 - np.floor(np.log10(np.abs(heights)))
        power = 10.0 ** np.abs(decimals)  # a power of ten below 1 would not be exact
        upper_heights, lower_heights = (
            np.round(heights * power) / power,
            np.round(heights / power) * power,
        )
        rounded_heights = np.where(decimals < 0, lower_heights, upper_heights)
    return np.where(np.isfinite(rounded_heights), rounded_heights, heights)


# --- words and lines of an axis ---------------------------------------------------------------
def ticks(positions: Sequence[float], texts: Sequence[str], **properties: object) -> dict[str, Any]:
    """An axis with these ticks and no others."""
    return {"tickmode": "array", "tickvals": list(positions), "ticktext": list(texts), **properties}


def rows_axis(names: Sequence[str]) -> dict[str, Any]:
    """An upright axis with a name for each row, the first above."""
    axis_ends = [len(names) - 0.5, -0.5]
    return {**ticks(list(range(len(names))), names), "range": axis_ends, "showgrid": False}


def number_axis(
    axis_ends: Sequence[float], tick_count: int, unit: str = "", **properties: object
) -> dict[str, Any]:
    """An axis between two ends with round ticks that the library chooses; the last has the unit."""
    suffix = {"ticksuffix": f" {unit}", "showticksuffix": "last"} if unit else {}
    return {
        "range": list(axis_ends),
        "nticks": tick_count,
        "exponentformat": "none",
        **suffix,
        **properties,
    }


def log_axis(axis_ends: Ends, unit: str = "") -> dict[str, Any]:
    """A logarithmic axis between two powers of ten, with round ticks; the last has the unit."""
    positions = log_ticks(axis_ends)
    texts = [tick_text(position) for position in positions]
    if unit and texts:
        texts[-1] += f" {unit}"
    return {**ticks(positions, texts), "type": "log", "range": axis_ends}


def log_ticks(axis_ends: Ends) -> list[float]:
    """Round numbers between two decades: 1, 2, 5 and so on, or fewer where those are many."""
    for steps in ((1, 1.5, 2, 3, 4, 5, 6, 8), (1, 2, 3, 5), (1, 2, 5), (1, 3), (1,)):
        round_numbers = [
            float(f"{step * 10.0**power:.6g}")
            for power in range(math.floor(axis_ends[0]), math.ceil(axis_ends[1]) + 1)
            for step in steps
        ]
        inner_ticks = [
            tick for tick in round_numbers if axis_ends[0] <= math.log10(tick) <= axis_ends[1]
        ]
        if len(inner_ticks) <= MOST_TICKS:
            return inner_ticks
    return inner_ticks[:: math.ceil(len(inner_ticks) / MOST_TICKS)]


def axis_words(text: str, **properties: object) -> Part:
    """Words of the horizontal axis, at its right end below the ticks."""
    placement = {"xref": "paper", "y": 0, "xanchor": "right", "yanchor": "top", "yshift": -22}
    return {**words_at(1, text, font={"color": "var(--ink-3)"}, **placement), **properties}


def words_at(x: float, text: str, **properties: object) -> Part:
    """Words above the plot, over a place of the horizontal axis."""
    return {"x": x, "y": 1, "text": text, **properties}


def straight_line(x: Ends, y: Ends, colour: str, **line: object) -> dict[str, Any]:
    """A straight line from one place to another."""
    line_ends = {"x0": x[0], "x1": x[1], "y0": y[0], "y1": y[1]}
    return {"type": "line", **line_ends, "line": {"color": colour, **line}}


def upright(x: float, colour: str, **line: object) -> dict[str, Any]:
    """A vertical line through the whole plot."""
    return {**straight_line((x, x), (0, 1), colour, **line), "yref": "paper"}


def level(y: float, colour: str, start: float, end: float) -> dict[str, Any]:
    """A horizontal line from one place of the axis to another, below what is drawn."""
    return {**straight_line((start, end), (y, y), colour), "layer": "below"}


def band(axis: str, **properties: object) -> Part:
    """A band below what is drawn, over the whole plot along one axis, `x` or `y`."""
    rectangle = {"type": "rect", f"{axis}ref": "paper", f"{axis}0": 0, f"{axis}1": 1}
    fill_fields = {"layer": "below", "fillcolor": "var(--steady)", "line": {"width": 0}}
    return {**rectangle, **fill_fields, **properties}


def spread_positions(
    wanted_positions: Mapping[str, float], step: float, low: float, high: float
) -> dict[str, float]:
    """Places at least `step` apart between `low` and `high`, near the wanted and in their order.

    Where they do not fit they begin at `low` and go beyond `high`.
    """
    ordered_names = sorted(wanted_positions, key=lambda name: wanted_positions[name])
    positions: dict[str, float] = {}
    free_position = low
    for name in ordered_names:
        positions[name] = max(wanted_positions[name], free_position)
        free_position = positions[name] + step
    ceiling = max(high, low + step * (len(ordered_names) - 1))
    for name in reversed(ordered_names):
        positions[name] = min(positions[name], ceiling)
        ceiling = positions[name] - step
    return positions


def tick_step(span: float, tick_count: int) -> float:
    """Step of ticks between iterations: a round one, or 1."""
    return round_step(max(span, 1), tick_count)


def round_step(span: float, tick_count: int) -> float:
    """A step of 1, 2, 2.5 or 5 times a power of ten: about so many of them up to `span`."""
    rough_step = span / tick_count
    power = 10.0 ** math.floor(math.log10(rough_step))
    return next(factor * power for factor in (1, 2, 2.5, 5, 10) if factor * power >= rough_step)


def tick_text(number: float) -> str:
    """A tick: whole, with thin spaces from 10 000 on; a round one from 100 000 on as `100 k`."""
    for factor, prefix in ((1e6, "M"), (1e3, "k")):
        if abs(number) >= max(factor, 1e5) and abs(number) % (factor / 10) == 0:
            return f"{tick_text(number / factor)}\u2009{prefix}"
    text = f"{abs(number):,.0f}" if abs(number) >= 10_000 else f"{abs(number):.10g}"
    return ("−" if number < 0 else "") + text.replace(",", "\u2009")
