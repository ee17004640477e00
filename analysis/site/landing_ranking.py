"""Drawing of the methods that stand first in a comparison, for the first page. Pure."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from html import escape
from typing import Final

from analysis.methods.symbols import classes, is_open, shape
from analysis.web.interval_scale import DrawnInterval, MedianInterval, interval_scale

WIDTH, HEIGHT = 380, 108
NAMES, ROW = 182, 18  # pixels: of the names at the left, from one row to the next
BESIDE: Final = 10  # for half of the last number


@dataclass(frozen=True, slots=True)
class RankedMethod:
    """One row: a method with the median of its absolute errors; `slot` is None without a look."""

    title: str
    slot: int | None
    interval: MedianInterval


def ranking_drawing(methods: Sequence[RankedMethod], reference: str) -> str:
    """SVG of one row a method; `reference` names what they were compared with."""
    scale = interval_scale(
        {method.title: method.interval for method in methods}, WIDTH - NAMES - BESIDE
    )
    bottom = ROW * len(methods)
    shapes = [
        f'<path class="grid" d="M{NAMES + tick.at:g} 0V{bottom}"/>'
        f'<text x="{NAMES + tick.at:g}" y="{bottom + 16}" text-anchor="middle">{tick.text}</text>'
        for tick in scale.ticks
    ]
    for row_index, method in enumerate(methods):
        shapes += _row_svg(method, scale.rows[method.title], ROW * row_index)
    shapes.append(f'<text x="0" y="{bottom + 16}">median |Δ|, iterations</text>')
    return ranking_svg("landing-verb", WIDTH, bottom + 18, _alt_text(methods, reference), shapes)


def _row_svg(method: RankedMethod, interval: DrawnInterval, top: int) -> Iterator[str]:
    middle_y = top + ROW // 2
    yield symbol(method.slot, 0, top + 3)
    yield f'<text class="landing-row" x="20" y="{top + 13}">{escape(method.title)}</text>'
    low, high = NAMES + interval.low, NAMES + interval.high
    arrow_paths = [
        *([f"M{low:g} {middle_y - 4}l-6 4 6 4Z"] if interval.below else []),
        *([f"M{high:g} {middle_y - 4}l6 4-6 4Z"] if interval.above else []),
    ]
    yield f'<g class="{classes(method.slot)}">'
    yield f'<path class="interval" d="M{low:g} {middle_y}H{high:g}"/>'
    yield from (f'<path class="interval-beyond" d="{arrow}"/>' for arrow in arrow_paths)
    yield f'<circle class="interval-dot" cx="{NAMES + interval.dot:g}" cy="{middle_y}" r="4"/></g>'


def _alt_text(methods: Sequence[RankedMethod], reference: str) -> str:
    """The drawing for a person who does not see it."""
    median_list = "; ".join(
        f"{method.title} {method.interval.median:.0f} ({method.interval.low:.0f} to "
        f"{method.interval.high:.0f})"
        for method in methods
    )
    return (
        f"Median distance from {reference}, in iterations, with its 95 % interval, "
        f"nearest first: {median_list}."
    )


# --- parts of every drawing of the first page -----------------------------------------------------
def ranking_svg(
    css_class: str, width: int, height: int, description: str, shapes: Iterable[str]
) -> str:
    """An SVG of the first page; `description` is for who does not see it."""
    svg_text = "\n".join(shapes)
    return (
        f'<svg class="landing {css_class}" viewBox="0 0 {width} {height}" role="img">\n'
        f"<title>{escape(description)}</title>\n{svg_text}\n</svg>\n"
    )


def symbol(slot: int | None, x: float, y: float) -> str:
    """A method's symbol, as its class of the style sheet has it; nothing without a slot."""
    if slot is None:
        return ""
    open_suffix = " line-symbol-open" if is_open(slot) else ""
    return (
        f'<path class="line-symbol {classes(slot)}{open_suffix}" '
        f'transform="translate({x} {y})" d="{shape(slot)}"/>'
    )
