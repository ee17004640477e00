"""Services of annotators: answer, skip, report; and the ground truth that follows."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any
from uuid import UUID

from django.core.exceptions import ValidationError
from django.utils import timezone

from annotate import campaign_notices
from annotate.answering import training
from annotate.answering.ground_truth_updates import refresh_ground_truth
from annotate.answering.refusals import CampaignNotOpen, NotAssigned, ValuesReplaced
from annotate.answering.truth_transactions import truth_transaction
from annotate.models import Annotator, Assignment, Campaign, Mark, Problem, Task
from people.models import User


def save_mark(
    task: Task,
    *,
    by: User,
    client_id: UUID,
    digest: str,
    kind: str,
    index: int | None = None,
    changes: list[int] | None = None,
    unsure: bool = False,
    difficulty: int | None = None,
    note: str = "",
    seconds: float | None = None,
    guide_version: int = 1,
    view: Mapping[str, Any] | None = None,
) -> Mark:
    """Add a revision, and bring the ground truth up to date with it.

    `digest` is that of the values on the screen. The same `client_id` again is the same click
    arriving twice: it gives back the first mark. Raises CampaignNotOpen,
    ValuesReplaced and NotAssigned, and
    ValidationError with sentences for what the annotator can mend.
    """
    mark = Mark(
        task=task,
        annotator=by,
        client_id=client_id,
        kind=kind,
        index=index,
        changes=changes,
        unsure=unsure and kind != Mark.Kind.UNCLEAR,
        difficulty=difficulty,
        note=note,
        seconds=seconds,
        series_digest=digest,
        guide_version=guide_version,
        view=dict(view or {}),
    )
    # Before the lock, which others wait for. The task and the person are rows at hand; the
    # revision is counted, and a click that came twice is no mistake.
    mark.full_clean(exclude=["task", "annotator", "revision"], validate_unique=False)
    with truth_transaction():
        return _add(mark)


def _add(mark: Mark) -> Mark:
    """Store a checked answer, or give back what this click stored before."""
    task, annotator = mark.task, mark.annotator
    # The lock: of two people who answer at once, neither is missing from the truth; and no
    # answer slips into a campaign while it is being closed.
    campaign = Campaign.objects.select_for_update(no_key=True).get(pk=task.campaign_id)
    if stored_mark := Mark.objects.filter(client_id=mark.client_id).first():
        if (stored_mark.task_id, stored_mark.annotator_id) != (task.pk, annotator.pk):
            raise ValidationError(
                {"client_id": "Another answer has this name. Reload the page and answer again."}
            )
        return stored_mark
    assignments = Assignment.objects.filter(task=task, user=annotator).select_related("user")
    assignment = assignments.first()
    if assignment is None:
        raise NotAssigned(task)
    if campaign.state != Campaign.State.OPEN:
        raise CampaignNotOpen(task, campaign)
    if mark.series_digest != task.series.digest:
        raise ValuesReplaced
    training.admit(assignment, campaign)
    task.campaign = campaign  # as it is under the lock: recipe and state may be newer
    if not campaign.ask_difficulty:
        mark.difficulty = None
    add_revision(assignment, mark)
    refresh_ground_truth(task)
    _follow_up(campaign, mark)
    return mark


def _follow_up(campaign: Campaign, mark: Mark) -> None:
    if campaign.is_training:
        training.note_pass(campaign, mark.annotator)
    elif mark.revision == 1:
        campaign_notices.tell_complete(campaign)


def add_revision(assignment: Assignment, mark: Mark) -> None:
    """Store `mark` as the newest answer of `assignment`. The caller holds the campaign's lock."""
    earlier_marks = Mark.objects.filter(task=assignment.task_id, annotator=assignment.user_id)
    mark.revision = earlier_marks.count() + 1
    mark.save(force_insert=True)
    assignment.latest = mark
    assignment.skipped_at = None
    assignment.question, assignment.asked_by = "", None  # answered
    assignment.save(update_fields=["latest", "skipped_at", "question", "asked_by"])


def skip(task: Task, *, by: User) -> None:
    """Put the task at the end of this person's queue. Skipping twice puts it further back."""
    assignments = Assignment.objects.filter(task=task, user=by, latest=None)
    assignments.update(skipped_at=timezone.now())


def report_problem(task: Task, *, by: User, text: str) -> Problem:
    """Tell the owner what is wrong with the series itself; it stays to be answered or skipped."""
    problem = Problem(task=task, by=by, text=text.strip())
    problem.full_clean()
    open_problem = Problem.objects.filter(
        task=task, by=by, text=problem.text, closed_at=None
    ).first()
    if open_problem:
        return open_problem
    problem.save()
    return problem


def guide_read(annotator: Annotator, *, version: int) -> None:
    """The person closed the instructions in this version; an older one never takes over."""
    newest_version = annotator.campaign.guide_version
    if not 1 <= version <= newest_version:
        message = f"The instructions have versions 1 to {newest_version}; found {version}."
        raise ValidationError(f"{message} Reload the page.")
    Annotator.objects.filter(pk=annotator.pk, guide_seen__lt=version).update(guide_seen=version)
