"""The page of the series that people look at first; its buttons change everybody's queue."""

from __future__ import annotations

from urllib.parse import urlencode

from django.contrib import messages
from django.core.exceptions import ValidationError
from django.http import Http404, HttpResponse, StreamingHttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_GET, require_http_methods

from analysis.least_sure.exports import COLUMNS
from analysis.least_sure.query import LeastSureQuery
from analysis.least_sure.reads import LeastSure, least_sure, present_order
from analysis.least_sure.replay import stored_replay
from analysis.least_sure.services import ask_in_order, order_named
from analysis.methods.method_style import MethodStyles
from analysis.runs.certainty import default_key
from annotate.access import owned_campaign_for
from annotate.models import Campaign
from formats import tables
from people import downloads, query_settings
from people.access import SignedInRequest
from people.query_form import FilledControl


@require_http_methods(["GET", "POST"])
@never_cache
def least_sure_page(request: SignedInRequest, study: str, campaign: str) -> HttpResponse:
    """For owners alone; of series that they have yet to answer they read nothing."""
    here = _ordered_campaign(request, study, campaign)
    if request.method == "POST":
        return _change_order(request, here)
    query_settings.warn_unused_parameters(request, LeastSureQuery.settings())
    asked = LeastSureQuery.of(request.GET)
    found = least_sure(here, request.user, asked.method)
    context = {
        "campaign": here,
        "study": here.study,
        "found": found,
        "rows": found.rows[: asked.count],
        "asked": asked,
        "query": asked.query(),
        "controls": _controls(found, asked),
        "present": present_order(here),
        "run_address": _run_address(found),
        "replay": stored_replay(),
        "is_replayed": found.key == stored_replay().method,
    }
    return render(request, "analysis/least_sure/page.html", context)


def _run_address(found: LeastSure) -> str:
    """The form of a run of the campaign's series of which the method has not said it, one data set
    at a time."""
    query = {"dataset": found.unsaid_in, "campaign": found.campaign.slug, "methods": "plateau"}
    return f"{reverse('run-new', args=[found.campaign.study.slug])}?{urlencode(query)}"


@require_GET
def file(request: SignedInRequest, study: str, campaign: str) -> StreamingHttpResponse:
    """All of them, in the same order."""
    here = _ordered_campaign(request, study, campaign)
    found = least_sure(here, request.user, LeastSureQuery.of(request.GET).method)
    pieces = tables.write_rows(COLUMNS, found.rows)
    name = downloads.named(here.study.slug, here.slug, "least-sure")
    return downloads.csv(pieces, f"{name}.csv")


def _ordered_campaign(request: SignedInRequest, study: str, campaign: str) -> Campaign:
    """Of an owner, and such that an iteration is asked in it and an answer can still be given."""
    here = owned_campaign_for(request, study, campaign)
    if not here.makes_truth or here.state == Campaign.State.CLOSED:
        raise Http404(f"{here} asks for no iteration, or for nothing any more")
    return here


def _change_order(request: SignedInRequest, campaign: Campaign) -> HttpResponse:
    asked = LeastSureQuery.of(request.POST)
    try:
        order = order_named(request.POST.get("order", ""))
        done = ask_in_order(campaign, order, count=asked.count, key=asked.method)
        messages.success(request, done)
    except ValidationError as refused:
        messages.error(request, " ".join(refused.messages))
    address = reverse("least-sure", args=[campaign.study.slug, campaign.slug])
    return redirect(address + asked.query())


def _controls(found: LeastSure, asked: LeastSureQuery) -> list[FilledControl]:
    """With the methods that there are to choose from; of one there is no choice."""
    style, usual = MethodStyles(found.campaign.study), default_key()
    keys = dict.fromkeys([usual, *found.keys])
    choices = [("" if key == usual else key, style(key).label) for key in keys]
    return asked.controls(
        choices={"method": choices}, without=() if len(choices) > 1 else ("method",)
    )
