"""Steps of a level beside a search written out with NumPy."""

from __future__ import annotations

import math

import numpy as np
import pytest

from detectors.contract import Values
from detectors.kernels.level_steps import clearest_step, is_clear_step, level_steps

LOWEST = (12.0, 9.0, 5.0, 25.0, 9.0)  # limit of each kind of step
LIMITS = np.array([[math.inf, *np.linspace(30, level, 59)] for level in LOWEST])


NONE = (0.0, 0)  # no level before


def squared_t(values_before: Values, values_after: Values) -> float:
    error = ((values_before - values_before.mean()) ** 2).sum() + (
        (values_after - values_after.mean()) ** 2
    ).sum()
    variance = error / (values_before.size + values_after.size - 2)
    return float(
        (values_after.mean() - values_before.mean()) ** 2
        / (variance * (1 / values_before.size + 1 / values_after.size))
    )


@pytest.mark.parametrize("seed", range(20))
def test_the_clearest_step_is_most_above_its_limit(seed: int) -> None:
    random = np.random.default_rng(seed)
    values = random.normal(10, 0.2, 12 + seed)
    values[7 + seed // 2 :] += random.choice([0.0, 0.3, 0.8])
    n, freedom = values.size, values.size - 2
    excess = {
        count: squared_t(values[:count], values[count:])
        / LIMITS[0 if n - count == 1 else 1, freedom]
        for count in range(4, n)
    }
    expected = max(excess, key=excess.__getitem__)

    step = clearest_step(values, NONE, LIMITS, 0.0, 4)

    assert step == (expected if excess[expected] > 1 else -1)


def test_equal_values_have_no_step_and_a_jump_without_noise_has_one() -> None:
    assert clearest_step(np.full(20, 3.0), NONE, LIMITS, 0.01, 4) == -1
    assert clearest_step(np.repeat([3.0, 4.0], [6, 1]), NONE, LIMITS, 0.01, 4) == 6
    assert clearest_step(np.repeat([3.0, 3.02], [6, 5]), NONE, LIMITS, 0.01, 4) == -1  # below 1 %


def test_a_step_stays_by_its_t_and_by_the_median_after_it() -> None:
    values = np.concatenate([np.tile([1.0, 1.01], 8), [1.2, 1.2, 1.0, 1.0, 1.0]])

    assert is_clear_step(values[:18], 16, NONE, LIMITS[2], 0.005)
    assert not is_clear_step(values, 16, NONE, LIMITS[2], 0.005)
    assert not is_clear_step(values, 0, NONE, LIMITS[2], 0.005)


def test_each_number_of_values_is_judged_as_if_there_were_no_more() -> None:
    random = np.random.default_rng(5)
    values = random.normal(1, 0.01, 70) * np.repeat([1.0, 1.05], 35)
    settings = 0.01, 60, 4, 3

    columns = [column.tolist() for column in level_steps(values, LIMITS, *settings)]
    for stop in (1, 2, 3, 20, 36, 38, 69):
        part = [column.tolist() for column in level_steps(values[:stop], LIMITS, *settings)]
        assert part == [column[:stop] for column in columns]
    starts, steps, means_before, means_after = columns
    assert (starts[-1], steps[35]) == (35, 35)
    assert means_before[35] == pytest.approx(values[:35].mean(), rel=1e-14)
    assert means_after[35] == pytest.approx(values[35], rel=1e-14)
