"""Home, and the first page of a study."""

from __future__ import annotations

from typing import Any

from django.conf import settings
from django.contrib.auth.decorators import login_not_required
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.views.decorators.http import require_GET

from analysis.site import demo, reads
from analysis.site.landing import landing
from analysis.site.next_action import next_action
from analysis.site.study_parts import review_bars, top_methods
from annotate.answering import queries, reannotation, second_pass
from detectors.registry import DEFAULT_METHOD
from people.access import SignedInRequest, study_for
from people.models import Role, Study
from people.services import may_make_first_account


@login_not_required
@require_GET
def home(request: HttpRequest) -> HttpResponse:
    """Show open work and studies; the only study at once; to strangers, what Plateau is."""
    if not request.user.is_authenticated:
        demo_context = _demo_context()
        welcome_context = {
            "demo": demo_context,
            "landing": landing(demo_context["study"], demo_context["people"][0])
            if demo_context
            else landing(),
            "first_account": may_make_first_account(),
            "default_method": DEFAULT_METHOD,
        }
        return render(request, "analysis/site/welcome.html", welcome_context)
    second_pass.deal_due_passes(request.user)
    studies = reads.study_lines(request.user)
    if len(studies) == 1:
        return redirect(studies[0].study)
    context = {
        "work": queries.open_work(request.user),
        "again": reannotation.waiting_tasks(request.user),
        "studies": studies,
        "landing": landing(),
        "default_method": DEFAULT_METHOD,
    }
    return render(request, "analysis/site/home.html", context)


def _demo_context() -> dict[str, Any] | None:
    """Return study, people (the owner first) and password of a development machine's demo.

    The passwords are printed by `make run`; elsewhere there are no such people.
    """
    if not settings.DEVELOPMENT:
        return None
    study = Study.objects.filter(slug=demo.SLUG).first()
    if study is None:
        return None
    memberships = study.memberships.select_related("user").order_by("pk")
    people = tuple(membership.user for membership in memberships)
    return {"study": study, "people": people, "password": demo.PASSWORD} if people else None


@require_GET
def study(request: SignedInRequest, study: str) -> HttpResponse:
    visible_study = study_for(request, study)
    is_owner = visible_study.role_of(request.user) == Role.OWNER
    summary = reads.study_summary(visible_study, request.user)
    context = {
        "study": visible_study,
        "owner": is_owner,
        "summary": summary,
        "next": next_action(visible_study, summary, request.user) if is_owner else None,
        "outlined": reads.outlined_series(visible_study),
        "runs": reads.runs_with_problems(visible_study),
        "activity": reads.activity(visible_study),
        "work": [
            work for work in queries.open_work(request.user) if work.campaign.study == visible_study
        ],
        "again": [
            assignment
            for assignment in reannotation.waiting_tasks(request.user)
            if assignment.task.campaign.study == visible_study
        ],
    }
    return render(request, "analysis/site/study.html", context)


@require_GET
def ranking(request: SignedInRequest, study: str) -> HttpResponse:
    """The part of the study's page that takes a comparison; its own page is the comparison."""
    visible_study = study_for(request, study)
    if not request.headers.get("HX-Request"):
        return redirect("comparison", study=study)
    context = {"study": visible_study, "top": top_methods(visible_study, request.user)}
    return render(request, "analysis/site/_top_methods.html", context)


@require_GET
def review(request: SignedInRequest, study: str) -> HttpResponse:
    """The part of the study's page that looks for cases; its own page is the review."""
    visible_study = study_for(request, study)
    if not request.headers.get("HX-Request"):
        return redirect("disagreements", study=study)
    context = {"study": visible_study, "bars": review_bars(visible_study, request.user)}
    return render(request, "analysis/site/_review_bars.html", context)
