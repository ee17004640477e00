"""One answer, one revision, and the ground truth that follows from it."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any
from uuid import UUID, uuid4

import pytest
from django.core.exceptions import ValidationError
from django.utils import timezone

from annotate.answering.ground_truth_updates import refresh_ground_truth
from annotate.answering.refusals import CampaignNotOpen, NotAssigned, ValuesReplaced
from annotate.answering.services import guide_read, report_problem, save_mark, skip
from annotate.models import Annotator, Assignment, Campaign, Mark, Task
from people.models import User
from series.models import Series


def say(
    task: Task, by: User, kind: str = "steady", index: int | None = None, **fields: Any
) -> Mark:
    fields.setdefault("client_id", uuid4())
    fields.setdefault("digest", task.series.digest)
    return save_mark(task, by=by, kind=kind, index=index, **fields)


def test_a_change_of_mind_adds_a_revision_and_keeps_the_old_one(task: Task, ana: User) -> None:
    say(task, ana, index=3)
    say(task, ana, "never")

    assert [str(mark) for mark in task.marks.all()] == ["ana: steady from 3", "ana: never steady"]
    assert [mark.revision for mark in task.marks.all()] == [1, 2]


def test_the_newest_revision_is_the_one_that_counts(task: Task, ana: User) -> None:
    say(task, ana, index=3)
    latest_mark = say(task, ana, index=9)

    assert task.assignments.get(user=ana).latest == latest_mark
    assert task.ground_truth.steady_start == 9


def test_first_last_and_never_are_three_answers(task: Task, ana: User) -> None:
    for kind, index in (("steady", 0), ("steady", 119), ("never", None)):
        say(task, ana, kind, index)

    assert list(task.marks.values_list("kind", "index")) == [
        ("steady", 0),
        ("steady", 119),
        ("never", None),
    ]


def test_the_same_click_arriving_twice_is_one_mark(task: Task, ana: User) -> None:
    click = UUID("00000000-0000-4000-8000-000000000001")

    first = say(task, ana, index=3, client_id=click)
    second_mark = say(task, ana, index=3, client_id=click)

    assert first == second_mark
    assert task.marks.count() == 1


def test_a_retry_is_answered_even_after_the_campaign_was_closed(task: Task, ana: User) -> None:
    click = uuid4()
    first = say(task, ana, index=3, client_id=click)
    Campaign.objects.update(state=Campaign.State.CLOSED)

    assert say(task, ana, index=3, client_id=click) == first


def test_an_id_of_another_answer_is_refused(
    task: Task, ana: User, ben: User, make_task: Callable[[Series], Task]
) -> None:
    click = uuid4()
    say(task, ana, index=3, client_id=click)

    with pytest.raises(ValidationError):
        say(task, ben, index=3, client_id=click)

    assert task.marks.count() == 1


def test_a_closed_campaign_takes_no_marks_and_says_who_closed_it(
    task: Task, ana: User, olga: User
) -> None:
    moment = timezone.now().replace(hour=14, minute=5)
    Campaign.objects.update(state=Campaign.State.CLOSED, closed_by=olga, closed_at=moment)

    with pytest.raises(CampaignNotOpen) as error_info:
        say(task, ana, index=3)

    assert error_info.value.sentence == (
        "First look was closed by olga at 14:05. Your answer to series 1 was not stored."
    )
    assert not task.marks.exists()


def test_a_draft_takes_no_marks(task: Task, ana: User) -> None:
    Campaign.objects.update(state=Campaign.State.DRAFT)

    with pytest.raises(CampaignNotOpen, match="First look has not started yet"):
        say(task, ana, index=3)


def test_marks_of_other_values_than_the_series_has_are_refused(task: Task, ana: User) -> None:
    with pytest.raises(ValuesReplaced) as error_info:
        say(task, ana, index=3, digest="0" * 64)

    assert error_info.value.sentence == (
        "This series was replaced after you opened it. Nothing was saved."
    )
    assert not task.marks.exists()


def test_somebody_who_is_not_asked_cannot_answer(task: Task, olga: User) -> None:
    with pytest.raises(NotAssigned):
        say(task, olga, index=3)


@pytest.mark.parametrize(
    ("kind", "index", "note", "sentence"),
    [
        ("steady", 120, "", "Series 1 has iterations 0 to 119."),
        ("unclear", None, "  ", "Say what makes it unclear; one sentence is enough."),
        ("steady", None, "", "Say from which iteration on the series is steady."),
        ("never", 4, "", "An iteration belongs to “steady from”, and only there."),
    ],
)
def test_a_wrong_answer_says_what_to_mend(
    task: Task, ana: User, kind: str, index: int | None, note: str, sentence: str
) -> None:
    with pytest.raises(ValidationError) as error_info:
        say(task, ana, kind, index, note=note)

    assert error_info.value.messages == [sentence]
    assert not task.marks.exists()


def test_what_was_on_the_screen_is_kept_with_the_answer(task: Task, ana: User) -> None:
    view = {"from": 0, "to": 120, "y": "full", "log": True, "width": 1175, "ratio": 2}

    say(task, ana, index=3, view=view, seconds=12.5, guide_version=2, unsure=True, note="GC?")

    mark = task.marks.get()
    assert (mark.view, mark.seconds, mark.guide_version) == (view, 12.5, 2)
    assert (mark.unsure, mark.note, mark.series_digest) == (True, "GC?", task.series.digest)


def test_unclear_is_never_unsure_besides(task: Task, ana: User) -> None:
    assert say(task, ana, "unclear", note="Two levels.", unsure=True).unsure is False


def test_ground_truth_is_provisional_until_all_have_answered(
    task: Task, ana: User, ben: User
) -> None:
    say(task, ana, index=40)
    assert (task.ground_truth.answered, task.ground_truth.complete) == (1, False)

    say(task, ben, index=42)

    task.ground_truth.refresh_from_db()
    truth = task.ground_truth
    assert (truth.answered, truth.complete, truth.spread) == (2, True, 2)
    assert (truth.steady, truth.steady_start, truth.agreement) == (True, 42, "scattered")
    assert truth.recipe_key == "jagt@1?eps=50&min_samples=3"


def test_the_cluster_names_the_people_whose_marks_are_in_it(
    campaign: Campaign,
    make_person: Callable[..., User],
    make_task: Callable[[Series], Task],
    series: Series,
) -> None:
    for number in (3, 4, 5):
        person = make_person(f"p{number}", "annotator")
        Annotator.objects.create(campaign=campaign, user=person, pseudonym=f"a{number}")
    task = make_task(series)
    people = [annotator.user for annotator in campaign.annotators.all()]

    for person, index in zip(people, (10, 12, 15, 90, 110), strict=True):
        say(task, person, index=index)

    truth = task.ground_truth
    assert (truth.agreement, truth.steady_start, truth.spread) == ("clustered", 12, 100)
    assert truth.cluster == [person.pk for person in people[:3]]


def test_ground_truth_without_a_mark_is_no_row(task: Task) -> None:
    assert refresh_ground_truth(task) is None
    assert not Task.objects.filter(ground_truth__isnull=False).exists()


def test_a_skipped_series_is_at_the_end_until_it_is_answered(task: Task, ana: User) -> None:
    skip(task, by=ana)
    assert task.assignments.get(user=ana).skipped_at

    say(task, ana, index=3)

    assert task.assignments.get(user=ana).skipped_at is None


def test_an_answered_series_is_not_skipped(task: Task, ana: User) -> None:
    say(task, ana, index=3)

    skip(task, by=ana)

    assert task.assignments.get(user=ana).skipped_at is None


def test_a_problem_told_twice_is_one_report(task: Task, ana: User, ben: User) -> None:
    report_problem(task, by=ana, text=" Cut off at 80. ")
    report_problem(task, by=ana, text="Cut off at 80.")
    report_problem(task, by=ben, text="Cut off at 80.")

    assert [str(problem.by) for problem in task.problems.order_by("pk")] == ["ana", "ben"]


def test_an_older_reading_of_the_guide_never_takes_over(campaign: Campaign, ana: User) -> None:
    campaign.guide_version = 3
    campaign.save()
    place = campaign.annotators.get(user=ana)
    guide_read(place, version=3)

    guide_read(place, version=2)

    place.refresh_from_db()
    assert place.guide_seen == 3
    with pytest.raises(ValidationError):
        guide_read(place, version=4)


def test_two_people_who_answer_do_not_see_each_others_revision(
    task: Task, ana: User, ben: User
) -> None:
    say(task, ana, index=3)

    assert say(task, ben, index=4).revision == 1
    assert Assignment.objects.filter(latest__isnull=False).count() == 2
