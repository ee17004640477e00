"""The plain story of a series: flat, steps, a decay, a noisy start, or something never steady.

Everything is read from the levels of 64 to 127 blocks, so that any length does; the answer is
refined on the values. Of fewer than 30 values only flat, a step, and never are told.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Final, Literal

import numpy as np

from detectors.contract import NEVER, Values
from detectors.stories.story_levels import (
    MAD,
    MAD_TO_DEVIATION,
    SHORT,
    SMALL_BLOCK,
    BlockLevels,
    block_levels,
    quantile,
    quantile_of_sorted,
    scale_by_noise,
    upper_median,
)
from detectors.stories.story_models import PricedModel, piece_levels, priced_models

StoryKind = Literal[
    "flat", "slow start", "steps", "decay", "noisy start", "drift", "random walk", "late change"
]
SHORTEST: Final = 10  # values
VISIBLE: Final = 1.5  # spreads: a smaller change is none
SETTLED: Final = 0.33  # spreads that are left of a decay at its answer, of the wider noise
CENTRAL_SHARES: Final = (0.05, 0.95)  # shares of the values between which noise is wide
NORMAL_WIDTH: Final = 3.29  # width between them of normal noise of deviation 1
NEVER_SETTLES: Final = 0.75  # share of the series, behind which nothing settles
LATE: Final = 0.95  # share of the series: what changes later is never steady
EXCURSION: Final = 0.08  # share of the series: a shorter piece that comes back is no level
EXCURSION_BLOCKS: Final = 2
BACK: Final = 0.25  # share of an excursion by which the level may differ after it
RATIO: Final = 2.5  # of the spreads before and after a noisy start
SCATTER_CHANGE: Final = 3.0  # ln n that a change of the spread costs
NEIGHBOURS: Final = 1.6  # how much less distances of neighbours say than independent values
SCATTER_VALUES: Final = 600  # values, up to which distances are taken one by one
FEW_VALUES: Final = 127
ONE_SIDED: Final = 0.6  # mean of first values, in their mean distance: more is a level
MOST_DISTANCE: Final = 8.0  # times the usual distance of neighbours
ROOT_MEAN: Final = 0.85  # square of the mean root of a distance, in the mean distance
MOST_NARROW: Final = 5.0  # times the smaller mean distance: farther says no more
FIRST_VALUES: Final = 40  # values, or a quarter of the series: a slow start is shorter
FIRST_FAR: Final = 5.0  # spreads off the level that the first value lies
UNEVEN_WALK_PRICE: Final = 10.0  # that a walk costs more where the spread changes
SEEN: Final = 32  # values of a block, from which the spread of noise is taken
SHORTEST_TAIL: Final = 2  # last values that may be a late change
TRIPLE: Final = 3  # values
FEW_RUNS: Final = 8  # of the rest, of fewer nothing is told
RARE: Final = 0.98  # share of later values that lie nearer


@dataclass(frozen=True, slots=True, eq=False)
class Story:
    """One reading of n values.

    start: first steady iteration or NEVER. changes: iterations at which the level changes. sizes:
    by how many spreads it falls at each. ratio: how many times as wide values scatter before a
    change of their spread. period: values of a cycle, 0 without. lead: by how much the price of
    another kind of model is higher. models: prices, the cheapest first.
    """

    kind: StoryKind
    n: int
    start: int
    changes: tuple[int, ...] = ()
    sizes: tuple[float, ...] = ()
    ratio: float = 1.0
    period: float = 0.0
    models: tuple[PricedModel, ...] = ()
    blocks: BlockLevels | None = None


@dataclass(frozen=True, slots=True)
class SpreadChange:
    """Place where the spread of values changes, and how many times as wide it was before; 0:
    nowhere.
    """

    at: int = 0
    ratio: float = 1.0


def read_story(values: Values) -> Story:
    """The story of at least 10 finite values."""
    x = scale_by_noise(values)
    if not x.any():
        return Story("flat", x.size, 0)
    first = first_run(x)
    story = _read(x[first:])
    if x.size <= FEW_VALUES and story.kind == "flat" and x.size >= SHORT:
        change, ratio = first_scatter(x)
        if change > first:
            return replace(story, kind="noisy start", n=x.size, start=change, ratio=ratio)
    if not first:
        return story
    kind: StoryKind = "slow start" if story.kind == "flat" else story.kind
    start = story.start if story.start == NEVER else story.start + first
    changes = tuple(first + change for change in story.changes)
    return replace(story, kind=kind, n=x.size, start=start, changes=changes)


def _read(x: Values) -> Story:
    blocks = block_levels(x)
    spread = spread_change(x, blocks.size)
    count = blocks.levels.size
    weights = np.ones(count)
    if spread.at:
        weights[: min(spread.at // blocks.size, count)] = 1 / spread.ratio**2
        weights /= weights.max()
    min_length = 3 if blocks.size == 1 else 2 if blocks.size < 8 else 1
    noise = upper_median(np.abs(np.diff(blocks.levels * np.sqrt(weights)))) / MAD
    least_variance = (0.02 * blocks.spread) ** 2 / blocks.size + (1e-3 * noise) ** 2 + 1e-18
    walk_price = UNEVEN_WALK_PRICE if spread.at else 0.0
    models = priced_models(blocks.levels, weights, least_variance, min_length, walk_price)
    story = _tell_story(blocks, models[0], weights, spread)
    if x.size < SHORT and story.kind in {"decay", "noisy start"}:
        story = _tell_story(blocks, _level_model(models), weights, SpreadChange())
    return replace(story, models=tuple(models), blocks=blocks, period=blocks.period)


def _level_model(models: Sequence[PricedModel]) -> PricedModel:
    return next(model for model in models if model.kind == "levels")


def _tell_story(
    blocks: BlockLevels, model: PricedModel, weights: Values, spread: SpreadChange
) -> Story:
    """The story of the cheapest model, and of a change of the spread beside it."""
    n = blocks.n
    if model.kind == "walk":
        return Story("random walk", n, NEVER)
    level_scatter = MAD_TO_DEVIATION * upper_median(np.abs(blocks.levels - model.fit))
    unit = max(blocks.spread, level_scatter, whole_spread(blocks, model))
    if model.kind == "levels":
        story = _steps(blocks, model, weights, unit)
    else:
        story = _decay_story(blocks, model, unit)
    if story.start == NEVER:
        return story
    if spread.at:
        is_flat = story.kind == "flat"
        change = refine_spread_change(blocks.raw, spread, blocks.size, is_flat=is_flat)
        kind: StoryKind = "noisy start" if spread.ratio > 1 else "steps"
        if change > story.start:
            story = replace(story, kind=kind, start=change, ratio=spread.ratio)
    if story.start > LATE * n and not is_left(blocks, story.start, unit):
        story = _drop_last_change(story)
    if story.start > LATE * n or late_values(blocks, unit):
        return replace(story, kind="late change", start=NEVER)
    return story


def whole_spread(blocks: BlockLevels, model: PricedModel) -> float:
    """Robust standard deviation of values about the model: noise that is slow counts as well."""
    return MAD_TO_DEVIATION * upper_median(np.abs(_errors(blocks, blocks.values, model)))


def central_spread(blocks: BlockLevels, model: PricedModel) -> float:
    """Width of the central 90 % of values about the model, spikes included, as of normal noise."""
    errors = np.sort(_errors(blocks, blocks.raw, model))
    low, high = (quantile_of_sorted(errors, share) for share in CENTRAL_SHARES)
    return (high - low) / NORMAL_WIDTH


def _errors(blocks: BlockLevels, values: Values, model: PricedModel) -> Values:
    """Distances of some values of each block from the model."""
    count = blocks.levels.size * blocks.size
    rows = values[:count].reshape(-1, blocks.size)[:, :SEEN]
    return (rows - model.fit[:, None]).ravel()


def is_left(blocks: BlockLevels, begin: int, unit: float) -> bool:
    """True where most values from `begin` on have left the level before: one or two spikes have
    not.
    """
    x = blocks.raw
    if x.size - begin < SHORTEST_TAIL:
        return False
    tail, values_before = x[begin:], x[max(0, begin - max(8, x.size // 10)) : begin]
    level = upper_median(values_before)
    rare_distance = quantile(np.abs(values_before - level), 0.9)
    distances = np.abs(tail - level) * np.sign(upper_median(tail) - level) * np.sign(tail - level)
    return quantile(distances, 0.25) > max(VISIBLE * unit, rare_distance)


def _drop_last_change(story: Story) -> Story:
    """The story without its last change."""
    changes, sizes = story.changes[:-1], story.sizes[:-1]
    if not story.changes or story.ratio != 1 or story.start != story.changes[-1]:
        return story
    kind: StoryKind = "steps" if changes else "flat"
    return replace(
        story, kind=kind, start=changes[-1] if changes else 0, changes=changes, sizes=sizes
    )


# --- steps ----------------------------------------------------------------------------------------


def _steps(blocks: BlockLevels, model: PricedModel, weights: Values, unit: float) -> Story:
    # A short piece that comes back is no change, nor is a block on its way
    changes = list(model.changes)
    while (k := _excursion(blocks.levels, weights, changes, unit)) is not None:
        del changes[k - 1 : k + 1]
    while (k := _passage(blocks.levels, weights, changes)) is not None:
        del changes[k]
    levels = piece_levels(blocks.levels, weights, changes)
    falls = levels[:-1] - levels[1:]
    visible_indices = np.flatnonzero(np.abs(falls) >= VISIBLE * unit)
    change_starts = tuple(
        refined_step(blocks, changes[k], float(levels[k]), float(levels[k + 1]))
        for k in visible_indices.tolist()
    )
    sizes = tuple((falls[visible_indices] / unit).tolist())
    return Story(
        "steps" if change_starts else "flat",
        blocks.n,
        change_starts[-1] if change_starts else 0,
        change_starts,
        sizes,
    )


def _passage(levels: Values, weights: Values, changes: Sequence[int]) -> int | None:
    """The first piece of one block between a higher and a lower one: in it lies the step."""
    means = piece_levels(levels, weights, changes)
    sizes = np.diff([0, *changes, levels.size])
    for k in range(1, means.size - 1):
        low, high = sorted((means[k - 1], means[k + 1]))
        if sizes[k] == 1 and low < means[k] < high:
            return k
    return None


def _excursion(levels: Values, weights: Values, changes: Sequence[int], unit: float) -> int | None:
    """The first piece that is short and after which the level comes back; None without one."""
    means = piece_levels(levels, weights, changes)
    sizes = np.diff([0, *changes, levels.size])
    longest_excursion = max(EXCURSION_BLOCKS, EXCURSION * levels.size)
    for k in range(1, means.size - 1):
        height = abs(means[k] - means[k - 1])
        return_limit = max(VISIBLE * unit, BACK * height)
        if sizes[k] <= longest_excursion and abs(means[k + 1] - means[k - 1]) < return_limit:
            return k
    return None


def refined_step(blocks: BlockLevels, block: int, level_before: float, level_after: float) -> int:
    """The value at which a step lies that begins a block: it leaves the least distances."""
    x, reach = blocks.values, 3 * blocks.size // 2 + 2
    first = max(0, block * blocks.size - reach)
    near_values = x[first : block * blocks.size + reach]
    nearness = np.abs(near_values - level_after) - np.abs(near_values - level_before)
    return first + int(np.append(0.0, np.cumsum(nearness)).argmax())


# --- what settles or drifts -----------------------------------------------------------------------


def _decay_story(blocks: BlockLevels, model: PricedModel, unit: float) -> Story:
    n, curve = blocks.n, model.curve
    changes: tuple[int, ...] = ()
    sizes: tuple[float, ...] = ()
    if abs(model.step) >= VISIBLE * unit:
        block = model.changes[0]
        levels = blocks.levels
        level_before, level_after = (
            upper_median(levels[max(0, block - 4) : block]),
            upper_median(levels[block : block + 4]),
        )
        changes = (refined_step(blocks, block, level_before, level_after),)
        sizes = (model.step / unit,)
    last = changes[-1] if changes else 0
    distances = np.abs(curve - curve[-1])
    if distances.max() < VISIBLE * unit:
        return Story("steps" if changes else "flat", n, last, changes, sizes)
    remaining_limit = min(SETTLED * max(unit, central_spread(blocks, model)), unit)
    unsettled_indices = np.flatnonzero(distances > remaining_limit)
    settling_end = int((unsettled_indices[-1] + 1) / curve.size * n)
    start = max(settling_end, last)
    sizes = (*sizes, float((curve[0] - curve[-1]) / unit))
    if settling_end > NEVER_SETTLES * n:
        return Story("drift", n, NEVER, changes, sizes)
    return Story("decay", n, min(start, n - 1), changes, sizes)


# --- the spread -----------------------------------------------------------------------------------


def spread_change(x: Values, size: int) -> SpreadChange:
    """Place where the distance of neighbours changes most, if by `RATIO` times or more."""
    steps = np.abs(np.diff(x))
    usual_step = upper_median(steps) or float(steps.mean())
    width = 1 if x.size <= SCATTER_VALUES else max(size, SMALL_BLOCK)
    count = steps.size // width
    steps = np.minimum(steps, MOST_DISTANCE * usual_step)
    means = steps[: count * width].reshape(count, width).mean(axis=1) + 0.05 * usual_step + 1e-12
    sums, counts_before = np.cumsum(means), np.arange(1, count)
    first, second = sums[:-1] / counts_before, (sums[-1] - sums[:-1]) / (count - counts_before)
    whole_cost = count * np.log(sums[-1] / count)
    gain = whole_cost - counts_before * np.log(first) - (count - counts_before) * np.log(second)
    gain *= 2 * width / NEIGHBOURS
    edge = max(1, -(-SMALL_BLOCK // width))
    inner_gain = gain[edge - 1 : count - edge]
    if not inner_gain.size or inner_gain.max() <= SCATTER_CHANGE * np.log(steps.size):
        return SpreadChange()
    block_index = edge - 1 + int(inner_gain.argmax())
    change_index = (block_index + 1) * width
    spread_before, spread_after = (
        float(np.sqrt(distances).mean() ** 2) for distances in np.split(steps, [change_index])
    )
    ratio = (spread_before + 0.02 * usual_step + 1e-12) / (spread_after + 0.02 * usual_step + 1e-12)
    if max(ratio, 1 / ratio) <= RATIO or (width > 1 and not _is_sudden(means, block_index)):
        return SpreadChange()
    return SpreadChange(change_index, ratio)


def first_scatter(x: Values) -> tuple[int, float]:
    """Count first values that scatter widely on both sides of the level, and how widely.

    Of few values their distances from the level say more than those of neighbours.
    """
    distances = np.abs(x)
    count, counts_before = distances.size, np.arange(1, distances.size)
    means = distances + 0.05 * float(distances.mean())
    sums = np.cumsum(means)
    first, second = sums[:-1] / counts_before, (sums[-1] - sums[:-1]) / (count - counts_before)
    gain = count * np.log(sums[-1] / count) - counts_before * np.log(first)
    gain -= (count - counts_before) * np.log(second)
    inner_part = slice(SMALL_BLOCK - 1, count - SMALL_BLOCK)
    change = SMALL_BLOCK + int(gain[inner_part].argmax())
    ratio = float(first[change - 1] / second[change - 1])
    one_sided = abs(float(x[:change].mean())) > ONE_SIDED * float(distances[:change].mean())
    if 2 * gain[inner_part].max() <= SCATTER_CHANGE * np.log(count) or ratio <= RATIO or one_sided:
        return 0, 1.0
    return change, ratio


def _is_sudden(means: Values, block_index: int) -> bool:
    """True where two spreads explain a good part of how the spread of blocks varies."""
    logs = np.log(means)
    parts = logs[: block_index + 1], logs[block_index + 1 :]
    return (
        sum(float(log_spreads.var()) * log_spreads.size for log_spreads in parts)
        < 0.75 * float(logs.var()) * logs.size
    )


def refine_spread_change(x: Values, change: SpreadChange, size: int, *, is_flat: bool) -> int:
    """The value at which the spread changes, by the distances of neighbours around.

    is_flat: the level stays, so that distances from it count as well.
    """
    reach = 2 * max(size, SMALL_BLOCK)
    first, last = max(0, change.at - reach), change.at + reach
    distances = [np.abs(np.diff(x))]
    if is_flat and last < x.size:
        distances.append(np.abs(x[:-1] - upper_median(x[last:])))
    total = np.zeros(distances[0][first:last].size)
    for steps in distances:
        steps_before, steps_after = (
            steps[max(0, first - 5 * reach) : first],
            steps[last : last + 5 * reach],
        )
        if not (steps_before.size and steps_after.size):
            return change.at
        spread_before, spread_after = (
            float(np.sqrt(distances_beside).mean()) ** 2 / ROOT_MEAN
            for distances_beside in (steps_before, steps_after)
        )
        if not (spread_before and spread_after):
            return change.at
        cap = MOST_NARROW * min(spread_before, spread_after)
        gains = np.minimum(steps[first:last], cap) * (1 / spread_after - 1 / spread_before)
        total += gains - np.log(spread_before / spread_after)
    return first + int(np.append(0.0, np.cumsum(total)).argmax())


# --- the ends -------------------------------------------------------------------------------------


def first_run(x: Values) -> int:
    """Count first values that lie far on one side of all others; 0 if the first does not."""
    n = x.size
    most_count = min(n // 4, FIRST_VALUES)
    later = x[most_count : most_count + max(200, n // 20)] if n > 60 else x[n // 3 :]
    level = upper_median(later)
    distances = np.abs(later - level)
    spread = max(MAD_TO_DEVIATION * upper_median(distances), 0.3)
    far_limit = max(FIRST_FAR, 1.3 * quantile(distances, RARE) / spread)
    heights = (x[: 2 * most_count] - level) / spread
    sign = np.sign(heights[0])
    heights *= sign
    needs_triples = heights[0] < far_limit
    if needs_triples:  # no rare value by itself: three of them may be
        triple_distances = triples((sign / spread) * (later - level))
        far_limit = max(FIRST_FAR, 1.3 * quantile(triple_distances, RARE))
        if heights[:TRIPLE].min() < far_limit or n < SHORT:
            return 0
    near_indices = np.flatnonzero(heights[:most_count] <= far_limit / 2)
    run = int(near_indices[0]) if near_indices.size else most_count
    if run == most_count or (run == 1 and heights[0] < 1.5 * far_limit):
        return 0
    if needs_triples and upper_median(heights[run : run + TRIPLE]) > 0.4 * upper_median(
        heights[:run][-TRIPLE:]
    ):
        return 0  # it settles
    later_heights = np.clip((sign / spread) * (later - level), -far_limit, far_limit)
    heights = np.clip(heights, -far_limit, far_limit)
    while run < most_count:  # as long as what follows is still above
        width = max(2, run // 2)
        mean = heights[run : run + width].mean()
        if mean < max(0.8, 2.2 / width**0.5) or mean < usual_run(later_heights, width):
            break
        run += 1
    return run


def triples(x: Values) -> Values:
    """The least of each three values in a row."""
    return np.minimum(np.minimum(x[:-2], x[1:-1]), x[2:])


def usual_run(later_heights: Values, width: int) -> float:
    """Mean of `width` values in a row that nine of ten such runs of the rest stay below."""
    count = later_heights.size // width
    if count < FEW_RUNS:
        return 0.0
    return quantile(later_heights[: count * width].reshape(count, width).mean(axis=1), 0.9)


def late_values(blocks: BlockLevels, unit: float) -> bool:
    """True where the last few values have left the level: too few to be a level of their own."""
    x, n = blocks.values, blocks.n
    most_count = int((1 - LATE) * n)
    values_before = x[n // 2 : n - max(2, most_count)]
    level = upper_median(values_before[-max(8, n // 10) :])
    rare_distance = quantile(np.abs(values_before - level), 0.97)
    count = 2
    while count <= max(2, most_count):
        tail = x[-count:] - level
        far_limit = 8 if count == 2 else 6 if count == 3 else 4
        if abs(upper_median(tail)) > far_limit * unit and np.abs(tail).min() > max(
            2.5 * unit, 0.8 * rare_distance
        ):
            return True
        count = count * 8 // 5 + (count < 3)
    return False
