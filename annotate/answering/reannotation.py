"""Series that annotators are asked to answer again: open once more, and still blind.

Nothing is taken away. The marks stay as revisions; only which of them counts as this person's
answer is left open until there is a newer one, so blindness, queue, progress and ground truth
treat the series as one that is yet to be answered.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

from django.core.exceptions import ValidationError

from annotate import campaign_notices
from annotate.answering.ground_truth_updates import refresh_ground_truth
from annotate.answering.refusals import Refusal
from annotate.answering.truth_transactions import truth_transaction
from annotate.models import Annotator, Assignment, Campaign, Mark, Task
from people.models import User


class CampaignClosed(Refusal):
    """Refusal of a new question: only an open campaign can ask its annotators again."""

    reason = "closed"

    def __init__(self, campaign: Campaign) -> None:
        super().__init__(
            f"{campaign} is {campaign.state}, so nobody can answer in it again. "
            "Keep the answer, leave the series out, or ask in a new campaign."
        )


@dataclass(frozen=True, slots=True)
class ReannotationTask:
    """One series that waits for a new answer of a person."""

    task: Task
    question: str
    asked_by: User | None


@truth_transaction()
def ask_again(task: Task, *, asked_names: Sequence[str], question: str, by: User) -> list[str]:
    """Open `task` again for the annotators with these pseudonyms; says whom it was opened for.

    Those who have yet to answer are asked already, and left as they are. A series without a
    majority of the screening opens for the first time. Raises CampaignClosed, and ValidationError
    where nobody of these has answered.
    """
    campaign = Campaign.objects.select_for_update(no_key=True).get(pk=task.campaign_id)
    if campaign.state != Campaign.State.OPEN:
        raise CampaignClosed(campaign)
    people = _people(campaign, asked_names)
    answered_assignments = Assignment.objects.filter(
        task=task, user__in=people, latest__isnull=False
    )
    users = {*answered_assignments.values_list("user", flat=True), *_ask_first(task, people)}
    if not users:
        raise ValidationError({"to_whom": "Choose somebody who has answered this series."})
    assignments = Assignment.objects.filter(task=task, user__in=users)
    assignments.update(latest=None, skipped_at=None, question=question, asked_by=by)
    _refresh(task, campaign)
    pseudonyms = sorted(people[user] for user in users)
    campaign_notices.tell_asked_again(task, pseudonyms, by=by)
    return pseudonyms


def is_undecided_by_screening(task: Task) -> bool:
    """Return whether the screening of the same fork had no majority: nobody was asked to mark
    it.
    """
    annotator_kind = Annotator.Kind.SCREENING
    voices = Annotator.objects.filter(campaign=task.campaign_id, kind=annotator_kind).values("user")
    screening_assignments = Assignment.objects.filter(task=task, user__in=voices)
    return screening_assignments.filter(latest__kind=Mark.Kind.UNCLEAR).exists()


def _ask_first(task: Task, people: Mapping[int, str]) -> list[int]:
    """Put what the screening left undecided behind the queues of those who have it not."""
    if not is_undecided_by_screening(task):
        return []
    asked_user_pks = set(task.assignments.values_list("user", flat=True))
    new_user_pks = [user for user in people if user not in asked_user_pks]
    Assignment.objects.bulk_create(
        Assignment(task=task, user_id=user, order=task.position) for user in new_user_pks
    )
    return new_user_pks


@truth_transaction()
def withdraw_question(task: Task, *, asked_names: Iterable[str]) -> None:
    """Whoever has not answered the question yet keeps the answer that they had given before.

    Somebody without an answer is not asked any more.
    """
    campaign = Campaign.objects.select_for_update(no_key=True).get(pk=task.campaign_id)
    people = _people(campaign, asked_names)
    waiting_assignments = Assignment.objects.filter(task=task, user__in=people, latest=None)
    for assignment in waiting_assignments.exclude(question=""):
        mark_before = earlier_mark(assignment)
        if mark_before is None:
            assignment.delete()
            continue
        assignment.latest = mark_before
        assignment.question, assignment.asked_by = "", None
        assignment.save(update_fields=["latest", "question", "asked_by"])
    _refresh(task, campaign)


def earlier_mark(assignment: Assignment) -> Mark | None:
    """The newest mark of this person on this task, whether or not it counts."""
    marks = Mark.objects.filter(task=assignment.task_id, annotator=assignment.user_id)
    return marks.order_by("-revision").first()


def waiting_tasks(user: User) -> list[ReannotationTask]:
    """List what this person is asked to answer again, in open campaigns, in their own order."""
    assignments = Assignment.objects.filter(
        user=user, latest=None, task__campaign__state=Campaign.State.OPEN
    ).exclude(question="")
    visible_assignments = assignments.filter(task__in=Task.objects.visible_to(user))
    rows = visible_assignments.select_related("task__campaign__study", "asked_by")
    return [ReannotationTask(row.task, row.question, row.asked_by) for row in rows]


def _people(campaign: Campaign, asked_names: Iterable[str]) -> dict[int, str]:
    named_annotators = Annotator.objects.filter(campaign=campaign, pseudonym__in=list(asked_names))
    return dict(named_annotators.values_list("user_id", "pseudonym"))


def _refresh(task: Task, campaign: Campaign) -> None:
    task.campaign = campaign  # as it is under the lock
    refresh_ground_truth(task)
