"""Height at which the plateau of published series is drawn, by the earlier range and by today's.

    python -m evidence.replication.plateau_share [FOLDER]

Fork 0 of each series, in a plot of 358 pixels: the height of the band from 5 to 95 % of the last
half, and how many values the range cuts off. Ends with status 1 if today's range shows less, or
cuts off more than a quarter of the first 300 values.
"""

from __future__ import annotations

import sys
from argparse import Namespace
from collections.abc import Callable
from dataclasses import dataclass
from typing import Final

import numpy as np

from detectors.arrays.robust_range import Limits, pad_range, plateau_band, robust_range
from detectors.contract import Values
from evidence.replication.published_files import study_command
from evidence.replication.published_study import PublishedStudy
from formats.markdown import head, row

PLOT: Final = 358  # pixels, of the page of annotators
LEAST: Final = 16  # pixels
FIRST: Final = 300  # values


@dataclass(frozen=True, slots=True)
class PlateauShare:
    """Figures of one rule over all series; a constant series has no band."""

    name: str
    series: int
    low: float  # share of the series with a band of fewer than 16 pixels
    pixels: float  # median height of the band
    cut: float  # median of the values that are cut off
    early: float  # median share of the first 300 values that is cut off
    worst: float  # the greatest such share

    def __str__(self) -> str:
        low_words, early_words, worst_words = (
            f"{100 * share:.1f} %" for share in (self.low, self.early, self.worst)
        )
        return row(
            self.name,
            self.series,
            low_words,
            f"{self.pixels:.0f} px",
            f"{self.cut:g}",
            early_words,
            worst_words,
        )


def compare_ranges(study: PublishedStudy, _: Namespace) -> int:
    """A row for each rule."""
    values = [fork_values for _, fork_values in study.series()]
    share_before = share_of("1: quantiles of values", values, quantiles_and_fence)
    share_today = share_of("2: running medians", values, robust_range)
    heads = ("rule", "series", f"band under {LEAST} of {PLOT} px", "band, median", "cut, median")
    print(head(*heads, f"of the first {FIRST}, median", "most"))
    print(share_before, share_today, sep="\n")
    return int(
        share_today.low >= share_before.low
        or share_today.pixels <= share_before.pixels
        or share_today.worst > 0.25
    )


def share_of(name: str, series: list[Values], rule: Callable[[Values], Limits]) -> PlateauShare:
    """The figures of a rule; series whose last half is constant are left out."""
    figures = np.array(
        [_drawn_figures(values, rule) for values in series if np.ptp(plateau_band(values))]
    )
    pixels, cut_counts, early_counts = figures.T
    return PlateauShare(
        name,
        len(figures),
        low=float((pixels < LEAST).mean()),
        pixels=float(np.median(pixels)),
        cut=float(np.median(cut_counts)),
        early=float(np.median(early_counts)) / FIRST,
        worst=float(early_counts.max()) / FIRST,
    )


def _drawn_figures(values: Values, rule: Callable[[Values], Limits]) -> tuple[float, int, int]:
    """Pixels of the band, values that are cut off, those of them among the first 300."""
    (low, high), (bottom, top) = rule(values), plateau_band(values)
    is_clipped = (values < low) | (values > high)
    return (
        PLOT * (top - bottom) / (high - low),
        int(is_clipped.sum()),
        int(is_clipped[:FIRST].sum()),
    )


def quantiles_and_fence(values: Values) -> Limits:
    """The first rule: values within a quarter of the span of 99 % of them, and 5 % beyond."""
    low_quantile, high_quantile = np.quantile(values, [0.005, 0.995])
    reach = 0.25 * (high_quantile - low_quantile)
    values_within = values[(values >= low_quantile - reach) & (values <= high_quantile + reach)]
    return pad_range(float(values_within.min()), float(values_within.max()))


main = study_command(compare_ranges)

if __name__ == "__main__":
    sys.exit(main())
