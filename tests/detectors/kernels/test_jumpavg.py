"""The grouping of jumpavg: the package's vectors, the package itself, and the definition."""

from __future__ import annotations

import os
from typing import Any

import numpy as np
import pytest
from hypothesis import assume, example, given, settings, strategies as st
from hypothesis.extra.numpy import arrays

from detectors.contract import Values, as_series
from detectors.kernels.jumpavg import FINE, chord, coding, group_bits, grouped, partitions
from evidence.oracles import jumpavg_oracle as oracle
from evidence.oracles.jumpavg_oracle import own_groups, package_groups
from tests.published_data import carried_vectors, replication_folder

COMPILED = os.environ.get("NUMBA_DISABLE_JIT", "0") == "0"


@pytest.fixture(scope="module")
def vectors() -> dict[str, Any]:
    return carried_vectors("jumpavg")


@pytest.mark.parity("jumpavg")
def test_groups_of_every_vector_to_the_last_bit(vectors: dict[str, Any]) -> None:
    for case in vectors["cases"]:
        values = np.array(case["values"])

        answer = own_groups(values, **case["params"])

        groups = case["groups"]
        assert answer == (
            [group["start"] for group in groups],
            [group["avg"] for group in groups],
            case["bits"],
        )
        assert oracle.bits_of_groups(values, answer[0], case["unit"]) == pytest.approx(case["bits"])
    assert len(vectors["cases"]) == 12


def test_bits_of_every_vector_of_one_group(vectors: dict[str, Any]) -> None:
    for case in vectors["stats_bits"]:
        k, unit, previous_mean = case["size"], case["unit"], case["prev_avg"]
        maximum = case["max_value"] or 1.0

        expected = oracle.bits(k, case["avg"], case["stdev"], previous_mean, maximum, unit)

        assert expected == pytest.approx(case["bits"], abs=1e-9)
        if k:
            bits = group_bits(
                k,
                case["avg"],
                case["stdev"],
                previous_mean or 0.0,
                previous_mean is None,
                maximum / unit,
                unit,
                coding(k),
            )
            assert bits == case["bits"]


def test_the_programs_search_is_followed_where_it_misses_the_optimum(
    vectors: dict[str, Any],
) -> None:
    case = vectors["greedy_not_optimal"]
    values = np.array(case["values"])

    starts, _, bits = own_groups(values, unit=case["unit"])

    assert (starts, bits) == (case["returned_starts"], case["returned_bits"])
    cheaper_bits = oracle.bits_of_groups(values, case["cheaper_starts"], case["unit"])
    assert cheaper_bits == pytest.approx(case["cheaper_bits"])
    assert cheaper_bits < bits


def test_is_the_packages_answer_on_published_series() -> None:
    """Prefixes of 120 values, and medians of tens; longer ones take the package seconds."""
    with np.load(replication_folder() / "series.npz") as arrays:
        series = arrays["fork0"][:: 36 if COMPILED else 132]

    for x in series:
        for values in (x[:120], np.median(x[-1200:].reshape(-1, 10), axis=1)):
            assert own_groups(values) == package_groups(values)


@pytest.mark.parametrize("seed", range(12 if COMPILED else 3))
def test_is_the_packages_answer_where_equal_values_make_ties(seed: int) -> None:
    random = np.random.default_rng(seed)
    values = random.integers(1, 6, random.integers(2, 60)).astype(np.float64)

    assert own_groups(values) == package_groups(values)


@given(
    values=arrays(
        np.float64,
        st.integers(1, 25),
        elements=st.one_of(st.floats(-1, 1e6), st.integers(1, 4).map(float)),
    )
)
@example(values=np.r_[1e9, np.arange(1.0, 9.0)])
@example(values=np.full(12, 0.1))
@example(values=np.r_[np.full(6, 2e-12), 1e-12 * np.arange(1.0, 6.0)])
@example(values=np.array([3.0]))
def test_agrees_with_the_definition(values: Values) -> None:
    assume(values.max() > 1e-3 * np.abs(values).max())
    unit = oracle.default_unit(values)

    starts, means, bits = own_groups(values)

    assert bits == pytest.approx(oracle.bits_of_groups(values, starts, unit), abs=1e-6)
    assert means == pytest.approx([float(group.mean()) for group in np.split(values, starts[1:])])
    expected = oracle.starts_of(values, unit)
    # Of groupings that cost the same, the last digit chooses.
    assert starts == expected or oracle.bits_of_groups(values, expected, unit) == pytest.approx(
        bits, abs=1e-6
    )


@given(
    values=arrays(np.float64, st.integers(1, 40), elements=st.floats(1.0, 1e6)),
    exponent=st.integers(-200, 200),
)
def test_a_power_of_two_changes_no_bit(values: Values, exponent: int) -> None:
    starts, means, bits = own_groups(values)

    assert own_groups(np.ldexp(values, exponent)) == (
        starts,
        np.ldexp(means, exponent).tolist(),
        bits,
    )


@settings(max_examples=25)
@given(arrays(np.float64, st.integers(1, 25), elements=st.integers(1, 30)))
def test_the_best_grouping_of_every_prefix_is_kept(values: Values) -> None:
    """The last group of each prefix is that of the prefix alone, at the same resolution."""
    values = as_series(values)
    unit, maximum = oracle.default_unit(values, 12.0), float(values.max())

    winner, last, _ = partitions(values, unit, maximum, coding(values.size))

    for stop in range(1, values.size + 1):
        starts, means, _ = grouped(values[:stop], unit, maximum, coding(stop))
        assert winner[stop - 1] == starts[-1]
        assert last[stop - 1] == pytest.approx(means[-1], rel=1e-14)


@pytest.mark.skipif(not COMPILED, reason="half a million groups, one at a time")
def test_what_the_bound_rules_out_would_not_have_won() -> None:
    """Long series of few levels and of many against the package, which weighs every group."""
    rng = np.random.default_rng(8)
    for values in (
        np.abs(np.cumsum(rng.normal(0, 1, 200))) + 50,
        rng.integers(100, 104, 200).astype(np.float64),
        np.repeat(rng.normal(100, 5, 20), 10) + rng.normal(0, 0.3, 200),
    ):
        starts, _, bits = own_groups(values)

        assert package_groups(values)[0] == starts
        assert package_groups(values)[2] == pytest.approx(bits, rel=1e-13)


@pytest.mark.parametrize("x", [0, 0.4, 1, 3.999, 4, 4.001, 7.9, 8, 8.5, 1000])
def test_a_chord_lies_on_or_under_the_curve_within_the_table_and_on_it_behind(x: float) -> None:
    logs = np.log2(np.arange(4 * FINE + 1) / FINE + 1.0)

    gaps = np.log2(x + 1) - chord(x, logs)

    assert gaps == pytest.approx(0, abs=1e-12 if x >= 4 or x * FINE % 1 == 0 else 0.1 / FINE**2)
    assert gaps >= -1e-12
