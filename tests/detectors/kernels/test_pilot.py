"""Pilot's kernels against the vectors of its compiled routines, and against the definition."""

from __future__ import annotations

import os
from typing import Any

import numpy as np
import pytest
from hypothesis import example, given, strategies as st
from hypothesis.extra.numpy import arrays

from detectors.contract import Values, as_series
from detectors.kernels.pilot import NO_Q, edm, slice_mean, spread_of_subsessions, subsession_size
from evidence.oracles import pilot_oracle as oracle
from tests.published_data import carried_vectors, published_vectors, replication_folder

COMPILED = os.environ.get("NUMBA_DISABLE_JIT", "0") == "0"


@pytest.fixture(scope="module")
def vectors() -> dict[str, Any]:
    return carried_vectors("pilot")


def series(case: dict[str, Any]) -> Values:
    if "values" in case:
        return as_series(case["values"])
    if "formula" in case:
        i = np.arange(200)
        high = 3 * ("if" in case["formula"])
        return as_series(10 + (7919 * i % 13 - 6) / 10 + np.where(i < 40, high, 0))
    counts, values = zip(*case["runs_length_value"], strict=True)
    return as_series(np.repeat(values, counts))


def test_changepoints_of_every_vector(vectors: dict[str, Any]) -> None:
    for case in vectors["edm"]:
        z, parameters = series(case), (case["min_size"], float(case["percent"]), case["degree"])

        assert edm(z, *parameters).tolist() == case["changepoints"]
        if z.size < 100:
            assert oracle.changepoints(z, *parameters) == case["changepoints"]
    assert len(vectors["edm"]) == 20


def test_subsessions_of_ferraris_response_times(vectors: dict[str, Any]) -> None:
    ferrari = published_vectors("pilot")["ferrari48"]
    x = as_series(ferrari["values"])

    assert slice_mean(x, 0, x.size, False) == pytest.approx(ferrari["mean"], rel=1e-15)
    assert slice_mean(x, 0, x.size, True) == pytest.approx(ferrari["harmonic_mean"], rel=1e-15)
    for row in ferrari["by_q"]:
        expected = pytest.approx((row["var"], row["R1"]), rel=1e-11)
        assert spread_of_subsessions(x, row["q"], False) == expected
        assert oracle.subsessions(x, row["q"]) == expected
    for most_correlation, q in ferrari["optimal_q"].items():
        assert subsession_size(x, float(most_correlation), False) == q


def test_subsessions_at_the_edge(vectors: dict[str, Any]) -> None:
    for case in vectors["edge"]:
        x = as_series(case["values"])

        assert subsession_size(x, 0.1, False) == case["optimal_q"]
        correlations = {
            1: case.get("R1_q1"),
            2: case.get("R1_q2"),
            **dict(enumerate(case.get("R1", []), 1)),
        }
        for q, r in correlations.items():
            if r is not None:
                assert spread_of_subsessions(x, q, False)[1] == pytest.approx(r, abs=1e-15)
    assert NO_Q == -1


PIECES = st.lists(
    st.tuples(st.integers(1, 9), st.integers(0, 4).map(float)), min_size=1, max_size=6
).map(lambda pieces: np.repeat([level for _, level in pieces], [count for count, _ in pieces]))


@given(
    z=st.one_of(PIECES, arrays(np.float64, st.integers(1, 40), elements=st.floats(-1e3, 1e3))),
    least_size=st.integers(2, 6),
    percent=st.sampled_from([0.0, 0.25, 1.0]),
    degree=st.integers(0, 2),
)
@example(z=np.r_[1e9, 2 + np.arange(20) % 3], least_size=2, percent=0.25, degree=1)
@example(z=np.full(20, 0.1), least_size=3, percent=0.25, degree=1)
@example(z=1e-12 * (3.0 - 2 * (np.arange(20) > 9)), least_size=3, percent=0.25, degree=2)
@example(z=np.array([1.0]), least_size=2, percent=0.25, degree=1)
def test_agrees_with_the_definition(
    z: Values, least_size: int, percent: float, degree: int
) -> None:
    z = as_series(z)

    changepoints = edm(z, least_size, percent, degree).tolist()

    assert changepoints == oracle.changepoints(z, least_size, percent, degree)


@pytest.mark.skipif(not COMPILED, reason="the medians are those of the cases above")
def test_agrees_with_the_definition_on_published_series() -> None:
    with np.load(replication_folder() / "series.npz") as arrays:
        z = as_series(arrays["fork0"][7, :110])

    assert edm(z, 10, 0.25, 1).tolist() == oracle.changepoints(z, 10, 0.25, 1)


@given(
    x=arrays(np.float64, st.integers(1, 60), elements=st.floats(0.5, 1e3)),
    q=st.integers(1, 20),
    harmonic=st.booleans(),
)
def test_subsessions_agree_with_the_definition(x: Values, q: int, harmonic: bool) -> None:  # noqa: FBT001  # drawn
    variance, r = spread_of_subsessions(as_series(x), q, harmonic)

    expected, expected_r = oracle.subsessions(x, q, harmonic=harmonic)

    assert variance == pytest.approx(expected, rel=1e-6, abs=1e-18)
    # Next to no variance leaves nothing but rounding errors to correlate.
    assert expected < 1e-15 * float(x.max()) ** 2 or r == pytest.approx(expected_r, abs=1e-6)
