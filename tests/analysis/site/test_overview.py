"""Home and a study's first page: open work first, counts without what one has yet to answer."""

from __future__ import annotations

import uuid
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
from django.test import Client
from django.urls import reverse

from analysis.runs.models import Detection
from analysis.site import reads
from analysis.site.next_action import next_action
from annotate.answering.services import save_mark
from annotate.campaigns import services as campaigns
from annotate.models import Campaign, Task
from annotate.simulation.simulated_annotators import make_campaign
from people.models import Study, User
from people.services import create_study
from series.models import Benchmark, Dataset, Import, Series


def answer(task: Task, by: User) -> None:
    digest = task.series.digest
    save_mark(task, by=by, client_id=uuid.uuid4(), digest=digest, kind="steady", index=40)


def test_home_of_one_study_is_that_study(client: Client, task: Task, ana: User) -> None:
    client.force_login(ana)

    answer = client.get("/")

    assert answer.headers["Location"] == task.campaign.study.get_absolute_url()


def test_home_of_several_studies_begins_with_the_open_work(
    client: Client, task: Task, ana: User
) -> None:
    create_study(name="Another", by=ana)
    client.force_login(ana)

    content = client.get("/").content.decode().partition('id="content"')[2]

    assert "0 done, 1 to go" in content
    assert content.index("First look") < content.index("<h2>Studies")
    assert "All studies" in client.get(task.campaign.study.get_absolute_url()).content.decode()


def test_home_of_somebody_in_no_study_says_what_to_do(client: Client, stranger: User) -> None:
    client.force_login(stranger)

    page = client.get("/").content.decode()

    assert "You are in no" in page
    assert "/studies/new/" in page


def test_a_new_study_shows_the_way(client: Client, study: Study, olga: User) -> None:
    client.force_login(olga)

    page = client.get(study.get_absolute_url()).content.decode()

    study_address = study.get_absolute_url()
    steps = {
        "Import values": "import/",
        "Start a campaign": "campaigns/new/",
        "Start a run": "runs/new/",
    }
    for words, address in steps.items():
        assert f'<a href="{study_address}{address}">{words}</a>' in page


def test_what_blindness_hides_is_called_hidden_and_never_none(
    client: Client, task: Task, study: Study, ana: User, olga: User
) -> None:
    words = ("Hidden until you have answered", "answered by everybody yet", "No open case")

    def shown(user: User) -> list[bool]:
        client.force_login(user)
        page = client.get(study.get_absolute_url()).content.decode()
        return [word in page for word in words]

    assert shown(ana) == [True, False, False]
    assert shown(olga) == [False, True, True]


def test_a_closed_campaign_is_not_called_answered_by_all(
    client: Client, task: Task, study: Study, olga: User, ana: User, ben: User
) -> None:
    task.assignments.get_or_create(user=ben, defaults={"order": 1})
    answer(task, ana)
    campaigns.close(task.campaign, by=olga)
    client.force_login(olga)

    page = client.get(study.get_absolute_url()).content.decode()

    assert "1 of 1 series" in page
    assert "answered by all" not in page


def test_ground_truth_counts_leave_out_what_the_reader_has_yet_to_answer(
    task: Task, study: Study, olga: User, ana: User, ben: User
) -> None:
    answer(task, ben)
    answer(task, ana)
    campaign = task.campaign
    campaign.pk, campaign.slug, campaign.name = None, "again", "Again"
    campaign.save()
    second_task = Task.objects.create(campaign=campaign, series=task.series, position=1)
    second_task.assignments.create(user=ana, order=0)

    counts = {
        user.username: reads.study_summary(study, user).complete_count for user in (olga, ben, ana)
    }

    assert counts == {"olga": 1, "ben": 1, "ana": 0}


def test_counts_are_those_of_one_campaign(
    client: Client, task: Task, study: Study, olga: User, ana: User, ben: User
) -> None:
    answer(task, ben)
    answer(task, ana)
    first = task.campaign
    Campaign.objects.create(study=study, name="Later", slug="later", state="draft")
    training_campaign = Campaign.objects.create(
        study=study, name="Training", slug="t", purpose="training"
    )
    Task.objects.create(campaign=training_campaign, series=task.series, position=1)

    facts = reads.study_summary(study, olga)

    assert (facts.shown_campaign, facts.complete_count, facts.task_count) == (first, 1, 1)
    client.force_login(olga)
    page = client.get(study.get_absolute_url()).content.decode()
    assert ">First look</a>" in page


def test_every_imported_file_is_counted(
    study: Study, dataset: Dataset, olga: User, monkeypatch: pytest.MonkeyPatch
) -> None:
    def bring(count: int, by: User | None) -> None:
        for number in range(count):
            Import.objects.create(
                study=study, dataset=dataset, by=by, file_name=f"{number}", size=1, state="done"
            )

    monkeypatch.setattr(reads, "IMPORTS_READ", 4)
    bring(2, None)
    bring(6, olga)

    activities = [line.event for line in reads.activity(study)]

    assert activities == ["imported 6 files into Nightly"]
    monkeypatch.setattr(reads, "IMPORTS_READ", 7)
    assert [line.event for line in reads.activity(study)] == [
        "imported 6 files into Nightly",
        "imported 2 files into Nightly",
    ]


def test_strangers_look_round_in_development_only(
    client: Client, olga: User, study: Study, settings: Any
) -> None:
    Study.objects.filter(pk=study.pk).update(slug="demo")
    settings.DEVELOPMENT = True
    assert "Open the demo" in client.get("/").content.decode()

    settings.DEVELOPMENT = False

    page = client.get("/").content.decode()
    assert "Open the demo" not in page
    assert "plateau-demo" not in page


