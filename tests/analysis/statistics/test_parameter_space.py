"""Spaces of parameters: ranges, rounding, and the sets that samples stand for."""

from __future__ import annotations

import re

import numpy as np
import pytest

from analysis.statistics.parameter_space import (
    PUBLISHED_GRID,
    PUBLISHED_SOBOL,
    STATED_SOBOL,
    ParameterSpace,
    VariedParameter,
    grid,
    numeric_parameters,
    varied_parameter,
)
from detectors.contract.parameters import ParameterError
from detectors.methods.georges import Georges
from detectors.methods.kb_kssd import KbKssd
from detectors.methods.laaber_cov import LaaberCov


def test_a_whole_number_is_drawn_from_half_below_to_half_above() -> None:
    parameter = varied_parameter(Georges.Params, "k", 10, 12)

    assert (parameter.low, parameter.high) == pytest.approx((9.5, 12.5))
    assert parameter.ends == (10.0, 12.0)
    drawn_values = parameter.round_values(np.linspace(parameter.low, parameter.high, 3001))
    assert np.unique(drawn_values, return_counts=True)[1].tolist() == [1000, 1001, 1000]


def test_only_odd_numbers_of_a_parameter_that_must_be_odd() -> None:
    parameter = varied_parameter(KbKssd.Params, "medfilt", 2, 8)

    assert parameter.rounding == "odd"
    drawn_values = parameter.round_values(np.linspace(parameter.low, parameter.high, 3001))
    assert np.unique(drawn_values).tolist() == [3, 5, 7]
    assert np.ptp(np.unique(drawn_values, return_counts=True)[1]) <= 1


def test_a_parameter_whose_neighbours_are_refused_for_another_reason_is_not_odd() -> None:
    assert (
        varied_parameter(Georges.Params, "ddof").rounding == "whole"
    )  # 0 or 1, and 1 is the default
    assert varied_parameter(LaaberCov.Params, "history").rounding == "whole"


def test_a_number_keeps_its_fraction_and_its_declared_bounds() -> None:
    assert varied_parameter(KbKssd.Params, "prob_threshold") == VariedParameter(
        "prob_threshold", 0.0, 1.0
    )
    assert varied_parameter(KbKssd.Params, "t_crit", high=9).ends == (1e-6, 9.0)


@pytest.mark.parametrize(
    ("name", "low", "high", "message"),
    [
        ("t_crit", 0, 5, "t_crit must be from 1e-06 to 1000000; got 0"),
        ("t_crit", 5, 4, "t_crit: found the range 5 to 4, expected a least and a greatest"),
        ("prob_window", 80, 20, "prob_window: found the range 80 to 20, expected a least"),
        ("prob_window", 80, 80, "prob_window: found the range 80 to 80, expected a least"),
        ("medfilt", 1, 2, "medfilt: found the range 1 to 1 of odd numbers, expected a least"),
        ("direction", None, None, "'direction' cannot be varied; of this method there are: "),
        ("nothing", None, None, "'nothing' cannot be varied; of this method there are: "),
    ],
)
def test_what_cannot_be_varied_is_refused(
    name: str, low: float | None, high: float | None, message: str
) -> None:
    with pytest.raises(ParameterError, match=f"^{re.escape(message)}"):
        varied_parameter(KbKssd.Params, name, low, high)


def test_numbers_can_be_varied_and_words_cannot() -> None:
    names = [numeric_parameter.name for numeric_parameter in numeric_parameters(KbKssd.Params)]

    assert "t_crit" in names
    assert not {"direction", "kernels", "substitute"} & set(names)


def test_a_parameter_is_varied_or_fixed_once() -> None:
    with pytest.raises(ParameterError, match=r"^t_crit: found twice"):
        ParameterSpace((VariedParameter("t_crit", 3, 4),), {"t_crit": 4})


def test_samples_become_parameter_sets() -> None:
    space = ParameterSpace(
        (varied_parameter(KbKssd.Params, "prob_window", 3, 9), VariedParameter("t_crit", 3, 5)),
        {"medfilt": 5},
    )

    first, second = space.parameters(
        KbKssd.Params, space.round_samples(np.array([[3.2, 4.5], [8.6, 3]]))
    )

    assert first == KbKssd.Params(prob_window=3, t_crit=4.5, medfilt=5)
    assert second == KbKssd.Params(prob_window=9, t_crit=3, medfilt=5)


def test_a_grid_is_every_combination() -> None:
    assert grid({"a": (1, 2), "b": (3, 4, 5)}).tolist() == [
        [1, 3], [1, 4], [1, 5], [2, 3], [2, 4], [2, 5],
    ]  # fmt: skip


def test_the_published_search_has_15000_sets() -> None:
    assert grid(PUBLISHED_GRID).shape == (15_000, 6)


def test_the_published_range_of_the_outlier_window_is_odd_from_79_to_119() -> None:
    windows = PUBLISHED_SOBOL.varied[4]

    assert windows.ends == (79.0, 119.0)
    assert windows.round_values(np.array([80.5, 81.4, 82.4, 99.7, 120.4])).tolist() == [
        79,
        81,
        81,
        99,
        119,
    ]


@pytest.mark.parametrize(
    ("low", "high"), [(4.0, 3.0), (3.0, 3.0), (float("nan"), 3.0), (3.0, float("inf"))]
)
def test_a_range_has_two_numbers_the_first_below_the_second(low: float, high: float) -> None:
    with pytest.raises(ParameterError, match=r"^t_crit: found the range"):
        VariedParameter("t_crit", low, high)


def test_the_printed_ranges_of_the_paper_and_those_of_its_program() -> None:
    """Beseda et al. 2025, section on sensitivity: t_crit alone differs between the two."""
    published_ranges = {
        "prob_window": (400, 600),
        "step_window": (50, 90),
        "t_crit": (3, 5),
        "prob_threshold": (0.75, 0.95),
        "outlier_window": (79, 119),
    }

    assert {parameter.name: parameter.ends for parameter in STATED_SOBOL.varied} == published_ranges
    assert {parameter.name: parameter.ends for parameter in PUBLISHED_SOBOL.varied} == {
        **published_ranges,
        "t_crit": (3.5, 5.5),
    }


def test_the_levels_of_the_published_search_are_evenly_apart() -> None:
    """From the first to the last, as its paper prints them: 100 iterations, half a t, 5 %."""
    steps = {name: np.unique(np.diff(levels).round(9)) for name, levels in PUBLISHED_GRID.items()}

    assert {name: step.tolist() for name, step in steps.items()} == {
        "outlier_window": [10],
        "prob_window": [150],
        "t_crit": [0.5],
        "step_window": [10],
        "prob_threshold": [0.05],
        "medfilt": [100],
    }
    assert {name: levels[0] for name, levels in PUBLISHED_GRID.items()} == {
        "outlier_window": 80,
        "prob_window": 200,
        "t_crit": 3.0,
        "step_window": 60,
        "prob_threshold": 0.75,
        "medfilt": 1,
    }
