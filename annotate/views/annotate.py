"""The annotate page, what it fetches ahead, and what it sends."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from django.core.exceptions import PermissionDenied, ValidationError
from django.http import Http404, HttpResponse, JsonResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.urls import reverse
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_GET, require_POST

from annotate.answering import queries, second_pass, series_aliases, services, training
from annotate.answering.forms import MarkForm, ProblemForm
from annotate.answering.refusals import Refusal
from annotate.models import Annotator, Campaign, Task
from people import markdown
from people.access import SignedInRequest, for_the_same_person
from people.models import User
from series.views import payload as values


@require_GET
@never_cache
def next_task(request: SignedInRequest, study: str, campaign: str) -> HttpResponse:
    """Lead on to the next open series; or say why there is none.

    The page of somebody who waits asks again: 204 while nothing has changed, else it reloads.
    """
    place = _place(request, study, campaign)
    annotated_campaign = place.campaign
    if request.headers.get("HX-Request"):
        return _waiting_response(annotated_campaign, request.user)
    if training.needs_training(annotated_campaign, request.user):
        return redirect("campaign-training", study=study, campaign=campaign)
    second_pass.deal_due_passes(request.user)
    open_task = queries.next_open_task(request.user, annotated_campaign)
    if open_task and annotated_campaign.state == Campaign.State.OPEN:
        return redirect(open_task)
    if annotated_campaign.is_training:
        return redirect("campaign-training", study=study, campaign=campaign)
    queued_tasks = queries.queue(request.user, annotated_campaign)
    context = {
        "campaign": annotated_campaign,
        "waits": _must_wait(annotated_campaign, request.user),
        "compares": bool(queued_tasks)
        and annotated_campaign.makes_truth
        and annotated_campaign.state != Campaign.State.DRAFT,
        # A second pass keeps first answers back, of a small campaign all of them.
        "asked_count": queries.asked_count(request.user, annotated_campaign),
        "answered_count": sum(queued_task.done for queued_task in queued_tasks),
        **_second_pass(annotated_campaign, request.user),
    }
    return render(request, "annotate/nothing_open.html", context)


def _must_wait(campaign: Campaign, user: User) -> bool:
    """The campaign has not begun, or none of its series is assigned to the person yet."""
    if campaign.state == Campaign.State.DRAFT:
        return True
    return campaign.state == Campaign.State.OPEN and not queries.asked_count(user, campaign)


def _waiting_response(campaign: Campaign, user: User) -> HttpResponse:
    if _must_wait(campaign, user):
        return HttpResponse(status=204)
    return HttpResponse(headers={"HX-Refresh": "true"})


@require_GET
@never_cache
def task(request: SignedInRequest, study: str, campaign: str, position: int) -> HttpResponse:
    """The page: one series drawn, the person's own queue, and nobody else's anything."""
    place = _place(request, study, campaign)
    annotated_campaign = place.campaign
    if annotated_campaign.state == Campaign.State.DRAFT or training.needs_training(
        annotated_campaign, request.user
    ):
        return redirect("annotate", study=study, campaign=campaign)
    shown_task = _task_or_404(request, study, campaign, position)
    task_data = queries.task_data(shown_task, request.user)
    context = {
        "campaign": annotated_campaign,
        "task": shown_task,
        "description": task_data["description"],
        "guide": markdown.render(annotated_campaign.instructions),
        "page": {
            "who": request.user.username,
            "campaign": annotated_campaign.name,
            "state": annotated_campaign.state,
            "screening": annotated_campaign.is_screening,
            "changes": annotated_campaign.asks_changes,
            "training": annotated_campaign.is_training,
            "difficulty": annotated_campaign.ask_difficulty,
            "guide": {"version": annotated_campaign.guide_version, "seen": place.guide_seen},
            "queue": queries.compact(queries.queue(request.user, annotated_campaign)),
            "pace": queries.pace(request.user, annotated_campaign),
            "task": task_data,
            "urls": _addresses(annotated_campaign),
        },
    }
    return render(request, "annotate/task.html", context)


@for_the_same_person
@require_GET
@never_cache
def data(request: SignedInRequest, study: str, campaign: str, position: int) -> HttpResponse:
    """Data from which the page draws one more series, fetched ahead."""
    shown_task = _task_or_404(request, study, campaign, position)
    return JsonResponse(queries.task_data(shown_task, request.user))


@for_the_same_person
@require_GET
def payload(request: SignedInRequest, alias: str, **task_kwargs: Any) -> HttpResponse:
    """All values of a series whose name is hidden, as `series.views.payload` gives them."""
    shown_task = _task_or_404(request, **task_kwargs)
    _refuse_other_values(alias, shown_task, request)
    return values.payload_response(request, shown_task.series, tag=alias)


@for_the_same_person
@require_GET
def window_response(request: SignedInRequest, alias: str, **task_kwargs: Any) -> HttpResponse:
    """A part of the values of a series, drawn for the window."""
    shown_task = _task_or_404(request, **task_kwargs)
    _refuse_other_values(alias, shown_task, request)
    return values.drawn_window(request, shown_task.series, tag=alias)


def _refuse_other_values(alias: str, task: Task, request: SignedInRequest) -> None:
    """404 for the address of other values than the task's."""
    if series_aliases.digest_behind(alias, task, request.user) == series_aliases.UNKNOWN:
        raise Http404


