"""Review: the queue of cases, one case, what is decided about it, the queue as a file."""

from __future__ import annotations

from typing import Any
from uuid import uuid4

from django import forms
from django.contrib import messages
from django.core.exceptions import PermissionDenied, ValidationError
from django.core.paginator import Paginator
from django.http import Http404, HttpResponse, JsonResponse, StreamingHttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_GET, require_POST

from analysis.references.models import ReviewDecision
from analysis.references.yardsticks import UnknownYardstick, truths
from analysis.review import case_page, cases, services, table
from analysis.review.cases import Review
from analysis.review.query import ANY, SHOWN, ReviewQuery
from analysis.review.reasons import CODES
from annotate.access import seen_series_for
from annotate.queries import campaign_to_continue
from annotate.refusals import Refusal
from formats import tables
from people import downloads, query_settings
from people.access import (
    SignedInRequest,
    for_the_same_person_or_sign_in,
    sent_by_script,
    study_for,
)
from people.models import Role, Study
from people.query_form import FilledControl
from people.templatetags.writing import whole
from series.models import Series

ROWS = 50
SAID = {
    "accept": "Accepted",
    "look-again": "Asked again",
    "exclude": "Excluded",
    "undo": "Undone",
    "note": "Noted",
}


class DecisionForm(forms.Form):
    """What a reviewer sends."""

    kind = forms.ChoiceField(choices=ReviewDecision.Kind.choices)
    text = forms.CharField(max_length=500, required=False)
    client_id = forms.UUIDField()
    reasons = forms.CharField(required=False)

    def clean_reasons(self) -> list[str]:
        given = self.cleaned_data["reasons"].split()
        return [code for code in CODES if code in given]


@require_GET
@never_cache
def review(request: SignedInRequest, study: str) -> HttpResponse:
    """The queue: reasons, and the cases that they make."""
    here = study_for(request, study)
    query_settings.warn_unused_parameters(request, ReviewQuery.settings())
    asked = ReviewQuery.of(request.GET)
    found = _found(request, here, asked)
    context: dict[str, Any] = {"study": here, "asked": asked, "review": found}
    if found is not None:
        shown = Paginator(found.cases, ROWS).get_page(request.GET.get("page"))
        rows = table.review_rows(found, list(shown))
        context |= {
            "page": shown,
            "rows": rows,
            "any_sure": any(row.sure for row in rows),
            "query": asked.query(),
            "yardsticks": _choices(here, found),
            "controls": _controls(asked, found),
            "states": [(key, words, found.states.get(key, 0)) for key, words in SHOWN.items()],
            "shown_words": SHOWN[asked.shown],
            "any": ANY,
            "may_decide": here.role_of(request.user) == Role.OWNER,
            "open_campaign": campaign_to_continue(here, request.user),
        }
    return render(request, "analysis/review/queue.html", context)


@require_GET
def file(request: SignedInRequest, study: str) -> StreamingHttpResponse:
    """The cases of the same address as CSV."""
    here = study_for(request, study)
    found = _found(request, here, ReviewQuery.of(request.GET))
    if found is None:
        raise Http404("there is nothing to review in this study yet")
    pieces = tables.write(table.COLUMNS, table.file_rows(found))
    return downloads.csv(pieces, f"{downloads.named(here.slug, 'review')}.csv")


@require_GET
@never_cache
def case(request: SignedInRequest, study: str, series: str) -> HttpResponse:
    """One case; of a series that the reader has yet to answer there is none."""
    here = seen_series_for(request, study, series)
    found = _in_review(request, here)
    shown = case_page.case_page(request, here, found)
    context = {
        "study": shown.study,
        "review": found,
        "shown": shown,
        "asked": found.asked,
        "client_id": uuid4(),
        **case_page.overlay_context(request, shown, found),
    }
    return render(request, "analysis/review/case.html", context)


@for_the_same_person_or_sign_in
@require_POST
def decide(request: SignedInRequest, study: str, series: str) -> HttpResponse:
    """A decision: the next case without script, 201 with it; 422 and 409 say what is wrong."""
    here = seen_series_for(request, study, series)
    found = _in_review(request, here)
    _check_role(request, found, request.POST.get("kind", ""))
    form = DecisionForm(request.POST)
    if not form.is_valid():
        return _refused(request, found, here, 422, _first(form.errors))
    kind = form.cleaned_data["kind"]
    whom = request.POST.getlist("to_whom")
    try:
        services.decide(here, found.campaign, by=request.user, to_whom=whom, **form.cleaned_data)
    except Refusal as refused:
        return _refused(request, found, here, 409, refused.sentence)
    except ValidationError as refused:
        return _refused(request, found, here, 422, refused.messages[0])
    sentence = f"{SAID[kind]}: {here.benchmark.short_name} fork {here.fork}"
    if sent_by_script(request):
        return JsonResponse({"sentence": sentence}, status=201)
    messages.success(request, f"{sentence}.")
    stays = kind in {"note", "undo"}
    after = None if stays else found.beside(here.public_id, 1)
    own = reverse("review-case", args=[study, series]) + found.asked.query()
    queue = reverse("review", args=[study]) + found.asked.query()
    return redirect(
        own if stays else case_page.address(found.yardstick.study, found, after) or queue
    )


# --- asking -----------------------------------------------------------------------------------
def _controls(asked: ReviewQuery, found: Review) -> list[FilledControl]:
    """With how many cases there are in each state; the first state is the default."""
    states = [
        (key if at else "", f"{words} ({whole(found.states.get(key, 0))})")
        for at, (key, words) in enumerate(SHOWN.items())
    ]
    return asked.controls(choices={"shown": states})


def _found(request: SignedInRequest, study: Study, asked: ReviewQuery) -> Review | None:
    try:
        return cases.find_cases(study, request.user, asked)
    except UnknownYardstick as unknown:
        raise Http404(str(unknown)) from unknown


def _in_review(request: SignedInRequest, series: Series) -> Review:
    """The review of the address, if the yardstick could speak of this series at all."""
    study = series.benchmark.dataset.study
    found = _found(request, study, ReviewQuery.of(request.GET))
    if found is None or not found.yardstick.series().filter(pk=series.pk).exists():
        raise Http404("this series has no case by this yardstick")
    return found


def _check_role(request: SignedInRequest, found: Review, kind: str) -> None:
    role = found.yardstick.study.role_of(request.user)
    if role == Role.OWNER or (kind == "note" and role == Role.ANNOTATOR):
        return
    study = found.yardstick.study
    raise PermissionDenied(f"Only an owner of {study} decides; annotators may write notes.")


def _choices(study: Study, found: Review) -> list[Any]:
    """Ground truth and known answers; and the one that is looked at, whatever it is."""
    plain = list(truths(study))
    if found.yardstick.code in {each.code for each in plain}:
        return plain
    return [found.yardstick, *plain]


# --- answering --------------------------------------------------------------------------------
def _first(errors: Any) -> str:
    return str(next(iter(errors.values()))[0])


def _refused(
    request: SignedInRequest, found: Review, series: Series, status: int, sentence: str
) -> HttpResponse:
    if sent_by_script(request):
        return JsonResponse({"sentence": sentence}, status=status)
    messages.error(request, sentence)
    own = reverse("review-case", args=[found.yardstick.study.slug, series.public_id])
    return redirect(own + found.asked.query())
