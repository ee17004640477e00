"""Barrett et al. 2017: change points at a fixed price, and a class for every fork.

Outliers are left out, the series is cut where its mean or variance changes, and segments are
compared with the last one from the end backwards. Flat, warm-up, slowdown, or no steady state.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from itertools import pairwise

import numpy as np
from numpy.typing import NDArray

from detectors.api import NEVER, Context, Detection, Detector, Source, Values, draw, parameter
from detectors.arrays.safe_range import mean_in_range, scaled_to_range
from detectors.kernels.barrett import outliers
from detectors.rules.segments.benchmark_classes import ForkClass
from detectors.rules.segments.crops import LEAST, MeanAndVariance

Indices = NDArray[np.int64]
OUTSIDE = "Too far from the median of its window; left out of segments and means."


@dataclass(frozen=True, slots=True)
class BarrettSegments:
    """A series in segments, outliers left out.

    kept: iterations that are no outliers. ends: last iteration of every segment. means,
    variances: of each, in units of the series; a variance divides by the segment's length.
    """

    kept: Indices
    ends: tuple[int, ...]
    means: tuple[float, ...]
    variances: tuple[float, ...]


@dataclass(frozen=True, slots=True)
class ClassifiedFork:
    """The class of a fork, and its segments from which on it is steady.

    first: number of the first segment of the steady state; the last one is at least in it.
    lower, upper: what counts as equivalent to the last segment, for the class.
    """

    segments: BarrettSegments
    fork_class: ForkClass
    first: int
    delta: float
    lower: float
    upper: float

    @property
    def last_before(self) -> int:
        """The last iteration before the steady state; -1 if it is steady from the beginning."""
        return self.segments.ends[self.first - 1] if self.first else -1

    @property
    def printed(self) -> int:
        """The iteration that the published program prints: 1 for flat."""
        if self.fork_class == "no-steady-state":
            return NEVER
        return 1 if self.fork_class == "flat" else self.last_before + 1

    def seconds_before(self, values: Values) -> float:
        """Time to the steady state as published: the last value before it is left out."""
        return 0.0 if self.fork_class == "flat" else sum(values[: self.last_before].tolist())

    @property
    def steady_mean(self) -> float:
        """Mean of the means of the steady segments, each counted alike."""
        return mean_in_range(np.array(self.segments.means[self.first :]))


class Barrett(Detector):
    slug, version = "barrett", "1"
    title = "Barrett et al."
    code, slot = "BA", 10
    source = Source(
        "Barrett, Bolz-Tereick, Killick, Mount & Tratt 2017, Virtual machine warmup blows hot "
        "and cold",
        doi="10.1145/3133876",
        url="https://github.com/softdevteam/warmup_stats",
    )
    family = "Published detectors"
    cost = "quick"
    longest = 80_000

    class Params(Detector.Params):
        window: int = parameter(
            200,
            low=2,
            high=100_000,
            unit="iterations",
            help="Length of the window, centred on a value, in which it may be an outlier.",
        )
        pct_low: float = parameter(
            10.0, low=0.0, high=50.0, unit="%", help="Lower percentile of a window."
        )
        pct_high: float = parameter(
            90.0, low=50.0, high=100.0, unit="%", help="Upper percentile of a window."
        )
        band: float = parameter(
            3.0,
            low=0.0,
            high=1e6,
            unit="percentile ranges",
            help="Farther than this from the median of its window, a value is an outlier.",
        )
        penalty: float = parameter(
            15.0,
            low=0.1,
            high=1e9,
            unit="ln n",
            help="Price of a change point; n without outliers.",
        )
        delta: float = parameter(
            0.001,
            low=0.0,
            high=1e12,
            help="Least difference of two means that matters: 0.001 s as published. For series "
            "of seconds per operation take 5 percent.",
        )
        delta_unit: str = parameter(
            "seconds",
            choices=("seconds", "percent"),
            help="Of `delta`: seconds (the unit of the series), or percent of the least mean.",
        )
        raw_deltas: bool = parameter(
            False,  # noqa: FBT003  # the default
            help="Leave the last segment's variance out of what counts as equivalent to it.",
        )
        least_steady: int = parameter(
            500,
            low=0,
            high=10_000_000,
            unit="iterations",
            help="The steady state is reached before so many last values, or never.",
        )

    params: Params

    def detect(self, values: Values, context: Context) -> Detection:
        classified_fork = self.judge(values)
        is_never = classified_fork.fork_class == "no-steady-state"
        is_flat = classified_fork.fork_class == "flat"
        start = NEVER if is_never else 0 if is_flat else classified_fork.last_before + 1
        return Detection(
            start, published_index=classified_fork.printed, flags=(classified_fork.fork_class,)
        )

    def evidence(self, values: Values, context: Context) -> draw.Drawings:
        classified_fork = self.judge(values)
        cut_segments = classified_fork.segments
        edges = [0, *(end + 1 for end in cut_segments.ends[:-1]), values.size]
        pieces = zip(pairwise(edges), cut_segments.means, strict=True)
        left_out_indices = np.setdiff1d(np.arange(values.size), cut_segments.kept)
        return (
            draw.Events(
                tuple(left_out_indices.tolist()), label="outliers, left out", meaning=OUTSIDE
            ),
            draw.Events(
                cut_segments.ends[:-1],
                label="change points: last iteration of a segment",
                meaning="Where mean or variance changes so much that a cut is worth its price.",
            ),
            draw.Levels(
                tuple((a, b, mean) for (a, b), mean in pieces),
                label="segment means",
                meaning="Segments as good as the last one belong to the steady state.",
            ),
            draw.Figures(
                _rows(classified_fork, values, context.unit),
                label="class of the fork",
                meaning="How the levels of the segments follow each other decides the class.",
            ),
        )

    def judge(self, values: Values) -> ClassifiedFork:
        """Segments, class, and where the steady state begins."""
        segments = self._segments(values)
        p = self.params
        delta = p.delta if p.delta_unit == "seconds" else p.delta / 100 * min(segments.means)
        lower, upper = _bounds(segments, delta, is_raw=p.raw_deltas)
        return ClassifiedFork(
            segments,
            classify_fork(segments, values.size - p.least_steady, lower, upper),
            # As published, where the steady state begins never leaves the variance out.
            first=_first_steady(segments, *_bounds(segments, delta, is_raw=False)),
            delta=delta,
            lower=lower,
            upper=upper,
        )

    @property
    def least_length(self) -> int:
        """The least length of a series that can be steady."""
        return max(LEAST, self.params.least_steady + 1)

    def _segments(self, values: Values) -> BarrettSegments:
        p = self.params
        scaled_values, exponent = scaled_to_range(values)
        is_outlier = outliers(scaled_values, p.window, p.pct_low, p.pct_high, p.band)
        inlier_indices = np.flatnonzero(~is_outlier)
        y = scaled_values[inlier_indices]
        segmentation = MeanAndVariance(y).best(p.penalty * math.log(y.size))
        parts = [y[a:b] for a, b in pairwise((0, *segmentation.ends))]
        return BarrettSegments(
            inlier_indices,
            tuple(int(inlier_indices[end - 1]) for end in segmentation.ends),
            tuple(math.ldexp(mean_as_r(segment), exponent) for segment in parts),
            tuple(_rescaled_variance(variance_of(segment), 2 * exponent) for segment in parts),
        )


def classify_fork(segments: BarrettSegments, limit: int, lower: float, upper: float) -> ForkClass:
    """The class of a fork whose steady state must be reached by the iteration `limit`.

    A change for the worse decides, before any for the better.
    """
    fork_class: ForkClass = "flat"
    for mean, variance, end in _reversed_segments(segments):
        if mean + variance >= lower and mean - variance <= upper:
            continue
        if end > limit:
            return "no-steady-state"
        if mean - variance < lower:
            return "slowdown"
        fork_class = "warm-up"
    return fork_class


def _reversed_segments(segments: BarrettSegments) -> list[tuple[float, float, int]]:
    """Mean, variance and end of every segment but the last, from the end on."""
    rows = zip(segments.means, segments.variances, segments.ends, strict=True)
    return list(rows)[-2::-1]


def _bounds(segments: BarrettSegments, delta: float, *, is_raw: bool) -> tuple[float, float]:
    """The last segment's mean plus and minus its variance or `delta`, whichever is more.

    A variance is no time, but the published program adds it to one.
    """
    mean, variance = segments.means[-1], segments.variances[-1]
    reach = delta if is_raw else max(variance, delta)
    return mean - reach, mean + reach


def _first_steady(segments: BarrettSegments, lower: float, upper: float) -> int:
    first = len(segments.means) - 1
    for mean, variance, _ in _reversed_segments(segments):
        if not (mean + variance >= lower and mean - variance <= upper):
            break
        first -= 1
    return first


def mean_as_r(y: Values) -> float:
    """Mean as R computes it: in extended precision, and corrected by the mean of what is left."""
    wide_values = y.astype(np.longdouble)
    mean = wide_values.mean()
    return float(mean + (wide_values - mean).mean())


def variance_of(y: Values) -> float:
    """R's variance, times (n - 1) / n in doubles: it divides by n, and the last bit is R's."""
    if y.size < 2:
        return 0.0
    wide_values = y.astype(np.longdouble)
    sample = float(((wide_values - wide_values.mean()) ** 2).sum() / (y.size - 1))
    return sample * (y.size - 1) / y.size


def _rescaled_variance(variance: float, exponent: int) -> float:
    """The variance in its own units, at most the largest double."""
    try:
        return math.ldexp(variance, exponent)
    except OverflowError:
        return float(np.finfo(np.float64).max)


def _rows(classified_fork: ClassifiedFork, values: Values, unit: str) -> tuple[draw.Row, ...]:
    rows: list[draw.Row] = [
        ("class", classified_fork.fork_class, ""),
        ("least difference that matters", classified_fork.delta, unit),
        ("equivalent from", classified_fork.lower, unit),
        ("equivalent up to", classified_fork.upper, unit),
    ]
    if classified_fork.fork_class != "no-steady-state":
        rows += [
            ("time to the steady state", classified_fork.seconds_before(values), unit),
            ("steady mean", classified_fork.steady_mean, unit),
        ]
    return tuple(rows)
