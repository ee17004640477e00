"""Paths of segmentations and their elbow: vectors of R's `changepoint` 2.2.2 and `kneed` 0.7.0."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
import pytest

from detectors.contract import Values, as_series
from detectors.rules.segments.crops import MeanAndVariance, PenaltyPath, crops, elbow
from detectors.simulated.synthetic import simulate
from tests.published_data import carried_vectors


def vectors(name: str) -> list[dict[str, Any]]:
    return list(carried_vectors("cp_ssd")[name])


def path_of(y: Values, *, keeps_costs: bool = True) -> PenaltyPath:
    log = math.log(y.size)
    return crops(MeanAndVariance(y, keeps_costs=keeps_costs), 4 * log, 100_000 * log)


def test_segmentations_of_given_penalties() -> None:
    for vector in vectors("pelt"):
        y = as_series(vector["series"])
        search = MeanAndVariance(y)

        for factor, ends, total in vector["manual_mult_cpts1_F"]:
            penalty = factor * math.log(y.size)
            segmentation = search.best(penalty)
            assert list(segmentation.ends) == ends
            assert segmentation.cost + segmentation.changes * penalty == pytest.approx(
                total, abs=1e-9
            )


@pytest.mark.parametrize("keeps_costs", [True, False])
def test_paths_to_the_last_bit(keeps_costs: bool) -> None:  # noqa: FBT001  # both
    for vector in vectors("pelt"):
        path = path_of(as_series(vector["series"]), keeps_costs=keeps_costs)

        assert list(path.penalties) == vector["crops_penalties"]
        assert list(path.changes) == vector["crops_ncpts"]
        costs = [s.cost for s in path.segmentations]
        assert costs == pytest.approx(vector["crops_unpenalised"], abs=1e-9)
        inner_ends = [list(s.ends[:-1]) for s in path.segmentations]
        assert inner_ends == vector["crops_segmentations_1based"]
        assert path.runs == vector["pelt_runs"]


def test_the_penalty_at_the_elbow_and_what_is_found_there() -> None:
    for vector in vectors("pelt"):
        y = as_series(vector["series"])
        path = path_of(y)
        elbow_index = elbow(path.penalties, path.changes)

        index = {"single": 0, "knee": elbow_index}.get(vector["elbow_reason"])
        penalty = vector["default_penalty"] if index is None else path.penalties[index]
        assert penalty == vector["elbow"]
        segmentation = MeanAndVariance(y).best(penalty)
        assert [end - 1 for end in segmentation.ends] == vector["final_cpts_0based"]


def test_elbows() -> None:
    for vector in vectors("knee"):
        index = elbow(vector["penalties"], vector["ncpts"])

        assert (None if index is None else vector["penalties"][index]) == vector["elbow"]


@pytest.mark.parametrize(("penalties", "changes"), [([4.0], [0]), ([4.0, 4.0], [3, 0]), ([], [])])
def test_a_path_that_goes_nowhere_has_no_elbow(penalties: list[float], changes: list[int]) -> None:
    assert elbow(penalties, changes) is None


def test_every_segmentation_is_best_within_its_penalties() -> None:
    y = simulate("step", n=400).values
    path = path_of(y)
    search = MeanAndVariance(y)

    penalties_between = [
        (a + b) / 2 for a, b in zip(path.penalties, path.penalties[1:], strict=False)
    ]

    segmentations = [search.best(penalty) for penalty in penalties_between]
    assert [s.changes for s in segmentations] == list(path.changes[:-1])
    assert [s.ends for s in segmentations] == [s.ends for s in path.segmentations[:-1]]


@pytest.mark.parametrize("n", [1, 2, 3])
def test_fewer_than_four_values_are_one_segment(n: int) -> None:
    segmentation = MeanAndVariance(as_series(np.arange(float(n)))).best(1.0)

    assert segmentation.ends == (n,)
    assert path_of(as_series(np.arange(float(n)) + 1)).changes == (0,)


def test_a_penalty_is_searched_once() -> None:
    search = MeanAndVariance(as_series(np.sin(np.arange(60.0))))

    segmentation, other_segmentation, same_segmentation = search.best_of([20.0, 30.0, 20.0])

    assert segmentation is same_segmentation
    assert search.best(30.0) is other_segmentation
    assert list(search.segmentations) == [20.0, 30.0]
