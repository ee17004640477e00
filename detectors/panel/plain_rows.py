"""Figures that tell a plain series from one whose start people would place elsewhere."""

from __future__ import annotations

from typing import Final

import numpy as np

from detectors.contract import NEVER, Values
from detectors.panel.series_features import SeriesFeatures
from detectors.stories.plain_story import Story
from detectors.stories.story_levels import MAD, SMALL_BLOCK, upper_median

STORY_FIGURES: Final = 32
QUANTILES: Final = (0.02, 0.1, 0.25, 0.5, 0.75, 0.9, 0.98)
TINY, SMALL, LEAST = 1e-12, 1e-9, 1e-3
MOST: Final = 64  # values of a block whose noise is looked at
CUT: Final = 4.0  # spreads, beyond which noise counts no more
FAR_LEVEL: Final = 3.5  # spreads of the levels
MAD_OF_ONE: Final = 0.6745
CURVED: Final = 10  # added to the number of changes beside a curve


def plain_row(features: SeriesFeatures) -> Values:
    """(62,): figures of the story, and the features of the series as a whole."""
    return np.append(story_figures(features.story), features.seen.own)


def story_figures(story: Story) -> Values:
    """(32,): how well the story explains the levels, what rivals cost, and what the noise is like.

    Zeros of a series without any noise.
    """
    if story.blocks is None:
        return np.zeros(STORY_FIGURES)
    return np.array(
        [
            *_model_figures(story),
            *_answer_figures(story),
            *_noise_figures(story),
            *_block_figures(story),
        ]
    )


def _fit(story: Story) -> Values:
    """Levels of the cheapest model; of a walk those that are there."""
    fit = story.models[0].fit
    return fit if fit.size or story.blocks is None else story.blocks.levels


def _model_figures(story: Story) -> list[float]:
    blocks, best_model = story.blocks, story.models[0]
    assert blocks is not None  # noqa: S101  # for the type checker: callers look
    levels, residuals = blocks.levels, blocks.levels - _fit(story)
    count = levels.size
    deviations = levels - levels.mean()
    flat_price = next(m.price for m in story.models if m.kind == "levels" and not m.changes)
    walk = next(m.price for m in story.models if m.kind == "walk")
    rival = min(
        (m.price for m in story.models if m.kind != best_model.kind), default=best_model.price
    )
    scale = blocks.size**0.5 / blocks.spread
    neighbours = upper_median(np.abs(np.diff(levels))) / MAD
    return [
        1 - float(residuals @ residuals) / max(float(deviations @ deviations), TINY),
        (flat_price - best_model.price) / count,
        (walk - best_model.price) / count,
        (rival - best_model.price) / count,
        best_model.memory,
        len(best_model.changes) + (0 if best_model.kind == "levels" else CURVED),
        float(np.log(neighbours * scale + LEAST)),
        float(np.log(float(np.sqrt((residuals * residuals).mean())) * scale + LEAST)),
        float(np.abs(residuals).max()) / max(float(residuals.std()), SMALL),
    ]


def _answer_figures(story: Story) -> list[float]:
    blocks = story.blocks
    assert blocks is not None  # noqa: S101  # for the type checker: callers look
    return [
        float(np.log(max(story.ratio, LEAST))),
        float(np.log1p(abs(story.sizes[-1]))) if story.sizes else 0.0,
        float(np.log1p(np.ptp(_fit(story)) / blocks.spread)),
        max(story.start, 0) / story.n,
        float(story.start == NEVER),
        float(story.period > 0),
    ]


def _noise_figures(story: Story) -> list[float]:
    """Figures of the noise about the level of the story, spikes left in."""
    blocks = story.blocks
    assert blocks is not None  # noqa: S101  # for the type checker: callers look
    values = blocks.raw[: blocks.levels.size * blocks.size].reshape(-1, blocks.size)[:, :MOST]
    residuals = values - _fit(story)[:, None]
    sorted_errors = np.sort(residuals, axis=None)
    q2, q10, q25, q50, q75, q90, q98 = sorted_errors[
        [int(share * (sorted_errors.size - 1)) for share in QUANTILES]
    ].tolist()
    distances = np.abs(residuals) / blocks.spread
    cut = np.clip(residuals.ravel(), q2, q98) - q50
    middles = np.sort(values, axis=1)[:, values.shape[1] // 2]
    return [
        float(np.log(distances.max() + 1)),
        float((distances > 4).mean()),
        float((distances > 8).mean()),
        float(np.log((q90 - q10 + LEAST) / (q75 - q25 + LEAST))),
        (q90 + q10 - 2 * q50) / (q90 - q10 + LEAST),
        float(cut[1:] @ cut[:-1]) / max(float(cut @ cut), TINY),
        float(np.log((q98 - q2 + LEAST) / (q90 - q10 + LEAST))),
        float(np.log(max(np.abs(values.mean(axis=1) - middles).max() / blocks.spread, LEAST))),
        float((sorted_errors < q50 - 3 * blocks.spread).mean()),
    ]


def _block_figures(story: Story) -> list[float]:
    """Change of the noise from block to block: drawn noise is more even than recorded noise."""
    blocks = story.blocks
    assert blocks is not None  # noqa: S101  # for the type checker: callers look
    fit = _fit(story)
    values = blocks.raw[: blocks.levels.size * blocks.size].reshape(-1, blocks.size)[:, :MOST]
    errors = np.clip(values - fit[:, None], -CUT * blocks.spread, CUT * blocks.spread)
    if blocks.size < SMALL_BLOCK:  # too few values: several blocks together
        joined_count = -(-SMALL_BLOCK // blocks.size)
        count = errors.shape[0] // joined_count
        errors = errors[: count * joined_count].reshape(count, -1)
    scatter = np.log(np.abs(errors).mean(axis=1) + LEAST * blocks.spread)
    scatter_deviations = scatter - scatter.mean()
    means, variance = errors.mean(axis=1), max(float(errors.var()), TINY)
    residuals = blocks.levels - fit
    usual_error = upper_median(np.abs(residuals)) / MAD_OF_ONE + SMALL
    quarters = [float(quarter.mean()) for quarter in np.array_split(residuals, 4)]
    flat_errors = errors.ravel()
    return [
        float(scatter.std()),
        float(np.ptp(scatter)),
        float(scatter_deviations[1:] @ scatter_deviations[:-1])
        / max(float(scatter_deviations @ scatter_deviations), TINY),
        float(np.log(errors.shape[1] * means.var() / variance + LEAST)),
        float(flat_errors[2:] @ flat_errors[:-2]) / max(float(flat_errors @ flat_errors), TINY),
        float(flat_errors[4:] @ flat_errors[:-4]) / max(float(flat_errors @ flat_errors), TINY),
        float((np.abs(residuals) > FAR_LEVEL * usual_error).mean()),
        (max(quarters) - min(quarters)) / usual_error,
    ]
