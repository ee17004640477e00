"""Another look at a series: open and blind once more, marks kept, the same answer counts."""

from __future__ import annotations

from collections.abc import Callable
from uuid import uuid4

import pytest
from django.core.exceptions import ValidationError
from django.test import Client

from annotate import blind, exclusions
from annotate.answering import queries, reannotation
from annotate.answering.ground_truth_updates import ground_truth_columns
from annotate.answering.services import save_mark
from annotate.blind import EVERYTHING
from annotate.models import Annotator, Assignment, Campaign, GroundTruth, Task
from annotate.truth import exports
from people.models import Membership, User
from series.models import Series

QUESTION = "Before or after the second step?"


def answer(task: Task, by: User, index: int) -> None:
    digest = task.series.digest
    save_mark(task, by=by, client_id=uuid4(), digest=digest, kind="steady", index=index)


@pytest.fixture
def answered_task(task: Task, ana: User, ben: User) -> Task:
    answer(task, ana, 40)
    answer(task, ben, 90)
    return task


@pytest.fixture
def asked_task(answered_task: Task, olga: User) -> Task:
    assert reannotation.ask_again(
        answered_task, asked_names=["a2"], question=QUESTION, by=olga
    ) == ["a2"]
    return answered_task


def test_whoever_is_asked_is_blind_once_more_and_nobody_else(
    asked_task: Task, ana: User, ben: User
) -> None:
    assert blind.is_open(ben, asked_task.series)
    assert not blind.is_open(ana, asked_task.series)
    assert queries.next_open_task(ben, asked_task.campaign) == asked_task
    assert [waiting_task.question for waiting_task in reannotation.waiting_tasks(ben)] == [QUESTION]
    assert reannotation.waiting_tasks(ana) == []


def test_ground_truth_waits_for_the_answer_and_still_equals_the_marks(asked_task: Task) -> None:
    truth = GroundTruth.objects.get(task=asked_task)

    assert (truth.complete, truth.answered) == (False, 1)
    columns = ground_truth_columns(asked_task.campaign, [asked_task])[asked_task.pk]
    assert columns
    assert columns["marks_digest"] == truth.marks_digest
    assert asked_task.marks.count() == 2


def test_the_page_shows_the_question_and_the_own_earlier_answer(
    asked_task: Task, ben: User
) -> None:
    task_data = queries.task_data(asked_task, ben)

    assert task_data["question"] == f"olga asks: “{QUESTION}”"
    assert (task_data["mine"]["index"], task_data["mine"]["revision"]) == (90, 1)


def test_the_same_answer_again_is_an_answer(asked_task: Task, ben: User) -> None:
    answer(asked_task, ben, 90)

    assert reannotation.waiting_tasks(ben) == []
    assert queries.task_data(asked_task, ben)["question"] == ""
    assert GroundTruth.objects.get(task=asked_task).complete
    assert list(asked_task.marks.filter(annotator=ben).values_list("revision", "index")) == [
        (1, 90),
        (2, 90),
    ]


def test_taking_the_question_back_gives_the_answer_back(asked_task: Task, ben: User) -> None:
    mark_before = asked_task.marks.get(annotator=ben)

    reannotation.withdraw_question(asked_task, asked_names=["a2"])

    assert Assignment.objects.get(task=asked_task, user=ben).latest == mark_before
    assert GroundTruth.objects.get(task=asked_task).complete
    assert not blind.is_open(ben, asked_task.series)


def test_an_answer_given_meanwhile_stays_when_the_question_is_taken_back(
    asked_task: Task, ben: User
) -> None:
    answer(asked_task, ben, 41)

    reannotation.withdraw_question(asked_task, asked_names=["a2"])

    assert queries.task_data(asked_task, ben)["mine"]["index"] == 41


def test_a_closed_campaign_asks_nobody(answered_task: Task, olga: User) -> None:
    Campaign.objects.filter(pk=answered_task.campaign_id).update(state=Campaign.State.CLOSED)

    with pytest.raises(reannotation.CampaignClosed, match="First look is closed"):
        reannotation.ask_again(answered_task, asked_names=["a2"], question=QUESTION, by=olga)


def test_only_who_has_answered_can_look_again(task: Task, olga: User) -> None:
    with pytest.raises(ValidationError, match="Choose somebody who has answered"):
        reannotation.ask_again(task, asked_names=["a1", "nobody"], question=QUESTION, by=olga)


