"""Steady state identification of the process industry: two variances, filtered, and their ratio.

Rhinehart's method as the package `indsl` runs it on a recorded signal: a start from the first
values, and a flag for every later one. The start of the steady state is read from the flags.
"""

from __future__ import annotations

import numpy as np

from detectors.api import NEVER, Context, Detection, Detector, Source, Values, draw, parameter
from detectors.arrays.safe_range import scaled_to_range
from detectors.kernels.variance_ratio import ratios_from
from detectors.rules.starts.steady_flags import alarms_parameter, first_steady

SHORTEST = 200  # a twentieth of which are the ten values that start the filters
MOST = 50  # values that start them


class Ssid(Detector):
    slug, version = "ssid", "1"
    title = "SSID, filtered variances"
    code, slot = "SSI", 64
    source = Source(
        "Rhinehart 2013, Automated steady and transient state identification in noisy processes, "
        "American Control Conference; as package indsl computes it",
        doi="10.1109/ACC.2013.6580530",
        url="https://github.com/cognitedata/indsl",
        section="cognitedata/indsl 8.9.0: indsl/detect/steady_state.py, ssid",
    )
    family = "Process industry"
    rates = "free"

    class Params(Detector.Params):
        ratio_lim: float = parameter(
            2.5, low=1e-6, high=1e6, help="A value is transient when the ratio is greater."
        )
        alpha1: float = parameter(
            0.2, low=1e-6, high=1.0, help="Weight of a new value in the filtered mean."
        )
        alpha2: float = parameter(
            0.1, low=1e-6, high=1.0, help="Weight of a new value in the variance about the mean."
        )
        alpha3: float = parameter(
            0.1, low=1e-6, high=1.0, help="Weight of a new value in that of the differences."
        )
        alarms: float = alarms_parameter(0.1)

    params: Params

    @property
    def least_length(self) -> int:
        return SHORTEST

    def detect(self, values: Values, context: Context) -> Detection:
        ratios = self._ratios(values)
        first_index = int(np.isnan(ratios).argmin())  # the first that has a ratio
        is_steady = ratios[first_index:] <= self.params.ratio_lim
        start = first_steady(is_steady, self.params.alarms)
        steady_start = start if start == NEVER else start + first_index
        return Detection(steady_start, published_index=steady_start)

    def evidence(self, values: Values, context: Context) -> draw.Drawings:
        steady_start, ratios = self.detect(values, context).steady_start, self._ratios(values)
        curve = draw.Curve(
            ratios,
            label="ratio of the filtered variances",
            threshold=self.params.ratio_lim,
            meaning="Near 1 when values lie about a level; above the line a value is transient.",
        )
        meaning = "The start that fewest of the values contradict."
        return curve, *draw.event(steady_start, "steady from here", meaning)

    def _ratios(self, values: Values) -> Values:
        p = self.params
        return ratios(values, p.alpha1, p.alpha2, p.alpha3)


def ratios(values: Values, alpha1: float, alpha2: float, alpha3: float) -> Values:
    """The ratio at every iteration, float64 (n,); NaN for those that start the filters.

    A twentieth of the values, 50 at most, give mean and variance to start with; the package leaves
    out the one after them. A ratio of nothing to nothing is 0: equal values are steady.
    """
    x, _ = scaled_to_range(values)
    y = x - x[0]  # equal values have no variance, whatever their mean is rounded to
    y.setflags(write=False)  # as values are, or the kernel is compiled twice
    begin = min(int(values.size * 0.05), MOST)
    variance = y[:begin].var(ddof=1)
    state = np.array([y[:begin].mean(), variance, variance, y[begin - 1], 1.0])
    later_ratios = ratios_from(y[begin + 1 :], state, alpha1, alpha2, alpha3)
    return np.append(
        np.full(begin + 1, np.nan), np.where(np.isnan(later_ratios), 0.0, later_ratios)
    )
