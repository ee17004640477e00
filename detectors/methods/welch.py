"""Welch's moving average: steady from where the curve stays near its final level.

Welch draws the average of the replications, smoothed, and lets a person see where it has become
flat. The figure is his; the band in which it counts as flat is ours.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from detectors.api import NEVER, Context, Detection, Detector, Source, Values, draw, parameter
from detectors.arrays.safe_range import mean_in_range, scaled_to_range

SHORTEST = 4  # a window of three values at most a quarter of them to each side


class Welch(Detector):
    slug, version = "welch", "1"
    title = "Welch's moving average"
    code, slot = "WE", 60
    source = Source(
        "Welch 1983, The statistical analysis of simulation results, in: Lavenberg (ed.), "
        "Computer Performance Modeling Handbook, chapter 6; the window as in Law 2015, Simulation "
        "Modeling and Analysis, 5th edition",
        section="Law: 9.5.1",
    )
    family = "Simulation"
    rates = "free"

    class Params(Detector.Params):
        window: int = parameter(
            50,
            low=1,
            high=100_000,
            unit="iterations",
            help="Values to each side of the middle of a window; at most a quarter of the series.",
        )
        tolerance: float = parameter(
            0.05,
            low=0.0,
            high=1e6,
            help="Half width of the band about the final level, as a share of that level.",
        )

    params: Params

    @property
    def least_length(self) -> int:
        return SHORTEST

    def detect(self, values: Values, context: Context) -> Detection:
        curve, level = self._curve(values), final_level(values)
        indices_outside = np.flatnonzero(np.abs(curve - level) > self.params.tolerance * abs(level))
        start = int(indices_outside[-1]) + 1 if indices_outside.size else 0
        if start > values.size // 2:
            return Detection(NEVER, published_index=NEVER)
        return Detection(start, published_index=start)

    def evidence(self, values: Values, context: Context) -> draw.Drawings:
        curve, level = self._curve(values), final_level(values)
        steady_start = self.detect(values, context).steady_start
        average_curve = draw.Curve(
            curve,
            label="moving average",
            unit=context.unit,
            meaning="Mean of the iterations about each one; steady from where it stays in the band "
            "about the level of the second half.",
        )
        half_start = values.size // 2
        final = draw.Levels(
            ((half_start, values.size, level),),
            label="mean of the second half",
            meaning="The level about which the band lies.",
        )
        meaning = "The curve does not leave the band any more."
        start = draw.event(steady_start, "stays in the band from here", meaning)
        return average_curve, final, *start

    def _curve(self, values: Values) -> Values:
        return moving_average(values, min(self.params.window, values.size // 4))


def final_level(values: Values) -> float:
    """The mean of the second half."""
    return mean_in_range(values[values.size // 2 :])


def moving_average(values: Values, window: int) -> Values:
    """Welch's curve, float64 (n - window,): means of 2 window + 1 values, fewer at the start.

    Near the start the window reaches back to iteration 0 and as far ahead; the last `window`
    iterations have no mean (Law 2015, equation 9.5).
    """
    scaled_values, exponent = scaled_to_range(values)
    last = scaled_values[-1]  # equal values have equal means, and no sum drifts away
    sums = np.append(0.0, np.cumsum(scaled_values - last))
    centres = np.arange(values.size - window)
    half_widths = np.minimum(centres, window)
    means = last + (sums[centres + half_widths + 1] - sums[centres - half_widths]) / (
        2 * half_widths + 1
    )
    averages: Values = np.ldexp(means, exponent)
    return averages


def average_of_forks(forks: Sequence[Values]) -> Values:
    """Mean of the forks, iteration by iteration, as far as all of them go."""
    shortest_length = min(fork.size for fork in forks)
    scaled_forks = [
        np.ldexp(fork[:shortest_length], -8) for fork in forks
    ]  # so that no sum overflows
    means: Values = np.ldexp(np.mean(scaled_forks, axis=0), 8)
    means.setflags(write=False)
    return means
