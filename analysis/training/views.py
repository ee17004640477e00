"""Training: start, progress and figures, labelled windows of a series."""

from __future__ import annotations

from typing import Any

from django.http import Http404, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_GET, require_http_methods, require_POST

from analysis.references import yardsticks
from analysis.runs.start_address import start_address
from analysis.training import services
from analysis.training.forms import TrainingForm
from analysis.training.models import Training
from analysis.training.plan import CannotTrain, TrainingPlan, TrainingQuery, plan_training
from analysis.training.results_sentence import results_sentence
from analysis.training.segments import segments_figure, segments_of_series
from analysis.work import workers
from analysis.work.job_sentence import JobAction, sentence_of_work
from analysis.work.views import (
    job_context,
    job_for,
    job_part,
    look_after,
    remove_job,
    unit_errors,
)
from annotate.blind import visible_series
from detectors.training.fold_figures import over_seeds
from people.access import SignedInRequest, owned_study_for, study_for
from people.models import Study, User
from series.models import Series

SERIES_SHOWN = 500  # of which one can be chosen


@require_http_methods(["GET", "POST"])
def new(request: SignedInRequest, study: str) -> HttpResponse:
    """The form; while it is filled in, what would be learned from."""
    here = owned_study_for(request, study)
    if request.method == "GET":
        if not yardsticks.yardsticks(here):
            return redirect(f"{reverse('runs', args=[here.slug])}?kind=training")  # it says why
        return _form(request, here, TrainingForm(here))
    form = TrainingForm(here, request.POST)
    planned = _planned(here, form)
    if request.headers.get("HX-Request"):
        return render(request, "analysis/training/_plan.html", _plan(form, planned))
    if planned is not None:
        try:
            return redirect(services.start_training(here, planned, by=request.user))
        except CannotTrain as error:
            form.add_error(None, str(error))
    return _form(request, here, form, status=422)


def _planned(study: Study, form: TrainingForm) -> TrainingPlan | None:
    """What the form asks for; None, and the form says why, if it cannot be."""
    if not form.is_valid():
        return None
    try:
        return plan_training(study, TrainingQuery(**form.cleaned_data))
    except CannotTrain as error:
        form.add_error(error.where or None, str(error))
        return None


def _form(
    request: SignedInRequest, study: Study, form: TrainingForm, *, status: int = 200
) -> HttpResponse:
    context = {"study": study, **_plan(form, None)}
    return render(request, "analysis/training/new.html", context, status=status)


def _plan(form: TrainingForm, planned: TrainingPlan | None) -> dict[str, Any]:
    return {"form": form, "plan": planned, "workers": len(workers.living_workers())}


# --- one --------------------------------------------------------------------------------------
@require_GET
@never_cache
def training(request: SignedInRequest, study: str, training: str) -> HttpResponse:
    """Progress, asked again by itself; figures once there are some. Each visit sweeps."""
    here = study_for(request, study)
    found = _found(request, here, training)
    look_after(found)
    context = job_context(request, here, found)
    context |= {
        "kind": "training",
        "done_word": "Models",
        "errors": unit_errors(found),
        "sentence": sentence_of_work(context["progress"], "model"),
    }
    if context["fragment"]:
        return job_part(request, context)
    if context["may_act"] and found.weights:
        key = f"{found.slug}?weights={found.weights}"
        context["next_action"] = JobAction(start_address(here.slug, [key]), "Run with it")
    return render(request, "analysis/training/training.html", context | _results(request, found))


def _results(request: SignedInRequest, found: Training) -> dict[str, Any]:
    """Figures, for who may see every series that they are of, and the windows of one series."""
    seen = _seen(request.user, found)
    told = len(seen) == len(found.labels)
    context: dict[str, Any] = {"shown_series": seen[:SERIES_SHOWN]}
    if told and found.card:
        context["spreads"] = over_seeds(found.card["by_seed"])
        context["folds"] = found.card["cross_validation"]
    if found.finished:
        context["sentence"] = results_sentence(found, told=told)
    if chosen := _chosen(request, seen):
        segments = segments_of_series(found, chosen)
        context |= {"chosen": chosen, "figure": segments_figure(segments)}
    return context


def _seen(reader: User, found: Training) -> list[Series]:
    """Its series that the reader may see, without their values."""
    mine = Series.objects.filter(
        pk__in=[pk for pk, _ in found.labels], benchmark__dataset__study=found.study
    )
    return list(visible_series(reader, mine).select_related("benchmark__dataset").order_by("pk"))


def _chosen(request: SignedInRequest, seen: list[Series]) -> Series | None:
    """The one that the address names, else the first; 404 for one that is not among them."""
    asked = request.GET.get("series", "")
    if not asked:
        return next(iter(seen), None)
    found = next((each for each in seen if each.public_id == asked), None)
    if found is None:
        raise Http404("this training has no such series, or it is not to be seen yet")
    return found


@require_POST
def removal(request: SignedInRequest, study: str, training: str) -> HttpResponse:
    """Let go of a training that has ended, with its weights; answers by them stay."""
    found = _found(request, owned_study_for(request, study), training)
    removed = f"“{found.name}” and its weights are removed. Stored answers stay."
    doing = "fitting its models"
    return remove_job(request, found, doing=doing, removed=removed, listing="runs")


def _found(request: SignedInRequest, study: Study, public_id: str) -> Training:
    return job_for(request, study, Training.objects.all(), public_id)
