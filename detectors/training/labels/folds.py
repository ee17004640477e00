"""Folds: the benchmarks that a model is fitted on, and those that it must never see.

All series of a benchmark, whatever the fork and the recording, lie in one fold: forks of one
benchmark are so alike that a model which has seen one has seen the others.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence
from typing import Final, Literal

import numpy as np
from sklearn.model_selection import GroupKFold, train_test_split

from detectors.learned.crossfit import FOLDS
from detectors.training.panel import TooFewAnswers

SEED: Final = 42  # of the published folds, whatever the seed of the training
VALIDATION: Final = 0.25  # of the training benchmarks
Unseen = Literal["benchmarks", "systems"]


def assign_folds(benchmarks: Sequence[str], unseen: Unseen = "benchmarks") -> dict[str, int]:
    """The fold of each benchmark. Raises `TooFewAnswers`.

    unseen: "benchmarks" deals those of every system into all folds, as published; "systems" keeps
    a system together, which asks more of a model.
    """
    names = sorted(set(benchmarks))
    if unseen == "systems":
        return _system_folds(names)
    if len(names) < FOLDS:
        raise TooFewAnswers(f"found {len(names)} benchmarks with a label, expected {FOLDS} or more")
    return {name: fold for group in _groups(names) for name, fold in _shuffled_folds(group).items()}


def system_of(benchmark: str) -> str:
    return benchmark.partition("#")[0]


def _groups(names: Sequence[str]) -> list[list[str]]:
    """The benchmarks of each system; systems too small for five folds are dealt together."""
    systems: defaultdict[str, list[str]] = defaultdict(list)
    for name in names:
        systems[system_of(name)].append(name)
    leftover_names = [
        name for members in systems.values() if len(members) < FOLDS for name in members
    ]
    return [members for members in systems.values() if len(members) >= FOLDS] + (
        [leftover_names] if leftover_names else []
    )


def _shuffled_folds(names: Sequence[str]) -> dict[str, int]:
    """Test parts of scikit-learn's shuffled `KFold(5)`, also for fewer than five names."""
    order = np.arange(len(names))
    np.random.RandomState(SEED).shuffle(order)  # the published folds are made so
    parts = np.array_split(order, FOLDS)
    return {
        names[position]: fold
        for fold, positions in enumerate(parts)
        for position in positions.tolist()
    }


def _system_folds(names: Sequence[str]) -> dict[str, int]:
    groups = [system_of(name) for name in names]
    if len(set(groups)) < FOLDS:
        raise TooFewAnswers(f"found {len(set(groups))} systems, expected {FOLDS} or more")
    parts = GroupKFold(FOLDS).split(names, groups=groups)
    return {
        names[position]: fold
        for fold, (_, test_positions) in enumerate(parts)
        for position in test_positions.tolist()
    }


def split_validation(benchmarks: Sequence[str]) -> tuple[list[str], list[str]]:
    """(training, validation) of the benchmarks that a network may see.

    A quarter of each system's is validation, as far as there are enough of them.
    """
    names = sorted(set(benchmarks))
    systems = [system_of(name) for name in names]
    smallest_count = min(systems.count(system) for system in set(systems))
    is_enough = smallest_count > 1 and VALIDATION * len(names) >= len(set(systems))
    training, validation = train_test_split(
        names, test_size=VALIDATION, random_state=SEED, stratify=systems if is_enough else None
    )
    return sorted(training), sorted(validation)
