"""The scenarios of a small comparison: page, files, and what a reader may see of them."""

from __future__ import annotations

import csv
import io
import re
from collections.abc import Callable

import numpy as np
import pytest
from django.core.management import CommandError, call_command
from django.test import Client
from django.urls import reverse

from analysis.comparison.query import ComparisonQuery
from analysis.comparison.table import compare_stored
from analysis.comparison.what_if import WhatIfQuery, what_if
from analysis.comparison.what_if_tables import WHAT_IF_TABLES
from analysis.runs.models import Detection
from annotate.models import Assignment, Campaign, GroundTruth, Task
from people.models import Role, User
from series.models import Series
from tests.analysis.comparison.conftest import key_of, mark

BASE = "/s/startup-times/comparison/what-if"
PLAIN = ComparisonQuery(common=True)
FOLDS = re.compile('<details [^>]*id="scenario-([a-z]+)" data-fold( open)?>')


@pytest.fixture(autouse=True)
def by_script(client: Client) -> None:
    """Parts are asked for by a script: without one the whole page opens them."""
    client.defaults["HTTP_HX_REQUEST"] = "true"


@pytest.fixture(autouse=True)
def _few_resamples(monkeypatch: pytest.MonkeyPatch) -> None:
    """The number of resamples changes nothing but the time that they take."""
    monkeypatch.setattr("analysis.comparison.what_if.resample_count", lambda *_: 60)


def test_the_scenario_as_it_is_has_the_figures_of_the_comparison(
    compared_study: Campaign, vic: User
) -> None:
    comparison = compare_stored(compared_study.study, vic, PLAIN)
    assert comparison is not None

    for query, column in ((WhatIfQuery(), "median_abs"), (WhatIfQuery("mean_abs"), "mean_abs")):
        scenario_results = what_if(comparison, query)
        assert scenario_results is not None
        own_index = scenario_results.scenarios.scenarios.index(scenario_results.scenarios.own)
        truth = comparison.truth
        starts = np.where(truth.steady, truth.index, np.where(truth.never, -1.0, np.nan))
        assert np.array_equal(scenario_results.scenarios.own_starts, starts, equal_nan=True)
        expected_figures = [
            comparison.entry(name).figures[column] for name in scenario_results.ranking.names
        ]
        assert scenario_results.ranking.figures[own_index].tolist() == expected_figures
        assert scenario_results.ranking.names == ("kb-kssd", "sdm")  # no baselines
    assert scenario_results is not None
    assert scenario_results.own_ranks == {"kb-kssd": 1, "sdm": 2}


def test_scenarios_that_rank_nobody_are_told_apart_from_those_that_do(
    client: Client, compared_study: Campaign, vic: User
) -> None:
    client.force_login(vic)

    answer = client.get(f"{BASE}/")

    # Without one of two people some recipes leave nothing steady among the common series.
    scenarios, total = answer.context["scenarios"], answer.context["total"]
    assert scenarios.unranked_count
    assert {placing.scenarios for placing in scenarios.placings(None)} == {
        total - scenarios.unranked_count
    }
    assert f"In {scenarios.unranked_count} of the {total} scenarios" in answer.text


def test_page_and_files_tell_the_same(client: Client, compared_study: Campaign, vic: User) -> None:
    client.force_login(vic)

    response = client.get(f"{BASE}/?common=1&w=settings&f=mean")

    scenarios = response.context["scenarios"]
    text = response.content.decode()
    assert "KB-KSSD comes first" in text
    assert "beats" in text
    assert scenarios.n == 4
    assert [
        truth_row.scenario.recipe for truth_row in scenarios.scenario_truths if truth_row.own
    ] == ["jagt"]
    for table_name, table in WHAT_IF_TABLES.tables.items():
        answer = client.get(f"{BASE}.csv?common=1&what={table_name}&f=mean")
        rows = list(csv.DictReader(io.StringIO(b"".join(answer).decode())))
        assert len(rows) == len(list(table.rows(scenarios)))
    pairs = {(row["family"], row["first"], row["second"]): row for row in rows}
    duels = scenarios.duels(None)
    assert float(pairs["all", "kb-kssd", "sdm"]["share"]) == duels.share(0, 1) == 1.0


