"""Other series for a draft: as long as nobody has begun, the first step can be taken again."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from django.core.exceptions import ValidationError
from django.db import transaction

from annotate.attention_checks import set_check_count
from annotate.campaigns import series_order
from annotate.campaigns.assignments import assign
from annotate.campaigns.services import add_series
from annotate.models import Campaign, Mark


def can_change_series(campaign: Campaign) -> bool:
    """A draft without answers, and no second look at what another campaign has chosen."""
    return (
        campaign.state == Campaign.State.DRAFT
        and not campaign.is_training
        and not campaign.is_repeat
        and campaign.follows_id is None
        and not Mark.objects.filter(task__campaign=campaign).exists()
    )


@transaction.atomic
def change_series(
    campaign: Campaign, series: Sequence[int], *, seed: int, selection: Mapping[str, Any]
) -> None:
    """`series` (primary keys) instead of those that are there; positions are shuffled by `seed`.

    People keep their places and get new queues; as many checks as before are dealt among the new
    series. Raises ValidationError for no series, and where people may have met the old ones.
    """
    if not series:
        raise ValidationError({"series": "A campaign needs at least one series."})
    locked_campaign = Campaign.objects.select_for_update(no_key=True).get(pk=campaign.pk)
    if not can_change_series(locked_campaign):
        raise ValidationError("The series of this campaign are fixed: it was opened or answered.")
    check_count = locked_campaign.checks
    set_check_count(locked_campaign, 0)
    locked_campaign.tasks.all().delete()
    locked_campaign.seed, locked_campaign.selection = seed, dict(selection)
    locked_campaign.save(update_fields=["seed", "selection"])
    add_series(locked_campaign, series)
    series_order.arrange(locked_campaign)
    assign(locked_campaign)
    set_check_count(locked_campaign, check_count)
