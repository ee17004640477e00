"""Services of annotators: answer, skip, report; and the ground truth that follows."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, Final
from uuid import UUID

from django.core.exceptions import ValidationError
from django.utils import timezone

from annotate import campaign_notices, recipes
from annotate.answering import training
from annotate.answering.refusals import CampaignNotOpen, NotAssigned, ValuesReplaced
from annotate.answering.truth_transactions import truth_transaction
from annotate.models import Annotator, Assignment, Campaign, GroundTruth, Mark, Problem, Task
from people.models import User

# Columns of a ground truth, all of which follow from marks and recipe.
DERIVED: Final = (
    *("recipe_key", "marks_digest", "steady", "steady_start", "agreement", "spread"),
    *("cluster", "answered", "complete"),
)


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


def refresh_ground_truth(task: Task) -> GroundTruth | None:
    """The recipe's answer to everybody's latest mark: derived, never edited.

    None, and no row, while nobody has answered. The caller holds the campaign's lock.
    """
    truths = refresh_ground_truths(task.campaign, [task])
    return truths[0] if truths else None


def refresh_ground_truths(campaign: Campaign, tasks: Sequence[Task]) -> list[GroundTruth]:
    """Bring the ground truths of many tasks of one campaign up to date; those that nobody has
    answered have none.
    """
    columns = ground_truth_columns(campaign, tasks)
    tasks_without_truth = [task for task in tasks if columns[task.pk] is None]
    if tasks_without_truth:
        GroundTruth.objects.filter(task__in=tasks_without_truth).delete()
    truths = [GroundTruth(task_id=key, **row) for key, row in columns.items() if row]
    # One statement, where looking first would be three more under a lock that others wait for.
    GroundTruth.objects.bulk_create(
        truths, update_conflicts=True, unique_fields=["task"], update_fields=DERIVED
    )
    return truths


def ground_truth_columns(
    campaign: Campaign, tasks: Sequence[Task]
) -> dict[int, dict[str, Any] | None]:
    """Columns that the row of each task must hold, made from its marks; None while there is no
    mark.
    """
    latest_by_task: dict[int, dict[int, Mark | None]] = {task.pk: {} for task in tasks}
    if not campaign.makes_truth:
        return dict.fromkeys(latest_by_task)
    assignments = Assignment.objects.filter(task__in=latest_by_task)
    if campaign.checks:
        assignments = assignments.filter(task__expected=None)  # known answers never count
    for assignment in assignments.select_related("latest"):
        latest_by_task[assignment.task_id][assignment.user_id] = assignment.latest
    answering_users = {
        user for marks in latest_by_task.values() for user, mark in marks.items() if mark
    }
    people = Annotator.objects.filter(campaign=campaign, user__in=answering_users)
    annotators = {annotator.user_id: annotator for annotator in people}
    return {key: _columns(campaign, marks, annotators) for key, marks in latest_by_task.items()}


def _columns(
    campaign: Campaign, latest_marks: Mapping[int, Mark | None], annotators: Mapping[int, Annotator]
) -> dict[str, Any] | None:
    """`latest_marks`: the newest mark of each person who was asked, by their primary key."""
    marks = {user: mark for user, mark in latest_marks.items() if mark}
    if not marks:
        return None
    is_complete = campaign.state == Campaign.State.CLOSED or len(marks) == len(latest_marks)
    names = {
        user: annotators[user].pseudonym if user in annotators else f"user {user}" for user in marks
    }
    screening_users = {
        user for user, annotator in annotators.items() if annotator.kind == Annotator.Kind.SCREENING
    }
    votes = [
        recipes.RecipeMark(names[user], mark.kind, mark.index, screened=user in screening_users)  # type: ignore[arg-type]  # choices, as text
        for user, mark in marks.items()
    ]
    truth = recipes.aggregate(campaign.recipe, votes, campaign.params, complete=is_complete)
    users = {name: user for user, name in names.items()}
    row = (
        recipes.get(campaign.recipe).key(campaign.params),
        recipes.marks_digest(votes),
        *(truth.steady, truth.steady_start, truth.agreement, truth.spread),
        [users[name] for name in truth.cluster],
        *(len(marks), is_complete),
    )
    return dict(zip(DERIVED, row, strict=True))


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
