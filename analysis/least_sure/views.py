"""The series that people look at first: their order in a campaign, and their file."""

from __future__ import annotations

from urllib.parse import urlencode

from django.contrib import messages
from django.core.exceptions import ValidationError
from django.http import Http404, HttpResponse, StreamingHttpResponse
from django.shortcuts import redirect
from django.urls import reverse
from django.views.decorators.http import require_GET, require_POST

from analysis.least_sure.exports import COLUMNS
from analysis.least_sure.query import LeastSureQuery
from analysis.least_sure.reads import least_sure
from analysis.least_sure.services import ask_in_order, order_named
from annotate.access import owned_campaign_for
from annotate.models import Campaign
from formats import tables
from people import downloads
from people.access import SignedInRequest
from people.undo import success_with_undo


@require_POST
def change_order(request: SignedInRequest, study: str, campaign: str) -> HttpResponse:
    """Change everybody's queue; a sentence says what was done, or why nothing was."""
    ordered_campaign = _ordered_campaign(request, study, campaign)
    least_sure_query = LeastSureQuery.from_query(request.POST)
    try:
        order = order_named(request.POST.get("order", ""))
        had_own_order = not ordered_campaign.tasks.exclude(turn=0).exists()
        queue_message = ask_in_order(
            ordered_campaign, order, count=least_sure_query.count, key=least_sure_query.method
        )
        if had_own_order and order != "own":
            success_with_undo(request, queue_message, request.path, {"order": "own"})
        else:
            messages.success(request, queue_message)
    except ValidationError as refused:
        messages.error(request, " ".join(refused.messages))
    query = urlencode({"y": f"campaign:{ordered_campaign.slug}", "order": "least-sure"})
    return redirect(f"{reverse('disagreements', args=[study])}?{query}")


@require_GET
def least_sure_file(request: SignedInRequest, study: str, campaign: str) -> StreamingHttpResponse:
    """All series that lack marks, least sure first; none that the reader has yet to answer."""
    ordered_campaign = _ordered_campaign(request, study, campaign)
    least_sure_series = least_sure(
        ordered_campaign, request.user, LeastSureQuery.from_query(request.GET).method
    )
    pieces = tables.write_rows(COLUMNS, least_sure_series.rows)
    name = downloads.download_name(ordered_campaign.study.slug, ordered_campaign.slug, "least-sure")
    return downloads.csv(pieces, f"{name}.csv")


def _ordered_campaign(request: SignedInRequest, study: str, campaign: str) -> Campaign:
    """Campaign of an owner that asks for an iteration and can still be answered."""
    owned_campaign = owned_campaign_for(request, study, campaign)
    if not owned_campaign.makes_truth or owned_campaign.state == Campaign.State.CLOSED:
        raise Http404(f"{owned_campaign} asks for no iteration, or for nothing any more")
    return owned_campaign
