"""The agreement of a campaign: its page and its file."""

from __future__ import annotations

from typing import Any

from django.http import Http404, HttpRequest, HttpResponse, StreamingHttpResponse
from django.shortcuts import render
from django.urls import reverse
from django.views.decorators.http import require_GET

from analysis.agreement import drilldown, exports, sentences
from analysis.agreement.figures import AgreementFigures, figures
from analysis.agreement.query import AgreementQuery
from analysis.agreement.reads import read_votes
from annotate.access import campaign_for
from annotate.models import Campaign
from formats import tables
from people import downloads, query_settings
from people.access import SignedInRequest

A_PAGE = 50


@require_GET
def agreement(request: SignedInRequest, study: str, campaign: str) -> HttpResponse:
    here = _campaign(request, study, campaign)
    query_settings.warn_unused_parameters(request, AgreementQuery.settings())
    found = _figures(request, here)
    said = {
        name: getattr(sentences, name)(found)
        for name in (
            "yes_no",
            "chance",
            "alpha",
            "spread",
            "clusters",
            "absences",
            "drifts",
            "twice",
        )
    }
    bands = [(drilldown.spread_code(band), band) for band in found.bands]
    pairs = [(f"pair:{pair.first}:{pair.second}", pair) for pair in found.met]
    context = {**_frame(here, found), "say": said, "bands": bands, "pairs": pairs}
    return render(request, "analysis/agreement/agreement.html", context)


@require_GET
def file(request: SignedInRequest, study: str, campaign: str) -> StreamingHttpResponse:
    here = _campaign(request, study, campaign)
    found = _figures(request, here)
    name = downloads.named(here.study.slug, here.slug, "agreement")
    return downloads.csv(
        tables.write(exports.COLUMNS, exports.agreement_rows(found)), f"{name}.csv"
    )


def _campaign(request: HttpRequest, study: str, slug: str) -> Campaign:
    """Training has no ground truth to agree on, and a second pass belongs to its first one."""
    here = campaign_for(request, study, slug)
    if here.is_training or here.is_repeat:
        raise Http404("neither training nor a second pass has a page of agreement of its own")
    return here


def _figures(request: SignedInRequest, campaign: Campaign) -> AgreementFigures:
    return figures(read_votes(campaign, request.user, AgreementQuery.of(request.GET)))


def _behind(campaign: Campaign, asked: AgreementQuery) -> str:
    """The address that lists the series of a figure, but for the figure's name at its end."""
    base = reverse("disagreements", args=[campaign.study.slug])
    return f"{base}{asked.query(y=f'campaign:{campaign.slug}')}&of="


def _frame(campaign: Campaign, found: AgreementFigures) -> dict[str, Any]:
    return {
        "campaign": campaign,
        "behind": _behind(campaign, found.votes.asked),
        "study": campaign.study,
        "found": found,
        "votes": found.votes,
        "asked": found.votes.asked,
        "left_out": found.votes.left_out,
    }
