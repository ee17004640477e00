"""Disagreements: the list with one case beside it, what is decided about it."""

from __future__ import annotations

from typing import Any
from uuid import uuid4

from django import forms
from django.contrib import messages
from django.core.exceptions import PermissionDenied, ValidationError
from django.core.paginator import Page, Paginator
from django.http import Http404, HttpResponse, JsonResponse
from django.shortcuts import redirect, render
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_GET, require_POST

from analysis.comparison.query import ComparisonQuery
from analysis.references.models import ReviewDecision
from analysis.review import case_page, requested_list, services
from analysis.review.case_answers import other_answerers
from analysis.review.disagreement_list import DisagreementList
from analysis.review.list_page import list_context
from analysis.review.query import ReviewQuery
from analysis.review.reasons import CODES
from annotate.access import seen_series_for
from annotate.answering.refusals import Refusal
from people.access import SignedInRequest, for_the_same_person_or_sign_in, sent_by_script, study_for
from people.models import Role
from people.undo import success_with_undo
from series.models import Series

ROWS = 50
SAID = {
    "accept": "Kept",
    "look-again": "Asked again",
    "exclude": "Left out",
    "undo": "Undone",
    "note": "Noted",
}


class DecisionForm(forms.Form):
    """Form that a reviewer sends."""

    kind = forms.ChoiceField(choices=ReviewDecision.Kind.choices)
    text = forms.CharField(max_length=500, required=False)
    client_id = forms.UUIDField()
    reasons = forms.CharField(required=False)

    def clean_reasons(self) -> list[str]:
        codes = self.cleaned_data["reasons"].split()
        return [code for code in CODES if code in codes]


@require_GET
@never_cache
def disagreements(request: SignedInRequest, study: str) -> HttpResponse:
    """The list, and its first case beside it."""
    visible_study = study_for(request, study)
    try:
        case_list = requested_list.requested_list(request, visible_study)
    except Http404 as error:
        cause = error.__cause__
        campaign = requested_list.campaign_without_answers(request, visible_study, cause)
        if campaign is None:
            raise
        messages.info(request, f"{campaign} has no answers yet: nobody disagrees.")
        return redirect(campaign)
    if case_list is None:
        return render(
            request, "analysis/review/page.html", {"study": visible_study, "listed": None}
        )
    page = Paginator(range(len(case_list.lines)), ROWS).get_page(request.GET.get("page"))
    first_line = case_list.lines[page[0]] if len(page) else None
    series = seen_series_for(request, study, first_line.public_id) if first_line else None
    return _page(request, case_list, page, series)


@require_GET
@never_cache
def case(request: SignedInRequest, study: str, series: str) -> HttpResponse:
    """One case beside its list; of a series that the reader has yet to answer there is none."""
    case_series = seen_series_for(request, study, series)
    case_list = _list_with_series(request, case_series)
    if request.headers.get("HX-Request"):
        context = _case_context(request, case_list, case_series)
        return render(request, "analysis/review/_case.html", context)
    position = case_list.position(series)
    page_number = request.GET.get("page") if position is None else position // ROWS + 1
    page = Paginator(range(len(case_list.lines)), ROWS).get_page(page_number)
    return _page(request, case_list, page, case_series, is_case=True)


