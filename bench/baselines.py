"""Kernels of the baselines beside their oracles: the same answer first, then the ratio of times.

`python -m bench.baselines` prints a Markdown table. The oracles are the definitions in plain
NumPy that the tests use, some of them at a cost of n² or n³. Series are simulated, with a fixed
seed.
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator
from functools import partial
from typing import NamedTuple

import numpy as np

from bench.kernels import N
from bench.timing import fastest, machine
from detectors.contract import Context, Curve, Values
from detectors.kernels.kb_kssd import probabilities
from detectors.kernels.kb_kssd_variants import residuals
from detectors.kernels.mser import batch_means, standard_errors
from detectors.kernels.quiet import all_window_covs
from detectors.kernels.ratio import all_ratios
from detectors.methods.exact_bayes import ExactBayes
from detectors.registry import get
from detectors.synthetic import simulate
from tests.detectors.kernels import (
    kb_kssd_oracle,
    test_batches as batches,
    test_kb_kssd_variants as variants,
    test_mser as mser,
    test_quiet as quiet,
    test_ratio as ratio,
)
from tests.detectors.kernels.exact_bayes_oracle import level_probabilities

METHODS = (
    "sdm",
    "t-test",
    "f-test",
    "r-test",
    "exact-bayes",
    "georges",
    "jmh-default",
    "fixed-time",
    "mser",
    "kelly",
)
FEW = 100  # values for an oracle whose cost grows with their cube
TOLERANCE = 1e-6


class Pair(NamedTuple):
    """A kernel and its oracle on the same values; both give the same array."""

    name: str
    values: Values
    ours: Callable[[], Values]
    plain: Callable[[], Values]


def main() -> None:
    """Print both tables; end with an error if a kernel and its oracle disagree."""
    print(f"Machine: {machine()}\n")
    print("| kernel | n | ms | oracle ms | ratio |")
    print("|---|---|---|---|---|")
    for pair in pairs():
        compare(pair)
    print(f"\nDetectors, series `step` of {N} values, with the door; fastest of many\n")
    print("| method | ms |")
    print("|---|---|")
    values = simulate("step", n=N).values
    for slug in METHODS:
        print(f"| {slug} | {fastest(partial(get(slug)().answer, values)):.3f} |")
    to_the_end = partial(ExactBayes().evidence, values, Context())
    print(f"| exact-bayes, every probability | {fastest(to_the_end):.3f} |\n")


def compare(pair: Pair) -> None:
    ours, plain = pair.ours(), pair.plain()
    if not np.allclose(ours, plain, rtol=TOLERANCE, atol=1e-12, equal_nan=True):
        sys.exit(f"{pair.name}: kernel and oracle disagree")
    quick, slow = fastest(pair.ours), fastest(pair.plain, rounds=10)
    print(f"| {pair.name} | {pair.values.size} | {quick:.3f} | {slow:.2f} | {slow / quick:.0f} |")


def pairs() -> Iterator[Pair]:
    values = 1e3 * simulate("step", n=N).values
    for name in ("slope", "means", "variances"):
        yield Pair(
            f"batches, {name}",
            values,
            lambda name=name: np.array(batches.by_kernel(name, values, 15)),  # type: ignore[misc]
            lambda name=name: np.array(batches.by_definition(name, values, 15)),  # type: ignore[misc]
        )
    weights = (0.03, 0.05, 0.05)
    yield Pair(
        "filtered variances",
        values,
        partial(all_ratios, values, *weights),
        partial(ratio.by_definition, values, *weights),
    )
    yield Pair(
        "windows' CoV",
        values,
        partial(all_window_covs, values, 30, 1),
        partial(quiet.covs, values, 30, 1),
    )
    means = batch_means(values, 5)
    yield Pair(
        "MSER", means, partial(standard_errors, means, 5), partial(mser.by_definition, means, 5)
    )
    yield Pair(
        "Kelly windows",
        values,
        lambda: by_value(*probabilities(values, -1, 500, 1.0)),
        partial(kb_kssd_oracle.kelly_values, values, 500, 1.0),
    )
    window = values[-500:]
    yield Pair(
        "autoregressive residuals",
        window,
        partial(residuals, window, 20),
        partial(variants.residuals_by_definition, window, 20),
    )
    few = values[:FEW]
    yield Pair("exact Bayes", few, partial(levels, few), partial(levels_by_definition, few))


def by_value(starts: Values, found: Values) -> Values:
    return np.repeat(found, np.diff(starts).astype(np.int64))


def levels(values: Values) -> Values:
    curve = ExactBayes(s_0=0.05, m=FEW + 1).evidence(values, Context())[0]
    if not isinstance(curve, Curve):
        raise TypeError(f"the first evidence of exact Bayes is {curve!r}, expected a Curve")
    return curve.y


def levels_by_definition(values: Values) -> Values:
    return np.array(level_probabilities(values, 0.05, 0.2, 20.0, 0.2, 1e4)[0])


if __name__ == "__main__":
    main()
