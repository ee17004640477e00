"""Training: where a person stands, what their answers were worth, and the next attempt."""

from __future__ import annotations

from django.core.exceptions import PermissionDenied
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_GET, require_POST

from annotate.access import campaign_for
from annotate.answering import training
from annotate.models import Campaign
from people.access import SignedInRequest
from people.models import Role


@require_GET
@never_cache
def training_page(request: SignedInRequest, study: str, campaign: str) -> HttpResponse:
    """One's own attempts with what was known; for owners, also who has passed."""
    training_campaign = _training_for(request, study, campaign)
    if not training_campaign.is_training:
        return redirect(training_campaign)
    attempts = training.attempts(training_campaign, request.user)
    place = training_campaign.annotators.filter(user=request.user).first()
    owner = training_campaign.study.role_of(request.user) == Role.OWNER
    asking_campaigns = training_campaign.trains.filter(
        annotators__user=request.user, state=Campaign.State.OPEN
    )
    context = {
        "campaign": training_campaign,
        "study": training_campaign.study,
        "attempts": [attempt for attempt in reversed(attempts) if attempt.finished],
        "running": next((attempt for attempt in attempts if not attempt.finished), None),
        "passed_at": place.passed_at if place else None,
        "waiting": list(asking_campaigns.select_related("study")),
        "standings": training.training_statuses(training_campaign) if owner else [],
        "owner": owner,
        "needed": training_campaign.pass_mark * len(training.SHAPES),
        "of": len(training.SHAPES),
    }
    return render(request, "annotate/training.html", context)


@require_POST
def begin_training(request: SignedInRequest, study: str, campaign: str) -> HttpResponse:
    """Go on with the attempt, or take the next one."""
    training_campaign = _training_for(request, study, campaign)
    if not training_campaign.is_training:
        return redirect(training_campaign)
    training.begin_attempt(training_campaign, request.user)
    return redirect("annotate", study=study, campaign=training_campaign.slug)


def _training_for(request: HttpRequest, study: str, campaign: str) -> Campaign:
    """The training itself, or the one that the campaign asks for; the campaign without one."""
    visible_campaign = campaign_for(request, study, campaign)
    if visible_campaign.study.role_of(request.user) not in {Role.OWNER, Role.ANNOTATOR}:
        raise PermissionDenied("Viewers do not annotate, so there is nothing to train for.")
    return visible_campaign.training or visible_campaign
