"""Ground truth has one source: page, its order, CSV, comparison and report say what is stored."""

from __future__ import annotations

import csv
import io
import zipfile
from dataclasses import dataclass

import numpy as np
import pytest
from django.core.management import CommandError, call_command
from django.test import Client

from analysis.comparison.query import ComparisonQuery
from analysis.comparison.table import ComparisonResult, compare_stored
from analysis.report.bundle import Report
from annotate.campaigns import services as campaigns
from annotate.models import Campaign, GroundTruth, Task
from annotate.truth import exports, results
from people.models import User
from series.models import Series
from tests.analysis.comparison.conftest import mark

Starts = dict[str, int | None]  # by digest of the series; -1 never, None undecided

pytestmark = pytest.mark.django_db


@dataclass(frozen=True)
class TruthReadings:
    """What five readers say of the same campaign."""

    page: Starts
    order: list[int]
    file: Starts
    compared: Starts
    report: Starts

    @classmethod
    def of(cls, client: Client, campaign: Campaign, owner: User) -> TruthReadings:
        client.force_login(owner)
        address = campaign.get_absolute_url()
        rows = client.get(address, {"tab": "truth", "sort": "start"}).context["rows"]
        results = [result for result, *_ in rows]
        comparison = compare_stored(campaign.study, owner, ComparisonQuery())
        assert comparison is not None
        return cls(
            page={result.series.digest: result.settled.value for result in results},
            order=[result.task.position for result in results],
            file=in_column("steady_start", "".join(exports.ground_truth_csv(campaign, owner))),
            compared=_compared_starts(comparison),
            report=_reported_starts(comparison),
        )

    def agree(self, campaign: Campaign) -> bool:
        """Whether all say the same, and the order is that of what they say."""
        tasks = campaign.tasks.select_related("series")
        start_by_position = {task.position: self.page[task.series.digest] for task in tasks}
        by_start = sorted(
            start_by_position,
            key=lambda position: (
                -2 if (it := start_by_position[position]) is None else it,
                position,
            ),
        )
        return self.order == by_start and self.page == self.file == self.compared == self.report


def in_column(name: str, text: str) -> Starts:
    rows = csv.DictReader(io.StringIO(text))
    return {row["series_digest"]: int(row[name]) if row[name] else None for row in rows}


def _compared_starts(comparison: ComparisonResult) -> Starts:
    answers = comparison.inputs.truth.answers
    starts = np.where(answers.never, -1, answers.index).tolist()
    digests = dict(Series.objects.values_list("pk", "digest"))
    return {
        digests[line.pk]: int(start) if is_given else None
        for line, start, is_given in zip(
            comparison.inputs.lines, starts, answers.given, strict=True
        )
    }


def _reported_starts(comparison: ComparisonResult) -> Starts:
    with zipfile.ZipFile(io.BytesIO(Report(comparison).zip)) as archive:
        return in_column("yardstick", archive.read("series.csv").decode())


def check(campaign: Campaign) -> None:
    call_command("recompute", f"{campaign.study.slug}/{campaign.slug}", check=True)


def test_a_change_of_recipe_is_seen_by_all_five(
    client: Client, compared_study: Campaign, answered_tasks: list[Task], olga: User
) -> None:
    digests = [task.series.digest for task in answered_tasks]
    readings_before = TruthReadings.of(client, compared_study, olga)
    assert [readings_before.page[digest] for digest in digests] == [42, 62, -1, 102]
    assert readings_before.agree(compared_study)

    campaigns.change_recipe(compared_study, recipe="majority-cluster", params={})

    compared_study.refresh_from_db()
    readings_after = TruthReadings.of(client, compared_study, olga)
    assert [readings_after.page[digest] for digest in digests] == [None, None, -1, None]
    assert readings_after.agree(compared_study)
    check(compared_study)


def test_a_change_of_its_parameters_is_seen_by_all_five(
    client: Client, compared_study: Campaign, answered_tasks: list[Task], olga: User, ben: User
) -> None:
    mark(answered_tasks[0], ben, 41)
    digests = [task.series.digest for task in answered_tasks]
    close_settings = {"eps": 1, "min_samples": 2}

    campaigns.change_recipe(compared_study, recipe="majority-cluster", params=close_settings)

    compared_study.refresh_from_db()
    readings = TruthReadings.of(client, compared_study, olga)
    assert [readings.page[digest] for digest in digests] == [41, None, -1, None]
    assert readings.agree(compared_study)
    result_by_digest = {
        result.series.digest: result for result in results.results(compared_study, olga)
    }
    assert result_by_digest[digests[0]].truth.cluster == ("a1", "a2")
    assert "eps 1, min_samples 2" in result_by_digest[digests[0]].sentence
    rows = csv.DictReader(io.StringIO("".join(exports.ground_truth_csv(compared_study, olga))))
    assert {row["recipe_params"] for row in rows} == {"eps=1&min_samples=2"}


def test_all_five_read_what_is_stored(
    client: Client, compared_study: Campaign, answered_tasks: list[Task], olga: User
) -> None:
    GroundTruth.objects.filter(task=answered_tasks[3]).update(steady_start=7)

    readings = TruthReadings.of(client, compared_study, olga)

    assert readings.page[answered_tasks[3].series.digest] == 7
    assert readings.order[:2] == [answered_tasks[2].position, answered_tasks[3].position]
    assert readings.agree(compared_study)
    with pytest.raises(CommandError, match="1 of 4 series differ"):
        check(compared_study)


def test_another_recipe_in_a_file_is_made_of_the_marks_and_stores_nothing(
    compared_study: Campaign, answered_tasks: list[Task], olga: User
) -> None:
    truths = list(GroundTruth.objects.order_by("pk").values())

    text = "".join(exports.ground_truth_csv(compared_study, olga, recipe="majority-cluster"))

    start_by_digest = in_column("steady_start", text)
    assert [start_by_digest[task.series.digest] for task in answered_tasks] == [
        None,
        None,
        -1,
        None,
    ]
    assert list(GroundTruth.objects.order_by("pk").values()) == truths


def test_a_person_who_joins_is_waited_for_everywhere(compared_study: Campaign, olga: User) -> None:
    assert GroundTruth.objects.settled().count() == 4

    campaigns.add_annotators(compared_study, [olga])

    assert not GroundTruth.objects.settled().exists()
    check(compared_study)
