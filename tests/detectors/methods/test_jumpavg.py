"""jumpavg as a detector: both readings, blocks, evidence, and what it refuses."""

from __future__ import annotations

import json
import os

import numpy as np
import pytest
from hypothesis import given, strategies as st
from hypothesis.extra.numpy import arrays

from detectors.contract import (
    Context,
    Detection,
    DetectorError,
    Events,
    Figures,
    Levels,
    TooShort,
    Values,
    as_series,
)
from detectors.methods.jumpavg import Jumpavg
from detectors.simulated.synthetic import simulate
from tests.published_data import replication_folder

COMPILED = os.environ.get("NUMBA_DISABLE_JIT", "0") == "0"
RATES = [20, 15, 12, 10.0, 10.1, 9.9, 10.0, 10.2, 9.8, 10.0, 10.1, 9.9, 30, 10.0, 10.1, 9.9, 10.0]
AS_PUBLISHED = {"block": 1, "reading": "last"}


def step_values() -> Values:
    """124 values: 30 of level 20, then level 10 with a spike of two; noise of thirteen steps."""
    i = np.arange(125)
    noise = (7919 * i % 13 - 6) / 10
    return as_series(np.where(i < 30, 20, 10) + noise + np.where((i == 77) | (i == 78), 15, 0))


def test_last_is_the_start_of_the_last_group() -> None:
    assert Jumpavg(**AS_PUBLISHED).answer(RATES) == Detection(13, published_index=13)


@pytest.mark.parametrize(("min_group", "start"), [(4, 3), (10, 13)])
def test_tolerant_walks_back_over_groups_of_one_level(min_group: int, start: int) -> None:
    detector = Jumpavg(block=1, min_group=min_group, tolerance=0.05)

    assert detector.answer(RATES).steady_start == start


def test_tolerant_stops_at_a_long_group_of_another_level() -> None:
    values = np.repeat([10.0, 20.0, 10.4, 50.0, 10.0], [30, 30, 30, 2, 30])
    values += 0.1 * np.sin(np.arange(122) ** 2)

    assert Jumpavg(block=1, tolerance=0.1).answer(values).steady_start == 60
    assert Jumpavg(block=1, tolerance=0.01).answer(values).steady_start == 92
    assert Jumpavg(block=1, tolerance=1.5).answer(values).steady_start == 0


@pytest.mark.parametrize("reading", ["last", "tolerant"])
def test_the_pages_example_in_blocks(reading: str) -> None:
    detector = Jumpavg(reading=reading)

    levels, slower_groups, faster_groups, figures = detector.evidence(step_values(), Context())

    assert detector.answer(step_values()) == Detection(30, published_index=30)
    assert isinstance(levels, Levels)
    assert [piece[:2] for piece in levels.pieces] == [(0, 30), (30, 125)]
    assert slower_groups == Events((), label="regressions (slower)")
    assert faster_groups == Events((30,), label="progressions (faster)", notes=("19.95 → 10.02",))
    assert isinstance(figures, Figures)
    assert figures.rows[1] == ("description length", pytest.approx(123.02149753768538), "bits")


def test_more_is_better_in_throughput() -> None:
    _, slower_groups, faster_groups, _ = Jumpavg().evidence(
        step_values(), Context(mode="thrpt", unit="ops/s")
    )

    assert isinstance(slower_groups, Events)
    assert isinstance(faster_groups, Events)
    assert (slower_groups.at, faster_groups.at) == ((30,), ())


def test_a_series_of_fewer_than_ten_blocks_is_grouped_value_by_value() -> None:
    short_values = step_values()[:99]

    assert Jumpavg().answer(short_values) == Detection(30, published_index=30, flags=("unblocked",))
    assert Jumpavg(block=1).answer(short_values) == Detection(30, published_index=30)


