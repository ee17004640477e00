"""Another look at a series: open and blind once more, marks kept, the same answer counts."""

from __future__ import annotations

from uuid import uuid4

import pytest
from django.core.exceptions import ValidationError
from django.test import Client

from annotate import blind, exclusions, exports, queries, reannotation
from annotate.blind import EVERYTHING
from annotate.models import Assignment, Campaign, GroundTruth, Task
from annotate.services import ground_truth_columns, save_mark
from people.models import User

QUESTION = "Before or after the second step?"


def answer(task: Task, by: User, index: int) -> None:
    digest = task.series.digest
    save_mark(task, by=by, client_id=uuid4(), digest=digest, kind="steady", index=index)


@pytest.fixture
def answered(task: Task, ana: User, ben: User) -> Task:
    answer(task, ana, 40)
    answer(task, ben, 90)
    return task


@pytest.fixture
def again(answered: Task, olga: User) -> Task:
    assert reannotation.ask_again(answered, whom=["a2"], question=QUESTION, by=olga) == ["a2"]
    return answered


def test_whoever_is_asked_is_blind_once_more_and_nobody_else(
    again: Task, ana: User, ben: User
) -> None:
    assert blind.is_open(ben, again.series)
    assert not blind.is_open(ana, again.series)
    assert queries.next_open(ben, again.campaign) == again
    assert [each.question for each in reannotation.waiting_tasks(ben)] == [QUESTION]
    assert reannotation.waiting_tasks(ana) == []


def test_ground_truth_waits_for_the_answer_and_still_equals_the_marks(again: Task) -> None:
    truth = GroundTruth.objects.get(task=again)

    assert (truth.complete, truth.answered) == (False, 1)
    made = ground_truth_columns(again.campaign, [again])[again.pk]
    assert made
    assert made["marks_digest"] == truth.marks_digest
    assert again.marks.count() == 2


def test_the_page_shows_the_question_and_the_own_earlier_answer(again: Task, ben: User) -> None:
    found = queries.task_data(again, ben)

    assert found["question"] == f"olga asks: “{QUESTION}”"
    assert (found["mine"]["index"], found["mine"]["revision"]) == (90, 1)


def test_the_same_answer_again_is_an_answer(again: Task, ben: User) -> None:
    answer(again, ben, 90)

    assert reannotation.waiting_tasks(ben) == []
    assert queries.task_data(again, ben)["question"] == ""
    assert GroundTruth.objects.get(task=again).complete
    assert list(again.marks.filter(annotator=ben).values_list("revision", "index")) == [
        (1, 90),
        (2, 90),
    ]


def test_taking_the_question_back_gives_the_answer_back(again: Task, ben: User) -> None:
    before = again.marks.get(annotator=ben)

    reannotation.withdraw_question(again, whom=["a2"])

    assert Assignment.objects.get(task=again, user=ben).latest == before
    assert GroundTruth.objects.get(task=again).complete
    assert not blind.is_open(ben, again.series)


def test_an_answer_given_meanwhile_stays_when_the_question_is_taken_back(
    again: Task, ben: User
) -> None:
    answer(again, ben, 41)

    reannotation.withdraw_question(again, whom=["a2"])

    assert queries.task_data(again, ben)["mine"]["index"] == 41


def test_a_closed_campaign_asks_nobody(answered: Task, olga: User) -> None:
    Campaign.objects.filter(pk=answered.campaign_id).update(state=Campaign.State.CLOSED)

    with pytest.raises(reannotation.CampaignClosed, match="First look is closed"):
        reannotation.ask_again(answered, whom=["a2"], question=QUESTION, by=olga)


def test_only_who_has_answered_can_look_again(task: Task, olga: User) -> None:
    with pytest.raises(ValidationError, match="Choose somebody who has answered"):
        reannotation.ask_again(task, whom=["a1", "nobody"], question=QUESTION, by=olga)


def test_the_annotate_page_has_the_question(again: Task, ben: User, client: Client) -> None:
    client.force_login(ben)

    page = client.get(again.get_absolute_url()).content.decode()

    assert QUESTION in page


def test_the_file_has_the_reason_of_an_excluded_series(
    answered: Task, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(exclusions, "_registered", [lambda _: {answered.series.pk: "cut off"}])

    head, row = "".join(exports.ground_truth(answered.campaign, EVERYTHING)).splitlines()

    assert row.split(",")[head.split(",").index("excluded")] == "cut off"
