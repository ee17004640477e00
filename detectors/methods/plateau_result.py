"""plateau-result: the shortest test whose result is right, by where people see the steady state.

A panel's habits say with what probability the steady state begins at each position, and so what
its mean is. A test warms up until a start, and measures until the interval of the mean is narrow
enough. The answer is the start at which its machine time, and what a wrong result costs times the
probability of one, are least together, also if another run warms up a little earlier or later.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

import numpy as np

from detectors.api import NEVER, Context, Detection, Detector, Source, Values, draw, parameter
from detectors.arrays.safe_range import scaled_to_range
from detectors.arrays.special_functions import missing_scipy, scipy_special
from detectors.intervals import steady_interval
from detectors.intervals.quantiles import student_quantile
from detectors.intervals.rests import Indices
from detectors.panel import panel_models as panel
from detectors.panel.panel_grid import GRID, grid_places, running_maximum
from detectors.panel.series_features import SeriesFeatures
from detectors.stories.story_words import story_sentence

LEAST: Final = 100  # iterations that are measured at least before an interval is believed
FIRST: Final = 50  # starts that are all tried; after them those that lie
STEP: Final = 1.05  # times as far
NEAR: Final = 25  # iterations: a share of them counts as near even to the first start
EVEN: Final = 0.5
FREEDOM: Final = steady_interval.BATCHES - 1  # of Student's t behind an interval by batch means
UNLIKELY: Final = "unlikely"


@dataclass(frozen=True, slots=True, eq=False)
class ResultReading:
    """Estimates for the test after each of `starts`.

    chance: that the panel calls the series steady. stops: where each measurement ends, and so what
    the whole test takes. precision: half of the 95 % interval of its mean, a share of it. right:
    probability that its result is within the error. words: on the story, which is plain if told.
    """

    chance: float
    starts: Indices
    stops: Indices
    precision: Values
    right: Values
    words: str
    told: bool

    def flags(self, judge: panel.PanelJudge) -> tuple[str, ...]:
        return (panel.PLAIN, *judge.flags) if self.told else judge.flags

    def costs(self, wrong_cost: float, shift: float) -> Values:
        """Machine time of each test, and what it loses by a wrong result, in iterations.

        What comes after a start is the mean over starts that lie up to `shift` times as far.
        """
        cost_after_start = self.stops - self.starts + wrong_cost * (1 - self.right)
        reach = shift * (self.starts + NEAR)
        first = np.searchsorted(self.starts, self.starts - reach)
        last = np.searchsorted(self.starts, self.starts + reach, side="right")
        total = np.append(0.0, np.cumsum(cost_after_start))
        expected_costs: Values = self.starts + (total[last] - total[first]) / (last - first)
        return expected_costs


class PlateauResult(Detector):
    slug, version = "plateau-result", "11"
    title = "Plateau, shortest test"
    code, slot = "PR", 67
    source = Source("Plateau, this project", section="docs/detectors/plateau-result.md")
    family = "Learned methods"
    cost = "quick"
    uses = ("benchmark",)

    class Params(panel.ModelParams):
        error: float = parameter(
            0.01,
            low=0.0001,
            high=1.0,
            help="How far the result may be from the mean of the steady state, as a share of it; "
            "0.01: 1 %.",
        )
        worth: float = parameter(
            1.0,
            low=0.0,
            high=1e6,
            unit="series",
            help="So much machine time a result within the error is worth, in lengths of the "
            "series; 0: the shortest test, whatever its result.",
        )
        measured: int = parameter(
            0,
            low=0,
            high=1_000_000,
            unit="iterations",
            help="Iterations that are measured after the start; 0: as many as it takes until the "
            f"95 % interval of their mean is no wider than the error, at least {LEAST}.",
        )
        shift: float = parameter(
            0.2,
            low=0.0,
            high=1.0,
            help="By so great a share another run may warm up earlier or later: what each start "
            "costs is averaged over its neighbours; 0: the shortest test of this very recording.",
        )
        chance: float = parameter(
            panel.STEADY_FROM,
            low=0.0,
            high=1.0,
            help="Never steady, unless the panel would call it steady with more than this "
            "probability; 0 always gives an iteration.",
        )

    params: Params

    @classmethod
    def missing(cls) -> str:
        return panel.shipped_missing() or missing_scipy()

    def detect(self, values: Values, context: Context) -> Detection:
        judge = self.params.judge(values, context.benchmark)
        reading = self.read(values, judge)
        if reading.chance <= self.params.chance:
            flags = reading.flags(judge)
            return Detection(NEVER, published_index=NEVER, flags=flags, reason=reading.words)
        best_index = int(self._losses(reading, values.size).argmin())
        start = int(reading.starts[best_index])
        flags = reading.flags(judge)
        flags = (UNLIKELY, *flags) if reading.right[best_index] < EVEN else flags
        return Detection(start, published_index=start, flags=flags, reason=reading.words)

    def evidence(self, values: Values, context: Context) -> draw.Drawings:
        judge = self.params.judge(values, context.benchmark)
        reading = self.read(values, judge)
        losses = self._losses(reading, values.size)
        return (
            draw.Curve(
                reading.right,
                label=f"probability that the result is within {100 * self.params.error:g} %",
                x=reading.starts,
                threshold=EVEN,
                meaning="Of a test that begins to measure here.",
            ),
            draw.Curve(
                reading.stops.astype(np.float64),
                label="warm-up and measurement, iterations",
                x=reading.starts,
                meaning="Where a test ends that begins to measure here.",
            ),
            draw.Curve(
                losses,
                label="expected cost, iterations",
                x=reading.starts,
                meaning="Warm-up, measurement, and what a wrong result costs times the "
                "probability of one, averaged over neighbours. The answer is where it is least.",
            ),
            self._figures(reading, judge, int(losses.argmin())),
        )

    def read(self, values: Values, judge: panel.PanelJudge) -> ResultReading:
        """Estimate every test of a series by a model."""
        features, n = SeriesFeatures.from_values(values), values.size
        y = scaled_to_range(values)[0]
        tail_sums = np.append(np.cumsum(y[::-1])[::-1], 0.0)  # sums from each iteration to the end
        grid = grid_places(GRID, n)
        levels = tail_sums[grid] / (n - grid)
        starts, stops, precision = self._tests(y)
        means = (tail_sums[starts] - tail_sums[stops]) / (stops - starts)
        quantile = student_quantile((1 + steady_interval.CONFIDENCE) / 2, FREEDOM)
        scatter = np.nan_to_num(precision) * np.abs(means) / quantile
        distances, reach = means[:, np.newaxis] - levels, self.params.error * np.abs(levels)
        is_told = self.params.is_told(features, judge.model, self.params.chance)
        chance, cdf = story_starts(features) if is_told else people_starts(features, judge.model)
        right_chances = chance_within(distances, reach, scatter[:, np.newaxis]) @ level_weights(cdf)
        words = (
            story_sentence(features.story)
            if is_told
            else panel.people_words(chance, self.params.chance)
        )
        return ResultReading(chance, starts, stops, precision, right_chances, words, is_told)

    def _losses(self, reading: ResultReading, n: int) -> Values:
        """The answer is where they are least."""
        return reading.costs(self.params.worth * n, self.params.shift)

    def _tests(self, values: Values) -> tuple[Indices, Indices, Values]:
        """Starts that are tried, where the measurement of each ends, and how precise it is."""
        fixed_length = self.params.measured
        starts = candidate_starts(values.size, fixed_length or LEAST)
        if fixed_length:
            stops = np.minimum(starts + fixed_length, values.size)
        else:
            stops = steady_interval.measurement_ends(values, starts, self.params.error, LEAST)
        return starts, stops, steady_interval.span_precisions(values, starts, stops)

    def _figures(
        self, reading: ResultReading, judge: panel.PanelJudge, start_index: int
    ) -> draw.Figures:
        rows: list[draw.Row] = [
            ("story", reading.words, ""),
            ("answered by", "the plain story" if reading.told else judge.words, ""),
            ("probability that the panel calls it steady", reading.chance, ""),
            ("answer", int(reading.starts[start_index]), "iterations"),
            (
                "measured from there",
                int(reading.stops[start_index] - reading.starts[start_index]),
                "iterations",
            ),
            (
                f"probability of a result within {100 * self.params.error:g} %",
                float(reading.right[start_index]),
                "",
            ),
            ("the same after the best start", float(reading.right.max()), ""),
            ("shortest test", int(reading.stops.min()), "iterations"),
        ]
        if not np.isnan(reading.precision[start_index]):
            rows.append(("half of the interval", 100 * float(reading.precision[start_index]), "%"))
        return draw.Figures(
            tuple(rows),
            label="what decided",
            meaning="The interval is by batch means: it holds the dependence of neighbours.",
        )


def story_starts(features: SeriesFeatures) -> tuple[float, Values]:
    """Probability of steady, and of a start at or before each position: a story has one or none."""
    start = features.story.start
    cdf: Values = (start * 3000 / features.n <= GRID).astype(np.float64)
    return float(start != NEVER), cdf


def people_starts(features: SeriesFeatures, model: panel.PanelModel) -> tuple[float, Values]:
    """Probability of steady, and of a start at or before each position, by what people would
    say.
    """
    cdf = running_maximum(model.starts.sums(features.rows))
    return panel.steady_chance(
        model.steady, panel.summary_row(features.rows), panel.STEADY_COUNTS
    ), cdf


def candidate_starts(n: int, measured_count: int) -> Indices:
    """Starts that a series of n values may be measured from, rising: the first ones all."""
    last = max(n - measured_count, 0)
    starts: Indices = np.union1d(
        np.arange(min(FIRST, last) + 1), steady_interval.rising_numbers(FIRST, last, STEP)
    )
    return starts


def level_weights(cdf: Values) -> Values:
    """Probability of the level after each position, by the distribution of the panel's answer.

    What lies behind the last position has its level.
    """
    share = np.diff(np.clip(cdf, 0, 1), prepend=0.0, append=1.0)
    return np.append(share[:-2], share[-2] + share[-1])


def chance_within(distances: Values, reach: Values, scatter: Values) -> Values:
    """Probability that what scatters about `distances` lies within `reach` of 0; without scatter 0
    or 1.

    scatter: standard deviations of a normal distribution.
    """
    ndtr = scipy_special().ndtr
    with np.errstate(divide="ignore", invalid="ignore"):
        normal = ndtr((reach - distances) / scatter) - ndtr((-reach - distances) / scatter)
    chances: Values = np.where(scatter > 0, normal, np.abs(distances) <= reach)
    return chances
