"""Which series are cases, for which reasons, in which order; and the number beside Review."""

from __future__ import annotations

import csv
from collections.abc import Callable
from dataclasses import asdict
from uuid import uuid4

import pytest
from django.db import connection
from django.http import QueryDict
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.urls import reverse

from analysis.review import cases
from analysis.review.cases import Review, entropy
from analysis.review.query import ReviewQuery
from analysis.runs.certainty import default_key
from analysis.runs.models import Detection
from annotate.answering.services import report_problem, save_mark
from annotate.models import Campaign, Task
from detectors.contract import Certainty
from people import nav_badges
from people.models import Study, User
from series.models import Series
from tests.analysis.comparison.conftest import key_of, mark
from tests.analysis.review.conftest import decide


def review(study: Study, reader: User, query: str = "") -> Review:
    review = cases.find_cases(study, reader, ReviewQuery.from_query(QueryDict(query)))
    assert review is not None
    return review


def forks(review: Review) -> list[int]:
    return [case.line.fork for case in review.cases]


def test_scattered_answers_are_cases_and_agreed_ones_are_none(
    compared_study: Campaign, study: Study, olga: User
) -> None:
    listed_review = review(
        study, olga, "order=name"
    )  # two marks never make a cluster; the third series is never steady

    assert forks(listed_review) == [0, 1, 3]
    assert listed_review.cases[0].reasons[0].words == "no cluster, marks 2 apart"


def test_a_yes_no_split_is_most_disputed(
    compared_study: Campaign, split_tasks: list[Task], study: Study, olga: User
) -> None:
    listed_review = review(study, olga, "order=disputed")

    assert forks(listed_review) == [1, 0, 3]
    assert listed_review.cases[0].entropy == 1.0
    assert "1 say steady, 1 never" in {reason.words for reason in listed_review.cases[0].reasons}


@pytest.mark.parametrize(
    ("query", "expected_forks"),
    [
        # KB: 42 90 never 100, SDM: 30 never 5 103; truth 42 62 never 102, tolerance 10.
        ("why=truth&m=kb-kssd", [1]),
        ("why=truth&m=sdm", [0, 1, 2]),
        ("why=truth", [1]),  # both of them, and baselines have no say
        ("why=truth&m=any", [0, 1, 2]),
        ("why=truth&m=kb-kssd&tol=1", [1, 3]),
        ("why=never&m=sdm", [1, 2]),
        ("why=never", []),
        ("why=pair&a=kb-kssd&b=sdm", [0, 1, 2]),
        ("why=pair&a=kb-kssd", []),
        # Steady forks at 42, 62 and 102: the middle is 62; one of four is never steady.
        ("why=forks", [0, 2, 3]),
        ("why=forks&tol=50", [2]),
        ("why=unsure", []),
    ],
)
def test_reasons_worked_out_by_hand(
    compared_study: Campaign, study: Study, olga: User, query: str, expected_forks: list[int]
) -> None:
    assert forks(review(study, olga, query + "&order=name")) == expected_forks


def test_the_least_sure_case_is_first_and_says_so(
    compared_study: Campaign, four_series: list[Series], study: Study, olga: User, client: Client
) -> None:
    """Of the first fork nothing is said: it is last; of the third there is no case."""
    for series, width in zip(four_series[1:], (30, 150, 90), strict=True):
        Detection.objects.create(
            series=series,
            detector_key=default_key(),
            slug="plateau",
            steady_start=7,
            **asdict(Certainty(0.5, 5, 5 + width, 0.25)),
        )
    client.force_login(olga)
    address = reverse("disagreements", args=[study.slug])

    rows = client.get(f"{address}?order=least-sure").context["rows"]
    text = b"".join(
        client.get(reverse("disagreements-file", args=[study.slug]) + "?order=least-sure")
    ).decode()

    assert [row.line.fork for row in rows] == [3, 1, 0]
    assert ["5 to 95" in rows[0].row_figure.title, "5 to 35" in rows[1].row_figure.title] == [
        True,
        True,
    ]
    assert rows[2].row_figure.figure == "–"
    forks_and_ends = [
        (row["fork"], row["low"], row["high"]) for row in csv.DictReader(text.splitlines())
    ]
    assert forks_and_ends == [("3", "5", "95"), ("1", "5", "35"), ("0", "", "")]


def test_flags_and_problems_say_who_and_what(
    answered_tasks: list[Task], study: Study, olga: User, ana: User
) -> None:
    save_mark(
        answered_tasks[2],
        by=ana,
        client_id=uuid4(),
        digest=answered_tasks[2].series.digest,
        kind="never",
        unsure=True,
        note="drift?",
    )
    report_problem(answered_tasks[0], by=ana, text="Cut off.")

    listed_review = review(study, olga, "why=unsure&why=problem&order=name")

    assert [(case.line.fork, case.reasons[0].words) for case in listed_review.cases] == [
        (0, "“Cut off.”"),
        (2, "A1: “drift?”"),
    ]


