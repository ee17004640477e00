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
from analysis.work.views import job_context, job_for, job_part, look_after, remove_job, unit_errors
from annotate.blind import visible_series
from detectors.training.figures.fold_figures import spreads_over_seeds
from people.access import SignedInRequest, owned_study_for, study_for
from people.models import Study, User
from series.models import Series

SERIES_SHOWN = 500  # most series in the select


@require_http_methods(["GET", "POST"])
def new_training(request: SignedInRequest, study: str) -> HttpResponse:
    """The form; while it is filled in, what would be learned from."""
    owned_study = owned_study_for(request, study)
    if request.method == "GET":
        if not yardsticks.yardsticks(owned_study):
            return redirect(
                f"{reverse('runs', args=[owned_study.slug])}?kind=training"
            )  # the sentence says why
        return _form_response(request, owned_study, TrainingForm(owned_study))
    form = TrainingForm(owned_study, request.POST)
    training_plan = _planned_training(owned_study, form)
    if request.headers.get("HX-Request"):
        return render(request, "analysis/training/_plan.html", _plan_context(form, training_plan))
    if training_plan is not None:
        try:
            return redirect(services.start_training(owned_study, training_plan, user=request.user))
        except CannotTrain as error:
            form.add_error(None, str(error))
    return _form_response(request, owned_study, form, status=422)


def _planned_training(study: Study, form: TrainingForm) -> TrainingPlan | None:
    """Plan that the form asks for; None, with errors in the form, if it cannot be made."""
    if not form.is_valid():
        return None
    try:
        return plan_training(study, TrainingQuery(**form.cleaned_data))
    except CannotTrain as error:
        form.add_error(error.field_name or None, str(error))
        return None


def _form_response(
    request: SignedInRequest, study: Study, form: TrainingForm, *, status: int = 200
) -> HttpResponse:
    context = {"study": study, **_plan_context(form, None)}
    return render(request, "analysis/training/new.html", context, status=status)


def _plan_context(form: TrainingForm, training_plan: TrainingPlan | None) -> dict[str, Any]:
    return {"form": form, "plan": training_plan, "workers": len(workers.living_workers())}


# --- one --------------------------------------------------------------------------------------
@require_GET
@never_cache
def training(request: SignedInRequest, study: str, training: str) -> HttpResponse:
    """Progress, asked again by itself; figures once there are some. Each visit sweeps."""
    visible_study = study_for(request, study)
    shown_training = _find_training(request, visible_study, training)
    look_after(shown_training)
    context = job_context(request, visible_study, shown_training)
    context |= {
        "kind": "training",
        "done_word": "Models",
        "errors": unit_errors(shown_training),
        "sentence": sentence_of_work(context["progress"], "model"),
    }
    if context["fragment"]:
        return job_part(request, context)
    if context["may_act"] and shown_training.weights:
        key = f"{shown_training.slug}?weights={shown_training.weights}"
        context["next_action"] = JobAction(start_address(visible_study.slug, [key]), "Run with it")
    return render(
        request,
        "analysis/training/training.html",
        context | _results_context(request, shown_training),
    )


def _results_context(request: SignedInRequest, shown_training: Training) -> dict[str, Any]:
    """Figures, for who may see every series that they are of, and the windows of one series."""
    visible_series = _visible_series(request.user, shown_training)
    may_see_all = len(visible_series) == len(shown_training.labels)
    context: dict[str, Any] = {"shown_series": visible_series[:SERIES_SHOWN]}
    if may_see_all and shown_training.card:
        context["spreads"] = spreads_over_seeds(shown_training.card["by_seed"])
        context["folds"] = shown_training.card["cross_validation"]
    if shown_training.finished:
        context["sentence"] = results_sentence(shown_training, may_see_all=may_see_all)
    if chosen_series := _chosen_series(request, visible_series):
        segments = segments_of_series(shown_training, chosen_series)
        context |= {"chosen": chosen_series, "figure": segments_figure(segments)}
    return context


def _visible_series(reader: User, shown_training: Training) -> list[Series]:
    """Its series that the reader may see, without their values."""
    training_series = Series.objects.filter(
        pk__in=[pk for pk, _ in shown_training.labels],
        benchmark__dataset__study=shown_training.study,
    )
    return list(
        visible_series(reader, training_series).select_related("benchmark__dataset").order_by("pk")
    )


def _chosen_series(request: SignedInRequest, visible_series: list[Series]) -> Series | None:
    """The one that the address names, else the first; 404 for one that is not among them."""
    public_id = request.GET.get("series", "")
    if not public_id:
        return next(iter(visible_series), None)
    chosen_series = next(
        (candidate for candidate in visible_series if candidate.public_id == public_id), None
    )
    if chosen_series is None:
        raise Http404("this training has no such series, or it is not to be seen yet")
    return chosen_series


@require_POST
def remove_training_page(request: SignedInRequest, study: str, training: str) -> HttpResponse:
    """Let go of a training that has ended, with its weights; answers by them stay."""
    removed_training = _find_training(request, owned_study_for(request, study), training)
    removal_message = f"“{removed_training.name}” and its weights are removed. Stored answers stay."
    work_phrase = "fitting its models"
    return remove_job(
        request,
        removed_training,
        work_phrase=work_phrase,
        removed_sentence=removal_message,
        list_route="runs",
    )


def _find_training(request: SignedInRequest, study: Study, public_id: str) -> Training:
    return job_for(request, study, Training.objects.all(), public_id)
