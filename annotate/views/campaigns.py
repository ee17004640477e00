"""Campaigns: list, what changes one, guide, own answers, files."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial

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
from annotate.importing import screening
from annotate.importing.outcome_table import outcome_name, outcome_table
from annotate.models import Annotator, Assignment, Campaign, Problem
from annotate.truth import exports
from formats import tables
from people import downloads, markdown, query_settings
from people.access import SignedInRequest, study_for
from people.models import Role
from people.undo import success_with_undo, undone_state
from series.queries import has_series

A_PAGE = 50


# --- list ---------------------------------------------------------------------------------------
@require_GET
def campaign_list(request: SignedInRequest, study: str) -> HttpResponse:
    """List the campaigns of a study; a study's only campaign is shown itself."""
    visible_study = study_for(request, study)
    owner = visible_study.role_of(request.user) == Role.OWNER
    own_pks = set(
        visible_study.campaigns.filter(annotators__user=request.user).values_list("pk", flat=True)
    )
    shown_lines = [
        line
        for line in progress.campaign_lines(visible_study)
        if owner or line.campaign.state != Campaign.State.DRAFT or line.campaign.pk in own_pks
    ]
    if len(shown_lines) == 1 and not shown_lines[0].campaign.archived_at:
        return redirect(shown_lines[0].campaign)
    context = {
        "study": visible_study,
        "owner": owner,
        "lines": [line for line in shown_lines if not line.campaign.archived_at],
        "archived": [line for line in shown_lines if line.campaign.archived_at],
        "mine": own_pks,
        "any_series": has_series(visible_study),
    }
    return render(request, "annotate/campaigns/list.html", context)


# --- one campaign -------------------------------------------------------------------------------
@require_POST
def open_campaign(request: SignedInRequest, study: str, campaign: str) -> HttpResponse:
    """Open a campaign; undone, it is the draft or the closed campaign that it was."""
    owned_campaign = owned_campaign_for(request, study, campaign)
    state_fields = {"state": owned_campaign.state}
    if _try_change(request, lambda: campaigns.open_campaign(owned_campaign)):
        address = reverse("campaign-closure", args=[study, campaign])
        success_with_undo(request, "The campaign is open.", address, before=state_fields)
    return redirect(owned_campaign)


@require_http_methods(["GET", "POST"])
def close_campaign(request: SignedInRequest, study: str, campaign: str) -> HttpResponse:
    """Closes the campaign; its page asks first, in a dialog that a GET leads to."""
    owned_campaign = owned_campaign_for(request, study, campaign)
    if request.method == "GET":
        return redirect(
            f"{owned_campaign.get_absolute_url()}{CampaignQuery(dialog='close').query()}"
        )
    if (undone_state(request) or {}).get("state") == Campaign.State.DRAFT:
        if _try_change(request, lambda: campaigns.make_draft(owned_campaign)):
            messages.success(request, "The campaign is a draft again.")
    elif _try_change(request, lambda: campaigns.close(owned_campaign, by=request.user)):
        address = reverse("campaign-opening", args=[study, campaign])
        success_with_undo(request, "The campaign is closed.", address)
    return redirect(owned_campaign)


@require_POST
def archive_campaign(request: SignedInRequest, study: str, campaign: str) -> HttpResponse:
    """Below the list, or back into it; its marks and ground truth count as before."""
    owned_campaign = owned_campaign_for(request, study, campaign)
    is_archived = (undone_state(request) or {"archived": owned_campaign.archived_at is None})[
        "archived"
    ]
    if _try_change(
        request, lambda: campaigns.archive_campaign(owned_campaign, is_archived=is_archived)
    ):
        words = f"{owned_campaign} is {'in' if is_archived else 'out of'} the archive."
        success_with_undo(request, words, request.path, before={"archived": not is_archived})
    return redirect("campaigns", study=study)


@require_POST
def close_problem(
    request: SignedInRequest, study: str, campaign: str, problem: int
) -> HttpResponse:
    """Take a problem report off the campaign's page, or undo that."""
    owned_campaign = owned_campaign_for(request, study, campaign)
    reported_problem = get_object_or_404(Problem, pk=problem, task__campaign=owned_campaign)
    is_undone = undone_state(request) is not None
    reported_problem.closed_by, reported_problem.closed_at = (
        (None, None) if is_undone else (request.user, timezone.now())
    )
    reported_problem.save(update_fields=["closed_by", "closed_at"])
    if not is_undone:
        success_with_undo(request, "The problem report is done.", request.path, before={})
    return redirect(owned_campaign)


