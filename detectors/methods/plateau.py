"""plateau: the plain story of a series that has one, and of others what people would answer.

A series is read as a plain story: flat, steps, a decay, a noisy start, or never steady. A forest
says how likely the series is plain; then the story answers. Otherwise, for each of 64 positions, a
forest estimates from robust features of the series the probability that the panel's answer lies at
or before it: no answer has a smaller expected error than the median of that distribution. Another
forest says of each step how near the panel's answer is; its mean about the step counts. The answer
is the iteration whose expected error, less what being near is worth, is least.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from itertools import pairwise

import numpy as np

from detectors.api import NEVER, Context, Detection, Detector, Source, Values, draw, parameter
from detectors.contract import Certainty
from detectors.panel import panel_models as panel
from detectors.panel.panel_grid import GRID, grid_places, quantile_of, running_maximum
from detectors.panel.series_features import SeriesFeatures
from detectors.stories.plain_story import Story
from detectors.stories.story_models import PricedModel
from detectors.stories.story_words import story_sentence

RUNNERS_UP = 3
APART = 40  # iterations: two places of one step are not two steps
WITHIN = 50  # iterations: as near as people mean by the same place
NEAR_ODDS = (0.395, 0.657, 1.190)
"""Of an answer that is near the panel's: a constant, and what the logarithm of the odds by the
distribution alone and the nearness there count. Fitted on the shared series, each read by the
model that has not seen its system (`python -m evidence.replication.sureness`)."""
LEAST_CHANCE = 0.01  # that a distribution is taken to give
HALF = 80  # iterations on either side of an answer, whose levels are shown
STORY_STEADY, STORY_NEAR, DECAY_NEAR = 0.98, 0.96, 0.69
"""How often a story that answers is right: of steady or never, and within 50 iterations; of a decay
less often. Mean of the corpus, each series without its workload, and of plain series that were not
trained on (`python -m evidence.replication.story_sureness`)."""
ASIDE = 50  # parts of a series: one of them on either side of a story's start is its interval


@dataclass(frozen=True, slots=True, eq=False)
class PlateauReading:
    """All that is seen of one series on the way to its answer.

    chance: that the panel calls the series steady. Of each of `seen.candidates`: near, how near the
    panel's answer is, as a mean about it; expected, how far on average; losses, what decides.
    """

    seen: SeriesFeatures
    cdf: Values
    chance: float
    near: Values
    expected: Values
    losses: Values
    median: float
    interval: tuple[int, int]

    @property
    def best(self) -> int:
        """Place of the answer among `seen.candidates`."""
        return int(self.losses.argmin())

    @property
    def start(self) -> int:
        return int(self.seen.candidates[self.best])

    @property
    def moved(self) -> bool:
        return self.best != int(self.expected.argmin())


class Plateau(Detector):
    slug, version = "plateau", "14"
    title = "Plateau"
    code, slot = "PL", 26
    source = Source("Plateau, this project", section="docs/detectors/plateau.md")
    family = "Learned methods"
    cost = "quick"
    uses = ("benchmark",)
    says_certainty = True

    class Params(panel.ModelParams):
        chance: float = parameter(
            panel.STEADY_FROM,
            low=0.0,
            high=1.0,
            help="Never steady, unless the panel would call it steady with more than this "
            "probability; 0 always gives an iteration.",
        )
        worth: float = parameter(
            3000.0,
            low=0.0,
            high=1e6,
            unit="iterations",
            help="How much more expected error, in a series of 3,000, is accepted for an answer "
            "that certainly is the panel's; 0: the answer is the median of the distribution.",
        )

    params: Params

    @classmethod
    def missing(cls) -> str:
        return panel.shipped_missing()

    def detect(self, values: Values, context: Context) -> Detection:
        judge = self.params.judge(values, context.benchmark)  # says what is too short to be seen
        return self.judged(SeriesFeatures.from_values(values), judge)

    def judged(self, features: SeriesFeatures, judge: panel.PanelJudge) -> Detection:
        """The answer for a series of which so much is seen, by a model that is given."""
        if self.params.is_told(features, judge.model, self.params.chance):
            return _story_answer(features.story, judge)
        reading = self.read(features, judge.model)
        certainty = Certainty(reading.chance, *reading.interval, near_chance(reading))
        is_steady = reading.chance > self.params.chance
        start = reading.start if is_steady else NEVER
        flags = ("snapped", *judge.flags) if is_steady and reading.moved else judge.flags
        return Detection(
            start,
            published_index=start,
            flags=flags,
            certainty=certainty,
            reason=panel.people_words(reading.chance, self.params.chance),
        )

    def evidence(self, values: Values, context: Context) -> draw.Drawings:
        judge, features = (
            self.params.judge(values, context.benchmark),
            SeriesFeatures.from_values(values),
        )
        if self.params.is_told(features, judge.model, self.params.chance):
            return story_evidence(values, features, judge)
        reading = self.read(features, judge.model)
        return (
            _distribution(reading),
            _nearness(reading),
            _levels(values, reading),
            _interval(reading),
            *_runners_up(reading),
            _figures(reading, judge, self.params.chance),
        )

    def read(self, features: SeriesFeatures, model: panel.PanelModel) -> PlateauReading:
        """Answer of the model of people for a series."""
        sc = features.n / 3000
        steps = features.steps  # before the rows, which are among them
        near = features.mean_nearness(model.near.sums(steps))
        cdf = running_maximum(model.starts.sums(features.rows))
        expected = features.mean_errors(cdf)
        low, high = (int(sc * quantile_of(cdf, GRID, q)) for q in model.levels)
        return PlateauReading(
            seen=features,
            cdf=cdf,
            chance=panel.steady_chance(
                model.steady, panel.summary_row(features.rows), panel.STEADY_COUNTS
            ),
            near=near,
            expected=expected,
            losses=expected - self.params.worth * near,
            median=sc * quantile_of(cdf, GRID, 0.5),
            interval=(low, high),
        )


# --- plain series ---------------------------------------------------------------------------------


def _story_answer(story: Story, judge: panel.PanelJudge) -> Detection:
    start, margin = story.start, story.n // ASIDE
    certainty = Certainty(
        1 - STORY_STEADY if start == NEVER else STORY_STEADY,
        max(start - margin, 0),
        min(max(start, 0) + margin, story.n - 1),
        DECAY_NEAR if story.kind == "decay" else STORY_NEAR,
    )
    return Detection(
        start,
        published_index=start,
        flags=(panel.PLAIN, *judge.flags),
        certainty=certainty,
        reason=story_sentence(story),
    )


def story_evidence(
    values: Values, features: SeriesFeatures, judge: panel.PanelJudge
) -> draw.Drawings:
    """The levels of a plain story, where it changes, and what decided."""
    story = features.story
    edges = [0, *sorted({*story.changes, max(story.start, 0)} - {0}), values.size]
    pieces = tuple((a, b, float(np.median(values[a:b]))) for a, b in pairwise(edges))
    notes = tuple(
        f"{abs(size):.3g} spreads {'down' if size > 0 else 'up'}"
        for size in story.sizes[: len(story.changes)]
    )
    changes = draw.Events(
        story.changes, label="changes of the level", notes=notes, meaning="As the story has them."
    )
    figures = draw.Figures(
        (
            ("story", story_sentence(story), ""),
            ("answered by", "the plain story", ""),
            ("probability that the series is plain", panel.plain_chance(features, judge.model), ""),
            *(("price of " + _model_words(m), m.price, "") for m in story.models),
        ),
        label="what decided",
        meaning="The model with the least price is the story; a price is what its errors cost, "
        "and more for each change.",
    )
    levels = draw.Levels(
        pieces, label="levels of the story", meaning="Medians between its changes."
    )
    return (levels, *((changes,) if story.changes else ()), figures)


def _model_words(model: PricedModel) -> str:
    if model.kind != "levels":
        return f"a {model.kind}"
    return f"{len(model.changes)} changes of the level" if model.changes else "one level"


# --- what people would answer ---------------------------------------------------------------------


def near_figures(reading: PlateauReading) -> tuple[float, float]:
    """Log odds by the distribution alone, and the nearness there: the inputs of `near_chance`."""
    sc = reading.seen.n / 3000
    first, last = (reading.start - WITHIN - 1) / sc, (reading.start + WITHIN) / sc
    low, high = np.interp([first, last], GRID, np.clip(reading.cdf, 0, 1), left=0.0)
    share = float(np.clip(high - low, LEAST_CHANCE, 1 - LEAST_CHANCE))
    return math.log(share / (1 - share)), float(reading.near[reading.best])


def near_chance(reading: PlateauReading) -> float:
    """Probability that the panel's answer lies within 50 iterations of this one."""
    constant, odds_weight, near_weight = NEAR_ODDS
    log_odds, nearness = near_figures(reading)
    return 1 / (1 + math.exp(-(constant + odds_weight * log_odds + near_weight * nearness)))


