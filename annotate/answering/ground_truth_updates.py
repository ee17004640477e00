"""Ground truth brought up to date with marks: derived, never edited."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, Final

from annotate import recipes
from annotate.models import Annotator, Assignment, Campaign, GroundTruth, Mark, Task

# Columns of a ground truth, all of which follow from marks and recipe.
DERIVED: Final = (
    *("recipe_key", "marks_digest", "steady", "steady_start", "agreement", "spread"),
    *("cluster", "answered", "complete"),
)


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
