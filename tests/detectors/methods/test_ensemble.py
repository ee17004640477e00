"""The ensemble: its rules by hand on members whose answers are known, and what its key holds."""

from __future__ import annotations

import itertools
import pickle

import numpy as np
import pytest
from hypothesis import given, strategies as st

from detectors.contract import (
    NEVER,
    Context,
    Detection,
    DetectorError,
    Events,
    Figures,
    ParameterError,
    TooShort,
    Values,
    as_series,
)
from detectors.methods.ensemble import Ensemble, FewAnswered, largest_group, too_few_error
from detectors.registry import from_key, registry

FLAT = as_series(np.ones(1000))


def member_answer(
    *starts: int, rule: str = "median", tolerance: float = 0.05, n: int = 1000
) -> Detection:
    """The answer of members that say `starts`, each a fixed iteration; n + k stands for never."""
    members = tuple(f"fixed?iteration={start}" for start in starts)
    ensemble = Ensemble(members=members, rule=rule, tolerance=tolerance)
    return ensemble.answer(FLAT[:n])


@pytest.mark.parametrize(
    ("starts", "expected"),
    [
        ((10, 400, 20), Detection(20)),
        ((10, 400), Detection(400)),
        ((10, 20, 30, 400), Detection(30)),
        ((10, 20, 2000), Detection(20)),
        ((10, 2000, 2001), Detection(NEVER)),
        ((2000, 2001), Detection(NEVER)),
        ((10, 2000), Detection(10, flags=("tied",))),
        ((10, 300, 2000, 2001), Detection(300, flags=("tied",))),
    ],
)
def test_median(starts: tuple[int, ...], expected: Detection) -> None:
    assert member_answer(*starts) == expected
    assert member_answer(*reversed(starts)) == expected


@pytest.mark.parametrize(
    ("starts", "expected_detection"),
    [
        ((10, 20, 60, 700, 900), Detection(20)),
        ((10, 20, 61, 700, 900), Detection(61, flags=("scattered",))),
        ((100, 150, 500, 550), Detection(500, flags=("scattered",))),
        ((500, 510, 520, 900), Detection(510)),
        ((10, 500, 2000), Detection(500, flags=("scattered",))),
        ((10, 50, 2000, 2001), Detection(50, flags=("tied",))),
        ((10, 500, 2000, 2001), Detection(500, flags=("tied", "scattered"))),
        ((10, 2000, 2001), Detection(NEVER)),
    ],
)
def test_majority(starts: tuple[int, ...], expected_detection: Detection) -> None:
    assert member_answer(*starts, rule="majority") == expected_detection


def test_of_equally_large_groups_the_later_one_counts() -> None:
    assert largest_group([1, 2, 8, 9], 1.0) == [8, 9]
    assert largest_group([1, 2, 3, 8, 9], 2.0) == [1, 2, 3]
    assert largest_group([5], 0.0) == [5]


@given(
    starts=st.lists(st.integers(0, 60), min_size=1, max_size=7).map(sorted),
    tolerance=st.integers(0, 20),
)
def test_the_largest_group_is_the_largest_of_all_subsets(starts: list[int], tolerance: int) -> None:
    group = largest_group(starts, tolerance)

    agreeing_groups = [
        subset
        for size in range(1, len(starts) + 1)
        for subset in itertools.combinations(starts, size)
        if subset[-1] - subset[0] <= tolerance
    ]
    largest_size = max(len(group) for group in agreeing_groups)
    assert tuple(group) == max(group for group in agreeing_groups if len(group) == largest_size)


def test_a_member_that_cannot_judge_takes_no_part() -> None:
    members = ("fixed?iteration=3", "fixed?iteration=5", "kb-kssd")

    assert Ensemble(members=members).answer(FLAT[:50]) == Detection(5)


