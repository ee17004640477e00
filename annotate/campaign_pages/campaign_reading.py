"""A campaign as one reader sees it: what several tabs of its page show is read once."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

from annotate.blind import HiddenSeriesCount
from annotate.campaign_pages import progress
from annotate.campaign_pages.progress import CampaignLine
from annotate.models import Campaign
from annotate.truth import results
from annotate.truth.results import StoredTruth
from people.models import User


@dataclass(frozen=True)
class CampaignReading:
    """A campaign and a reader; each figure is read when it is first asked for."""

    campaign: Campaign
    reader: User

    @cached_property
    def line(self) -> CampaignLine:
        """The campaign as the list of campaigns shows it."""
        return progress.campaign_line(self.campaign)

    @cached_property
    def counted(self) -> int:
        """Number of its series, checks left out."""
        return self.campaign.tasks.counted().count()

    @cached_property
    def truths(self) -> list[StoredTruth]:
        """Ground truths that the reader may see, by position."""
        return results.stored_truths(self.campaign, self.reader)

    @cached_property
    def left_out(self) -> HiddenSeriesCount:
        """Series of the ground truth that are kept from the reader, and why."""
        return results.count_hidden_from_reader(
            self.campaign, self.reader, seen_count=len(self.truths)
        )
