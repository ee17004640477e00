"""CP-SSD (Traini et al. 2023): change points, and the first segment equivalent to the last.

Outliers are left out, the series is cut where its mean or variance changes, and segments are
compared with the last one from the end backwards until one differs. Where the paper and its
published program differ, the program is followed, because the published results are its own.
"""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import pairwise

import numpy as np
from numpy.typing import NDArray

from detectors.api import NEVER, Context, Detection, Detector, Source, Values, draw, parameter
from detectors.arrays.safe_range import mean_in_range, scaled_to_range
from detectors.contract import BadSeries, seed_parameter
from detectors.kernels.cp_ssd import outliers
from detectors.rules.segments.crops import LEAST, MeanAndVariance, PenaltyPath, crops, elbow
from detectors.rules.starts import equivalence

Indices = NDArray[np.int64]


@dataclass(frozen=True, slots=True)
class CutSeries:
    """The segmentation of a series: what was kept, where it was cut, and at which price.

    kept: iterations that are no outliers. ends: last iteration of every segment, of the last
    one the last kept iteration. penalty: the price of a change point, chosen as `choice` says.
    """

    kept: Indices
    filtered: bool
    ends: tuple[int, ...]
    penalty: float
    choice: str
    path: PenaltyPath


@dataclass(frozen=True, slots=True)
class SegmentComparison:
    """The segment of the iterations `start` … `stop` - 1, compared with the last one."""

    start: int
    stop: int
    verdict: equivalence.EquivalenceVerdict


