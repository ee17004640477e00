"""Reads of the annotate page: a person's own queue, progress and answers, and nothing else."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any
from uuid import UUID

from django.db.models import Count, F, Q

from annotate.answering import reannotation, second_pass, series_aliases
from annotate.models import Annotator, Assignment, Campaign, Mark, Task
from annotate.models.task import TaskQuerySet
from detectors.contract.directions import is_rate
from people.models import Study, User

MINE = (
    "kind",
    "index",
    "changes",
    "unsure",
    "difficulty",
    "note",
    "revision",
)  # of a mark, for the page
PACE_OF = 20  # latest answers that make a person's pace


@dataclass(frozen=True, slots=True)
class QueuedTask:
    """One series in a person's own order; `skipped` counts up with the time of skipping."""

    position: int
    done: bool
    skipped: int


@dataclass(frozen=True, slots=True)
class OpenWork:
    """A campaign that waits for this person."""

    campaign: Campaign
    done: int
    to_go: int

    @property
    def task_count(self) -> int:
        """All series that this person is asked to answer."""
        return self.done + self.to_go


def tasks_of(user: User) -> TaskQuerySet:
    """Tasks that this person is asked to answer, without those that a second pass keeps back."""
    assigned_tasks = Task.objects.visible_to(user).filter(assignments__user=user)
    return assigned_tasks.exclude(pk__in=second_pass.hidden_tasks(user))


def mark_of_repeated_click(
    user: User, study: str, campaign: str, position: int, name: str
) -> Mark | None:
    """The person's own mark of a click that arrives again when its task is shown no more.

    A page that is left at once does not hear that its last answer was stored, and sends it again
    at the next visit; by then a second pass may keep the series back.
    """
    try:
        client_id = UUID(name)
    except ValueError:
        return None
    own_marks = Mark.objects.filter(annotator=user, client_id=client_id, task__position=position)
    campaign_filter = Q(task__campaign__slug=campaign, task__campaign__study__slug=study)
    mark = own_marks.filter(campaign_filter).first()
    is_shown = mark and tasks_of(user).at_position(study, campaign, position).exists()
    return None if is_shown else mark


def asked_count(user: User, campaign: Campaign) -> int:
    """Count the series that this person is asked for, those that a second pass keeps back
    included.
    """
    return Assignment.objects.filter(user=user, task__campaign=campaign).count()


def place_of(user: User, campaign: Campaign) -> Annotator | None:
    """The person's place in the campaign, or None for somebody who does not annotate it."""
    return campaign.annotators.filter(user=user).first()


def queue(user: User, campaign: Campaign) -> list[QueuedTask]:
    """The person's series in their own order: one query, no values."""
    assignments = list(
        Assignment.objects.filter(user=user, task__campaign=campaign)
        .exclude(task__in=second_pass.hidden_tasks(user))
        .order_by("order", "task__position")
        .annotate(position=F("task__position"))
    )
    skip_times = [
        assignment.skipped_at
        for assignment in assignments
        if assignment.skipped_at and not assignment.latest_id
    ]
    skip_number_by_time = {
        skipped_at: skip_number
        for skip_number, skipped_at in enumerate(sorted(skip_times), start=1)
    }
    return [
        QueuedTask(
            assignment.position,
            done=assignment.latest_id is not None,
            skipped=skip_number_by_time.get(assignment.skipped_at, 0)
            if assignment.skipped_at
            else 0,
        )
        for assignment in assignments
    ]


def campaign_to_continue(study: Study, reader: User) -> Campaign | None:
    """The campaign in which the reader goes on, for the one link below a table."""
    campaigns = (work.campaign for work in open_work(reader))
    return next((campaign for campaign in campaigns if campaign.study_id == study.pk), None)


def next_open_task(user: User, campaign: Campaign) -> Task | None:
    """The next task in the person's own order, skipped ones last; None after the last."""
    assignments = Assignment.objects.filter(user=user, task__campaign=campaign, latest=None)
    first = (
        assignments.order_by(F("skipped_at").asc(nulls_first=True), "order", "task__position")
        .select_related("task__campaign__study")
        .first()
    )
    return first.task if first else None


