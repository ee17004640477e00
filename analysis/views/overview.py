"""Home, and the first page of a study."""

from __future__ import annotations

from django.contrib.auth.decorators import login_required
from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.views.decorators.http import require_GET

from analysis import overview
from analysis.models import Run
from annotate import queries
from people.access import SignedInRequest, study_for
from people.models import Role


@require_GET
def home(request: HttpRequest) -> HttpResponse:
    """Open work first; for strangers, what Plateau is."""
    if not request.user.is_authenticated:
        return render(request, "site/welcome.html")
    context = {
        "work": queries.open_work(request.user),
        "studies": overview.study_lines(request.user),
    }
    return render(request, "site/home.html", context)


@login_required
@require_GET
def study(request: SignedInRequest, study: str) -> HttpResponse:
    here = study_for(request, study)
    context = {
        "study": here,
        "owner": here.role_of(request.user) == Role.OWNER,
        "facts": overview.facts(here, request.user),
        "runs": Run.objects.filter(study=here).select_related("started_by", "study")[:5],
        "activity": overview.activity(here),
        "work": [each for each in queries.open_work(request.user) if each.campaign.study == here],
    }
    return render(request, "site/study.html", context)
