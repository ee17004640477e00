"""Figures of the published comparison: by hand on eight series, and on the published subset."""

from __future__ import annotations

import json
from typing import Any

import numpy as np
import pytest

from analysis.statistics.answers import Answers
from evidence.replication.comparison_figures import comparison_figures_by_name
from evidence.replication.published_figures import COMPARISON, published_figures
from tests.published_data import replication_folder

N = -1  # never
# Truth, then CP-SSD and KB-KSSD; series 6 and 7 are labelled never, and have no marks.
TRUTH = [100, 200, 300, 400, 500, 600, N, N]
METHODS = {
    "cp_ssd": [90, 250, N, 400, 700, 500, N, 10],
    "kb_kssd": [100, 150, 310, N, 400, 450, 20, 30],
    "sdm": [100, 100, 100, 100, N, 100, N, N],
    "t_test": [0, 0, 0, 0, 0, 0, 0, 0],
    "r_test": [200, 200, 200, 200, 200, 200, N, 5],
}
CLUSTERED = np.array([True, True, True, False, False, False, False, False])


@pytest.fixture(scope="module")
def figures() -> dict[str, float]:
    answers = {name: Answers.from_list(index) for name, index in METHODS.items()}
    truth = Answers.from_list(TRUTH)
    return comparison_figures_by_name(answers, truth, CLUSTERED, truth)


def test_distances_of_a_set_by_hand(figures: dict[str, float]) -> None:
    """Pair: series 0, 1, 4 and 5. CP-SSD errs 10, -50, -200, 100; KB-KSSD 0, 50, 100, 150."""
    assert (figures["pair.n"], figures["pair.n_clustered"]) == (4, 2)
    assert figures["pair.cp_ssd.manhattan"] == 360
    assert (figures["pair.cp_ssd.clustered"], figures["pair.cp_ssd.scattered"]) == (60, 300)
    assert figures["pair.kb_kssd.manhattan"] == 300
    assert figures["pair.cp_ssd.mean"] == pytest.approx(-35)
    assert figures["pair.kb_kssd.sd"] == pytest.approx(np.sqrt(3125))
    assert figures["pair.kb_kssd.high"] == pytest.approx(75 + 2 * np.sqrt(3125))
    assert figures["pair.less.manhattan"] == pytest.approx(100 / 6)
    assert figures["pair.more.manhattan"] == pytest.approx(20)
    assert figures["pair.always_300"] == 200 + 100 + 200 + 300


def test_a_set_of_five_is_smaller_by_hand(figures: dict[str, float]) -> None:
    """SDM is silent on series 4: 0, 1 and 5 remain."""
    assert figures["five.n"] == 3
    assert figures["five.cp_ssd.manhattan"] == 160
    assert figures["five.sdm.manhattan"] == 0 + 100 + 500
    assert figures["five.t_test.mean"] == 300


def test_paired_tests_by_hand(figures: dict[str, float]) -> None:
    """Differences, CP-SSD − KB-KSSD: 10, -100, -300, -50; of sizes 10, 0, 100, -50."""
    counts = [figures[f"signed.{count_name}"] for count_name in ("positive", "negative", "ties")]
    assert counts == [1, 3, 0]
    assert figures["signed.sign.statistic"] == 0.25
    assert figures["signed.sign.p"] == pytest.approx(10 / 16)
    assert (figures["signed.mean"], figures["signed.median"]) == (-110, -75)
    assert [
        figures[f"absolute.{count_name}"] for count_name in ("positive", "negative", "ties")
    ] == [2, 1, 1]
    assert figures["absolute.sign.p"] == 1


def test_steady_or_never_by_hand(figures: dict[str, float]) -> None:
    assert figures["yes_no.cp_ssd.agreements"] == 6
    assert (figures["yes_no.cp_ssd.fp"], figures["yes_no.cp_ssd.fn"]) == (1, 1)
    assert figures["yes_no.kb_kssd.agreements"] == 5
    assert (figures["missed.cp_ssd.clustered"], figures["missed.cp_ssd.scattered"]) == (1, 0)
    assert (figures["missed.kb_kssd.clustered"], figures["missed.kb_kssd.scattered"]) == (0, 1)
    assert (figures["joint.right"], figures["joint.wrong"]) == (4, 1)
    assert figures["joint.right_percent"] == 50
    assert figures["mcnemar.kb_kssd.discordant"] == 3  # series 2 and 3, and 6


def test_what_is_not_there_is_left_out() -> None:
    truth = Answers.from_list(TRUTH)

    lone_figures = comparison_figures_by_name(
        {"kb_kssd": Answers.from_list(METHODS["kb_kssd"])}, truth, CLUSTERED, truth
    )

    assert not any(key.startswith(("pair", "five", "signed", "cochran")) for key in lone_figures)
    assert lone_figures["yes_no.kb_kssd.agreements"] == 5


# --- the published subset -----------------------------------------------------------------------
@pytest.fixture(scope="module")
def published_values() -> dict[str, float]:
    records = json.loads((replication_folder() / "expected.json").read_text())
    answers = {
        name: Answers.from_list(record[name] for record in records)
        for name in ("cp_ssd", "kb_kssd", "sdm", "t_test", "f_test", "r_test")
    }
    truth = Answers.from_list(
        record["jagt_published"] if record["marks"] else N for record in records
    )
    labels = Answers.from_list(record["binary"]["published"] for record in records)
    clustered = np.array([bool(record["clustered"]) for record in records])
    return comparison_figures_by_name(answers, truth, clustered, labels)


@pytest.fixture(scope="module")
def totals() -> dict[str, Any]:
    return json.loads((replication_folder() / "expected_totals.json").read_text())


@pytest.mark.parametrize("name", ["pair", "five"])
def test_every_distance_of_the_subset(
    published_values: dict[str, float], totals: dict[str, Any], name: str
) -> None:
    published_figures = totals["jagt_published"][name]

    assert published_values[f"{name}.n"] == published_figures["n"]
    for method in METHODS.keys() & published_figures.keys():
        for figure in ("manhattan", "clustered", "scattered", "mean", "sd", "median_abs"):
            expected = pytest.approx(published_figures[method][figure], abs=5e-7)
            assert published_values[f"{name}.{method}.{figure}"] == expected


def test_every_count_of_the_subset(
    published_values: dict[str, float], totals: dict[str, Any]
) -> None:
    for method, published_counts in totals["yes_no"].items():
        for figure in ("agreements", "fp", "fn"):
            assert published_values[f"yes_no.{method}.{figure}"] == published_counts[figure]
    # Both right, and both wrong: what agreements of either are made of.
    right_count, wrong_count = published_values["joint.right"], published_values["joint.wrong"]
    discordant_count = published_values["mcnemar.kb_kssd.discordant"]
    assert right_count + wrong_count + discordant_count == totals["rows"]
    assert 2 * right_count + discordant_count == sum(
        totals["yes_no"][method]["agreements"] for method in ("cp_ssd", "kb_kssd")
    )


def test_every_published_figure_is_computed(published_values: dict[str, float]) -> None:
    named_keys = {claim.key for claim in published_figures() if claim.group in COMPARISON}

    assert named_keys - published_values.keys() == set()
