"""The small pictures of the first page: a series with a mark, and methods in their order.

Written by docs/landing_chart.py. Both are computed from the recordings that are shipped.
Where there is a demo, the first page draws its present comparison in place of the second.
"""

from __future__ import annotations

from functools import cache
from typing import Final

import numpy as np

from analysis.methods.baselines import BASELINES
from analysis.site.landing_ranking import HEIGHT, WIDTH, RankedMethod, ranking_drawing, ranking_svg
from analysis.statistics.answers import Answers
from analysis.statistics.comparison import compare
from analysis.statistics.leaderboard_figures import RowFigures
from analysis.statistics.multiple_comparisons import LEAST_SERIES
from analysis.web.interval_scale import MedianInterval
from demo.methods import FAST
from detectors.registry import method_slots, registry
from docs.landing_data import every_series, extremes, one_series, scale_to_height

PLOT: Final = 92  # above the words of the lowest line
MARKED: Final = "java-matrix-product"
MOST: Final = 5  # methods
PERSON: Final = 1  # of the annotators
TOLERANCE: Final = 0.05  # of the series: as a comparison begins; the intervals do not rest on it
POINTER: Final = "v16l4-4 3 7 3-1-3-7h6Z"


# --- a series with a mark ---------------------------------------------------------------------
def annotation_drawing() -> str:
    """One series, and the answer of one annotator for it."""
    series = one_series(MARKED)
    mark = series.marks[PERSON - 1]
    y = scale_to_height(series.values, PLOT - 1, PLOT - 18)

    def x(iteration: int) -> float:
        return round(WIDTH * iteration / series.values.size, 1)

    mark_x = x(mark)
    ruled_attributes, lower_right_attributes = (
        f'y="14" height="{PLOT - 14}"',
        f'x="{WIDTH}" y="{HEIGHT - 2}"',
    )
    parts = [
        f'<rect class="chart-tint" x="{mark_x}" width="{WIDTH - mark_x:g}" {ruled_attributes}/>',
        f'<path class="pic-series" d="{extremes(series.values, WIDTH // 2, x, y)}"/>',
        f'<path class="axis" d="M0 {PLOT}H{WIDTH}"/>',
        f'<path class="landing-set" d="M{mark_x} 10V{PLOT}"/>',
        f'<path class="landing-grip" d="M{mark_x - 6} 0h12l-6 10Z"/>',
        f'<text class="landing-own" x="{mark_x + 12}" y="10">steady from {mark}</text>',
        f'<path class="landing-pointer" d="M{mark_x + 14} 34{POINTER}"/>',
        f'<text {lower_right_attributes} text-anchor="end">one click, Enter, next series</text>',
    ]
    words = f"{series.title}, marked by a simulated annotator: steady from {mark}."
    return ranking_svg("landing-verb", WIDTH, HEIGHT, words, parts)


# --- methods in their order -------------------------------------------------------------------
def comparison_drawing() -> str:
    """The first methods of the demo's comparison, for an installation without a demo."""
    reference = f"the ground truth of simulated annotators on {len(every_series())} recorded series"
    return ranking_drawing(ranking(), reference)


@cache
def ranking() -> tuple[RankedMethod, ...]:
    """Rank the methods that the demo runs at once, as its comparison does: the nearest first."""
    series = every_series()
    truth = Answers.from_list([recorded_series.truth for recorded_series in series])
    tolerance = np.array([TOLERANCE * recorded_series.values.size for recorded_series in series])
    ranked_slugs = [slug for slug in FAST if slug not in BASELINES]
    answers = {
        slug: Answers.from_list([recorded_series.answer(slug) for recorded_series in series])
        for slug in ranked_slugs
    }
    rows = compare(answers, truth, tolerance=tolerance, common=False).rows
    methods = [method for slug in rows if (method := _ranked_method(slug, rows[slug]))]
    return tuple(sorted(methods, key=lambda method: method.interval.median)[:MOST])


def _ranked_method(slug: str, figures: RowFigures) -> RankedMethod | None:
    """One row of the drawing; None for a method with too few series to be ranked."""
    low, median, high = (
        figures[key] for key in ("median_abs_low", "median_abs", "median_abs_high")
    )
    if figures.total("n") < LEAST_SERIES or low is None or median is None or high is None:
        return None
    interval = MedianInterval(low, median, high)
    return RankedMethod(registry()[slug].title, method_slots()[slug], interval)
