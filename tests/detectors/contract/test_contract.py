"""What goes in by the door, and what comes out."""

from __future__ import annotations

import pickle
from typing import Any

import numpy as np
import pytest

from detectors.contract import (
    BadSeries,
    Bands,
    Context,
    Curve,
    Detection,
    Detector,
    Figures,
    Levels,
    NotAvailable,
    Source,
    TooShort,
    Values,
    as_json,
    as_series,
)


@pytest.mark.parametrize(
    ("values", "sentence"),
    [
        ([1.0, np.nan], "values must be finite; value 1 is nan"),
        ([1.0, 2.0, -np.inf], "values must be finite; value 2 is -inf"),
        ([[1.0]], "values must be one-dimensional; got 2 dimensions"),
        (5.0, "values must be one-dimensional; got 0 dimensions"),
    ],
)
def test_the_door_refuses_what_is_no_series(values: Any, sentence: str) -> None:
    with pytest.raises(BadSeries) as error_info:
        as_series(values)

    assert str(error_info.value) == sentence


@pytest.mark.parametrize(
    "values",
    [
        [3, 1, 2],
        np.array([3, 1, 2]),
        np.array([3, 1, 2], dtype=">f8"),
        np.array([3, 0, 1, 0, 2, 0], dtype=np.float32)[::2],
        np.array([[3, 1, 2]], dtype=float)[0],
        (3.0, 1.0, 2.0),
    ],
)
def test_behind_the_door_all_series_are_alike(values: Any) -> None:
    series = as_series(values)

    assert series.tolist() == [3, 1, 2]
    assert series.dtype == np.float64
    assert series.dtype.isnative
    assert series.flags.c_contiguous
    assert not series.flags.writeable


def test_the_callers_array_stays_theirs() -> None:
    own_values = np.array([3.0, 1.0])
    series = as_series(own_values)

    own_values[0] = 9.0

    assert series.tolist() == [3, 1]


def test_what_came_through_the_door_goes_through_again_uncopied() -> None:
    series = as_series([3.0, 1.0])

    assert as_series(series) is series


class Out(Detector):
    slug, version, title, code = "out", "1", "Out", "OUT"
    source = Source("this test")

    def detect(self, values: Values, context: Context) -> Detection:
        return Detection(7)


def test_an_answer_out_of_range_is_never_given() -> None:
    assert Out().answer(range(8)).steady_start == 7
    with pytest.raises(RuntimeError, match="out@1 answered 7 for 7 values"):
        Out().answer(range(7))


def test_detectors_of_one_key_are_equal() -> None:
    assert Out() == Out()
    assert len({Out(), Out()}) == 1
    assert repr(Out()) == "<Out out@1>"


@pytest.mark.parametrize(
    "error", [TooShort(needed=3, got=2), NotAvailable("weights not installed"), BadSeries("bad")]
)
def test_errors_cross_processes(error: Exception) -> None:
    copied_error = pickle.loads(pickle.dumps(error))  # noqa: S301

    assert type(copied_error) is type(error)
    assert str(copied_error) == str(error)


def test_errors_are_sentences() -> None:
    assert str(TooShort(needed=3, got=2)) == "too short: needs at least 3 values; got 2"
    assert str(NotAvailable("weights not installed")) == "not available: weights not installed"


def test_evidence_becomes_json() -> None:
    curve = Curve(np.array([1.0, np.nan]), label="p", x=np.array([0, 4]), threshold=0.5)

    assert as_json(curve) == {
        "kind": "curve",
        "y": [1.0, None],
        "label": "p",
        "x": [0, 4],
        "threshold": 0.5,
        "unit": "",
        "shape": "line",
        "meaning": "",
    }
    assert as_json(Bands(((0, 4),), label="b"))["spans"] == [[0, 4]]
    assert as_json(Levels(((0, 4, float("inf")),), label="l"))["pieces"] == [[0, 4, None]]
    assert as_json(Figures((("m", np.float64(2.0), "s"),), label="f"))["rows"] == [["m", 2.0, "s"]]
