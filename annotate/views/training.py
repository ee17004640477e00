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
    here = _training_for(request, study, campaign)
    if not here.is_training:
        return redirect(here)
    attempts = training.attempts(here, request.user)
    place = here.annotators.filter(user=request.user).first()
    owner = here.study.role_of(request.user) == Role.OWNER
    context = {
        "campaign": here,
        "study": here.study,
        "attempts": [each for each in reversed(attempts) if each.finished],
        "running": next((each for each in attempts if not each.finished), None),
        "passed_at": place.passed_at if place else None,
        "waiting": _waiting(here, request),
        "standings": training.training_statuses(here) if owner else [],
        "owner": owner,
        "needed": here.pass_mark * len(training.SHAPES),
        "of": len(training.SHAPES),
    }
    return render(request, "annotate/training.html", context)


@require_POST
def begin(request: SignedInRequest, study: str, campaign: str) -> HttpResponse:
    """Go on with the attempt, or take the next one."""
    here = _training_for(request, study, campaign)
    if not here.is_training:
        return redirect(here)
    training.begin(here, request.user)
    return redirect("annotate", study=study, campaign=here.slug)


def _training_for(request: HttpRequest, study: str, campaign: str) -> Campaign:
    """The training itself, or the one that the campaign asks for; the campaign without one."""
    here = campaign_for(request, study, campaign)
    if here.study.role_of(request.user) not in {Role.OWNER, Role.ANNOTATOR}:
        raise PermissionDenied("Viewers do not annotate, so there is nothing to train for.")
    return here.training or here


def _waiting(here: Campaign, request: SignedInRequest) -> list[Campaign]:
    """Open campaigns that ask for this training, and for this person."""
    asking = here.trains.filter(annotators__user=request.user, state=Campaign.State.OPEN)
    return list(asking.select_related("study"))