def test_the_least_length_is_that_at_which_two_members_can_judge() -> None:
    keys = "ruptures-binseg?min_size=100", "ruptures-kernel?min_size=20", "kb-kssd"
    ensemble = Ensemble(members=keys)

    with pytest.raises(
        TooShort, match=r"at least 101 values; got 40 \(ruptures-binseg: too"
    ) as error_info:
        ensemble.answer(FLAT[:40])
    assert (error_info.value.needed, error_info.value.got) == (101, 40)
    assert str(pickle.loads(pickle.dumps(error_info.value))) == str(error_info.value)  # noqa: S301  # made here
    assert ensemble.answer(FLAT[:101]).steady_start in {0, 15}


def test_an_error_names_the_members_that_fail() -> None:
    ensemble = Ensemble(members=("kb-kssd", "fixed"))
    members = ensemble._member_answers(FLAT[:40], Context())
    members.append(type(members[0])(members[0].detector, error=DetectorError("no weights")))

    assert str(too_few_error([members[1], members[2]], 40)) == (
        "fewer than 2 members answer: kb-kssd: no weights"
    )
    error = FewAnswered(("one: why",))
    assert str(pickle.loads(pickle.dumps(error))) == str(error)  # noqa: S301  # made here


def test_evidence_lists_every_member() -> None:
    members = ("fixed?iteration=3", "fixed?iteration=70", "kb-kssd", "fixed?iteration=9")

    events, figures = Ensemble(members=members).evidence(FLAT[:50], Context())

    assert events == Events((3, 9), label="members' answers", notes=("FX", "FX"))
    assert isinstance(figures, Figures)
    assert [value for _, value, _ in figures.rows] == [
        3,
        NEVER,
        "too short: needs at least 101 values; got 50",
        9,
    ]
    assert figures.rows[0][0] == "fixed@1?iteration=3"


def test_the_key_holds_each_member_in_full() -> None:
    ensemble = Ensemble(members=("fixed?iteration=3", "fixed"), rule="majority")

    assert ensemble.key.startswith("ensemble@1?members=fixed@1%3Fiteration")
    restored_ensemble = from_key(ensemble.key)
    assert restored_ensemble == ensemble
    assert restored_ensemble.answer(FLAT) == ensemble.answer(FLAT)
    assert all(f"{slug}@" in Ensemble().key for slug in Ensemble().params.members)
    assert Ensemble(members=Ensemble().params.members) == Ensemble()


def test_an_ensemble_may_be_a_member() -> None:
    inner_ensemble = Ensemble(members=("fixed?iteration=3", "fixed?iteration=9"))

    outer_ensemble = Ensemble(
        members=(inner_ensemble.key, "fixed?iteration=4", "fixed?iteration=5")
    )

    assert outer_ensemble.answer(FLAT) == Detection(5)
    assert from_key(outer_ensemble.key).answer(FLAT) == Detection(5)


@pytest.mark.parametrize(
    ("members", "sentence"),
    [
        (("fixed",), "members must be from 2 to 50 detector keys; got 1 detector keys"),
        (("fixed", "nobody"), "members: no detector 'nobody'; there are: "),
        (("fixed", "fixed@9"), "members: no version '9' of 'fixed' here"),
        (("fixed", "fixed?iteration=-1"), "fixed: iteration must be from 0 to"),
        (("fixed", "fixed?iteration=500"), r"members must differ; got fixed\?iteration=500 twice"),
    ],
)
def test_members_that_cannot_be(members: tuple[str, ...], sentence: str) -> None:
    with pytest.raises(ParameterError, match=sentence):
        Ensemble(members=members)


def test_the_default_members_need_nothing_but_values() -> None:
    assert all(not registry()[slug].needs for slug in Ensemble().params.members)
    step: Values = np.repeat([2.0, 1.0], [100, 500])
    noise = 0.01 * np.random.default_rng(0).standard_normal(600)
    assert abs(Ensemble().answer(step + noise).steady_start - 100) <= 20
