"""The variable moving average: an average that moves with a trend, and stops where there is none.

Its weight is the relative strength of ups against downs, within a window. Where the average has
become flat the process counts as steady.
"""

from __future__ import annotations

import numpy as np

from detectors.api import Context, Detection, Detector, Source, Values, draw, parameter
from detectors.arrays.safe_range import scaled_to_range
from detectors.kernels.smoothing import average_from_zero as average_in_range
from detectors.rules.starts.steady_flags import Flags, alarms_parameter, first_steady

SHORTEST = 3  # the average of two is 0 and the first step


class Vma(Detector):
    slug, version = "vma", "1"
    title = "VMA, variable moving average"
    code, slot = "VMA", 65
    source = Source(
        "Cognite 2023, package indsl (Industrial Data Science Library), steady state (VMA)",
        url="https://github.com/cognitedata/indsl",
        section="cognitedata/indsl 8.9.0: indsl/detect/steady_state.py, vma",
    )
    family = "Process industry"
    rates = "free"

    class Params(Detector.Params):
        window: int = parameter(
            10, low=2, high=100_000, unit="iterations", help="Values that the variability is of."
        )
        tolerance: float = parameter(
            0.005,
            low=0.0,
            high=1e6,
            help="The average is flat where a step is at most this share of it.",
        )
        alarms: float = alarms_parameter(0.1)

    params: Params

    @property
    def least_length(self) -> int:
        return SHORTEST

    def detect(self, values: Values, context: Context) -> Detection:
        flat = is_flat(variable_average(values, self.params.window), self.params.tolerance)
        start = first_steady(flat, self.params.alarms)
        return Detection(start, published_index=start)

    def evidence(self, values: Values, context: Context) -> draw.Drawings:
        steady_start = self.detect(values, context).steady_start
        curve = draw.Curve(
            variable_average(values, self.params.window),
            label="variable moving average",
            unit=context.unit,
            meaning="Moves with a trend and rests without one; it begins at 0.",
        )
        meaning = "The start that fewest of the iterations contradict."
        return curve, *draw.event(steady_start, "flat from here", meaning)


def is_flat(average: Values, tolerance: float) -> Flags:
    """Mask of values whose step is at most `tolerance` of them; the first is as the second."""
    steps = np.abs(np.diff(average)) <= tolerance * np.abs(average[1:])
    return np.append(steps[0], steps)


def variable_average(values: Values, window: int) -> Values:
    """The average after each value, float64 (n,), from 0 on.

    Where nothing has moved yet, or the variability is the same in a whole window, its weight is 0
    and the average rests; the package divides 0 by 0 there, and has no value ever after.
    """
    x, exponent = scaled_to_range(values)
    averages: Values = np.ldexp(average_in_range(x, window), exponent)
    return averages
