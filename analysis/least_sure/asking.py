"""Order in which an owner can ask for the series that lack marks, shown beside the list."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from urllib.parse import urlencode

from django.urls import reverse

from analysis.least_sure.query import MOST
from analysis.least_sure.reads import LeastSure, least_sure, present_order
from analysis.least_sure.replay import stored_replay
from analysis.methods.method_style import MethodStyles
from analysis.runs.certainty import default_key
from analysis.statistics.marking_order import TURN
from annotate.models import Campaign
from detectors.registry import DEFAULT_METHOD
from people.models import Role, User


@dataclass(frozen=True, slots=True)
class AskingOrder:
    """The order in which a campaign asks, and what it could ask first.

    present_sentence  the present order, as a sentence
    saved_sentence    how many marks the order saves; empty for a method without a count
    methods           keys and labels of methods that say how sure they are
    """

    least_sure: LeastSure
    present_sentence: str
    saved_sentence: str
    methods: Sequence[tuple[str, str]]
    count: int = TURN
    max_count: int = MOST

    @property
    def run_address(self) -> str:
        """The form of a run of the series of which the method has not said how sure it is."""
        campaign = self.least_sure.campaign
        query = {
            "dataset": self.least_sure.unsaid_dataset,
            "campaign": campaign.slug,
            "methods": DEFAULT_METHOD,
        }
        return f"{reverse('run-new', args=[campaign.study.slug])}?{urlencode(query)}"


def asking_order(campaign: Campaign | None, reader: User) -> AskingOrder | None:
    """Asking order for an owner; None for others, and for campaigns that ask for no iteration
    any more.
    """
    if campaign is None or not campaign.makes_truth or campaign.state == Campaign.State.CLOSED:
        return None
    if campaign.study.role_of(reader) != Role.OWNER:
        return None
    least_sure_tasks, replay = least_sure(campaign, reader), stored_replay()
    style_of, default_method_key = MethodStyles(campaign.study), default_key()
    keys = dict.fromkeys([default_method_key, *least_sure_tasks.keys])
    return AskingOrder(
        least_sure=least_sure_tasks,
        present_sentence=present_order(campaign),
        saved_sentence=replay.sentence if least_sure_tasks.key == replay.method else "",
        methods=[("" if key == default_method_key else key, style_of(key).label) for key in keys],
    )
