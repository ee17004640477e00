"""plateau-result: the shortest warm-up after which the result is right, by where people see it.

A panel's habits say with what probability the steady state begins at each position, and so what
its mean is. The answer is the earliest start from which on the mean of what is measured is within
a tolerance of that mean, about as probably as from any start: machine time for a given error.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

import numpy as np

from detectors.contract import (
    NEVER,
    Context,
    Curve,
    Detection,
    Detector,
    Evidence,
    Figures,
    Source,
    Values,
    parameter,
)
from detectors.kernels.plateau import places, risen
from detectors.panel import (
    GRID,
    ModelParams,
    PanelJudge,
    shipped_missing,
    steady_chance,
)
from detectors.rests import Indices
from detectors.safe_range import in_range
from detectors.series_features import SeriesFeatures
from detectors.steady_interval import steady_interval

FIRST: Final = 50  # starts that are all tried; after them those that lie
STEP: Final = 1.02  # times as far
WINDOWS: Final = 150  # means that say how much a result scatters
OF_NORMAL: Final = 1.4826  # standard deviations a median absolute deviation
EVEN: Final = 0.5
UNLIKELY: Final = "unlikely"


@dataclass(frozen=True, slots=True, eq=False)
class ResultReading:
    """What is known of the result after each of `starts`.

    chance: that the panel calls the series steady. right: probability of each start that the
    result is within the tolerance. deviation: of each, how far the recorded one is expected to be
    off, a share. scatter: standard deviation of a result in the steady state, a share.
    """

    chance: float
    starts: Indices
    right: Values
    deviation: Values
    scatter: float
    best: int  # place of the answer

    @property
    def start(self) -> int:
        return int(self.starts[self.best])


class PlateauResult(Detector):
    slug, version = "plateau-result", "2"
    title = "Plateau, shortest test"
    code, slot = "PR", 67
    source = Source("Plateau, this project", section="docs/detectors/plateau-result.md")
    family = "Learned methods"
    cost = "quick"
    uses = ("benchmark",)

    class Params(ModelParams):
        error: float = parameter(
            0.01,
            low=0.0001,
            high=1.0,
            help="How far the result may be from the mean of the steady state, as a share of it; "
            "0.01: 1 %.",
        )
        sure: float = parameter(
            0.9,
            low=0.0,
            high=1.0,
            help="The result must be within the error at least so many times as probably as after "
            "the start of which that is most probable; 1: that start.",
        )
        measured: int = parameter(
            100,
            low=1,
            high=1_000_000,
            unit="iterations",
            help="Iterations that are measured after the start: the result is their mean.",
        )
        chance: float = parameter(
            0.5,
            low=0.0,
            high=1.0,
            help="Never steady, unless the panel would call it steady with more than this "
            "probability; 0 always gives an iteration.",
        )

    params: Params

    @classmethod
    def missing(cls) -> str:
        return shipped_missing()

    def detect(self, values: Values, context: Context) -> Detection:
        judge = self.params.judge(values, context.benchmark)
        read = self.read(values, judge)
        if read.chance <= self.params.chance:
            return Detection(NEVER, published_index=NEVER, flags=judge.flags)
        flags = (UNLIKELY, *judge.flags) if read.right[read.best] < EVEN else judge.flags
        return Detection(read.start, published_index=read.start, flags=flags)

    def evidence(self, values: Values, context: Context) -> tuple[Evidence, ...]:
        judge = self.params.judge(values, context.benchmark)
        read = self.read(values, judge)
        enough = self.params.sure * float(read.right.max())
        return (
            Curve(
                read.right,
                label=f"probability that the result is within {100 * self.params.error:g} %",
                x=read.starts,
                threshold=enough,
                meaning=f"Of the mean of {self.params.measured} iterations from here on. The "
                "first start at or above the line is the answer.",
            ),
            Curve(
                100 * read.deviation,
                label="expected deviation of the recorded result, %",
                x=read.starts,
                threshold=100 * self.params.error,
                meaning="Over where the panel may see the steady state begin. The line is the "
                "error that is tolerated.",
            ),
            self._figures(values, read, judge),
        )

    def read(self, values: Values, judge: PanelJudge) -> ResultReading:
        """What a model makes of a series."""
        seen, model = SeriesFeatures.of(values), judge.model
        y = in_range(values)[0]
        rest = np.append(np.cumsum(y[::-1])[::-1], 0.0)  # sums from each iteration to the end
        grid = places(GRID, y.size)
        share = np.diff(np.clip(risen(model.starts.sums(seen.rows)), 0, 1), prepend=0.0, append=1.0)
        levels = rest[grid] / (y.size - grid)
        starts = tried(y.size, self.params.measured)
        stops = np.minimum(starts + self.params.measured, y.size)
        off = ((rest[starts] - rest[stops]) / (stops - starts))[:, np.newaxis] - levels
        weights = np.append(share[:-2], share[-2] + share[-1])  # behind the grid: its last level
        scatter = result_scatter(rest, self.params.measured)
        reach = self.params.error * np.abs(levels)
        right = within(off, reach, scatter) @ weights
        size = np.abs(levels) @ weights or 1.0
        deviation = np.abs(off) @ weights / size
        good = right >= self.params.sure * right.max()
        best = int(good.argmax() if right.max() > 0 else deviation.argmin())
        chance = steady_chance(model.steady, seen.rows)
        return ResultReading(chance, starts, right, deviation, scatter / size, best)

    def _figures(self, values: Values, read: ResultReading, judge: PanelJudge) -> Figures:
        needed = steady_interval(values[read.start :]).required(self.params.error)
        tolerated = f"{100 * self.params.error:g} %"
        rows: list[tuple[str, float | int | str, str]] = [
            ("answered by", judge.words, ""),
            ("probability that the panel calls it steady", read.chance, ""),
            ("answer", read.start, "iterations"),
            ("probability of a result within " + tolerated, float(read.right[read.best]), ""),
            ("the same after the best start", float(read.right.max()), ""),
            ("expected deviation there", 100 * float(read.deviation[read.best]), "%"),
            ("scatter of a steady result", 100 * read.scatter, "%, standard deviation"),
        ]
        if needed is not None:
            rows.append((f"iterations for a 95 % interval of ±{tolerated}", needed, "iterations"))
        return Figures(
            tuple(rows),
            label="what decided",
            meaning="The scatter is that of means of as many neighbouring iterations, so it holds "
            "their dependence; the iterations for an interval are by batch means.",
        )


def tried(n: int, measured: int) -> Indices:
    """Starts that a series of n values may be measured from, rising: the first ones all."""
    last = max(n - measured, 0)
    count = max(int(np.log(max(last, FIRST) / FIRST) / np.log(STEP)), 0) + 2
    later = np.minimum(FIRST * STEP ** np.arange(count), last).astype(np.int64)
    found: Indices = np.unique(np.append(np.arange(min(FIRST, last) + 1), later))
    return found


def result_scatter(rest: Values, measured: int) -> float:
    """Standard deviation of the mean of `measured` neighbouring values of the second half.

    From the median distance of such means, so that a spike counts little. rest: (n + 1,), the sums
    from each value to the end. 0 where fewer than that are in the half.
    """
    n = rest.size - 1
    first, last = n // 2, n - measured
    if last <= first:
        return 0.0
    at = np.linspace(first, last, min(WINDOWS, last - first + 1)).astype(np.int64)
    means = (rest[at] - rest[at + measured]) / measured
    return OF_NORMAL * float(np.median(np.abs(means - np.median(means))))


def within(off: Values, reach: Values, scatter: float) -> Values:
    """Probability that what scatters about `off` lies within `reach` of 0."""
    if scatter == 0:
        return np.asarray(np.abs(off) <= reach, np.float64)
    from scipy.special import ndtr  # noqa: PLC0415  # half a second to import

    found: Values = ndtr((reach - off) / scatter) - ndtr((-reach - off) / scatter)
    return found
