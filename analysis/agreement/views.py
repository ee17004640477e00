"""The agreement of a campaign: a tab of its page."""

from __future__ import annotations

from typing import Final

from django.urls import reverse

from analysis.agreement import drilldown, exports, sentences
from analysis.agreement.figures import agreement_figures
from analysis.agreement.offset_picture import OffsetPicture
from analysis.agreement.query import AgreementQuery
from analysis.agreement.reads import read_votes
from annotate.campaign_pages.campaign_reading import CampaignReading
from annotate.campaign_pages.campaign_tabs import TabKind, TabLabel, TabPage
from people.access import SignedInRequest

SENTENCES: Final = (
    "yes_no",
    "chance",
    "alpha",
    "offsets",
    "spread",
    "clusters",
    "absences",
    "drifts",
    "twice",
)


def agreement_label(reading: CampaignReading) -> TabLabel | None:
    """The tab of a campaign whose people can agree with each other."""
    return TabLabel("Agreement") if exports.has_agreement(reading.campaign) else None


def agreement_page(request: SignedInRequest, reading: CampaignReading) -> TabPage:
    """Figures of the agreement, each with its sentence and the series behind it."""
    campaign = reading.campaign
    query = AgreementQuery.from_query(request.GET)
    agreement = agreement_figures(read_votes(campaign, request.user, query))
    sentence_by_name = {name: getattr(sentences, name)(agreement) for name in SENTENCES}
    bands = [(drilldown.spread_code(band), band) for band in agreement.bands]
    pairs = [(f"pair:{pair.first}:{pair.second}", pair) for pair in agreement.met]
    of_campaign = query.query(y=f"campaign:{campaign.slug}")
    context = {
        "behind": f"{reverse('disagreements', args=[campaign.study.slug])}{of_campaign}&of=",
        "agreement": agreement,
        "votes": agreement.votes,
        "query": agreement.votes.asked,
        "left_out": agreement.votes.left_out,
        "say": sentence_by_name,
        "bands": bands,
        "pairs": pairs,
        "offsets": OffsetPicture.from_people(agreement.offsets),
    }
    return TabPage("analysis/agreement/agreement.html", context, AgreementQuery.settings())


AGREEMENT: Final = TabKind(agreement_label, agreement_page)