def _distribution(reading: PlateauReading) -> draw.Curve:
    iterations = grid_places(GRID, reading.seen.n)
    is_new = np.r_[True, np.diff(iterations) > 0]  # in a short series two positions can be one
    return draw.Curve(
        np.clip(reading.cdf[is_new], 0, 1),
        label="probability that the panel's answer lies here or before",
        x=iterations[is_new],
        threshold=0.5,
        meaning="No answer has a smaller expected error than where the curve crosses one half.",
    )


def _nearness(reading: PlateauReading) -> draw.Curve:
    return draw.Curve(
        np.clip(reading.near, 0, 1),
        label="how near the panel's answer is",
        x=reading.seen.candidates,
        meaning="1: it is here; less, the farther away it may be. A mean about each step and "
        "position; a high one draws the answer to it.",
    )


def _levels(values: Values, reading: PlateauReading) -> draw.Levels:
    """Levels of the windows whose medians make the step."""
    values_before, values_after = (
        values[max(0, reading.start - HALF) : reading.start],
        values[reading.start :][:HALF],
    )
    pieces = [(reading.start, reading.start + values_after.size, float(np.median(values_after)))]
    if values_before.size:
        pieces.insert(
            0, (reading.start - values_before.size, reading.start, float(np.median(values_before)))
        )
    return draw.Levels(
        tuple(pieces),
        label="levels before and after the answer",
        meaning=f"Medians of up to {HALF} values on either side.",
    )