@for_the_same_person_or_sign_in
@require_POST
def decide(request: SignedInRequest, study: str, series: str) -> HttpResponse:
    """A decision: the next case without script, 201 with it; 422 and 409 say what is wrong."""
    case_series = seen_series_for(request, study, series)
    case_list = _list_with_series(request, case_series)
    _check_role(request, case_list, request.POST.get("kind", ""))
    form = DecisionForm(request.POST)
    if not form.is_valid():
        return _refusal_page(request, case_list, case_series, 422, _first_error(form.errors))
    kind = form.cleaned_data["kind"]
    asked_people = _asked_people(request, case_list, case_series)
    try:
        services.decide(
            case_series,
            case_list.campaign,
            user=request.user,
            people=asked_people,
            **form.cleaned_data,
        )
    except Refusal as refused:
        return _refusal_page(request, case_list, case_series, 409, refused.sentence)
    except ValidationError as refused:
        return _refusal_page(request, case_list, case_series, 422, refused.messages[0])
    sentence = f"{SAID[kind]}: {case_series.benchmark.short_name} fork {case_series.fork}"
    if sent_by_script(request):
        return JsonResponse({"sentence": sentence}, status=201)
    case_address = case_list.address_of(series)
    if kind in {"note", "undo"}:
        messages.success(request, f"{sentence}.")
        return redirect(case_address)
    query_string = case_address.partition("?")[2]
    undo_fields = {"kind": "undo", "client_id": str(uuid4())}
    success_with_undo(request, f"{sentence}.", f"{request.path}?{query_string}", undo_fields)
    return redirect(case_list.neighbour_address(series, 1) or case_list.url)


# --- pages --------------------------------------------------------------------------------------
def _page(
    request: SignedInRequest,
    case_list: DisagreementList,
    page: Page[int],
    series: Series | None,
    *,
    is_case: bool = False,
) -> HttpResponse:
    requested_list.warn(request, case_list.kind)
    context = {"case_page": None, **list_context(request, case_list, page), "is_case": is_case}
    if series is not None:
        context |= _case_context(request, case_list, series)
    return render(request, "analysis/review/page.html", context)


def _case_context(
    request: SignedInRequest, case_list: DisagreementList, series: Series
) -> dict[str, Any]:
    query = ReviewQuery.from_query(request.GET)
    overlay = case_page.overlay_for(series, case_list, query.tolerance)
    page = case_page.case_page(request, series, case_list, overlay)
    comparison_query = ComparisonQuery(yardstick=query.yardstick, tolerance=query.tolerance)
    return {
        "study": case_list.study,
        "listed": case_list,
        "case_page": page,
        "review_query": query,
        "client_id": uuid4(),
        **case_page.overlay_context(request, page, overlay, comparison_query.query()),
    }


# --- asking -------------------------------------------------------------------------------------
def _list_with_series(request: SignedInRequest, series: Series) -> DisagreementList:
    """The list of the address, if it could speak of this series at all."""
    case_list = requested_list.requested_list(request, series.benchmark.dataset.study)
    if case_list is None or not _can_hold(case_list, series):
        raise Http404("this series has no case by this yardstick")
    return case_list


def _can_hold(case_list: DisagreementList, series: Series) -> bool:
    if case_list.yardstick is None:
        return case_list.position(series.public_id) is not None
    return case_list.yardstick.series().filter(pk=series.pk).exists()


def _asked_people(
    request: SignedInRequest, case_list: DisagreementList, series: Series
) -> list[str]:
    """Pseudonyms that a form ticked, or all whose answer is another than the one to be taken."""
    take = request.POST.get("take", "")
    if not take:
        return request.POST.getlist("to_whom")
    overlay = case_page.overlay_for(series, case_list, None)
    page = case_page.case_page(request, series, case_list, overlay)
    return other_answerers(page.people, take)


def _check_role(request: SignedInRequest, case_list: DisagreementList, kind: str) -> None:
    role = case_list.study.role_of(request.user)
    if case_list.yardstick is not None and (
        role == Role.OWNER or (kind == "note" and role == Role.ANNOTATOR)
    ):
        return
    raise PermissionDenied(
        f"Only an owner of {case_list.study} decides; annotators may write notes."
    )


# --- answering ----------------------------------------------------------------------------------
def _first_error(errors: Any) -> str:
    return str(next(iter(errors.values()))[0])


def _refusal_page(
    request: SignedInRequest,
    case_list: DisagreementList,
    series: Series,
    status: int,
    sentence: str,
) -> HttpResponse:
    if sent_by_script(request):
        return JsonResponse({"sentence": sentence}, status=status)
    messages.error(request, sentence)
    return redirect(case_list.address_of(series.public_id))
