"""Shapes of series whose shape is known, as times and as rates, at every length."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from detectors.contract import BadSeries
from detectors.shapes.level_models import best_changes, fitted_levels
from detectors.shapes.noise import shape_and_noise, shapes_and_noises
from detectors.shapes.series_shape import LEAST, Shape, is_alternating, shape_of
from detectors.shapes.shape_examples import LEVELS, confusion, example
from detectors.simulated.synthetic import KINDS, simulate

TWINS = {"up": "down", "down": "up"}
KNOWN = {  # of the kinds that detectors are tried on, which are drawn by another program
    "step": "step-down",
    "two-steps": "step-down",
    "decay": "decay-down",
    "flat": "flat",
    "spikes": "step-down",
    "noise-change": "flat",
    "slowdown": "step-up",
    "drift": "drift-down",
    "late-step": "step-down",
    "cyclic": "cycles",
    "random-walk": "random-walk",
}


def mirrored_shape(shape: str) -> str:
    """The shape of 1/x."""
    head, _, direction = shape.rpartition("-")
    return f"{head}-{TWINS[direction]}" if direction in TWINS else shape


@pytest.mark.parametrize("shape", LEVELS)
def test_nine_in_ten_examples_of_a_shape_are_told_to_be_it(shape: Shape) -> None:
    counts = confusion([shape], count=30)[shape]

    assert counts[shape] >= 27, counts


@pytest.mark.parametrize("shape", LEVELS)
def test_rates_have_the_shape_of_their_times_with_up_and_down_exchanged(shape: Shape) -> None:
    time_counts = confusion([shape], count=10)[shape]
    rate_counts = confusion([shape], count=10, rates=True)[shape]

    assert rate_counts == {mirrored_shape(s): count for s, count in time_counts.items()}


@pytest.mark.parametrize("kind", KNOWN)
def test_the_kinds_that_detectors_are_tried_on_have_their_shapes(kind: str) -> None:
    shapes = [shape_of(simulate(kind, seed=seed).values).shape for seed in range(5)]

    assert shapes == [KNOWN[kind]] * 5


def test_spikes_beside_a_step_are_said_too() -> None:
    assert shape_of(simulate("spikes").values).classes == ("step-down", "spikes")


def test_the_numbers_behind_a_step() -> None:
    values = np.where(np.arange(1280) < 320, 1.5, 1.0) + 0.001 * (np.arange(1280) % 2)
    facts = shape_of(values)

    assert (facts.shape, facts.level, facts.changes) == ("step-down", "steps", (320,))
    assert facts.reach == pytest.approx(0.5, abs=0.001)
    assert facts.change == pytest.approx(-1 / 3, abs=0.001)
    assert facts.share > 0.99
    assert facts.margin > 0 < facts.runner_up_margin


def test_a_fast_cycle_has_its_period() -> None:
    values = 1 + 0.1 * (np.arange(1000) % 7 == 0) + 0.05 * (np.arange(1000) % 7 == 1)
    facts = shape_of(values)

    assert (facts.shape, facts.period) == ("cycles", 7)
    assert facts.repeats > 0.9


def test_a_slow_cycle_has_its_period() -> None:
    facts = shape_of(1.5 + 0.2 * np.sin(2 * np.pi * np.arange(3000) / 500))

    assert (facts.shape, facts.level) == ("cycles", "cycles")
    assert facts.length == pytest.approx(500, rel=0.1)


def test_values_without_a_ratio_are_compared_by_differences() -> None:
    values = np.where(np.arange(600) < 100, 3.0, -1.0)
    facts = shape_of(values)

    assert (facts.shape, facts.logs) == ("step-down", False)
    assert shape_of(-values).shape == "step-up"


@pytest.mark.parametrize("n", [0, 1, 2, LEAST - 1])
def test_few_values_have_no_shape(n: int) -> None:
    assert shape_of(np.arange(n) + 1.0).shape == "short"


@pytest.mark.parametrize("value", [0.0, 1.0, -3.5, 1e300, 5e-324])
@pytest.mark.parametrize("n", [LEAST, 1000])
def test_a_constant_is_flat(value: float, n: int) -> None:
    facts = shape_of(np.full(n, value))

    assert (facts.shape, facts.classes, facts.n) == ("flat", ("flat",), n)


@pytest.mark.parametrize("bad_value", [np.nan, np.inf, -np.inf])
def test_what_is_no_number_is_refused(bad_value: float) -> None:
    with pytest.raises(BadSeries, match="value 3 is"):
        shape_of([*[1.0] * 3, bad_value, *[1.0] * 100])


@pytest.mark.parametrize("shape", LEVELS)
def test_a_unit_changes_nothing(shape: Shape) -> None:
    values = example(shape, n=600)

    assert shape_of(values * 2.0**40).shape == shape_of(values).shape


def test_giants_and_zeros_are_endured() -> None:
    values = np.r_[np.zeros(100), 1e300, np.full(100, 1e-300), -1e300, np.zeros(100)]
    facts = shape_of(values)

    assert np.isfinite([facts.reach, facts.change, facts.share, facts.margin]).all()
    assert facts.spikes == (1, 1)


def test_half_tiny_half_giant_is_a_step_of_a_finite_height() -> None:
    facts = shape_of(np.repeat([1e-300, 1e300], 300))

    assert facts.shape == "step-up"
    assert np.isfinite(facts.reach)


def test_a_million_values_are_a_million() -> None:
    values = example("decay-down", n=1_000_000)

    assert shape_of(values).shape == "decay-down"


# --- parts ------------------------------------------------------------------------------------
@pytest.mark.parametrize("seed", range(5))
def test_the_best_changes_are_those_of_trying_all(seed: int) -> None:
    y = np.random.default_rng(seed).normal(size=14)

    def squares_left(changes: tuple[int, ...]) -> float:
        return sum(((word - word.mean()) ** 2).sum() for word in np.split(y, changes))

    change_pairs = [(i, j) for i in range(2, 13) for j in range(i + 2, 13)]
    single_change, pair = best_changes(y, 2)

    assert squares_left(single_change) == pytest.approx(
        min(squares_left((i,)) for i in range(2, 13))
    )
    assert squares_left(pair) == pytest.approx(min(map(squares_left, change_pairs)))


def test_models_are_given_the_best_first() -> None:
    models = fitted_levels(np.repeat([2.0, 1.0], 40))

    assert models[0].model == "steps"
    assert [m.bic for m in models] == sorted(m.bic for m in models)  # no walk is best
    assert {model.model for model in models} == {
        *("flat", "drift", "decay", "steps", "cycles", "random-walk")
    }


def test_a_rise_with_a_wandering_level_is_a_drift() -> None:
    random = np.random.default_rng(3)
    rise = 2 + np.linspace(0, 1, 128) + 0.02 * np.cumsum(random.standard_normal(128))
    walk, *_ = fitted_levels(np.log(2 + 0.02 * np.cumsum(random.standard_normal(128))))
    drift, drift_as_walk, *_ = fitted_levels(np.log(rise))

    assert (walk.model, drift.model, drift_as_walk.model) == ("random-walk", "drift", "random-walk")
    assert drift_as_walk.bic < drift.bic


@pytest.mark.parametrize(
    ("stay_lengths", "expected"),
    [
        ([10, 20, 20, 20, 10], True),
        ([20, 20, 20, 20], False),  # three turns may be anything
        ([10, 20, 40, 20, 40, 5], True),
        ([10, 20, 20, 60, 20, 20], False),
        ([60, 4, 20, 4, 20], False),  # the first stay is cut off, and so never the longest
    ],
)
def test_steps_are_cycles_where_stays_are_equally_long(
    stay_lengths: list[int],
    expected: bool,  # noqa: FBT001  # of a table
) -> None:
    fit = np.repeat(np.arange(len(stay_lengths)) % 2, stay_lengths).astype(float)

    assert is_alternating(fit) is expected


def test_many_at_once_have_the_facts_that_each_has_alone() -> None:
    lengths = (100, 101, 384, 700)
    series = [simulate(kind, n=n).values for kind in KINDS for n in lengths]
    series += [values - values.mean() for values in series]
    series += [series[0][:n] for n in (1, 2, LEAST - 1, LEAST)]
    series += [np.full(100, 3.0), np.r_[np.full(99, 1e-300), 1e300], np.zeros(40), np.arange(384.0)]

    all_facts: list[tuple[Any, Any]] = list(shapes_and_noises(series))
    for facts, values in zip(all_facts, series, strict=True):
        for joint_facts, single_facts in zip(facts, shape_and_noise(values), strict=True):
            for name in joint_facts.__slots__:
                expected_value = getattr(single_facts, name)
                if isinstance(expected_value, float):
                    expected_value = pytest.approx(expected_value, rel=1e-8, abs=1e-8)
                assert getattr(joint_facts, name) == expected_value, name
    assert shapes_and_noises([]) == []