def test_the_defaults_on_published_series() -> None:
    """Ten series one by one; then the errors against the published CP-SSD on 120 series."""
    folder = replication_folder()
    starts = [row["cp_ssd"] for row in json.loads((folder / "expected.json").read_text())]
    with np.load(folder / "series.npz") as series_file:
        series = series_file["fork0"]
    detector = Jumpavg()

    first = [detector.answer(x).steady_start for x in series[:10]]

    assert first == [0, 0, 0, 0, 0, 0, 2560, 340, 1580, 420]
    if not COMPILED:
        return
    rows = [row for row in range(0, 396, 3) if starts[row] is not None and starts[row] >= 0][:120]
    errors = [abs(detector.answer(series[row]).steady_start - starts[row]) for row in rows]
    assert np.median(errors) == 15
    assert sum(error <= 50 for error in errors) == 72
    assert sum(error <= 500 for error in errors) == 89


def test_an_incomplete_last_block_is_left_out() -> None:
    values = np.r_[step_values()[:120], 1000.0, 1000.0, 1000.0]

    assert Jumpavg(reading="last").answer(values).steady_start == 30


@pytest.mark.parametrize("values", [[0.0, 0.0], [-1.0, -2.0]])
def test_without_a_value_above_zero_it_is_not_applicable(values: list[float]) -> None:
    with pytest.raises(DetectorError, match="not applicable: no value is above zero"):
        Jumpavg().answer(values)


@pytest.mark.parametrize(
    ("unit", "largest_value", "units_pattern"),
    [(1e-99, 100.0, r"1e\+101"), (1e12, 2e-200, "2e-212")],
)
def test_a_resolution_out_of_all_proportion_is_refused(
    unit: float, largest_value: float, units_pattern: str
) -> None:
    with pytest.raises(DetectorError, match=f"values of up to {units_pattern} units of resolution"):
        Jumpavg(unit=unit).answer([largest_value / 2, largest_value])


def test_no_value_is_too_short() -> None:
    with pytest.raises(TooShort, match="needs at least 1 values; got 0"):
        Jumpavg().answer([])
    assert Jumpavg().answer([5.0]) == Detection(0, published_index=0, flags=("unblocked",))


@pytest.mark.parametrize("exponent", [-1070, -600, 600, 1018])
@pytest.mark.parametrize("block", [1, 10])
def test_the_unit_does_not_matter(exponent: int, block: int) -> None:
    values = step_values() if exponent > -1000 else as_series(np.round(step_values() * 4))
    expected = Jumpavg(block=block).answer(values)

    assert Jumpavg(block=block).answer(np.ldexp(values, exponent)) == expected


def test_a_given_unit_is_in_units_of_the_series() -> None:
    expected = Jumpavg(unit=0.25).answer(step_values())

    for exponent in (-600, -20, 20, 40):
        detector = Jumpavg(unit=0.25 * 2.0**exponent)
        assert detector.answer(np.ldexp(step_values(), exponent)) == expected


def test_a_step_is_found_to_the_block() -> None:
    step = simulate("step", n=3000)

    assert abs(Jumpavg().answer(step.values).steady_start - step.steady_start) <= 10


@given(
    values=arrays(
        np.float64,
        st.integers(1, 60),
        elements=st.one_of(
            st.floats(allow_nan=False, allow_infinity=False), st.integers(0, 2).map(float)
        ),
    ),
    block=st.integers(1, 6),
    reading=st.sampled_from(["last", "tolerant"]),
    unit=st.sampled_from([0.0, 1e-300, 1.0, 1e12]),
)
def test_any_finite_values_get_an_answer_or_a_reason(
    values: Values, block: int, reading: str, unit: float
) -> None:
    detector = Jumpavg(block=block, reading=reading, unit=unit, min_group=2)

    try:
        detection = detector.answer(values)
        levels, *_ = detector.evidence(as_series(values), Context())
    except DetectorError as error:
        refusal = str(error)
    else:
        refusal = ""
        assert 0 <= detection.steady_start < values.size
        assert isinstance(levels, Levels)
        assert np.isfinite([level for _, _, level in levels.pieces]).all()
    assert not refusal or refusal.startswith("not applicable")
