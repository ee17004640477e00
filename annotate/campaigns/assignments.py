"""Assignments: which series of a campaign each annotator gets, and in which order."""

from __future__ import annotations

import random
from collections.abc import Collection, Mapping, Sequence
from math import ceil

from django.db import transaction
from django.db.models import Count

from annotate.models import Annotator, Assignment, Campaign, Task

AT_A_TIME = 500  # rows of a bulk insert


def assign(campaign: Campaign, new_user_pks: Collection[int] = ()) -> None:
    """Bring assignments up to date with series, people, overlap and caps.

    Everybody gets every series, or k of the m people get each; a cap cuts a person's queue. Of a
    draft what nobody has answered is dealt anew with each person. Once a campaign is open nothing
    is taken from anybody, who may have it on the screen: of k people a series, each of
    `new_user_pks` gets an equal share, of series with the fewest people first.
    """
    annotators = list(campaign.annotators.human().order_by("pk"))
    deals_later = campaign.overlap is not None and campaign.state != Campaign.State.DRAFT
    if campaign.overlap is not None and not deals_later:
        Assignment.objects.filter(task__campaign=campaign, latest=None).delete()
    assigned_pairs = set(
        Assignment.objects.filter(task__campaign=campaign).values_list("task_id", "user_id")
    )
    task_pks = list(campaign.tasks.to_mark().order_by("position").values_list("pk", flat=True))
    for annotator_index, annotator in enumerate(annotators):
        if not deals_later:
            own_task_pks = _window(task_pks, annotator_index, len(annotators), campaign.overlap)
        elif annotator.user_id in new_user_pks:
            own_task_pks = _share(campaign, len(annotators))
        else:
            continue
        queue = _own_order(campaign, annotator, own_task_pks)[: annotator.cap]
        Assignment.objects.bulk_create(
            (
                Assignment(task_id=task_pk, user_id=annotator.user_id, order=order)
                for order, task_pk in enumerate(queue)
                if (task_pk, annotator.user_id) not in assigned_pairs
            ),
            batch_size=AT_A_TIME,
        )


def _window(
    task_pks: Sequence[int], annotator_index: int, people_count: int, overlap: int | None
) -> list[int]:
    """A window of `overlap` people that moves on by one with each series: all get equal shares."""
    return [
        task_pk
        for task_index, task_pk in enumerate(task_pks)
        if overlap is None or (annotator_index - task_index) % people_count < overlap
    ]


def _share(campaign: Campaign, people_count: int) -> list[int]:
    """Tasks for somebody who joins later: an equal share, of series with the fewest people."""
    tasks = campaign.tasks.to_mark()
    tasks_by_people = tasks.annotate(people=Count("assignments")).order_by("people", "position")
    share = ceil(min(campaign.overlap or people_count, people_count) * tasks.count() / people_count)
    return list(tasks_by_people.values_list("pk", flat=True)[:share])


def _own_order(campaign: Campaign, annotator: Annotator, task_pks: Sequence[int]) -> list[int]:
    """The person's own order: of campaign and pseudonym, so that it can be repeated.

    Earlier turns come first; within one the order is the person's own.
    """
    queue = list(task_pks)
    random.Random(f"{campaign.seed} {annotator.pseudonym}").shuffle(queue)  # noqa: S311
    turns = dict(campaign.tasks.exclude(turn=0).values_list("pk", "turn"))
    return sorted(queue, key=lambda task_pk: turns.get(task_pk, 0))


@transaction.atomic
def ask_in_turns(campaign: Campaign, turns: Mapping[int, int]) -> None:
    """Ask the tasks (primary keys) in these turns, from 0; those that are not named in the first.

    What is answered stays where it was in its queue; what is open takes the places of what was.
    """
    # The same lock as a mark takes: none slips in between reading a queue and writing it.
    locked_campaign = Campaign.objects.select_for_update(no_key=True).get(pk=campaign.pk)
    tasks = list(locked_campaign.tasks.all())
    moved_tasks = [task for task in tasks if task.turn != turns.get(task.pk, 0)]
    for task in moved_tasks:
        task.turn = turns.get(task.pk, 0)
    Task.objects.bulk_update(moved_tasks, ["turn"], batch_size=AT_A_TIME)
    for annotator in locked_campaign.annotators.human():
        _reorder(locked_campaign, annotator)


def _reorder(campaign: Campaign, annotator: Annotator) -> None:
    open_assignments = list(
        Assignment.objects.filter(
            task__campaign=campaign, user=annotator.user_id, latest=None
        ).order_by("task__position")
    )
    queue = _own_order(campaign, annotator, [assignment.task_id for assignment in open_assignments])
    places = dict(
        zip(queue, sorted(assignment.order for assignment in open_assignments), strict=True)
    )
    for assignment in open_assignments:
        assignment.order = places[assignment.task_id]
    Assignment.objects.bulk_update(open_assignments, ["order"], batch_size=AT_A_TIME)