# --- what comes next --------------------------------------------------------------------------
def next_sentence(study: Study, owner: User) -> str:
    action = next_action(study, reads.study_summary(study, owner), owner)
    return action.sentence if action else ""


def test_the_next_action_follows_the_work(
    study: Study, olga: User, ana: User, ben: User, make_task: Any, make_series: Any
) -> None:
    sentences = [next_sentence(study, olga)]
    series = make_series(np.ones(100))
    sentences.append(next_sentence(study, olga))
    task = make_task(series)
    Campaign.objects.update(state=Campaign.State.DRAFT)
    sentences.append(next_sentence(study, olga))
    Campaign.objects.update(state=Campaign.State.OPEN)
    sentences.append(next_sentence(study, olga))
    task.refresh_from_db()
    for assignment in task.assignments.select_related("user"):
        sentences.append(next_sentence(study, olga))
        answer(task, assignment.user)
    sentences.append(next_sentence(study, olga))
    Campaign.objects.update(state=Campaign.State.CLOSED)
    sentences.append(next_sentence(study, olga))

    assert sentences[:3] == [
        "Import your measurements",
        "Nobody annotates First look yet",
        "First look is a draft",
    ]
    assert sentences[3].endswith("answers to give")
    assert sentences[-3:] == [
        "One person still has 1 answer to give",
        "First look is complete",
        "One open case",
    ]


def test_who_is_reminded_is_named_while_they_are_few(
    study: Study, olga: User, ana: User, task: Task
) -> None:
    action_for_two = next_action(study, reads.study_summary(study, olga), olga)
    answer(task, ana)

    action_for_one = next_action(study, reads.study_summary(study, olga), olga)

    assert action_for_two is not None
    assert action_for_one is not None
    base = f"{task.campaign.get_absolute_url()}"
    assert (action_for_two.label, action_for_two.url) == ("Remind ana and ben", f"{base}reminder/")
    assert (action_for_one.label, action_for_one.closure_url) == ("Remind ben", f"{base}closure/")


def test_series_without_an_answer_of_a_detector_come_before_comparing(
    study: Study, olga: User, make_series: Any
) -> None:
    series = [make_series(np.ones(200), fork=fork) for fork in range(3)]
    Campaign.objects.create(study=study, name="Done", slug="done", state="closed")
    sentences = []
    for answered_count in (0, 1, 2, 3):
        for series_row in series[:answered_count]:
            failure_fields = {"slug": "sdm", "outcome": "failed", "error": "no", "milliseconds": 1}
            Detection.objects.get_or_create(
                series=series_row, detector_key="sdm@1", defaults=failure_fields
            )
        sentences.append(next_sentence(study, olga))

    assert sentences == [
        "Run detectors on the series",
        "No detector has answered 2 of the series",
        "No detector has answered one of the series",
        "",
    ]


def test_a_campaign_of_simulated_annotators_asks_nobody(
    study: Study, olga: User, make_series: Any
) -> None:
    make_campaign(study, [make_series(np.ones(200))], by=olga)

    assert next_sentence(study, olga) == "Ask people where each series becomes steady"


def test_only_owners_are_told_what_comes_next(client: Client, study: Study, vic: User) -> None:
    client.force_login(vic)

    page = client.get(study.get_absolute_url()).content.decode()

    assert 'class="next"' not in page
    assert "Import values" not in page


@pytest.mark.parametrize(
    ("counts", "parts"),
    [
        ({}, []),
        ({"steady": 0, "never": 0}, []),
        ({"steady": 1, "never": 0}, [("steady", 1, 0.0, 100.0)]),
        ({"steady": 1, "never": 3}, [("steady", 1, 0.0, 25.0), ("never", 3, 25.0, 75.0)]),
    ],
)
def test_a_bar_has_no_part_for_what_there_is_none_of(
    counts: dict[str, int], parts: list[tuple[str, int, float, float]]
) -> None:
    bar_parts = reads.bar_parts(counts)

    assert [(part.word, part.count, part.x, part.width) for part in bar_parts] == parts


def test_a_label_stands_in_its_part_where_a_narrow_page_has_room_for_it() -> None:
    bar_parts = reads.bar_parts({"steady": 264, "never": 106, "undecided": 26})

    assert [(part.label, part.fits) for part in bar_parts] == [
        ("steady 264", True),
        ("never 106", True),
        ("undecided 26", False),
    ]


def test_one_benchmark_of_each_system_is_drawn_before_a_second_one(
    study: Study, make_series: Any
) -> None:
    first_series = [make_series(np.ones(70), name=f"b{number}") for number in range(9)]
    series = make_series(np.ones(70), name="other")
    Benchmark.objects.filter(pk=series.benchmark_id).update(system="second")

    assert reads.outlined_series(study) == [first_series[0], series, *first_series[1:7]]


@pytest.mark.parametrize("count", [1, 2])
def test_a_study_with_one_method_has_one_answer_and_nothing_to_compare(
    client: Client, study: Study, make_series: Callable[..., Series], olga: User, count: int
) -> None:
    for fork in range(count):
        Detection.objects.create(
            series=make_series([2.0, 1.0, 1.0], fork=fork),
            detector_key="fixed@1?iteration=1",
            slug="fixed",
            outcome="answer",
            steady_start=1,
            published_index=1,
            milliseconds=0.5,
        )
    client.force_login(olga)
    page = client.get(study.get_absolute_url()).content.decode()
    comparison_page = client.get(reverse("comparison", args=[study.slug])).content.decode()

    assert f"{count} answer{'s' if count > 1 else ''}<" in page
    assert "Nothing to compare with" in comparison_page
    assert "No method has been" not in comparison_page
