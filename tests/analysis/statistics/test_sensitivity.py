"""Sobol' indices against functions whose indices are known."""

from __future__ import annotations

import numpy as np
import pytest

from analysis.statistics.answers import Answers, Floats
from analysis.statistics.parameter_space import (
    PUBLISHED_BASE,
    PUBLISHED_SOBOL,
    ParameterSpace,
    VariedParameter,
)
from analysis.statistics.sensitivity import (
    SensitivityIndices,
    SobolIndex,
    index_convergence,
    interval_widths,
    parameter_sample,
    quarter_difference,
    run_count,
    sensitivity_indices,
    sensitivity_sentence,
    squared_sum,
)

ISHIGAMI = ParameterSpace(
    tuple(VariedParameter(name, -np.pi, np.pi) for name in ("x1", "x2", "x3"))
)
PLAIN = ParameterSpace((VariedParameter("a", 0, 1), VariedParameter("b", 0, 1)))


def ishigami(x: Floats) -> Floats:
    """Ishigami & Homma 1990 with a = 7, b = 0.1."""
    outputs: Floats = np.sin(x[:, 0]) * (1 + 0.1 * x[:, 2] ** 4) + 7 * np.sin(x[:, 1]) ** 2
    return outputs


@pytest.fixture(scope="module")
def known_indices() -> SensitivityIndices:
    return sensitivity_indices(ISHIGAMI, ishigami(parameter_sample(ISHIGAMI, 2**10)))


def test_indices_of_a_function_whose_indices_are_known(known_indices: SensitivityIndices) -> None:
    """Printed in Saltelli et al. 2008: 0.3139, 0.4424, 0; total 0.5576, 0.4424, 0.2437."""
    assert [index.value for index in known_indices.first] == pytest.approx(
        [0.3139, 0.4424, 0], abs=0.03
    )
    assert [index.value for index in known_indices.total] == pytest.approx(
        [0.5576, 0.4424, 0.2437], abs=0.03
    )
    pairs = {index.names: index.value for index in known_indices.second}
    assert pairs["x1", "x3"] == pytest.approx(0.2437, abs=0.05)
    assert pairs["x1", "x2"] == pytest.approx(0, abs=0.05)
    assert known_indices.order == ("x1", "x2", "x3")
    assert known_indices.runs == 2**10 * 8


def test_intervals_hold_what_is_known(known_indices: SensitivityIndices) -> None:
    exact_indices = (0.5576, 0.4424, 0.2437)

    assert all(
        e.low < value < e.high for e, value in zip(known_indices.total, exact_indices, strict=True)
    )


def test_a_sample_has_as_many_rows_as_published() -> None:
    assert run_count(PUBLISHED_SOBOL, PUBLISHED_BASE) == 24_576
    assert parameter_sample(PUBLISHED_SOBOL, 2**3).shape == (96, 5)


def test_the_first_quarter_of_a_sample_is_the_sample_of_a_quarter() -> None:
    assert (
        parameter_sample(ISHIGAMI, 64)[: 16 * 8].tolist() == parameter_sample(ISHIGAMI, 16).tolist()
    )


def test_a_sample_is_drawn_by_its_seed() -> None:
    assert (
        parameter_sample(ISHIGAMI, 16, seed=3).tolist()
        == parameter_sample(ISHIGAMI, 16, seed=3).tolist()
    )
    assert (
        parameter_sample(ISHIGAMI, 16, seed=3).tolist()
        != parameter_sample(ISHIGAMI, 16, seed=4).tolist()
    )


def test_convergence_is_shown_at_a_quarter() -> None:
    outputs = ishigami(parameter_sample(ISHIGAMI, 64))

    convergence = index_convergence(ISHIGAMI, outputs)

    assert convergence.whole == sensitivity_indices(ISHIGAMI, outputs)
    assert convergence.quarter == sensitivity_indices(ISHIGAMI, outputs[: 16 * 8])
    assert index_convergence(ISHIGAMI, outputs[: 4 * 8]).quarter is None


def test_an_output_that_does_not_vary_has_no_indices() -> None:
    indices = sensitivity_indices(PLAIN, np.full(run_count(PLAIN, 8), 3.0))

    assert (indices.first, indices.total, indices.second) == ((), (), ())
    assert (indices.mean, indices.variance) == (3.0, 0.0)
    assert sensitivity_sentence(indices) == "The output is the same for all 48 parameter sets."


def test_the_sentence_names_what_matters_and_what_hardly_does() -> None:
    x = parameter_sample(PLAIN, 256)

    assert sensitivity_sentence(sensitivity_indices(PLAIN, 5 * x[:, 0] + 0.1 * x[:, 1])).startswith(
        "a matters most: "
    )
    assert sensitivity_sentence(sensitivity_indices(PLAIN, 5 * x[:, 0] + 0.1 * x[:, 1])).endswith(
        "Hardly matters (below 5\u00a0%): b."
    )


def test_the_published_output_takes_never_for_the_number_minus_one() -> None:
    truth = Answers.from_list([100, -1, 7, None, 50])
    table = np.array([[90, 5, -1, 3, -2], [100, -1, 7, 3, 50]], np.int32)

    assert squared_sum(table, truth).tolist() == [10**2 + 8**2, 0]


@pytest.mark.parametrize("base", [0, 1, 3, 12])
def test_a_base_that_is_no_power_of_two_is_refused(base: int) -> None:
    with pytest.raises(ValueError, match=f"^base samples: found {base}, expected a power of two"):
        parameter_sample(PLAIN, base)


@pytest.mark.parametrize("outputs", [np.ones(7), np.ones(0), np.r_[np.ones(5), np.nan]])
def test_outputs_that_are_of_no_sample_are_refused(outputs: Floats) -> None:
    with pytest.raises(ValueError, match=r"^outputs: found"):
        sensitivity_indices(PLAIN, outputs)


def test_an_interval_too_wide_to_tell_is_not_told_as_a_result() -> None:
    indices = sensitivity_indices(PLAIN, np.random.default_rng(1).random(6 * 4))

    assert sensitivity_sentence(indices).startswith(
        "Too few samples for a conclusion: the largest total index"
    )


def test_the_printed_ratios_are_those_of_a_quarter_of_the_samples() -> None:
    """Table 3 of the paper: prob_win_size 68.3 %, step_win_size 83.2 %, t_crit 84.5 %."""
    pairs = [(0.46349316, 0.31653608), (0.01394031, 0.01159328), (0.46206506, 0.39023183)]

    differences = [
        quarter_difference(SobolIndex(("a",), whole, 0.0), SobolIndex(("a",), quarter, 0.0))
        for whole, quarter in pairs
    ]

    assert [f"{100 * difference.ratio:.1f}" for difference in differences if difference.ratio] == [
        "68.3",
        "83.2",
        "84.5",
    ]
    assert differences[0].difference == pytest.approx(-0.14695708)
    zero_index = SobolIndex(("a",), 0.0, 0.0)
    assert quarter_difference(zero_index, zero_index).ratio is None


def test_widths_of_intervals_have_a_mean_and_a_deviation() -> None:
    widths = interval_widths([SobolIndex(("a",), 0.5, 0.1), SobolIndex(("b",), 0.2, 0.2)])

    assert widths is not None
    assert (widths.n, widths.mean, widths.sd) == (2, pytest.approx(0.3), pytest.approx(0.1))
    single_width = interval_widths([SobolIndex(("a",), 0.5, 0.1)])
    assert single_width is not None
    assert (single_width.mean, single_width.sd) == (pytest.approx(0.2), 0.0)
    assert interval_widths([]) is None
