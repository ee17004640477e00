"""Bars of the open cases on a study's page: the counts of the review, for who may see them."""

from __future__ import annotations

import re

import pytest
from django.test import Client
from django.urls import reverse

from analysis.site.study_parts import review_bars
from annotate.models import Campaign, Task
from people.models import Study, User
from tests.analysis.review.conftest import decide


def bars(client: Client, study: Study) -> str:
    address = reverse("study-review", args=[study.slug])
    return client.get(address, headers={"HX-Request": "true"}).content.decode()


def test_each_reason_has_its_count_and_the_most_frequent_is_first(
    compared_study: Campaign, split_tasks: list[Task], study: Study, olga: User
) -> None:
    bars = review_bars(study, olga)  # series 0 and 3 scattered, 1 a yes and a no

    assert [(bar.code, bar.count, bar.width) for bar in bars] == [
        ("scattered", 2, 85.0),
        ("split", 1, 42.5),
    ]


def test_a_bar_opens_the_review_with_its_cases_alone(
    client: Client, compared_study: Campaign, split_tasks: list[Task], study: Study, olga: User
) -> None:
    client.force_login(olga)

    links = re.findall(r'data-reason="split"><a href="([^"]+)"', bars(client, study))

    assert links == [reverse("disagreements", args=[study.slug]) + "?why=split"]
    assert client.get(links[0]).context["listed"].review.cases[0].reason_codes == ("split",)


def test_a_closed_case_has_no_bar(
    client: Client, compared_study: Campaign, split_tasks: list[Task], study: Study, olga: User
) -> None:
    client.force_login(olga)
    decide(client, split_tasks[1].series, "accept", "?why=split")

    assert [review_bar.code for review_bar in review_bars(study, olga)] == ["scattered"]


def test_series_yet_to_answer_are_in_no_bar(
    compared_study: Campaign, split_tasks: list[Task], study: Study, ana: User
) -> None:
    second_campaign = Campaign.objects.create(study=study, name="Again", slug="again", state="open")
    hidden_task = Task.objects.create(
        campaign=second_campaign, series=split_tasks[1].series, position=1
    )
    hidden_task.assignments.create(user=ana, order=1)

    assert [review_bar.code for review_bar in review_bars(study, ana)] == ["scattered"]


@pytest.mark.parametrize("has_cases", [False, True])
def test_the_page_asks_for_bars_where_there_are_cases(
    request: pytest.FixtureRequest, client: Client, study: Study, olga: User, *, has_cases: bool
) -> None:
    if has_cases:
        request.getfixturevalue("compared_study")
    client.force_login(olga)
    address = reverse("study-review", args=[study.slug])

    page = client.get(study.get_absolute_url()).content.decode()

    assert (f'hx-get="{address}"' in page) == has_cases
    assert ("No open case" in page) != has_cases
    assert client.get(address).headers["Location"] == reverse("disagreements", args=[study.slug])
    assert bars(client, study).count("data-reason") == has_cases