def _interval(reading: PlateauReading) -> draw.Bands:
    low, high = reading.interval
    return draw.Bands(
        ((low, high + 1),),
        label="80 % interval",
        notes=(f"{low} to {high}",),
        meaning="Four of five answers of panels lay within theirs.",
    )


def _runners_up(reading: PlateauReading) -> tuple[draw.Events, ...]:
    """The next best answers, the best first."""
    iterations, distinct_indices = reading.seen.candidates, [reading.best]
    for index in np.argsort(reading.losses, kind="stable").tolist():
        if (np.abs(iterations[distinct_indices] - iterations[index]) > APART).all():
            distinct_indices.append(index)
    runner_indices = distinct_indices[1 : RUNNERS_UP + 1]
    if not runner_indices:
        return ()
    notes = (
        f"expected error {reading.expected[index]:.0f}, nearness "
        f"{max(reading.near[index], 0.0):.2g}"
        for index in runner_indices
    )
    return (
        draw.Events(
            tuple(int(reading.seen.candidates[index]) for index in runner_indices),
            label="runners-up",
            notes=tuple(notes),
            meaning="The next best answers that are not the same step.",
        ),
    )


def _figures(reading: PlateauReading, judge: panel.PanelJudge, threshold: float) -> draw.Figures:
    row = reading.seen.rows[reading.seen.nearest(reading.start)]
    rows: tuple[draw.Row, ...] = (
        ("story", panel.people_words(reading.chance, threshold), ""),
        ("plain story, which does not answer", story_sentence(reading.seen.story), ""),
        ("answered by", judge.words, ""),
        ("probability that the series is plain", panel.plain_chance(reading.seen, judge.model), ""),
        ("probability that the panel calls it steady", reading.chance, ""),
        ("median of the distribution", int(reading.median), "iterations"),
        ("answer", reading.start, "iterations"),
        ("expected error there", float(reading.expected[reading.best]), "of 3,000 iterations"),
        ("nearness there", float(reading.near[reading.best]), ""),
        ("probability that the panel's answer is within 50 iterations", near_chance(reading), ""),
        ("moved to a step", "yes" if reading.moved else "no", ""),
        ("values before, above the rest", 100 * float(row[40]), "% of the plot"),
        ("largest spike that remains", 100 * float(row[8]), "% of the plot"),
        ("largest step that remains", 100 * float(row[47]), "% of 96 % of the values"),
    )
    return draw.Figures(
        rows, label="what decided", meaning="Features that weigh most in the forest."
    )
