"""Gains that are more than chance: of many methods and steps, which help on both sources.

Of so many means some lie far from 0 by chance alone. Benjamini and Hochberg's rule (1995,
Controlling the false discovery rate) chooses among all on the corpus of known answers; what it
leaves is asked of people's marks, which had no part in the choice, by the same rule.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import NamedTuple, TypeAlias

import numpy as np
from numpy.typing import NDArray
from scipy.stats import t as student

from analysis.statistics.multiple_comparisons import benjamini_hochberg
from detectors.contract import Values
from detectors.preparation.helpful_steps import ALPHA

Pair: TypeAlias = tuple[str, str]
"""Key of a method, and a step."""


class AdjustedChances(NamedTuple):
    """Adjusted p-values; None on people's marks where the corpus leaves nothing to confirm."""

    corpus: float
    people: float | None


def chance_of_gain(fall: Values, systems: NDArray[np.str_]) -> float:
    """One-sided p-value of Student's t that the mean error falls; whole systems are the units."""
    _, indices = np.unique(systems, return_inverse=True)
    sums, counts = np.bincount(indices, fall), np.bincount(indices)
    residuals = sums - fall.mean() * counts
    error = np.sqrt(counts.size / (counts.size - 1) * (residuals**2).sum()) / fall.size
    return float(student.sf(fall.mean() / error, counts.size - 1)) if error else 1.0


def adjusted_chances(
    corpus: Mapping[Pair, float], people: Mapping[Pair, float]
) -> dict[Pair, AdjustedChances]:
    """Adjust p-values of all pairs on the corpus, and of those that it leaves on people's marks."""
    on_corpus = _adjusted(corpus)
    chosen = [pair for pair, p in on_corpus.items() if p <= ALPHA]
    on_people = _adjusted({pair: people[pair] for pair in chosen})
    return {pair: AdjustedChances(p, on_people.get(pair)) for pair, p in on_corpus.items()}


def _adjusted(chances: Mapping[Pair, float]) -> dict[Pair, float]:
    adjusted = benjamini_hochberg(list(chances.values()))
    return {pair: p for pair, p in zip(chances, adjusted, strict=True) if p is not None}