@for_the_same_person
@require_POST
def add_mark(request: SignedInRequest, study: str, campaign: str, position: int) -> HttpResponse:
    """An answer: 201 stored, before or now; 422 to mend; 409 not any more, with the reason."""
    name = request.POST.get("client_id", "")
    if earlier_mark := queries.mark_of_repeated_click(
        request.user, study, campaign, position, name
    ):
        return JsonResponse({"revision": earlier_mark.revision}, status=201)
    shown_task = _task_or_404(request, study, campaign, position)
    form = MarkForm(request.POST, task=shown_task, by=request.user)
    if not form.is_valid():
        return refusal_response(form.errors)
    try:
        mark = services.save_mark(shown_task, by=request.user, **form.cleaned_data)
    except Refusal as error:
        return json_reply(409, error.sentence, reason=error.reason)
    except ValidationError as error:
        return refusal_response(_errors_by_field(error))
    stored_fields: dict[str, Any] = {"revision": mark.revision}
    if shown_task.campaign.is_training:
        stored_fields["feedback"] = training.feedback(mark)
    return JsonResponse(stored_fields, status=201)


@for_the_same_person
@require_POST
def add_skip(request: SignedInRequest, study: str, campaign: str, position: int) -> HttpResponse:
    services.skip(_task_or_404(request, study, campaign, position), by=request.user)
    return HttpResponse(status=204)


@for_the_same_person
@require_POST
def add_problem(request: SignedInRequest, study: str, campaign: str, position: int) -> HttpResponse:
    shown_task = _task_or_404(request, study, campaign, position)
    form = ProblemForm(request.POST)
    if not form.is_valid():
        return refusal_response(form.errors)
    services.report_problem(shown_task, by=request.user, text=form.cleaned_data["text"])
    return HttpResponse(status=201)


@for_the_same_person
@require_POST
def add_guide_reading(request: SignedInRequest, study: str, campaign: str) -> HttpResponse:
    place = _place(request, study, campaign)
    try:
        services.guide_read(place, version=int(request.POST.get("version", "")))
    except (ValueError, ValidationError):
        return json_reply(422, "The version of the instructions that was read is missing.")
    return HttpResponse(status=204)


def json_reply(status: int, sentence: str, **extra_fields: str) -> JsonResponse:
    return JsonResponse({"sentence": sentence, **extra_fields}, status=status)


def refusal_response(errors: Mapping[str, Any]) -> JsonResponse:
    """422: sentences by field, and the first of them by itself."""
    listed_errors = {
        field: [str(sentence) for sentence in sentences] for field, sentences in errors.items()
    }
    first = next(iter(listed_errors.values()))[0]
    return JsonResponse({"errors": listed_errors, "sentence": first}, status=422)


def _place(request: SignedInRequest, study: str, campaign: str) -> Annotator:
    campaigns = Campaign.objects.visible_to(request.user).select_related("study", "closed_by")
    annotated_campaign = get_object_or_404(campaigns, study__slug=study, slug=campaign)
    place = queries.place_of(request.user, annotated_campaign)
    if place is None:
        raise PermissionDenied(
            f"You do not annotate {annotated_campaign}. An owner of the study can add you."
        )
    return place


def _task_or_404(request: SignedInRequest, study: str, campaign: str, position: int) -> Task:
    own_tasks = queries.tasks_of(request.user).at_position(study, campaign, position)
    return get_object_or_404(
        own_tasks.select_related("campaign__study", "campaign__closed_by", "series__benchmark")
    )


def _addresses(campaign: Campaign) -> dict[str, str]:
    """Addresses with 0 for the position; the page puts in the one that it means.

    `after` is where a training goes on after its last series; events only where they are shown.
    """
    url_kwargs = {"study": campaign.study.slug, "campaign": campaign.slug}
    route_names = ["annotate-task", "annotate-data", "annotate-marks", "annotate-skips"]
    route_names += ["annotate-problems", *(["annotate-events"] if campaign.show_events else [])]
    addresses = {name: reverse(name, kwargs={**url_kwargs, "position": 0}) for name in route_names}
    if campaign.is_training:
        addresses["after"] = reverse("campaign-training", kwargs=url_kwargs)
    return {
        **addresses,
        "annotate-guide-readings": reverse("annotate-guide-readings", kwargs=url_kwargs),
        "annotate": reverse("annotate", kwargs=url_kwargs),
        "sign-in": reverse("sign-in"),
    }


def _second_pass(campaign: Campaign, user: User) -> dict[str, Any]:
    """Context below the thanks: the second pass that waits, or when it opens."""
    repeat_campaign = second_pass.second_pass_of(campaign, user)
    has_open_task = repeat_campaign and queries.next_open_task(user, repeat_campaign)
    return {
        "again": repeat_campaign if has_open_task else None,
        "due": second_pass.due(campaign, user),
    }


def _errors_by_field(refusal: ValidationError) -> dict[str, list[str]]:
    if hasattr(refusal, "error_dict"):
        return refusal.message_dict
    return {"__all__": refusal.messages}