def test_each_cell_of_the_ranks_has_a_head(
    client: Client, compared_study: Campaign, vic: User
) -> None:
    client.force_login(vic)

    ranks = client.get(f"{BASE}/").text.partition('id="scenario-ranks"')[2].partition("</table>")[0]

    head, _, body = ranks.partition("<tbody>")
    assert head.count("<th ") == 1 + body.partition("</tr>")[0].count("<td ") == 6


def test_the_answer_and_its_figure_stand_above_folded_tables(
    client: Client, compared_study: Campaign, vic: User
) -> None:
    client.force_login(vic)

    page = client.get(f"{BASE}/").text
    Detection.objects.all().delete()
    empty_page = client.get(f"{BASE}/").text

    assert FOLDS.findall(page) == [("ranks", ""), ("without", ""), ("settings", "")]
    assert page.index("data-answer") < page.index('id="duels"') < page.index("data-fold")
    # Without a method there is nothing else to look at.
    assert FOLDS.findall(empty_page) == [("without", ""), ("settings", " open")]


def test_a_tighter_recipe_leaves_series_undecided(
    compared_study: Campaign, client: Client, vic: User
) -> None:
    """Two marks 2 apart: a cluster for min_samples 2, for 3 none."""
    client.force_login(vic)

    truth_rows = client.get(f"{BASE}/").context["scenarios"].scenario_truths

    counts = {
        (truth_row.scenario.recipe, truth_row.scenario.eps, truth_row.scenario.min_samples): (
            truth_row.steady,
            truth_row.undecided,
        )
        for truth_row in truth_rows
    }
    assert counts["majority-cluster", 50, 2] == (3, 0)
    assert counts["majority-cluster", 50, 3] == (0, 3)
    assert counts["median", None, None] == counts["jagt", 50, 3] == (3, 0)


def test_only_what_a_reader_may_see_makes_scenarios(
    compared_study: Campaign,
    answered_tasks: list[Task],
    make_person: Callable[..., User],
    client: Client,
) -> None:
    person = make_person("cleo", Role.ANNOTATOR)
    compared_study.annotators.create(user=person, pseudonym="a3")
    for order, task in enumerate(answered_tasks):
        Assignment.objects.create(task=task, user=person, order=order)
    for task in answered_tasks[:2]:
        mark(task, person, 41)
    client.force_login(person)

    response = client.get(f"{BASE}/")

    assert response.context["scenarios"].n == 2
    assert "2 left out because you" in response.content.decode()


def test_without_ground_truth_the_page_says_what_it_needs(
    compared_study: Campaign, four_series: list[Series], client: Client, vic: User
) -> None:
    client.force_login(vic)

    page = client.get(f"{BASE}/?y=method:kb-kssd").content.decode()
    GroundTruth.objects.update(complete=False)
    plain_page = client.get(f"{BASE}/?y=campaign:{compared_study.slug}").content.decode()
    csv_bytes = b"".join(client.get(f"{BASE}.csv?y=method:kb-kssd"))

    assert "campaign as the yardstick" in page
    assert "No series that you" in plain_page
    assert csv_bytes.decode().splitlines() == [",".join(WHAT_IF_TABLES.columns(None, "ranks"))]
    assert client.get(f"{BASE}/?y=campaign:nowhere").status_code == 404


def test_methods_may_be_missing(
    answered_tasks: list[Task],
    store: Callable[..., None],
    four_series: list[Series],
    client: Client,
    vic: User,
) -> None:
    store(key_of("fixed"), four_series, [0, 0, 0, 0])
    client.force_login(vic)

    text = client.get(f"{BASE}/").content.decode()

    assert "No method has been" in text
    assert "Ground truth under every" in text


def test_the_comparison_leads_here(client: Client, compared_study: Campaign, vic: User) -> None:
    client.force_login(vic)

    text = client.get(reverse("comparison", args=["startup-times"])).content.decode()

    assert f'href="{BASE}/"' in text


def test_a_campaign_that_nobody_answered_has_no_scenarios(campaign: Campaign) -> None:
    with pytest.raises(CommandError, match="no ground truth yet"):
        call_command("what_if", "startup-times/first-look")
