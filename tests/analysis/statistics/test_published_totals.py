"""The comparison on the published answers gives the published totals, digit for digit.

The published tables print truth - detected; Plateau prints detected - truth, so their means
and medians change sign. Predictions are `published_index`, as published.
"""

from __future__ import annotations

import json
from typing import Any

import numpy as np
import pytest

from analysis.statistics.answers import Answers
from analysis.statistics.comparison import Comparison, compare
from analysis.statistics.leaderboard_figures import WITHIN
from analysis.statistics.people_consensus import people_rows
from tests.published_data import replication_folder

METHODS = ("cp_ssd", "kb_kssd", "sdm", "t_test", "f_test", "r_test")
PEOPLE = ("a1", "a2", "a3", "a4", "a5")
COLUMNS = {
    "n": "n",
    "manhattan": "manhattan",
    "clustered": "manhattan_clustered",
    "scattered": "manhattan_scattered",
    "sd": "sd_error",
    "mean_abs": "mean_abs",
    "sd_abs": "sd_abs",
    "median_abs": "median_abs",
    **{f"within_{most}": f"within_{most}" for most in WITHIN},
}


@pytest.fixture(scope="module")
def records() -> list[dict[str, Any]]:
    return json.loads((replication_folder() / "expected.json").read_text())


@pytest.fixture(scope="module")
def totals() -> dict[str, Any]:
    return json.loads((replication_folder() / "expected_totals.json").read_text())


@pytest.fixture(scope="module")
def methods(records: list[dict[str, Any]]) -> dict[str, Answers]:
    return {method: Answers.from_list(record[method] for record in records) for method in METHODS}


def compare_records(
    records: list[dict[str, Any]], methods: dict[str, Answers], recipe: str, excluding: list[str]
) -> Comparison:
    truth = Answers.from_list(record[recipe] if record["marks"] else -1 for record in records)
    cluster_mask = np.array([bool(record["clustered"]) for record in records])
    return compare(methods, truth, tolerance=150, is_clustered=cluster_mask, excluding=excluding)


@pytest.mark.parametrize("recipe", ["jagt", "jagt_published"])
@pytest.mark.parametrize("set_name", ["pair", "five"])
def test_distances(
    records: list[dict[str, Any]],
    totals: dict[str, Any],
    methods: dict[str, Answers],
    recipe: str,
    set_name: str,
) -> None:
    printed = totals[recipe][set_name]
    comparison = compare_records(records, methods, recipe, printed["excluded_by"])

    assert comparison.n_distances == printed["n"]
    assert comparison.constant is not None
    best_constant = {"index": comparison.constant.index, "manhattan": comparison.constant.manhattan}
    assert best_constant == printed["best_constant"]
    for method in printed.keys() & set(METHODS):
        cells: dict[str, Any] = dict(comparison.rows[method])
        figure_by_name = {key: cells[column] for key, column in COLUMNS.items()}
        figure_by_name |= {"mean": -cells["mean_error"], "median": -cells["median_error"]}
        assert {key: round(value, 6) for key, value in figure_by_name.items()} == printed[method]


@pytest.mark.parametrize("method", METHODS)
def test_yes_and_no(
    records: list[dict[str, Any]], totals: dict[str, Any], methods: dict[str, Answers], method: str
) -> None:
    labels = Answers.from_list(record["binary"]["published"] for record in records)

    cells: dict[str, Any] = dict(compare(methods, labels, tolerance=150).rows[method])

    published_row = totals["yes_no"][method]
    assert {key: round(cells[key], 6) for key in published_row} == published_row


def test_people_against_the_median_of_the_others(
    records: list[dict[str, Any]], totals: dict[str, Any]
) -> None:
    marks = [record["marks"] or dict.fromkeys(PEOPLE) for record in records]
    people = {person: Answers.from_list(mark[person] for mark in marks) for person in PEOPLE}

    rows = people_rows(people, tolerance=150)

    assert [figures["n"] for figures in rows.values()] == [264] * 5
    for person, figures in rows.items():
        published_row = totals["humans_leave_one_out"][person]
        assert round(figures["mean_abs"] or 0, 4) == published_row["mean_abs"]
        assert figures["median_abs"] == published_row["median_abs"]


def test_series_left_out_are_named_by_rule_and_by_method(
    records: list[dict[str, Any]], methods: dict[str, Answers]
) -> None:
    comparison = compare_records(records, methods, "jagt", ["cp_ssd", "kb_kssd"])

    assert {rule: len(series) for rule, series in comparison.left_out.items()} == {
        "no-truth": 0,
        "truth-never": 132,
        "no-answer": 0,
        "says-never": 20,
    }
    assert [(cost.method, cost.never, cost.alone) for cost in comparison.costs] == [
        ("cp_ssd", 18, 16),
        ("kb_kssd", 4, 2),
    ]
