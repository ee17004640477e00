"""Methods that judge every start by its rest: worked by hand, never, batches, evidence, lengths."""

from __future__ import annotations

import json
from typing import Any

import numpy as np
import pytest

from detectors.contract import (
    NEVER,
    Context,
    Curve,
    Detection,
    Events,
    TooShort,
    as_json,
    as_series,
)
from detectors.registry import get
from detectors.simulated.synthetic import simulate
from tests.published_data import replication_folder

NINES_THEN_WAVES = np.r_[np.full(4, 9.0), np.tile([1.0, 2.0, 2.0, 1.0], 4)]
NINES_THEN_PAIRS = np.r_[np.full(3, 9.0), np.tile([1.0, 2.0], 9)]
FALLS_AT_10 = np.r_[np.full(10, 9.0), np.tile([1.0, 2.0, 1.0, 2.0, 1.5], 8)]
EVERY: list[tuple[str, dict[str, Any]]] = [
    ("max-ess", {}),
    ("max-ess", {"fast": False, "nskip": 5}),
    ("max-ess", {"search": "binary"}),
    ("min-sse", {}),
    ("min-sse", {"window": "geyer"}),
    ("min-sse", {"window": "chodera"}),
    ("kim-convergence", {}),
    ("kim-convergence", {"stages": "length", "nskip": 5}),
]


@pytest.mark.parametrize(
    ("slug", "params", "values", "start"),
    [
        ("max-ess", {}, NINES_THEN_WAVES, 3),
        ("max-ess", {"nskip": 3}, NINES_THEN_WAVES, 3),
        ("max-ess", {"search": "binary"}, NINES_THEN_WAVES, 3),
        *(("min-sse", {"window": w}, NINES_THEN_PAIRS, 3) for w in ("root-n", "geyer", "chodera")),
        ("kim-convergence", {}, FALLS_AT_10, 10),
        ("kim-convergence", {"stages": "mser"}, FALLS_AT_10, 10),
        ("kim-convergence", {"stages": "length"}, FALLS_AT_10, 9),
    ],
)
def test_worked_by_hand(
    slug: str, params: dict[str, Any], values: np.ndarray[Any, Any], start: int
) -> None:
    assert get(slug)(**params).answer(values) == Detection(start, published_index=start)


@pytest.mark.parametrize(("slug", "params"), EVERY)
def test_a_start_that_is_too_late_says_never(slug: str, params: dict[str, Any]) -> None:
    late_values = np.r_[np.full(60, 9.0), NINES_THEN_WAVES, NINES_THEN_WAVES[4:]]

    steady_start = get(slug)(**params, latest=1.0).answer(late_values).steady_start
    never_answer = get(slug)(**params, latest=0.1).answer(late_values)

    assert never_answer == Detection(NEVER, NEVER)
    if slug != "kim-convergence" or params:  # whose MSER refuses it before
        assert steady_start > 0.5 * late_values.size
        assert (
            get(slug)(**params, latest=steady_start / late_values.size)
            .answer(late_values)
            .steady_start
            == steady_start
        )


def test_mser_of_kim_convergence_has_a_never_of_its_own() -> None:
    late_values = np.r_[np.full(60, 9.0), FALLS_AT_10]

    assert get("kim-convergence")(latest=1.0).answer(late_values) == Detection(NEVER, NEVER)
    assert get("kim-convergence")(latest=1.0, stages="length").answer(late_values).steady_start > 60


@pytest.mark.parametrize(("slug", "params"), EVERY)
def test_equal_values_are_steady_from_the_first(slug: str, params: dict[str, Any]) -> None:
    assert get(slug)(**params).answer(np.full(50, 0.1)) == Detection(0, 0)


@pytest.mark.parametrize(
    ("slug", "params", "least_length"),
    [
        ("max-ess", {}, 2),
        ("min-sse", {}, 4),
        ("min-sse", {"window": "geyer"}, 4),
        ("kim-convergence", {}, 10),
        ("kim-convergence", {"batch": 3}, 6),
        ("kim-convergence", {"stages": "length"}, 2),
    ],
)
def test_too_short_says_how_long(slug: str, params: dict[str, Any], least_length: int) -> None:
    values = np.arange(least_length) % 3.0

    assert get(slug)(**params).answer(values).steady_start >= NEVER
    with pytest.raises(TooShort, match=f"at least {least_length} values; got {least_length - 1}"):
        get(slug)(**params).answer(values[1:])


@pytest.mark.parametrize(("slug", "params"), EVERY)
def test_a_long_series_is_read_in_batches(slug: str, params: dict[str, Any]) -> None:
    short_values = simulate("decay", n=400, seed=2).values
    long_values = np.repeat(short_values, 3)

    method = get(slug)(**params, most=400)

    assert (
        method.answer(long_values).steady_start == 3 * method.answer(short_values).steady_start > 0
    )


@pytest.mark.parametrize(("slug", "params"), EVERY)
@pytest.mark.parametrize(("times", "plus"), [(1e-9, 0.0), (1e3, 5.0), (2.0**900, 0.0), (-1.0, 0.0)])
def test_unit_offset_and_sign_do_not_matter(
    slug: str, params: dict[str, Any], times: float, plus: float
) -> None:
    values = simulate("decay", n=500, seed=2).values

    expected = get(slug)(**params).answer(values)

    assert get(slug)(**params).answer(times * values + plus) == expected


@pytest.mark.parametrize(("slug", "params"), EVERY)
def test_evidence_is_highest_at_the_best_start(slug: str, params: dict[str, Any]) -> None:
    values = as_series(simulate("decay", n=400, seed=2).values)
    method = get(slug)(**params, most=200)

    curve, best_event = method.evidence(values, Context())

    assert isinstance(curve, Curve)
    assert isinstance(best_event, Events)
    assert curve.x is not None
    assert best_event.at == (method.answer(values).steady_start,)
    if params.get("search") != "binary":  # which looks at few
        assert curve.x[curve.y.argmax()] == best_event.at[0]
    json.dumps([as_json(curve), as_json(best_event)], allow_nan=False)


@pytest.mark.parametrize(
    ("asked", "slug", "params"),
    [
        ("max-ess", "max-ess", {"nskip": 10}),
        ("max-ess-binary", "max-ess", {"search": "binary"}),
        ("mser-batch-5", "kim-convergence", {"stages": "mser"}),
    ],
)
def test_published_series_have_the_answers_of_the_packages(
    asked: str, slug: str, params: dict[str, Any]
) -> None:
    folder = replication_folder()
    expected = json.loads((folder / "peers.json").read_text("utf-8"))[asked]["fork0"]
    series = np.load(folder / "series.npz")["fork0"]

    method = get(slug)(**params, latest=1.0)

    assert len(expected) > 200
    assert {row: method.answer(series[int(row)]).steady_start for row in expected} == expected


def test_kim_convergence_has_no_best_start_where_mser_says_never() -> None:
    late_values = as_series(np.r_[np.full(60, 9.0), FALLS_AT_10])

    (curve,) = get("kim-convergence")().evidence(late_values, Context())

    assert isinstance(curve, Curve)
    assert curve.y.size > 0
