"""Assignments: which series of a campaign each annotator gets, and in which order."""

from __future__ import annotations

import random
from collections.abc import Sequence

from annotate.models import Annotator, Assignment, Campaign

AT_A_TIME = 500  # rows of a bulk insert


def assign(campaign: Campaign) -> None:
    """Bring assignments up to date with series, people, overlap and caps.

    Everybody gets every series, or k of the m people get each; a cap cuts a
    person's queue. What somebody has answered stays assigned to them.
    """
    annotators = list(campaign.annotators.order_by("pk"))
    tasks = list(campaign.tasks.order_by("position").values_list("pk", flat=True))
    there = set(
        Assignment.objects.filter(task__campaign=campaign).values_list("task_id", "user_id")
    )
    for place, annotator in enumerate(annotators):
        mine = [
            task
            for number, task in enumerate(tasks)
            if _asked(place, number, len(annotators), campaign.overlap)
        ]
        queue = _own_order(campaign, annotator, mine)[: annotator.cap]
        Assignment.objects.bulk_create(
            (
                Assignment(task_id=task, user_id=annotator.user_id, order=order)
                for order, task in enumerate(queue)
                if (task, annotator.user_id) not in there
            ),
            batch_size=AT_A_TIME,
        )


def _asked(place: int, number: int, people: int, overlap: int | None) -> bool:
    # A window of `overlap` people that moves on by one with each series: all get equal shares.
    return overlap is None or (place - number) % people < overlap


def _own_order(campaign: Campaign, annotator: Annotator, tasks: Sequence[int]) -> list[int]:
    """The person's own order: of campaign and pseudonym, so that it can be repeated."""
    queue = list(tasks)
    random.Random(f"{campaign.seed} {annotator.pseudonym}").shuffle(queue)  # noqa: S311
    return queue
