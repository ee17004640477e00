"""The small pictures of the first page: a series with a mark, and five methods in their order.

Written by docs/landing_chart.py. Both are computed from the recordings that are shipped.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cache
from html import escape
from typing import Final

import numpy as np

from analysis.methods.symbols import classes
from analysis.statistics.answers import Answers
from analysis.statistics.comparison import compare
from analysis.statistics.people import leave_one_out
from analysis.statistics.ranks import LEAST_SERIES
from analysis.statistics.rows import MethodRow
from analysis.web.interval_scale import MedianInterval, interval_scale
from detectors.registry import method_slots, registry
from docs.landing_data import (
    LandingSeries,
    drawing,
    every_series,
    extremes,
    one_series,
    scaled,
    symbol,
)

WIDTH, HEIGHT = 380, 108
PLOT: Final = 92  # above the words of the lowest line
MARKED: Final = "java-matrix-product"
METHODS: Final = ("plateau", "f-test", "kelly", "t-test")  # a second for all series
PERSON: Final = 1  # of the annotators: measured against the four others
TOLERANCE: Final = 0.05  # of the series: as a comparison begins; the intervals do not rest on it
NAMES, ROW = 172, 18  # pixels: of the names at the left, from one row to the next
BESIDE: Final = 10  # for half of the last number
POINTER: Final = "v16l4-4 3 7 3-1-3-7h6Z"


# --- a series with a mark ---------------------------------------------------------------------
def annotating() -> str:
    """One series, and the answer of one annotator for it."""
    one = one_series(MARKED)
    mark = one.marks[PERSON - 1]
    y = scaled(one.values, PLOT - 1, PLOT - 18)

    def x(at: int) -> float:
        return round(WIDTH * at / one.values.size, 1)

    at = x(mark)
    ruled, right = f'y="14" height="{PLOT - 14}"', f'x="{WIDTH}" y="{HEIGHT - 2}"'
    parts = [
        f'<rect class="chart-tint" x="{at}" width="{WIDTH - at:g}" {ruled}/>',
        f'<path class="pic-series" d="{extremes(one.values, WIDTH // 2, x, y)}"/>',
        f'<path class="axis" d="M0 {PLOT}H{WIDTH}"/>',
        f'<path class="landing-set" d="M{at} 10V{PLOT}"/>',
        f'<path class="landing-grip" d="M{at - 6} 0h12l-6 10Z"/>',
        f'<text class="landing-own" x="{at + 12}" y="10">steady from {mark}</text>',
        f'<path class="landing-pointer" d="M{at + 14} 34{POINTER}"/>',
        f'<text {right} text-anchor="end">one click, Enter, next series</text>',
    ]
    words = f"{one.title}, marked by a simulated annotator: steady from {mark}."
    return drawing("landing-verb", WIDTH, HEIGHT, words, parts)


# --- methods in their order -------------------------------------------------------------------
@dataclass(frozen=True, slots=True)
class LandingRow:
    """One row of the picture; `slug` is None of an annotator."""

    title: str
    slug: str | None
    interval: MedianInterval


def comparing() -> str:
    """A row each: its name, and the median of its errors with its interval."""
    rows = ranking()
    scale = interval_scale({each.title: each.interval for each in rows}, WIDTH - NAMES - BESIDE)
    bottom = ROW * len(rows)
    parts = [
        f'<path class="grid" d="M{NAMES + tick.at:g} 0V{bottom}"/>'
        f'<text x="{NAMES + tick.at:g}" y="{HEIGHT - 2}" text-anchor="middle">{tick.text}</text>'
        for tick in scale.ticks
    ]
    for at, each in enumerate(rows):
        drawn = scale.rows[each.title]
        middle = ROW * at + ROW // 2
        parts += _name(each, ROW * at)
        parts.append(
            f'<g class="{_classes(each)}"><path class="interval" '
            f'd="M{NAMES + drawn.low:g} {middle}H{NAMES + drawn.high:g}"/>'
            f'<circle class="interval-dot" cx="{NAMES + drawn.dot:g}" cy="{middle}" r="4"/></g>'
        )
    parts.append(f'<text x="0" y="{HEIGHT - 2}">median |Δ|, iterations</text>')
    return drawing("landing-verb", WIDTH, HEIGHT, _words(rows), parts)


@cache
def ranking() -> tuple[LandingRow, ...]:
    """Of all series on which both say steady; the nearest to the ground truth first."""
    series = every_series()
    truth = Answers.of([each.truth for each in series])
    tolerance = np.array([TOLERANCE * each.values.size for each in series])
    asked = {slug: Answers.of([one.answer(slug) for one in series]) for slug in METHODS}
    found = compare(asked, truth, tolerance=tolerance, common=False).rows
    people = leave_one_out(_people(series), tolerance=tolerance)
    rows = [_row(registry()[each.method].title, each.method, each) for each in found]
    rows.append(_row(f"Simulated annotator {PERSON}", None, people[PERSON - 1]))
    return tuple(sorted(rows, key=lambda each: each.interval.median))


def _people(series: tuple[LandingSeries, ...]) -> Mapping[str, Answers]:
    by_person = zip(*(each.marks for each in series), strict=True)
    return {f"a{at}": Answers.of(marks) for at, marks in enumerate(by_person, start=1)}


def _row(title: str, slug: str | None, row: MethodRow) -> LandingRow:
    d = row.distances
    if d.median_abs is None or d.median_abs_low is None or d.median_abs_high is None:
        raise ValueError(f"{title}: no interval; choose another method")
    if d.n < LEAST_SERIES:
        raise ValueError(f"{title}: {d.n} series, too few; choose another method")
    interval = MedianInterval(d.median_abs_low, d.median_abs, d.median_abs_high)
    return LandingRow(title, slug, interval)


def _classes(row: LandingRow) -> str:
    return "landing-person" if row.slug is None else classes(method_slots()[row.slug])


def _name(row: LandingRow, top: int) -> Iterator[str]:
    if row.slug is None:
        yield f'<text x="20" y="{top + 13}">{escape(row.title)}</text>'
        return
    text = f'<text class="landing-row" x="20" y="{top + 13}">{escape(row.title)}</text>'
    yield symbol(row.slug, 0, top + 3) + text


def _words(rows: tuple[LandingRow, ...]) -> str:
    """The picture for who does not see it."""
    n = len(every_series())
    said = "; ".join(
        f"{each.title} {each.interval.median:.0f} ({each.interval.low:.0f} to "
        f"{each.interval.high:.0f})"
        for each in rows
    )
    return (
        f"Median distance from the ground truth of simulated annotators on {n} recorded series, "
        f"in iterations, with its 95 % interval: {said}."
    )
