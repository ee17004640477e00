"""The list of disagreements: people or methods, one case beside it, and the way through it."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from django.test import Client

from annotate.models import Campaign, Task
from people.models import User
from series.models import Series

STUDY = "/s/startup-times/"
LIST = f"{STUDY}disagreements/"


def forks(client: Client, query: str) -> list[int]:
    return [line.fork for line in client.get(f"{LIST}{query}").context["listed"].lines]


def test_the_first_case_stands_beside_the_list(
    compared_study: Campaign, four_series: list[Series], olgas: Client
) -> None:
    page = olgas.get(f"{LIST}?order=name").content.decode()

    assert page.count("data-listed-case") == 3
    assert page.count('data-listed-case aria-current="true"') == 1
    assert "steady: 40 or 42?" in page
    assert "Keep 42" in page
    assert page.count("button-primary") == 1


def test_a_script_is_given_the_case_alone(
    compared_study: Campaign, four_series: list[Series], olgas: Client
) -> None:
    url = f"{LIST}{four_series[1].public_id}/?order=name"

    fragment = olgas.get(url, headers={"HX-Request": "true"}).content.decode()

    assert "data-case-head" in fragment
    assert "data-listed-case" not in fragment
    assert "<html" not in fragment
    assert "data-listed-case" in olgas.get(url).content.decode()


@pytest.mark.parametrize(
    ("query", "expected_forks"),
    [
        # KB: 42 90 never 100, SDM: 30 never 5 103; truth 42 62 never 102, tolerance 10.
        ("?by=methods&order=name", [0, 1, 2]),
        ("?by=methods&cell=differ&of=kb-kssd&other=truth", [1]),
        ("?by=methods&cell=differ&of=&other=truth&order=name", [0, 1, 2]),  # a form chose any
        ("?by=methods&cell=tp&of=sdm&order=name", [0, 3]),
        ("?by=methods&cell=fp&of=sdm", [2]),
        ("?by=methods&by=sdm&common=1&cell=n&of=kb-kssd&order=name", [0, 3]),
    ],
)
def test_a_number_of_the_comparison_opens_its_series(
    compared_study: Campaign, olgas: Client, query: str, expected_forks: list[int]
) -> None:
    assert forks(olgas, query) == expected_forks


@pytest.mark.parametrize(
    "query",
    [
        "?by=methods&cell=height&of=sdm",
        "?by=methods&cell=late&of=pilot",
        "?by=methods&m=nobody",
        "?y=campaign:nowhere",
        "?y=campaign:first-look&of=nonsense",
    ],
)
def test_what_is_not_there_is_no_list(compared_study: Campaign, olgas: Client, query: str) -> None:
    assert olgas.get(f"{LIST}{query}").status_code == 404


def test_both_sides_of_the_switch_say_the_same_counts(
    compared_study: Campaign, olgas: Client
) -> None:
    people = olgas.get(LIST).context["kinds"]
    methods = olgas.get(f"{LIST}?by=methods").context["kinds"]

    assert [kind.count for kind in people] == [kind.count for kind in methods] == [3, 3]


def test_another_answer_is_asked_of_everybody_who_gave_none_like_it(
    answered_tasks: list[Task],
    four_series: list[Series],
    campaign: Campaign,
    olgas: Client,
    ana: User,
    ben: User,
) -> None:
    page = olgas.get(f"{LIST}{four_series[0].public_id}/").content.decode()
    assert '<option value="40">40, ' in page

    fields = {"kind": "look-again", "text": "Earlier?", "take": "40"}
    olgas.post(
        f"{LIST}{four_series[0].public_id}/decisions/",
        {**fields, "client_id": "7d444840-9dc0-11d1-b245-5ffdce74fad2"},
    )

    user_names = (
        answered_tasks[0].assignments.filter(latest=None).values_list("user__username", flat=True)
    )
    index_by_name = {mark.annotator.username: mark.index for mark in answered_tasks[0].marks.all()}
    assert [index_by_name[name] for name in user_names] == [42]


@pytest.mark.parametrize("query", ["", "?by=methods", "?by=methods&cell=excluded", "?of=votes"])
def test_who_has_yet_to_answer_reads_that_it_is_hidden(
    compared_study: Campaign,
    four_series: list[Series],
    make_person: Callable[..., User],
    client: Client,
    query: str,
) -> None:
    client.force_login(make_person("cleo", "annotator"))

    response = client.get(f"{LIST}{query}")

    assert response.context["listed"].lines == []
    assert "until you have answered" in response.content.decode()
    assert client.get(f"{LIST}{four_series[0].public_id}/{query}").status_code == 404
