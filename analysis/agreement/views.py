"""The agreement of a campaign: a tab of its page, and its file."""

from __future__ import annotations

from typing import Final

from django.http import Http404, HttpRequest, StreamingHttpResponse
from django.urls import reverse
from django.views.decorators.http import require_GET

from analysis.agreement import drilldown, exports, sentences
from analysis.agreement.figures import AgreementFigures, agreement_figures
from analysis.agreement.offset_picture import OffsetPicture
from analysis.agreement.query import AgreementQuery
from analysis.agreement.reads import read_votes
from annotate.access import campaign_for
from annotate.campaign_pages.campaign_reading import CampaignReading
from annotate.campaign_pages.campaign_tabs import TabKind, TabLabel, TabPage
from annotate.models import Campaign
from formats import tables
from people import downloads
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
    return TabLabel("Agreement") if _has_agreement(reading.campaign) else None


def agreement_page(request: SignedInRequest, reading: CampaignReading) -> TabPage:
    """Figures of the agreement, each with its sentence and the series behind it."""
    campaign = reading.campaign
    agreement = _figures(request, campaign)
    sentence_by_name = {name: getattr(sentences, name)(agreement) for name in SENTENCES}
    bands = [(drilldown.spread_code(band), band) for band in agreement.bands]
    pairs = [(f"pair:{pair.first}:{pair.second}", pair) for pair in agreement.met]
    context = {
        "behind": _behind(campaign, agreement.votes.asked),
        "found": agreement,
        "votes": agreement.votes,
        "asked": agreement.votes.asked,
        "left_out": agreement.votes.left_out,
        "say": sentence_by_name,
        "bands": bands,
        "pairs": pairs,
        "offsets": OffsetPicture.from_people(agreement.offsets),
    }
    return TabPage("analysis/agreement/agreement.html", context, AgreementQuery.settings())


AGREEMENT: Final = TabKind(agreement_label, agreement_page)


@require_GET
def agreement_file(request: SignedInRequest, study: str, campaign: str) -> StreamingHttpResponse:
    visible_campaign = _campaign(request, study, campaign)
    agreement = _figures(request, visible_campaign)
    name = downloads.download_name(visible_campaign.study.slug, visible_campaign.slug, "agreement")
    return downloads.csv(
        tables.table_text(exports.COLUMNS, exports.agreement_rows(agreement)), f"{name}.csv"
    )


def _campaign(request: HttpRequest, study: str, slug: str) -> Campaign:
    campaign = campaign_for(request, study, slug)
    if not _has_agreement(campaign):
        raise Http404("neither training nor a second pass has an agreement of its own")
    return campaign


def _has_agreement(campaign: Campaign) -> bool:
    """Training has no ground truth to agree on, and a second pass belongs to its first one."""
    return not campaign.is_training and not campaign.is_repeat


def _figures(request: SignedInRequest, campaign: Campaign) -> AgreementFigures:
    return agreement_figures(
        read_votes(campaign, request.user, AgreementQuery.from_query(request.GET))
    )


def _behind(campaign: Campaign, query: AgreementQuery) -> str:
    """The address that lists the series of a figure, but for the figure's name at its end."""
    base = reverse("disagreements", args=[campaign.study.slug])
    return f"{base}{query.query(y=f'campaign:{campaign.slug}')}&of="