class CpSsd(Detector):
    slug, version = "cp-ssd", "1"
    title = "CP-SSD"
    code, slot = "CP", 1
    source = Source(
        "Traini, Cortellessa, Di Pompeo & Tucci 2023, Towards effective assessment of steady "
        "state performance in Java software: are we there yet?",
        doi="10.1007/s10664-022-10247-x",
        url="https://github.com/SEALABQualityGroup/steady-state",
    )
    family = "Published detectors"
    cost = "quick"
    longest = 60_000
    gives_changes = True

    class Params(Detector.Params):
        window: int = parameter(
            200,
            low=2,
            high=100_000,
            unit="iterations",
            help="Length of the windows in which outliers are looked for.",
        )
        target_time: float = parameter(
            0.1,
            low=1e-9,
            high=1e6,
            unit="s",
            help="Intended time of an iteration: how many operations it holds decides how many "
            "values at the start are not judged.",
        )
        pct_low: float = parameter(
            1.0, low=0.0, high=50.0, unit="%", help="Lower percentile of a window."
        )
        pct_high: float = parameter(
            99.0, low=50.0, high=100.0, unit="%", help="Upper percentile of a window."
        )
        band: float = parameter(
            3.0,
            low=0.0,
            high=1e6,
            unit="percentile ranges",
            help="Farther than this from the median of one of its windows, a value is an outlier.",
        )
        pen_low: float = parameter(
            4.0,
            low=0.1,
            high=1e6,
            unit="ln n",
            help="Least price of a change point that is tried; n without outliers.",
        )
        pen_high: float = parameter(
            100_000.0, low=0.1, high=1e9, unit="ln n", help="Largest price that is tried."
        )
        pen_default: float = parameter(
            15.0,
            low=0.1,
            high=1e9,
            unit="ln n",
            help="Price where the number of change points has no elbow over the price.",
        )
        tie: str = parameter(
            "published",
            choices=("published", "listed"),
            help="At the elbow two segmentations cost the same. As published: search again, and "
            "let rounding decide; listed: the one with fewer change points.",
        )
        difference: float = parameter(
            5.0,
            low=0.01,
            high=99.0,
            unit="%",
            help="Means that differ by so much, or more, are different.",
        )
        confidence: float = parameter(
            95.0, low=50.0, high=99.9, unit="%", help="Of the interval for the ratio of two means."
        )
        draws: int = parameter(
            10_000, low=100, high=1_000_000, help="Resamples of each segment, at most."
        )
        least_steady: int = parameter(
            500,
            low=0,
            high=10_000_000,
            unit="iterations",
            help="With fewer values after the last of the warm-up, the series is never steady.",
        )
        seed: int = seed_parameter()

        def check(self) -> None:
            self.require(
                self.pen_high > self.pen_low,
                f"pen_high must be larger than pen_low ({self.pen_low:g}); got {self.pen_high:g}",
            )

    params: Params

    def detect(self, values: Values, context: Context) -> Detection:
        cut_series = self.cut(values)
        return self.concluded(cut_series, list(self.walk(values, cut_series.ends)), values.size)

    def concluded(
        self, cut_series: CutSeries, comparisons: list[SegmentComparison], n: int
    ) -> Detection:
        """The answer for a series of n values, from its segmentation and its comparisons."""
        printed_answer = self._printed_answer(comparisons, n)
        is_ambiguous = any(comparison.verdict.ambiguous for comparison in comparisons)
        words = {"ambiguous": is_ambiguous, "unfiltered": not cut_series.filtered}
        return Detection(
            printed_answer + 1 if printed_answer > 0 else printed_answer,
            published_index=printed_answer,
            flags=tuple(word for word, is_true in words.items() if is_true),
            changes=tuple(end + 1 for end in cut_series.ends[:-1]),
        )

    def evidence(self, values: Values, context: Context) -> draw.Drawings:
        cut_series = self.cut(values)
        comparisons = list(self.walk(values, cut_series.ends))
        bounds = _bounds(cut_series.ends, values.size)
        pieces = tuple((a, b, mean_in_range(values[a:b])) for a, b in bounds)
        left_out_indices = np.setdiff1d(np.arange(values.size), cut_series.kept)
        return (
            draw.Events(
                tuple(left_out_indices.tolist()),
                label="outliers, left out of the segmentation",
                meaning="Too far from the median of a window; cuts are sought among the rest.",
            ),
            draw.Events(
                cut_series.ends[:-1],
                label="change points: last iteration of a segment",
                meaning="Where mean or variance changes so much that a cut is worth its price.",
            ),
            draw.Levels(pieces, label="segment means", meaning="Of all values, outliers too."),
            draw.Bands(
                tuple((comparison.start, comparison.stop) for comparison in comparisons),
                label="compared with the last segment",
                notes=tuple(_verdict_words(comparison.verdict) for comparison in comparisons),
                meaning="From the end backwards, up to the first segment that differs.",
            ),
            draw.Figures(
                self._elbow_rows(cut_series),
                label="choice of the penalty",
                meaning="Where a higher price no longer removes many change points.",
            ),
            draw.Figures(
                tuple(_row(comparison, values, bounds[-1]) for comparison in comparisons),
                label="equivalence with the last segment",
                meaning="A segment differs when the interval of its ratios is beyond the margin.",
            ),
        )

    def cut(self, values: Values) -> CutSeries:
        """Outliers, and change points among the rest."""
        if values.min() < 0:
            first = int(np.argmax(values < 0))
            raise BadSeries(
                "values must not be negative, because means are compared by their ratio; "
                f"value {first} is {values[first]:g}"
            )
        inlier_indices, filtered_indices = self.inlier_iterations(values)
        y = scaled_to_range(values)[0][inlier_indices]
        search, log = MeanAndVariance(y, keeps_costs=True), math.log(y.size)
        path = crops(search, self.params.pen_low * log, self.params.pen_high * log)
        elbow_index = elbow(path.penalties, path.changes)
        penalty, choice = self._penalty(path, elbow_index, log)
        if elbow_index is not None and self.params.tie == "listed":
            segmentation = path.segmentations[elbow_index]
        else:
            segmentation = search.best(penalty)
        segment_ends = tuple(int(inlier_indices[end - 1]) for end in segmentation.ends)
        return CutSeries(inlier_indices, filtered_indices, segment_ends, penalty, choice, path)

    def walk(
        self, values: Values, segment_ends: tuple[int, ...], *, beyond_ambiguous: bool = False
    ) -> Iterator[SegmentComparison]:
        """Comparisons with the last segment, backwards, up to the first that differs.

        Outliers count here. `beyond_ambiguous` goes on where another seed might.
        """
        p = self.params
        rule = equivalence.EquivalenceRule(p.difference / 100, p.confidence / 100, p.draws, p.seed)
        *earlier_bounds, (begin, end) = _bounds(segment_ends, values.size)
        values, _ = scaled_to_range(values)
        # Of a series without change points the published program never reads the last segment.
        last = equivalence.ResampledSegment(values[begin:end], begin, p.seed)
        for start, stop in reversed(earlier_bounds):
            verdict = equivalence.compare_segments(
                last, equivalence.ResampledSegment(values[start:stop], start, p.seed), rule
            )
            yield SegmentComparison(start, stop, verdict)
            if verdict.different and not (beyond_ambiguous and verdict.ambiguous):
                return

    def possible(self, values: Values, segment_ends: tuple[int, ...]) -> set[int]:
        """Published starts that some seed may give: ambiguous comparisons may fall either way."""
        starts: set[int] = set()
        for comparison in self.walk(values, segment_ends, beyond_ambiguous=True):
            if comparison.verdict.ambiguous or comparison.verdict.different:
                starts.add(self._start(comparison.stop - 1, values.size))
            if comparison.verdict.different and not comparison.verdict.ambiguous:
                return starts
        return starts | {0}

    @property
    def least_length(self) -> int:
        """The least length of a series that can be steady."""
        return max(LEAST, self.params.least_steady + 1)

    def inlier_iterations(self, values: Values) -> tuple[Indices, bool]:
        """Iterations that are no outliers; whether there were enough to judge any."""
        p = self.params
        skip_count = skipped(mean_in_range(values), p.window, p.target_time)
        all_indices = np.arange(values.size)
        if values.size - skip_count < p.window:
            return all_indices, False
        body = values[skip_count:]
        is_outlier = outliers(body, p.window, p.pct_low / 100, p.pct_high / 100, p.band)
        return np.delete(all_indices, skip_count + np.flatnonzero(is_outlier)), True

    def _penalty(self, path: PenaltyPath, elbow_index: int | None, log: float) -> tuple[float, str]:
        if len(path.penalties) == 1:
            return path.penalties[0], "no change point at the least penalty"
        if elbow_index is None:
            return self.params.pen_default * log, "no elbow: the default"
        return path.penalties[elbow_index], "elbow"

    def _printed_answer(self, comparisons: list[SegmentComparison], n: int) -> int:
        if comparisons and comparisons[-1].verdict.different:
            return self._start(comparisons[-1].stop - 1, n)
        return 0

    def _start(self, k: int, n: int) -> int:
        return k if n - 1 - k >= self.params.least_steady else NEVER

    def _elbow_rows(self, cut_series: CutSeries) -> tuple[draw.Row, ...]:
        log = math.log(cut_series.kept.size)
        return (
            ("penalty", cut_series.penalty / log, "ln n"),
            ("chosen by", cut_series.choice, ""),
            ("change points", len(cut_series.ends) - 1, ""),
            ("segmentations on the path", len(cut_series.path.penalties), ""),
            ("most change points on it", cut_series.path.changes[0], ""),
            ("searches", cut_series.path.runs, ""),
            ("outliers", cut_series.kept[-1].item() + 1 - cut_series.kept.size, ""),
        )


