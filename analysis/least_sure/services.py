"""The order in which a campaign asks: some series before the others, or least sure first."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final, Literal, get_args

from django.core.exceptions import ValidationError
from django.db import transaction

from analysis.least_sure.reads import least_sure
from analysis.runs.certainty import stated_certainties
from analysis.statistics.marking_order import TURN, turns
from annotate.blind import EVERYTHING
from annotate.campaigns.assignments import ask_in_turns
from annotate.models import Campaign
from people.templatetags.writing import grouped

NOTHING_SAID = (
    "No method has said how sure it is of these series: run Plateau on them first. The order can "
    "also be chosen later, on the campaign's page."
)


Order = Literal["first", "all", "own"]
ORDERS: Final[tuple[Order, ...]] = get_args(Order)


def find_order(name: str) -> Order:
    """ValidationError for a name that no order has."""
    for order in ORDERS:
        if order == name:
            return order
    raise ValidationError(f"found the order {name[:20]!r}, expected one of {', '.join(ORDERS)}")


@transaction.atomic
def ask_in_order(campaign: Campaign, order: Order, *, count: int = TURN, key: str = "") -> str:
    """Ask the `count` least sure series before the others, all least sure first, or as before.

    It looks at all series, also at those that whoever asks may not see: a queue shows an order
    and no answer. Says what was done; ValidationError where there is no queue, or nothing is said.
    """
    if not campaign.makes_truth or campaign.state == Campaign.State.CLOSED:
        raise ValidationError(f"{campaign} asks for no iteration, or for nothing any more.")
    if order == "own":
        ask_in_turns(campaign, {})
        return "Each person has a random order of their own again."
    if order == "all":
        ask_in_turns(campaign, turns_by_certainty(campaign, key))
        return "Everybody is asked for the least sure series first now."
    rows = least_sure(campaign, EVERYTHING, key).rows[:count]
    if not rows:
        raise ValidationError(NOTHING_SAID)
    first_task_pks = {row.task.pk for row in rows}
    other_tasks = campaign.tasks.exclude(pk__in=first_task_pks).values_list("pk", flat=True)
    ask_in_turns(campaign, dict.fromkeys(other_tasks, 1))
    return f"{grouped(len(first_task_pks))} series are first in everybody’s queue now."


def turns_by_certainty(campaign: Campaign, key: str = "") -> Mapping[int, int]:
    """The turn of each task; ValidationError where no method has said how sure it is of any.

    Tasks of which nothing is said, as of checks that are no series of the study, are spread among
    the others by lot: nobody can tell them apart by when they come.
    """
    tasks = dict(campaign.tasks.values_list("pk", "series"))
    certainties = stated_certainties(tasks.values(), key)
    widths = {
        pk: certainties[series].width for pk, series in tasks.items() if series in certainties
    }
    if not widths:
        raise ValidationError(NOTHING_SAID)
    return turns(list(tasks), widths, seed=campaign.seed)