def open_work(user: User) -> list[OpenWork]:
    """Open campaigns that wait for this person, newest first."""
    is_assigned = Q(tasks__assignments__user=user)
    campaigns = (
        Campaign.objects.visible_to(user)
        .filter(state=Campaign.State.OPEN)
        .annotate(
            asked=Count("tasks__assignments", filter=is_assigned, distinct=True),
            to_go=Count(
                "tasks__assignments",
                filter=is_assigned & Q(tasks__assignments__latest=None),
                distinct=True,
            ),
        )
        .filter(to_go__gt=0)
        .select_related("study")
        .order_by("-created")
    )
    return [
        OpenWork(campaign, campaign.asked - campaign.to_go, campaign.to_go)
        for campaign in campaigns
    ]


def pace(user: User, campaign: Campaign) -> list[float]:
    """Seconds of the person's latest answers, oldest first."""
    latest_seconds = (
        Mark.objects.filter(annotator=user, task__campaign=campaign, seconds__isnull=False)
        .order_by("-when", "-pk")
        .values_list("seconds", flat=True)[:PACE_OF]
    )
    return [seconds for seconds in reversed(latest_seconds) if seconds is not None]


def task_data(task: Task, user: User) -> dict[str, Any]:
    """Data from which the page draws one series: values' address, ranges, the person's own answer.

    With `hide_values` the figures are divided by the series' scale, and no unit is named: the
    same picture without a number that could be recognised.
    """
    series, campaign = task.series, task.campaign
    hides_values = campaign.hide_values
    factor = series.scale if hides_values else 1.0
    quantity, unit = ("", "") if hides_values else axis_words(series.benchmark.unit)
    # Nothing that could bias those who do not see the chart
    return {
        "position": task.position,
        "name": "" if campaign.hide_names else str(series),
        "description": f"{task.series.n} iterations, drawn in the same range for everybody.",
        "n": series.n,
        "digest": series_aliases.alias_of(task, user),
        "scale": 1.0 if hides_values else series.scale,
        "unit": unit,
        "quantity": quantity,
        "hidden": hides_values,
        "robust_low": series.robust_low / factor,
        "robust_high": series.robust_high / factor,
        **series_aliases.addresses(task, user),
        **_own_answer(task, user),
    }


def axis_words(unit: str) -> tuple[str, str]:
    """Name what the y-axis shows, in words, and the unit beside its figures."""
    if unit == "s" or unit.startswith("s/"):
        return f"time per {'operation' if unit == 's/op' else unit[2:] or 'iteration'}", "s"
    return ("throughput" if is_rate(unit) else "value"), unit


def _own_answer(task: Task, user: User) -> dict[str, Any]:
    """The person's own answer, and the question of somebody who asks for a new answer."""
    assignments = Assignment.objects.filter(task=task, user=user)
    assignment = assignments.select_related("latest", "asked_by").first()
    if assignment is None:
        return {"mine": None, "question": ""}
    is_asked_again = bool(assignment.question) and assignment.latest is None
    mark = reannotation.earlier_mark(assignment) if is_asked_again else assignment.latest
    question_lead = f"{assignment.asked_by} asks" if assignment.asked_by else "The question is"
    return {
        "mine": None if mark is None else {name: getattr(mark, name) for name in MINE},
        "question": f"{question_lead}: “{assignment.question}”" if is_asked_again else "",
    }


def compact(queued_tasks: Sequence[QueuedTask]) -> dict[str, list[int]]:
    """Positions in the person's order, those done, and those skipped in the order of skipping."""
    skipped_tasks = sorted(
        (queued_task for queued_task in queued_tasks if queued_task.skipped),
        key=lambda queued_task: queued_task.skipped,
    )
    return {
        "order": [queued_task.position for queued_task in queued_tasks],
        "done": [queued_task.position for queued_task in queued_tasks if queued_task.done],
        "skipped": [queued_task.position for queued_task in skipped_tasks],
    }