def test_the_annotate_page_has_the_question(asked_task: Task, ben: User, client: Client) -> None:
    client.force_login(ben)

    page = client.get(asked_task.get_absolute_url()).content.decode()

    assert QUESTION in page


def test_the_file_has_the_reason_of_an_excluded_series(
    answered_task: Task, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(
        exclusions._registered, "present", [lambda _: {answered_task.series.pk: "cut off"}]
    )

    head, row = "".join(exports.ground_truth_csv(answered_task.campaign, EVERYTHING)).splitlines()

    assert row.split(",")[head.split(",").index("excluded")] == "cut off"


@pytest.fixture
def second_task(
    make_series: Callable[..., Series], make_task: Callable[[Series], Task], ana: User, ben: User
) -> Task:
    """Another series of the campaign, which both have answered as well."""
    task = make_task(make_series([5.0] * 60 + [4.0] * 60, fork=1))
    for user in (ana, ben):
        answer(task, user, 60)
    return task


def waiting_pairs() -> set[tuple[int, str]]:
    waiting_assignments = Assignment.objects.filter(latest=None).exclude(question="")
    return set(waiting_assignments.values_list("task", "user__username"))


def test_a_question_is_taken_back_from_whom_it_was_said_and_on_its_series_alone(
    answered_task: Task, second_task: Task, olga: User
) -> None:
    for task in (answered_task, second_task):
        reannotation.ask_again(task, asked_names=["a1", "a2"], question=QUESTION, by=olga)

    reannotation.withdraw_question(answered_task, asked_names=["a2"])

    assert waiting_pairs() == {
        (answered_task.pk, "ana"),
        (second_task.pk, "ana"),
        (second_task.pk, "ben"),
    }


def test_who_has_yet_to_answer_for_the_first_time_is_still_to_answer(
    answered_task: Task, vic: User, olga: User
) -> None:
    Annotator.objects.create(campaign=answered_task.campaign, user=vic, pseudonym="a3")
    Assignment.objects.create(task=answered_task, user=vic, order=0)
    reannotation.ask_again(answered_task, asked_names=["a1"], question=QUESTION, by=olga)

    reannotation.withdraw_question(answered_task, asked_names=["a1", "a3"])

    assert Assignment.objects.filter(task=answered_task, user=vic, latest=None).exists()
    assert waiting_pairs() == set()


def test_only_who_is_in_the_study_is_asked_again(asked_task: Task, ben: User) -> None:
    assert reannotation.waiting_tasks(ben)

    Membership.objects.filter(user=ben).delete()

    assert reannotation.waiting_tasks(ben) == []


def say_unclear(task: Task, user: User) -> None:
    digest = task.series.digest
    save_mark(task, by=user, client_id=uuid4(), digest=digest, kind="unclear", note="two steps")


@pytest.fixture
def screened_task(task: Task, second_task: Task, vic: User) -> Task:
    """Vic stands for the majority of a screening, on both series; he is unclear on the second."""
    screening = Annotator.Kind.SCREENING
    Annotator.objects.create(campaign=task.campaign, user=vic, pseudonym="s1", kind=screening)
    for judged_task in (task, second_task):
        Assignment.objects.create(task=judged_task, user=vic, order=0)
    say_unclear(second_task, vic)
    return task


def test_a_screening_is_undecided_by_its_own_word_on_the_series(
    screened_task: Task, ana: User, vic: User
) -> None:
    say_unclear(screened_task, ana)  # an annotator's word
    assert not reannotation.is_undecided_by_screening(screened_task)

    say_unclear(screened_task, vic)
    assert reannotation.is_undecided_by_screening(screened_task)


def test_what_a_screening_left_undecided_is_asked_of_who_has_it_not(
    screened_task: Task, ben: User, vic: User, olga: User
) -> None:
    say_unclear(screened_task, vic)
    Assignment.objects.filter(task=screened_task, user=ben).delete()

    asked_people = reannotation.ask_again(
        screened_task, asked_names=["a1", "a2"], question=QUESTION, by=olga
    )

    assert asked_people == ["a2"]
    assert waiting_pairs() == {(screened_task.pk, "ben")}


def test_what_a_screening_decided_is_asked_of_nobody_new(
    screened_task: Task, ben: User, olga: User
) -> None:
    Assignment.objects.filter(task=screened_task, user=ben).delete()

    with pytest.raises(ValidationError, match="Choose somebody who has answered"):
        reannotation.ask_again(screened_task, asked_names=["a2"], question=QUESTION, by=olga)
    assert not Assignment.objects.filter(task=screened_task, user=ben).exists()