def skipped(mean: float, window: int, target_time: float) -> int:
    """Number of values at the start that are not judged: fewer, the more operations one stands
    for.
    """
    operations = target_time / mean if mean > 0 else math.inf
    if math.isinf(operations):
        return 0
    return math.ceil(window / math.log(1 + math.ceil(operations)))


def _bounds(ends: tuple[int, ...], n: int) -> list[tuple[int, int]]:
    """Segments as half-open spans of the whole series; the last one reaches to its end."""
    edges = [0, *(end + 1 for end in ends[:-1]), n]
    return list(pairwise(edges))


def _verdict_words(verdict: equivalence.EquivalenceVerdict) -> str:
    p = "" if verdict.p is None else f", p = {verdict.p:.4g}"
    word = "different" if verdict.different else "equivalent"
    return f"{word}{p}{', ambiguous' if verdict.ambiguous else ''} (by {HOW[verdict.how]})"


HOW = {"range": "its range", "bound": "a bound", "draws": "resampling"}


def _row(comparison: SegmentComparison, values: Values, last: tuple[int, int]) -> draw.Row:
    a, b = comparison.start, comparison.stop
    ratio = mean_in_range(values[slice(*last)]) / (mean_in_range(values[a:b]) or math.nan)
    name = f"iterations {a} to {b - 1}: {_verdict_words(comparison.verdict)}"
    return name, ratio, "last mean ÷ its mean"
