"""What leaves an answer as it is: the guide's table, method by method."""

from __future__ import annotations

import re
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings, strategies as st

from detectors.contract import NEVER, Context, Detection, Values
from detectors.registry import registry

GUIDE = Path(__file__).resolve().parents[2] / "docs" / "guide" / "run-detectors.md"
CHANGES = {"times": "all values times", "plus": "a number added", "longer": "steady values"}
CHANGES["order"] = "the values after answer and decision"
SETTINGS = {
    "warmup_iterations": 5,
    "warmup_seconds": 1.0,
    "measurement_iterations": 5,
    "measurement_seconds": 1.0,
}
SEEDS = st.integers(0, 2**32 - 1)
few = settings(max_examples=4)


def named_methods(change: str) -> list[str]:
    """The methods that the guide's row names."""
    lines = GUIDE.read_text("utf-8").splitlines()
    row = next(line for line in lines if line.startswith(f"| {CHANGES[change]}"))
    return re.findall(r"`([a-z0-9-]+)`", row)


def series(random: np.random.Generator, n: int = 2000) -> Values:
    """A step or a decay to a steady level; every value is a multiple of 1/4096, so that adding
    a whole number, or doubling, rounds nothing."""
    start = int(random.integers(0, 600))
    values = np.full(n, 8.0)
    if random.random() < 0.5:
        values[:start] = 12.0
    else:
        values[:start] += 6 * np.exp(-4 * np.arange(start) / max(start, 1))
    noise = random.exponential(0.05 + 0.2 * random.random(), n)
    return np.round((values + noise) * 4096) / 4096


def answer(slug: str, values: Values) -> Detection:
    context = Context(unit="s", mode="average", settings=SETTINGS)
    return registry()[slug]().answer(values, context)


def test_the_guide_names_methods_that_there_are() -> None:
    assert {slug for change in CHANGES for slug in named_methods(change)} <= set(registry())


@pytest.mark.parametrize("slug", named_methods("times"))
@few
@given(seed=SEEDS, power=st.integers(-20, 20))
def test_multiplied(slug: str, seed: int, power: int) -> None:
    values = series(np.random.default_rng(seed))

    assert answer(slug, values * 2.0**power).steady_start == answer(slug, values).steady_start


@pytest.mark.parametrize("slug", named_methods("plus"))
@few
@given(seed=SEEDS, more=st.integers(1, 64))
def test_shifted(slug: str, seed: int, more: int) -> None:
    values = series(np.random.default_rng(seed))

    assert answer(slug, values + more).steady_start == answer(slug, values).steady_start


@pytest.mark.parametrize("slug", named_methods("longer"))
@few
@given(seed=SEEDS)
def test_appended(slug: str, seed: int) -> None:
    random = np.random.default_rng(seed)
    values = series(random)
    start_before = answer(slug, values).steady_start
    longer_values = np.concatenate([values, random.permutation(values[-800:])])

    assert start_before == NEVER or answer(slug, longer_values).steady_start == start_before


@pytest.mark.parametrize("slug", named_methods("order"))
@few
@given(seed=SEEDS)
def test_in_another_order(slug: str, seed: int) -> None:
    random = np.random.default_rng(seed)
    values = series(random)
    detection = answer(slug, values)
    if detection.steady_start == NEVER:
        return
    fixed_count = max(detection.steady_start, detection.decided_at or 0)
    moved_values = np.concatenate([values[:fixed_count], random.permutation(values[fixed_count:])])

    assert answer(slug, moved_values).steady_start == detection.steady_start
