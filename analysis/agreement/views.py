"""The agreement of a campaign: a tab of its page."""

from __future__ import annotations

from typing import Final

from django.urls import reverse

from analysis.agreement import drilldown, exports, sentences
from analysis.agreement.change_scores import ChangeScoreQuery, campaign_change_scores
from analysis.agreement.figures import agreement_figures
from analysis.agreement.offset_picture import OffsetPicture
from analysis.agreement.query import AgreementQuery
from analysis.agreement.reads import read_votes
from annotate.campaign_pages.campaign_reading import CampaignReading
from annotate.campaign_pages.campaign_tabs import TabKind, TabLabel, TabPage
from annotate.models import Campaign
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
    campaign = reading.campaign
    has_tab = campaign.asks_changes or exports.has_agreement(campaign)
    return TabLabel("Agreement") if has_tab else None


def agreement_page(request: SignedInRequest, reading: CampaignReading) -> TabPage:
    """Figures of the agreement, each with its sentence and the series behind it."""
    campaign = reading.campaign
    if campaign.asks_changes:
        return _change_scores_page(request, campaign)
    query = AgreementQuery.from_query(request.GET)
    agreement = agreement_figures(read_votes(campaign, request.user, query))
    sentence_by_name = {name: getattr(sentences, name)(agreement) for name in SENTENCES}
    bands = [(drilldown.spread_code(band), band) for band in agreement.bands]
    pairs = [(f"pair:{pair.first}:{pair.second}", pair) for pair in agreement.comparable_pairs]
    campaign_query = query.query(y=f"campaign:{campaign.slug}")
    context = {
        "behind": f"{reverse('disagreements', args=[campaign.study.slug])}{campaign_query}&of=",
        "agreement": agreement,
        "votes": agreement.votes,
        "query": agreement.votes.query,
        "left_out": agreement.votes.hidden_count,
        "say": sentence_by_name,
        "bands": bands,
        "pairs": pairs,
        "offsets": OffsetPicture.from_people(agreement.offsets),
    }
    return TabPage("analysis/agreement/agreement.html", context, AgreementQuery.settings())


def _change_scores_page(request: SignedInRequest, campaign: Campaign) -> TabPage:
    """Scores of methods and people on all changes of level."""
    query = ChangeScoreQuery.from_query(request.GET)
    result = campaign_change_scores(campaign, request.user, query)
    context = {"result": result, "query": query, "series_query": query.query(what="change-series")}
    return TabPage("analysis/agreement/change_scores.html", context, ChangeScoreQuery.settings())


AGREEMENT: Final = TabKind(agreement_label, agreement_page)
