"""Changes of mean and variance: the best segmentation for a penalty, and for a range of them.

PELT as in R's `changepoint` 2.2, and CROPS (Haynes, Eckley & Fearnhead 2017) on it: all
segmentations that are best for some penalty of a range. The number of change points falls with
the penalty; the elbow of that curve (Satopää et al. 2011, "kneedle") is one way to choose.
"""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise

import numpy as np

from detectors.api import Values
from detectors.kernels.pelt import all_costs, ends_of, fill_costs, pelt, running_sums

LEAST = 4  # values; fewer are one segment
KEPT = 5000  # values up to which all costs of a path are kept: 100 MB
ALIKE = 1.5e-8  # penalties that R's `all.equal` takes for one
AT_ONCE = 64  # searches that share a row; each takes 12 bytes a value
MOST_RUNS = 20_000  # of PELT in one path; published series take 2 to 1,354


@dataclass(frozen=True, slots=True)
class Segmentation:
    """Segments of m values: their ends (the first value of the next; the last is m), their cost."""

    ends: tuple[int, ...]
    cost: float

    @property
    def changes(self) -> int:
        return len(self.ends) - 1


@dataclass(frozen=True, slots=True)
class PenaltyPath:
    """Segmentations by the penalty from which on each is best: ever fewer change points.

    `segmentations` are those found with as many segments; `runs` counts searches.
    """

    penalties: tuple[float, ...]
    changes: tuple[int, ...]
    segmentations: tuple[Segmentation, ...]
    runs: int


class MeanAndVariance:
    """Segmentations of one series, by penalty; `keeps_costs` where a path asks for many."""

    def __init__(self, y: Values, *, keeps_costs: bool = False) -> None:
        self.m = y.size
        self.sums = running_sums(y)
        self.rows = all_costs(*self.sums) if keeps_costs and self.m <= KEPT else np.empty(0)
        self.segmentations: dict[float, Segmentation] = {}

    def best(self, penalty: float) -> Segmentation:
        """The best segmentation; every change point costs `penalty`."""
        return self.best_of([penalty])[0]

    def best_of(self, penalties: Sequence[float]) -> list[Segmentation]:
        """`best` for each penalty, at less than the sum of their times."""
        new_penalties = [
            penalty for penalty in dict.fromkeys(penalties) if penalty not in self.segmentations
        ]
        for i in range(0, len(new_penalties), AT_ONCE):
            batch = new_penalties[i : i + AT_ONCE]
            self.segmentations.update(
                zip(batch, self._best_segmentations(np.array(batch)), strict=True)
            )
        return [self.segmentations[penalty] for penalty in penalties]

    def _best_segmentations(self, penalties: Values) -> list[Segmentation]:
        if self.m < LEAST:
            row = np.zeros(self.m + 1)
            fill_costs(*self.sums, 0, self.m, row)
            return [Segmentation((self.m,), float(row[0]))] * penalties.size
        segmentations = []
        totals, last_changes = pelt(*self.sums, self.rows, penalties)
        for penalty, total, last in zip(
            penalties.tolist(), totals.tolist(), last_changes, strict=True
        ):
            segment_ends = tuple(ends_of(last).tolist())
            segmentations.append(
                Segmentation(segment_ends, total - (len(segment_ends) - 1) * penalty)
            )
        return segmentations


def crops(search: MeanAndVariance, low: float, high: float) -> PenaltyPath:
    """Every segmentation that is best for some penalty from `low` to `high`.

    Counts, costs and segmentations are sorted by themselves and belong together by position, as
    in the package. PELT is not strictly optimal when segments have at least two values, so in
    series with very many change points a penalty can be out of order, or negative.
    """
    tested_penalties: list[float] = []
    segmentations: list[Segmentation] = []
    new_penalties = [low, high]
    while new_penalties and len(tested_penalties) + len(new_penalties) <= MOST_RUNS:
        tested_penalties = sorted([*tested_penalties, *new_penalties])
        segmentations += search.best_of(new_penalties)
        counts = sorted((len(segmentation.ends) for segmentation in segmentations), reverse=True)
        costs = sorted(segmentation.cost for segmentation in segmentations)
        new_penalties = _penalties_between(counts, costs, tested_penalties)
    segmentations_by_count = sorted(segmentations, key=lambda segmentation: -len(segmentation.ends))
    distinct_indices = [i for i in range(len(counts)) if i == 0 or counts[i] != counts[i - 1]]
    return PenaltyPath(
        penalties=(
            low,
            *(
                (costs[i] - costs[j]) / (counts[j] - counts[i])
                for i, j in pairwise(distinct_indices)
            ),
        ),
        changes=tuple(counts[i] - 1 for i in distinct_indices),
        segmentations=tuple(segmentations_by_count[i] for i in distinct_indices),
        runs=len(tested_penalties),
    )


def _penalties_between(
    counts: list[int], costs: list[float], tested_penalties: list[float]
) -> list[float]:
    """Penalties at which two neighbours that differ by several change points cost the same."""
    pairs = zip(pairwise(counts), pairwise(costs), strict=True)
    middles = [(d - c) * (1 / (a - b)) for (a, b), (c, d) in pairs if a - b > 1]
    return [
        penalty for penalty in dict.fromkeys(middles) if not _is_tested(penalty, tested_penalties)
    ]


def _is_tested(penalty: float, tested_penalties: list[float]) -> bool:
    """True where one of the sorted `tested_penalties` is as good as this penalty."""
    index_above = bisect_left(tested_penalties, penalty)
    nearest_penalties = tested_penalties[max(index_above - 1, 0) : index_above + 1]
    distance = min(abs(penalty - near_penalty) for near_penalty in nearest_penalties)
    return distance <= ALIKE * (abs(penalty) if abs(penalty) > ALIKE else 1.0)


def elbow(penalties: Sequence[float], changes: Sequence[int]) -> int | None:
    """Position of the elbow of the number of change points over the penalty, if it has one.

    Read from the largest penalty on, as the published program hands the list to `kneed` 0.7.0:
    the first hump of the difference curve from which it falls by more than a mean step.
    """
    x, y = np.array(penalties[::-1], dtype=np.float64), np.array(changes[::-1], dtype=np.float64)
    if x.size < 2 or np.ptp(x) == 0 or np.ptp(y) == 0:
        return None
    x, y = (x - x.min()) / np.ptp(x), (y - y.min()) / np.ptp(y)
    knee_index = _knee(x, (y.max() - y) - x)
    return None if knee_index is None else x.size - 1 - knee_index


def _knee(x: Values, d: Values) -> int | None:
    d_before, d_after = np.r_[d[0], d[:-1]], np.r_[d[1:], d[-1]]
    highs, lows = (d >= d_before) & (d >= d_after), (d <= d_before) & (d <= d_after)
    step = abs(float(np.diff(x).mean()))
    candidate, threshold = 0, -np.inf
    for i in range(int(np.argmax(highs)), x.size - 1):
        if x[i] == 1.0:
            return None
        if highs[i]:
            candidate, threshold = i, d[i] - step
        if lows[i]:
            threshold = 0.0
        if d[i + 1] < threshold:
            return candidate
    return None
