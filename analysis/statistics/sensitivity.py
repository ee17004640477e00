"""Sobol' indices: how much of an output's variance each varied parameter is behind.

Sampling and analysis are SALib's (Saltelli's scheme with second order, intervals by its
bootstrap). The output is one number a parameter set, made from a table of answers.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations
from typing import Any, Final

import numpy as np

from analysis.statistics.answers import NEVER, Answers, Floats
from analysis.statistics.parameter_space import ParameterSpace
from detectors.parameter_sets.evaluation import NO_ANSWER, Table

LEVEL: Final = 0.95
RESAMPLES: Final = 100  # of the bootstrap; SALib's own default, and the publication's
QUARTER: Final = 4  # convergence is shown against a quarter of the samples


@dataclass(frozen=True, slots=True)
class SobolIndex:
    """One index with its interval: `value` -/+ `half_width`, of the share of the variance.

    names: one parameter for the first and the total order, two for the second. An estimate
    may lie a little below 0 or above 1.
    """

    names: tuple[str, ...]
    value: float
    half_width: float

    @property
    def low(self) -> float:
        return self.value - self.half_width

    @property
    def high(self) -> float:
        return self.value + self.half_width


@dataclass(frozen=True, slots=True)
class IntervalWidths:
    """Widths of the intervals of several indices: mean and deviation, dividing by the count."""

    n: int
    mean: float
    sd: float


@dataclass(frozen=True, slots=True)
class SensitivityIndices:
    """The indices of one output over one sample.

    runs     parameter sets; base: samples they are made of, runs = base x (2 x parameters + 2)
    mean, variance  of the output over the sets
    first    share of the variance due to a parameter alone
    total    share due to it alone and together with others
    second   share due to a pair together, beyond what each does alone
    All three are empty where the output does not vary: nothing then is sensitive.
    """

    runs: int
    base: int
    mean: float
    variance: float
    first: tuple[SobolIndex, ...]
    total: tuple[SobolIndex, ...]
    second: tuple[SobolIndex, ...]

    @property
    def order(self) -> tuple[str, ...]:
        """Names of the parameters, the largest total index first."""
        ranked_indices = sorted(self.total, key=lambda index: -index.value)
        return tuple(index.names[0] for index in ranked_indices)


@dataclass(frozen=True, slots=True)
class IndexConvergence:
    """The indices of all samples beside those of their first quarter.

    None where a quarter would be no sample: fewer than eight base samples.
    """

    whole: SensitivityIndices
    quarter: SensitivityIndices | None


def run_count(space: ParameterSpace, base: int) -> int:
    """Number of parameter sets in a sample of `base` base samples."""
    return base * (2 * len(space.varied) + 2)


def parameter_sample(space: ParameterSpace, base: int, *, seed: int = 0) -> Floats:
    """Parameter sets (runs, parameters) for the indices, drawn by SALib and rounded.

    `base` is a power of two. The first quarter of the rows is the sample of a quarter of the
    base.
    """
    if base < 2 or base & (base - 1):
        raise ValueError(f"base samples: found {base}, expected a power of two: 2, 4, 8, …")
    from SALib.sample import sobol  # noqa: PLC0415  # a second to import, for few

    samples = sobol.sample(_problem(space), base, calc_second_order=True, seed=seed)
    return space.round_samples(samples)


def sensitivity_indices(
    space: ParameterSpace,
    outputs: Floats,
    *,
    level: float = LEVEL,
    resamples: int = RESAMPLES,
    seed: int = 0,
) -> SensitivityIndices:
    """The indices of `outputs` (runs,), in the order of the rows of `sample`."""
    base, remainder = divmod(outputs.size, run_count(space, 1))
    if remainder or not base:
        raise ValueError(
            f"outputs: found {outputs.size}, expected a multiple of {run_count(space, 1)}: "
            f"one for each row of a sample of {len(space.varied)} parameters"
        )
    if not np.isfinite(outputs).all():
        row_index = int(np.flatnonzero(~np.isfinite(outputs))[0])
        raise ValueError(
            f"outputs: found {outputs[row_index]} at {row_index}, expected finite numbers"
        )
    mean, variance = float(outputs.mean()), float(outputs.var())
    if np.ptp(outputs) == 0:
        return SensitivityIndices(outputs.size, base, mean, 0.0, (), (), ())
    from SALib.analyze import sobol  # noqa: PLC0415

    analysis = sobol.analyze(
        _problem(space),
        outputs,
        calc_second_order=True,
        num_resamples=resamples,
        conf_level=level,
        seed=1 + seed,  # with seed 0 SALib draws from NumPy's common generator
    )
    return SensitivityIndices(
        outputs.size,
        base,
        mean,
        variance,
        first=_indices(space, analysis, "S1"),
        total=_indices(space, analysis, "ST"),
        second=_pairs(space, analysis),
    )


def index_convergence(space: ParameterSpace, outputs: Floats, *, seed: int = 0) -> IndexConvergence:
    """The indices, and those of the first quarter of the samples: are there enough of them?"""
    full_indices = sensitivity_indices(space, outputs, seed=seed)
    if full_indices.base < 2 * QUARTER:
        return IndexConvergence(full_indices, None)
    quarter_outputs = outputs[: outputs.size // QUARTER]
    return IndexConvergence(full_indices, sensitivity_indices(space, quarter_outputs, seed=seed))


def interval_widths(sobol_indices: Sequence[SobolIndex]) -> IntervalWidths | None:
    """Widths of the intervals from `low` to `high`, as Table 3 of KB-KSSD's paper; None without
    any.
    """
    if not sobol_indices:
        return None
    widths = np.array([index.high - index.low for index in sobol_indices])
    return IntervalWidths(len(sobol_indices), float(widths.mean()), float(widths.std()))


@dataclass(frozen=True, slots=True)
class QuarterDifference:
    """One index with a quarter of the samples beside the same with all.

    difference  quarter - whole, in shares of the variance
    ratio       quarter / whole, as printed; None where the whole is 0
    """

    whole: float
    quarter: float
    difference: float
    ratio: float | None


def quarter_difference(full_index: SobolIndex, quarter_index: SobolIndex) -> QuarterDifference:
    ratio = quarter_index.value / full_index.value if full_index.value else None
    return QuarterDifference(
        full_index.value, quarter_index.value, quarter_index.value - full_index.value, ratio
    )


def _problem(space: ParameterSpace) -> dict[str, Any]:
    bounds = [[parameter.low, parameter.high] for parameter in space.varied]
    return {"num_vars": len(bounds), "names": list(space.names), "bounds": bounds}


def _indices(
    space: ParameterSpace, analysis: Mapping[str, Any], key: str
) -> tuple[SobolIndex, ...]:
    values, half_widths = analysis[key], analysis[f"{key}_conf"]
    return tuple(
        SobolIndex((name,), float(values[parameter_index]), float(half_widths[parameter_index]))
        for parameter_index, name in enumerate(space.names)
    )


def _pairs(space: ParameterSpace, analysis: Mapping[str, Any]) -> tuple[SobolIndex, ...]:
    return tuple(
        SobolIndex(
            (space.names[i], space.names[j]),
            float(analysis["S2"][i, j]),
            float(analysis["S2_conf"][i, j]),
        )
        for i, j in combinations(range(len(space.names)), 2)
    )


def squared_sum(table: Table, truth: Answers) -> Floats:
    """The published output of each set: sum of (truth - answer)², over series steady by `truth`.

    As in the published program, an answer of never enters as the number -1; the paper's formula
    takes the root of the sum, the program does not. A series without an answer under any of the
    sets is left out of all.
    """
    is_counted = truth.steady & (table != NO_ANSWER).all(axis=0)
    if not is_counted.any():
        return np.zeros(len(table))
    errors = truth.index[is_counted] - np.maximum(table[:, is_counted], NEVER)
    squared_sums: Floats = np.einsum("ks,ks->k", errors, errors)
    return squared_sums


def sensitivity_sentence(sensitivity: SensitivityIndices) -> str:
    """One plain sentence from the figures."""
    if not sensitivity.total:
        return f"The output is the same for all {sensitivity.runs:,} parameter sets."
    largest_index = max(sensitivity.total, key=lambda index: index.value)
    if largest_index.half_width > TOO_WIDE:
        return (
            "Too few samples for a conclusion: the largest total index, of "
            f"{largest_index.names[0]}, "
            f"is {largest_index.value:.2f} ± {largest_index.half_width:.2f}. Take more base "
            "samples."
        )
    first_order_index = next(
        index for index in sensitivity.first if index.names == largest_index.names
    )
    names = [index.names[0] for index in sensitivity.total if index.high < HARDLY]
    idle_sentence = (
        f" Hardly matters (below {_percent(HARDLY)}): {', '.join(names)}." if names else ""
    )
    return (
        f"{largest_index.names[0]} matters most: it has a part in {_percent(largest_index.value)} "
        "of the variance "
        f"({_percent(largest_index.low)} to {_percent(largest_index.high)}), in "
        f"{_percent(first_order_index.value)} of it by "
        f"itself alone.{idle_sentence}"
    )


HARDLY: Final = 0.05  # share of the variance up to which a parameter hardly matters
TOO_WIDE: Final = 0.25  # half width of an interval, as a share of the variance, that tells nothing


def _percent(share: float) -> str:
    return f"{min(max(share, 0.0), 1.0):.0%}".replace("%", "\u00a0%")
