"""The order in which a campaign asks for the series that people look at first."""

from __future__ import annotations

from urllib.parse import urlencode

from django.contrib import messages
from django.core.exceptions import ValidationError
from django.http import HttpResponse
from django.shortcuts import redirect
from django.urls import reverse
from django.views.decorators.http import require_POST

from analysis.least_sure.exports import ordered_campaign_for
from analysis.least_sure.query import LeastSureQuery
from analysis.least_sure.services import ask_in_order, find_order
from people.access import SignedInRequest
from people.undo import success_with_undo


@require_POST
def change_order(request: SignedInRequest, study: str, campaign: str) -> HttpResponse:
    """Change everybody's queue; a sentence says what was done, or why nothing was."""
    ordered_campaign = ordered_campaign_for(request, study, campaign)
    least_sure_query = LeastSureQuery.from_query(request.POST)
    try:
        order = find_order(request.POST.get("order", ""))
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