def test_the_largest_consequence_comes_first(
    compared_study: Campaign, study: Study, olga: User
) -> None:
    listed_review = review(study, olga, "why=change&m=any")

    # Values are 2 up to 50, then 1. From 30 (SDM) the mean of fork 0 is that of 20 twos and 150
    # ones against 8 twos: +6.6 %. The others begin behind the step, where nothing changes.
    assert forks(listed_review) == [0]
    assert listed_review.cases[0].reasons[0].words.startswith("SDM +6.")
    assert listed_review.measured_count == 4


def test_entropy_of_votes() -> None:
    assert (entropy(5, 0), entropy(0, 3), entropy(2, 2)) == (0.0, 0.0, 1.0)
    assert entropy(3, 2) == pytest.approx(0.970951, abs=1e-6)


def test_a_query_says_the_same_again() -> None:
    query = (
        "why=scattered&why=pair&m=any&a=kb-kssd&b=sdm&tol=30&q=merge&order=random&state=closed&p=1"
    )

    assert ReviewQuery.from_query(QueryDict(query)).query() == "?" + query
    assert ReviewQuery.from_query(QueryDict("why=nonsense&tol=-1&o=x")).query() == ""
    assert (
        ReviewQuery.from_query(QueryDict("o=sure")).query() == "?order=least-sure"
    )  # an old address


# --- blindness ----------------------------------------------------------------------------------
def test_who_has_yet_to_answer_has_no_case_of_it(
    split_tasks: list[Task], study: Study, make_person: Callable[..., User], client: Client
) -> None:
    cleo = make_person("cleo", "annotator")
    client.force_login(cleo)

    listed_review = review(study, cleo)
    page = client.get("/s/startup-times/disagreements/").content.decode()

    assert listed_review.cases == ()
    assert listed_review.inputs.left_out == 4
    assert "4 left out because you" in page
    assert "have not been asked" in page


# --- the number beside Review -------------------------------------------------------------------
def case_count(user: User, study: Study) -> int:
    membership = nav_badges.with_badges(
        user.memberships.all(), user, study.slug, page_place="disagreements"
    ).get()
    badge = nav_badges.nav_badges_for(membership).get("disagreements")
    return badge.count if badge else 0


def test_the_number_is_that_of_the_page(
    compared_study: Campaign,
    split_tasks: list[Task],
    study: Study,
    olga: User,
    olgas: Client,
    four_series: list[Series],
    make_person: Callable[..., User],
) -> None:
    assert case_count(olga, study) == len(review(study, olga).cases) == 3

    assert decide(olgas, four_series[0], "exclude", text="cut off").status_code == 201
    assert decide(olgas, four_series[3], "accept").status_code == 201
    assert case_count(olga, study) == len(review(study, olga).cases) == 1

    decide(olgas, four_series[1], "look-again", text="Really?", to_whom=["a1"])
    assert case_count(olga, study) == len(review(study, olga).cases) == 0
    assert case_count(make_person("cleo", "annotator"), study) == 0

    mark(split_tasks[1], compared_study.annotators.get(pseudonym="a1").user, None)
    assert case_count(olga, study) == len(review(study, olga).cases) == 1

    decide(olgas, four_series[0], "undo")
    assert case_count(olga, study) == len(review(study, olga).cases) == 2


def test_the_number_costs_no_query(
    compared_study: Campaign, olgas: Client, study: Study, olga: User
) -> None:
    with CaptureQueriesContext(connection) as captured_queries:
        page = olgas.get("/s/startup-times/runs/").content.decode()

    assert "open cases</span>" in page
    assert [
        query for query in captured_queries if query["sql"].startswith('SELECT "analysis_review')
    ] == []


def test_without_people_methods_are_against_known_answers(
    four_series: list[Series], store: Callable[..., None], study: Study, olga: User
) -> None:
    for series, start in zip(four_series, (50, 50, -1, 50), strict=True):
        Series.objects.filter(pk=series.pk).update(known_start=start)
    store(key_of("kb-kssd"), four_series, [50, 90, 3, None])

    listed_review = review(study, olga, "order=name")

    assert listed_review.campaign is None
    assert forks(listed_review) == [1, 2]
    assert case_count(olga, study) == 0


def test_the_yardstick_that_is_looked_at_is_the_one_that_is_chosen(
    compared_study: Campaign, olgas: Client
) -> None:
    page = olgas.get("/s/startup-times/disagreements/?y=person:first-look:a1").content.decode()

    options_html = page.partition("data-yardstick")[2].partition("</select>")[0]
    assert options_html.count(" selected") == 1
    assert '<option value="person:first-look:a1" selected>' in " ".join(options_html.split())