@require_GET
def guide(request: SignedInRequest, study: str, campaign: str) -> HttpResponse:
    visible_campaign = campaign_for(request, study, campaign)
    context = {
        "campaign": visible_campaign,
        "study": visible_campaign.study,
        "text": markdown.render(visible_campaign.instructions),
    }
    return render(request, "annotate/campaigns/guide.html", context)


@require_GET
def own_answers(request: SignedInRequest, study: str, campaign: str) -> HttpResponse:
    """One's own answers, and nobody else's anything."""
    visible_campaign = campaign_for(request, study, campaign)
    get_object_or_404(Annotator, campaign=visible_campaign, user=request.user)
    query_settings.warn_unused_parameters(request, OwnAnswersQuery.settings())
    chosen_answers = OwnAnswersQuery.from_query(request.GET).only
    assignments = Assignment.objects.filter(
        user=request.user,
        task__campaign=visible_campaign,
        latest__isnull=False,
        **OWN_ANSWERS.get(chosen_answers, {}),
    ).select_related("latest", "task__series__benchmark")
    hidden_tasks = second_pass.hidden_tasks(request.user).filter(campaign=visible_campaign)
    assignments = assignments.exclude(task__in=hidden_tasks)
    page = Paginator(assignments.order_by("task__position"), A_PAGE).get_page(
        request.GET.get("page")
    )
    context = {
        "campaign": visible_campaign,
        "study": visible_campaign.study,
        "page": page,
        "filters": list(OWN_ANSWERS),
        "hidden": hidden_tasks.count(),
        "only": chosen_answers,
    }
    return render(request, "annotate/campaigns/mine.html", context)


# --- what comes of it ---------------------------------------------------------------------------
@require_POST
def mark_steady(request: SignedInRequest, study: str, campaign: str) -> HttpResponse:
    """Close a screening and go on with the draft that marks what it judged steady, or undo that."""
    owned_campaign = owned_campaign_for(request, study, campaign)
    state = undone_state(request)
    if state is not None:
        undo = partial(
            screening.undo_mark_steady,
            owned_campaign,
            state["marking"],
            digest=state["digest"],
            was_open=state["was_open"],
        )
        if _try_change(request, undo):
            messages.success(request, f"{owned_campaign} is as it was; the draft is gone.")
        return redirect(owned_campaign)
    was_open = owned_campaign.state == Campaign.State.OPEN
    try:
        marking_campaign = screening.mark_steady(
            owned_campaign, by=request.user, with_ties="tied" in request.POST
        )
    except ValidationError as error:
        messages.error(request, " ".join(error.messages))
        return redirect(owned_campaign)
    success_with_undo(
        request,
        f"{owned_campaign} is closed; {marking_campaign} has the same forks.",
        request.path,
        before={
            "marking": marking_campaign.slug,
            "digest": screening.draft_digest(marking_campaign),
            "was_open": was_open,
        },
    )
    return redirect("campaign-edit", study=study, campaign=marking_campaign.slug)


def _file_name(campaign: Campaign, table_name: str) -> str:
    return f"{downloads.download_name(campaign.study.slug, campaign.slug, table_name)}.csv"


@require_GET
def ground_truth_csv(request: SignedInRequest, study: str, campaign: str) -> StreamingHttpResponse:
    visible_campaign = campaign_for(request, study, campaign)
    if visible_campaign.is_training:
        raise Http404(f"{visible_campaign} makes no ground truth")
    pieces = tables.table_text(*outcome_table(visible_campaign, request.user))
    return downloads.csv(pieces, _file_name(visible_campaign, outcome_name(visible_campaign)))


@require_GET
def marks_csv(request: SignedInRequest, study: str, campaign: str) -> StreamingHttpResponse:
    visible_campaign = campaign_for(request, study, campaign)
    if visible_campaign.is_training:
        raise Http404("answers of a training are in no file")
    only_latest = request.GET.get("revisions") == "latest"
    return downloads.csv(
        exports.marks_csv(visible_campaign, request.user, only_latest=only_latest),
        _file_name(visible_campaign, "marks"),
    )


def _try_change(request: HttpRequest, change_campaign: Callable[[], None]) -> bool:
    """Do it; where that is refused, say why and return False."""
    try:
        change_campaign()
    except ValidationError as error:
        messages.error(request, " ".join(error.messages))
        return False
    return True
