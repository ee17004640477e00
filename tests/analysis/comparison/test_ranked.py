"""Who is ranked where each method is measured on its own series."""

from __future__ import annotations

import csv
import io
from collections.abc import Callable

import numpy as np
import pytest
from django.core.management import call_command
from django.test import Client

from analysis.comparison import stacked_bars
from analysis.comparison.query import ComparisonQuery
from analysis.comparison.table import ComparisonResult, compare_stored
from annotate.blind import EVERYTHING
from people.models import Study
from series.models import Series
from tests.analysis.comparison.conftest import key_of
from tests.replayed_rows import replayed

COMPARE = "/s/startup-times/comparison/"
KB, SDM, CP, PILOT = (key_of(each) for each in ("kb-kssd", "sdm", "cp-ssd", "pilot"))
FORKS = 24


@pytest.fixture
@replayed
def forks(make_series: Callable[..., Series]) -> list[Series]:
    """Of one benchmark, each known to be steady from 40 on."""
    steps = np.where(np.arange(200) < 40, 2.0, 1.0)
    return [make_series(steps + fork / 100, fork=fork, known_start=40) for fork in range(FORKS)]


@pytest.fixture
def sparse(forks: list[Series], store: Callable[..., None]) -> None:
    """kb-kssd has all 24, sdm 12 of them, cp-ssd 11, pilot 9; the fewer the closer."""
    for key, answers in ((KB, [70] * 24), (SDM, [60] * 12), (CP, [45] * 11), (PILOT, [40] * 9)):
        store(key, forks, [*answers, *[None] * (FORKS - len(answers))])


def comparison_of(study: Study, **fields: object) -> ComparisonResult:
    comparison = compare_stored(study, EVERYTHING, ComparisonQuery(yardstick="known", **fields))  # type: ignore[arg-type]
    assert comparison
    return comparison


def ranks(comparison: ComparisonResult) -> list[tuple[str, int | None, str]]:
    return [(e.name, e.rank, e.unranked) for e in comparison.entries if e.kind == "method"]


def test_who_answers_too_little_stands_below_with_the_reason(study: Study, sparse: None) -> None:
    assert ranks(comparison_of(study)) == [
        ("sdm", 1, ""),
        ("kb-kssd", 2, ""),
        ("pilot", None, "9 series, fewer than 10"),
        ("cp-ssd", None, "11 series, less than half of 24"),
    ]


def test_whatever_is_sorted_by_they_stay_below(study: Study, sparse: None) -> None:
    for sort in ("-median_abs", "title", "-title", "-n", "agreement"):
        names = [name for name, _, _ in ranks(comparison_of(study, sort=sort))]

        assert set(names[:2]) == {"kb-kssd", "sdm"}


def test_a_never_is_an_answer_about_yes_and_no(
    study: Study, forks: list[Series], store: Callable[..., None]
) -> None:
    store(KB, forks, [70] * FORKS)
    store(SDM, forks, [60] * 11 + [-1] * 13)

    assert ranks(comparison_of(study))[1] == ("sdm", None, "11 series, less than half of 24")
    assert [rank for _, rank, _ in ranks(comparison_of(study, sort="-agreement"))] == [1, 2]


def test_page_command_and_file_say_the_same(study: Study, sparse: None, as_vic: Client) -> None:
    lines, output = io.StringIO(), io.StringIO()
    call_command("comparison", "startup-times/nightly", format="csv", stdout=lines)
    call_command("comparison", "startup-times/nightly", stdout=output)

    page = as_vic.get(COMPARE).text
    rows = {row["method"]: row for row in csv.DictReader(io.StringIO(lines.getvalue()))}
    assert "(9 series, fewer than 10); CP (11" in page
    assert "Nobody is ranked" not in page
    assert "pilot: not ranked, 9 series, fewer than 10" in output.getvalue()
    assert [(row["n"], row["rank"], row["unranked"]) for row in rows.values() if row["rank"]] == [
        ("12", "1", ""),
        ("24", "2", ""),
    ]
    assert rows["cp-ssd"]["unranked"] == "11 series, less than half of 24"


def test_under_ten_series_nobody_is_ranked(
    study: Study, forks: list[Series], store: Callable[..., None], as_vic: Client
) -> None:
    store(KB, forks[:9], [70] * 9)
    store(SDM, forks[:9], [60] * 9)

    response = as_vic.get(COMPARE)

    assert [rank for _, rank, _ in ranks(response.context["compared"])] == [None, None]
    assert "Nobody is ranked: no" in response.text


def test_one_sparse_method_takes_nothing_from_the_others(
    study: Study, sparse: None, as_vic: Client
) -> None:
    """Each has its own n; how many are common is said before one switches."""
    own_comparison, common_comparison = comparison_of(study), comparison_of(study, common=True)

    assert {e.name: e.figures["n"] for e in own_comparison.entries if e.kind == "method"} == {
        "kb-kssd": 24,
        "sdm": 12,
        "cp-ssd": 11,
        "pilot": 9,
    }
    assert (own_comparison.result.n_common, common_comparison.result.n_distances) == (9, 9)
    assert "</a>: n = 9" in as_vic.get(COMPARE).text


@pytest.mark.parametrize(
    ("answers", "sentence"),
    [
        ({KB: 41, SDM: 42}, "No method is exact on any series."),
        ({KB: 40, SDM: 42}, "Most often exact is KB-KSSD, on 100.0 % of 24 series."),
        (
            {KB: 40, SDM: 40},
            """Most often exact are KB-KSSD and SDM (slope detection), each on
            100.0 % of its series.""",
        ),
        ({KB: -1}, ""),
        ({}, ""),
    ],
)
def test_no_sentence_praises_a_zero(
    study: Study,
    forks: list[Series],
    store: Callable[..., None],
    answers: dict[str, int],
    sentence: str,
) -> None:
    for key, answer in answers.items():
        store(key, forks, [answer] * FORKS)

    assert stacked_bars.direction_bars(comparison_of(study)).sentence.split() == sentence.split()


def test_sums_over_different_series_name_no_least(study: Study, sparse: None) -> None:
    """The one with the fewest series has the least sum, and that says nothing."""
    own_sentence, common_sentence = (
        stacked_bars.cluster_sentence(comparison_of(study)),
        stacked_bars.cluster_sentence(comparison_of(study, common=True)),
    )

    assert (
        own_sentence
        == "Sums rest on 9 to 24 series a method: only common series make them comparable."
    )
    assert common_sentence.split() == (
        [
            "Pilot",
            "has",
            "the",
            "least",
            "sum,",
            "0;",
            "the",
            "best",
            "constant",
            "answer",
            "has",
            "as",
            "much,",
            "0.",
        ]
    )
