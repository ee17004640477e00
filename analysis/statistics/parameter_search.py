"""Search over parameter sets: which to try next, by optuna's samplers.

A search is a function of its history, so that one that was stopped goes on from what is stored,
and the same history gives the same proposals (on one kind of processor: the sampler compares
logarithms, whose last bit may differ on another).
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import TYPE_CHECKING, Final

import numpy as np

from analysis.statistics.answers import Bools, Floats, Indices
from analysis.statistics.parameter_space import ParameterSpace, VariedParameter

if TYPE_CHECKING:
    from optuna.distributions import BaseDistribution

MOST: Final = 1000  # most sets that the sampler is told of
STEPS: Final = 3  # a range has at least 10 to this many steps: what differs by less is one set


def proposals(
    space: ParameterSpace, tried_sets: Floats, scores: Floats, count: int, *, seed: int = 0
) -> Floats:
    """The next samples (count, parameters) to try, rounded.

    tried_sets  (m, parameters) so far; those outside the space (defaults, say) teach nothing
    scores      (m,), or (m, objectives) for a front; the smaller the better, what is not finite
                as bad as the worst that is
    The first few are drawn at random, the others by a tree of Parzen estimators (Bergstra et
    al. 2011), which takes the proposals of one call for poor ones, so that they differ.
    """
    import optuna  # noqa: PLC0415  # half a second to import, for few

    optuna.logging.set_verbosity(optuna.logging.WARNING)
    goals = _finite_goals(scores if scores.ndim == 2 else scores[:, None])
    sampler = optuna.samplers.TPESampler(seed=(seed + len(tried_sets)) % 2**32, constant_liar=True)
    study = optuna.create_study(directions=["minimize"] * goals.shape[1], sampler=sampler)
    distributions = {parameter.name: _distribution(parameter) for parameter in space.varied}
    taught_indices = _samples_to_learn(np.flatnonzero(_inside_mask(space, tried_sets)), goals)
    study.add_trials(
        [
            optuna.trial.create_trial(
                params=_named_sample(space, sample), distributions=distributions, values=values
            )
            for sample, values in zip(
                tried_sets[taught_indices].tolist(), goals[taught_indices].tolist(), strict=True
            )
        ]
    )
    suggestions = [study.ask(distributions).params for _ in range(count)]
    samples = [
        [_shorten(parameter, params[parameter.name]) for parameter in space.varied]
        for params in suggestions
    ]
    return np.array(samples, dtype=np.float64).reshape(count, len(space.varied))


def _shorten(parameter: VariedParameter, value: float) -> float:
    """Round to steps of which a range has 1,000 to 10,000: 0.0734, not 0.07343082687700503."""
    least_value, most_value = parameter.ends
    digits = (
        STEPS - math.floor(math.log10(most_value - least_value)) if most_value > least_value else 0
    )
    return float(min(max(round(value, digits), least_value), most_value))


def _finite_goals(goals: Floats) -> Floats:
    """Replace each number that is not finite by the largest finite one of its column; 0 where
    none is.
    """
    is_finite = np.isfinite(goals)
    worst_goals = np.where(is_finite, goals, -np.inf).max(axis=0, initial=-np.inf)
    return np.where(is_finite, goals, np.where(np.isfinite(worst_goals), worst_goals, 0.0))


def _samples_to_learn(inside_indices: Indices, goals: Floats) -> Indices:
    """Choose the samples the sampler learns from: all, or the better half of MOST and some others.

    It looks at all that it is told for every proposal; the best and a sample of the rest teach
    it as much as ten times as many.
    """
    if inside_indices.size <= MOST:
        return inside_indices
    rank_sums = goals[inside_indices].argsort(axis=0, kind="stable").argsort(axis=0).sum(axis=1)
    ranked_indices = inside_indices[np.argsort(rank_sums, kind="stable")]
    worse_indices = ranked_indices[MOST // 2 :]
    sampled_indices = worse_indices[
        np.linspace(0, worse_indices.size - 1, MOST - MOST // 2).astype(np.int64)
    ]
    return np.sort(np.concatenate([ranked_indices[: MOST // 2], sampled_indices]))


def _inside_mask(space: ParameterSpace, tried_sets: Floats) -> Bools:
    """Mask of samples within the space."""
    is_inside = np.ones(len(tried_sets), np.bool_)
    for column, parameter in enumerate(space.varied):
        least_value, most_value = parameter.ends
        is_inside &= (least_value <= tried_sets[:, column]) & (tried_sets[:, column] <= most_value)
    return is_inside


def _distribution(parameter: VariedParameter) -> BaseDistribution:
    from optuna import distributions  # noqa: PLC0415

    least_value, most_value = parameter.ends
    if parameter.rounding == "none":
        return distributions.FloatDistribution(least_value, most_value)
    return distributions.IntDistribution(
        int(least_value), int(most_value), step=1 + (parameter.rounding == "odd")
    )


def _named_sample(space: ParameterSpace, sample: Sequence[float]) -> dict[str, float]:
    """A sample by name; whole numbers as such."""
    parameter_values = zip(space.varied, sample, strict=True)
    return {
        parameter.name: value if parameter.rounding == "none" else int(value)
        for parameter, value in parameter_values
    }
