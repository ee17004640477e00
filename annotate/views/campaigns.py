"""Campaigns: list, what changes one, guide, own answers, files."""

from __future__ import annotations

from collections.abc import Callable

from django.contrib import messages
from django.core.exceptions import ValidationError
from django.core.paginator import Paginator
from django.http import Http404, HttpRequest, HttpResponse, StreamingHttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.urls import reverse
from django.utils import timezone
from django.views.decorators.http import require_GET, require_http_methods, require_POST

from annotate.access import campaign_for, owned_campaign_for
from annotate.answering import second_pass
from annotate.campaign_pages import progress
from annotate.campaign_pages.query import OWN_ANSWERS, CampaignQuery, OwnAnswersQuery
from annotate.campaigns import services as campaigns
from annotate.importing import screening, screening_table
from annotate.models import Annotator, Assignment, Campaign, Problem
from annotate.truth import exports
from people import downloads, markdown, query_settings
from people.access import SignedInRequest, study_for
from people.models import Role
from people.undo import state_before, success_with_undo
from series.queries import has_series

A_PAGE = 50


# --- list ---------------------------------------------------------------------------------------
@require_GET
def campaign_list(request: SignedInRequest, study: str) -> HttpResponse:
    here = study_for(request, study)
    owner = here.role_of(request.user) == Role.OWNER
    mine = set(here.campaigns.filter(annotators__user=request.user).values_list("pk", flat=True))
    shown = [
        line
        for line in progress.lines(here)
        if owner or line.campaign.state != Campaign.State.DRAFT or line.campaign.pk in mine
    ]
    context = {
        "study": here,
        "owner": owner,
        "lines": [line for line in shown if not line.campaign.archived_at],
        "archived": [line for line in shown if line.campaign.archived_at],
        "mine": mine,
        "any_series": has_series(here),
    }
    return render(request, "annotate/campaigns/list.html", context)


# --- one campaign -------------------------------------------------------------------------------
@require_POST
def open_campaign(request: SignedInRequest, study: str, campaign: str) -> HttpResponse:
    """Open a campaign; undone, it is the draft or the closed campaign that it was."""
    here = owned_campaign_for(request, study, campaign)
    before = {"state": here.state}
    if _is_done(request, lambda: campaigns.open_campaign(here)):
        address = reverse("campaign-closure", args=[study, campaign])
        success_with_undo(request, "The campaign is open.", address, before=before)
    return redirect(here)


@require_http_methods(["GET", "POST"])
def close_campaign(request: SignedInRequest, study: str, campaign: str) -> HttpResponse:
    """Closes the campaign; its page asks first, in a dialog that a GET leads to."""
    here = owned_campaign_for(request, study, campaign)
    if request.method == "GET":
        return redirect(f"{here.get_absolute_url()}{CampaignQuery(dialog='close').query()}")
    if (state_before(request) or {}).get("state") == Campaign.State.DRAFT:
        if _is_done(request, lambda: campaigns.make_draft(here)):
            messages.success(request, "The campaign is a draft again.")
    elif _is_done(request, lambda: campaigns.close(here, by=request.user)):
        address = reverse("campaign-opening", args=[study, campaign])
        success_with_undo(request, "The campaign is closed.", address)
    return redirect(here)


@require_POST
def archive_campaign(request: SignedInRequest, study: str, campaign: str) -> HttpResponse:
    """Below the list, or back into it; its marks and ground truth count as before."""
    here = owned_campaign_for(request, study, campaign)
    archived = (state_before(request) or {"archived": here.archived_at is None})["archived"]
    if _is_done(request, lambda: campaigns.archive(here, archived=archived)):
        words = f"{here} is {'in' if archived else 'out of'} the archive."
        success_with_undo(request, words, request.path, before={"archived": not archived})
    return redirect("campaigns", study=study)


@require_POST
def close_problem(
    request: SignedInRequest, study: str, campaign: str, problem: int
) -> HttpResponse:
    """Take a problem report off the campaign's page, or undo that."""
    here = owned_campaign_for(request, study, campaign)
    report = get_object_or_404(Problem, pk=problem, task__campaign=here)
    undone = state_before(request) is not None
    report.closed_by, report.closed_at = (None, None) if undone else (request.user, timezone.now())
    report.save(update_fields=["closed_by", "closed_at"])
    if not undone:
        success_with_undo(request, "The problem report is done.", request.path, before={})
    return redirect(here)


@require_GET
def guide(request: SignedInRequest, study: str, campaign: str) -> HttpResponse:
    here = campaign_for(request, study, campaign)
    context = {"campaign": here, "study": here.study, "text": markdown.render(here.instructions)}
    return render(request, "annotate/campaigns/guide.html", context)


@require_GET
def mine(request: SignedInRequest, study: str, campaign: str) -> HttpResponse:
    """One's own answers, and nobody else's anything."""
    here = campaign_for(request, study, campaign)
    get_object_or_404(Annotator, campaign=here, user=request.user)
    query_settings.warn_unused_parameters(request, OwnAnswersQuery.settings())
    chosen = OwnAnswersQuery.of(request.GET).only
    answered = Assignment.objects.filter(
        user=request.user, task__campaign=here, latest__isnull=False, **OWN_ANSWERS.get(chosen, {})
    ).select_related("latest", "task__series__benchmark")
    hidden = second_pass.hidden_tasks(request.user).filter(campaign=here)
    answered = answered.exclude(task__in=hidden)
    page = Paginator(answered.order_by("task__position"), A_PAGE).get_page(request.GET.get("page"))
    context = {
        "campaign": here,
        "study": here.study,
        "page": page,
        "filters": list(OWN_ANSWERS),
        "hidden": hidden.count(),
        "only": chosen,
    }
    return render(request, "annotate/campaigns/mine.html", context)


# --- what comes of it ---------------------------------------------------------------------------
@require_POST
def mark_steady(request: SignedInRequest, study: str, campaign: str) -> HttpResponse:
    """Close a screening and go on with the draft that marks what it judged steady."""
    here = owned_campaign_for(request, study, campaign)
    try:
        made = screening.mark_steady(here, by=request.user, tied="tied" in request.POST)
    except ValidationError as refused:
        messages.error(request, " ".join(refused.messages))
        return redirect(here)
    messages.success(request, f"{here} is closed; {made} has the same forks.")
    return redirect("campaign-edit", study=study, campaign=made.slug)


def _file_name(campaign: Campaign, what: str) -> str:
    return f"{downloads.named(campaign.study.slug, campaign.slug, what)}.csv"


@require_GET
def ground_truth_csv(request: SignedInRequest, study: str, campaign: str) -> StreamingHttpResponse:
    here = campaign_for(request, study, campaign)
    if here.is_screening:
        rows = screening_table.screening_csv(here, request.user)
        return downloads.csv(rows, _file_name(here, "screening"))
    if not here.makes_truth:
        raise Http404(f"{here} makes no ground truth")
    return downloads.csv(exports.ground_truth(here, request.user), _file_name(here, "ground-truth"))


@require_GET
def marks_csv(request: SignedInRequest, study: str, campaign: str) -> StreamingHttpResponse:
    here = campaign_for(request, study, campaign)
    if here.is_training:
        raise Http404("answers of a training are in no file")
    latest = request.GET.get("revisions") == "latest"
    return downloads.csv(
        exports.marks(here, request.user, latest=latest), _file_name(here, "marks")
    )


def _is_done(request: HttpRequest, act: Callable[[], None]) -> bool:
    """Do it; where that is refused, say why and return False."""
    try:
        act()
    except ValidationError as refused:
        messages.error(request, " ".join(refused.messages))
        return False
    return True
