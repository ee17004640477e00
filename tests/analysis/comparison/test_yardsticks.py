"""Each yardstick that a comparison can be measured by, and that it is really offered."""

from __future__ import annotations

import re
from typing import Any

import pytest
from django.test import Client

from analysis.comparison import significance
from analysis.comparison.query import ComparisonQuery
from analysis.comparison.table import compare_stored
from analysis.references import yardsticks
from annotate import recipes
from annotate.blind import EVERYTHING
from annotate.models import Annotator, Assignment, Campaign, GroundTruth
from annotate.truth.results import results
from people.models import User
from series.models import Series
from tests.analysis.comparison.conftest import mark
from tests.replayed_rows import replayed

COMPARE = "/s/startup-times/comparison/"


@pytest.fixture
@replayed
def trio_campaign(compared_study: Campaign, olga: User, answered_tasks: list[Any]) -> Campaign:
    """Olga has answered all, too: 80, never, never, 104. The others are 40 60 never 100, and +2."""
    Annotator.objects.create(campaign=compared_study, user=olga, pseudonym="a3")
    for task, index in zip(answered_tasks, (80, None, None, 104), strict=True):
        Assignment.objects.create(task=task, user=olga, order=0)
        mark(task, olga, index)
    return compared_study


def offered_codes(client: Client) -> list[str]:
    page = client.get(COMPARE).content.decode()
    select = page[page.index('<select name="y"') :]
    return re.findall(r'<option value="([^"]+)"', select[: select.index("</select>")])


def test_every_yardstick_is_offered_and_gives_a_comparison(
    trio_campaign: Campaign, four_series: list[Series], client: Client, vic: User
) -> None:
    client.force_login(vic)
    other_recipes = [slug for slug in recipes.RECIPES if slug != trio_campaign.recipe]

    codes = offered_codes(client)

    assert codes[0] == "campaign:first-look"
    assert {f"recipe:first-look:{slug}" for slug in other_recipes} <= set(codes)
    for person in ("a1", "a2", "a3"):
        assert {f"person:first-look:{person}", f"others:first-look:{person}"} <= set(codes)
    assert {"method:kb-kssd", "method:sdm"} <= set(codes)
    for code in codes:
        comparison = compare_stored(trio_campaign.study, vic, ComparisonQuery(yardstick=code))
        assert comparison
        assert comparison.yardstick.code == code
    series_address = four_series[0].get_absolute_url()
    page = client.get(f"{series_address}?y=others:first-look:a1").content.decode()
    assert "The others without A1" in page


def test_known_answers_are_offered_where_there_are_any(
    trio_campaign: Campaign, four_series: list[Series], client: Client, vic: User
) -> None:
    client.force_login(vic)
    assert "known" not in offered_codes(client)

    Series.objects.filter(pk=four_series[0].pk).update(known_start=50)

    assert "known" in offered_codes(client)


@pytest.mark.parametrize("slug", list(recipes.RECIPES))
def test_another_recipe_gives_what_a_campaign_with_it_would(
    trio_campaign: Campaign, slug: str
) -> None:
    truth = _truth(trio_campaign, f"recipe:first-look:{slug}")

    answer_by_series = {
        line: (truth.answers.value(line_index), truth.words[line_index])
        for line_index, line in enumerate(
            trio_campaign.tasks.order_by("pk").values_list("series", flat=True)
        )
    }
    expected_answers = {
        result.series.pk: (result.settled.value, result.settled.agreement)
        for result in results(trio_campaign, EVERYTHING, recipe=slug)
    }
    assert answer_by_series == expected_answers


def test_incomplete_series_have_no_answer_by_any_recipe(
    trio_campaign: Campaign, answered_tasks: list[Any]
) -> None:
    GroundTruth.objects.filter(task=answered_tasks[0]).update(complete=False)

    truth = _truth(trio_campaign, "recipe:first-look:median")

    assert truth.answers.value(0) is None
    assert truth.words[0] == ""


def _truth(campaign: Campaign, code: str) -> yardsticks.YardstickAnswers:
    yardstick = yardsticks.yardstick(campaign.study, code)
    assert yardstick
    return yardsticks.yardstick_answers(
        yardstick, list(campaign.tasks.order_by("pk").values_list("series", flat=True))
    )


def test_the_others_without_a_person_are_what_that_person_is_measured_by(
    trio_campaign: Campaign,
) -> None:
    all_result = compare_stored(trio_campaign.study, EVERYTHING, ComparisonQuery(common=False))
    peer_result = compare_stored(
        trio_campaign.study,
        EVERYTHING,
        ComparisonQuery(yardstick="others:first-look:a1", common=False),
    )
    assert all_result
    assert peer_result

    # 42 and 80; 62 and never are no answer; never twice; 102 and 104.
    assert [peer_result.truth.value(line_index) for line_index in range(4)] == [61, None, -1, 103]
    for comparison in (peer_result, all_result):
        figures = comparison.entry("person:a1").figures
        assert figures.items() >= {"n": 2, "manhattan": 24}.items()
    assert [entry.name for entry in peer_result.entries if entry.kind == "person"] == ["person:a1"]


def test_a_method_can_be_tested_against_a_person_by_the_others(trio_campaign: Campaign) -> None:
    comparison = compare_stored(
        trio_campaign.study,
        EVERYTHING,
        ComparisonQuery(yardstick="others:first-look:a1", common=False),
    )
    assert comparison

    pair_page = significance.pair_page(comparison, "kb-kssd", "person:a1")

    # 42, 100 against 40, 100, the others being 61 and 103.
    assert pair_page.answered_questions[0][1].sentence.startswith(
        "KB is closer on 1 series, A1 on 0, and on 1 they are equal"
    )


@pytest.mark.parametrize(
    "code", ["recipe:first-look:mean", "others:first-look:a9", "others:nothing:a1", "recipe:x:jagt"]
)
def test_a_yardstick_that_is_not_there_is_named(trio_campaign: Campaign, code: str) -> None:
    with pytest.raises(yardsticks.UnknownYardstick, match="no yardstick"):
        yardsticks.yardstick(trio_campaign.study, code)
