"""Classes of benchmarks from those of their forks."""

from __future__ import annotations

import json
from collections.abc import Callable

import pytest

from detectors.rules.segments.benchmark_classes import (
    ForkClass,
    class_counts,
    class_of_forks,
    class_of_starts,
)
from tests.published_data import replication_folder

SHORT: dict[str, ForkClass] = {"f": "flat", "w": "warm-up", "s": "slowdown", "n": "no-steady-state"}


@pytest.mark.parametrize(
    ("starts", "expected"),
    [
        ([0], "steady"),
        ([-1], "never"),
        ([0, 2499, 17], "steady"),
        ([0, -1, 3], "inconsistent"),
        ([-1, -1], "never"),
    ],
)
def test_steady_inconsistent_or_never(starts: list[int], expected: str) -> None:
    assert class_of_starts(starts) == expected


def test_published_classes_follow_from_published_starts() -> None:
    """396 benchmarks of ten forks (Traini et al. 2023)."""
    document = json.loads((replication_folder() / "cp_published.json").read_text())
    letters = {"steady": "S", "inconsistent": "I", "never": "N"}

    assert len(document) == 396
    for group in document.values():
        assert letters[class_of_starts(group["s"])] == group["c"]


@pytest.mark.parametrize(
    ("forks", "expected"),
    [
        ("f", "flat"),
        ("ww", "warm-up"),
        ("nn", "no-steady-state"),
        ("fw", "good-inconsistent"),
        ("wfw", "good-inconsistent"),
        ("ws", "bad-inconsistent"),
        ("wn", "bad-inconsistent"),
        ("fws", "bad-inconsistent"),
    ],
)
def test_flat_and_warm_up_are_a_good_inconsistency(forks: str, expected: str) -> None:
    assert class_of_forks(SHORT[fork] for fork in forks) == expected


def test_every_class_is_counted_also_where_it_is_absent() -> None:
    assert class_counts(["flat", "warm-up", "flat"]) == {
        "flat": 2,
        "warm-up": 1,
        "slowdown": 0,
        "no-steady-state": 0,
    }


@pytest.mark.parametrize("of", [class_of_starts, class_of_forks])
def test_a_benchmark_without_forks_has_no_class(of: Callable[[list[int]], str]) -> None:
    with pytest.raises(ValueError, match="at least one fork; got none"):
        of([])
