"""Sensitivity and tuning: start, progress and results, files, presets."""

from __future__ import annotations

from shlex import quote
from typing import Any

from django.contrib import messages
from django.http import Http404, HttpResponse, QueryDict
from django.http.response import HttpResponseBase
from django.shortcuts import get_object_or_404, redirect, render
from django.urls import reverse
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_GET, require_http_methods, require_POST

from analysis.references import yardsticks
from analysis.runs.models import Preset
from analysis.statistics.tuning_objectives import OBJECTIVES
from analysis.tuning import exports, figures, plan as planning, services, taking_presets
from analysis.tuning.designs import stored_ranges
from analysis.tuning.forms import KINDS, PUBLISHED_METHOD, ExplorationForm, tunable_methods
from analysis.tuning.models import Exploration
from analysis.tuning.page import (
    HEADS,
    OUTPUT_HEADS,
    UNITS,
    figure_units,
    next_action,
    results_sentence,
)
from analysis.tuning.query import OUTPUTS, CannotExplore, Kind, ResultsQuery
from analysis.tuning.reads import ExplorationResults, NoResultsYet, exploration_goal
from analysis.tuning.taking_presets import PresetError
from analysis.web.page_tables import table_download
from analysis.work import workers
from analysis.work.job_sentence import sentence_of_work
from analysis.work.views import job_context, job_for, job_part, look_after, remove_job, unit_errors
from annotate.answering.queries import campaign_to_continue
from detectors.contract import Detector
from detectors.registry import registry
from people import query_settings
from people.access import SignedInRequest, owned_study_for, study_for
from people.models import Study
from people.undo import success_with_undo, undone_state

USUAL_METHOD = "kb-kssd"


# --- starting ---------------------------------------------------------------------------------
@require_http_methods(["GET", "POST"])
def new_exploration(request: SignedInRequest, study: str) -> HttpResponse:
    """The form of a kind and a method; while it is filled in, what would be computed."""
    owned_study = owned_study_for(request, study)
    parameters = request.POST if request.method == "POST" else request.GET
    kind = _chosen_kind(parameters)
    method = _chosen_method(parameters, kind)
    if request.method == "GET":
        if not yardsticks.yardsticks(owned_study):
            return redirect(explorations_address(owned_study.slug))  # the page says what is missing
        uses_published_ranges = method.slug == PUBLISHED_METHOD and "ranges" in parameters
        empty_form = ExplorationForm(
            owned_study,
            kind,
            method,
            uses_published_ranges=uses_published_ranges,
            has_error="error" in parameters,
        )
        return _form_response(request, owned_study, empty_form)
    form = ExplorationForm(owned_study, kind, method, request.POST)
    scope_and_plan = _planned_exploration(owned_study, form)
    if request.headers.get("HX-Request"):
        return render(request, "analysis/tuning/_plan.html", _plan_context(form, scope_and_plan))
    if scope_and_plan is None:
        return _form_response(request, owned_study, form, status=422)
    scope, exploration_plan = scope_and_plan
    started_exploration = services.start_exploration(
        owned_study, exploration_plan.query, scope, user=request.user
    )
    return redirect(started_exploration)


def explorations_address(study: str) -> str:
    """Address of the runs of this kind."""
    return f"{reverse('runs', args=[study])}?kind=sensitivity"


def _planned_exploration(
    study: Study, form: ExplorationForm
) -> tuple[planning.ExplorationScope, planning.ExplorationPlan] | None:
    """Plan that the form asks for, with its series; None, with errors in the form, if it cannot
    be made.
    """
    if not form.is_valid():
        return None
    query = form.cleaned_data["asked"]
    try:
        scope = planning.exploration_scope(study, query.yardstick, query.dataset)
        return scope, planning.plan_exploration(study, query, scope)
    except CannotExplore as error:
        form.add_error(error.field_name if error.field_name in form.fields else None, str(error))
        return None


def _form_response(
    request: SignedInRequest, study: Study, form: ExplorationForm, *, status: int = 200
) -> HttpResponse:
    context = {
        "study": study,
        "form": form,
        "kinds": KINDS,
        "methods": tunable_methods(form.kind),
        "published": form.method.slug == PUBLISHED_METHOD,
        **_plan_context(form, None),
    }
    return render(request, "analysis/tuning/new.html", context, status=status)


def _plan_context(
    form: ExplorationForm,
    scope_and_plan: tuple[planning.ExplorationScope, planning.ExplorationPlan] | None,
) -> dict[str, Any]:
    worker_count = len(workers.living_workers())
    exploration_plan = scope_and_plan[1] if scope_and_plan else None
    seconds = exploration_plan.seconds(worker_count) if exploration_plan else None
    return {"form": form, "plan": exploration_plan, "seconds": seconds, "workers": worker_count}


def _chosen_kind(parameters: QueryDict) -> Kind:
    return next((kind for kind in Kind if kind == parameters.get("kind")), Kind.SENSITIVITY)


def _chosen_method(parameters: QueryDict, kind: Kind) -> type[Detector]:
    """A method that the kind cannot vary gives way to the usual one: the kind was changed."""
    methods_to_tune = tunable_methods(kind)
    slug = parameters.get("method") or USUAL_METHOD
    if slug not in registry():
        raise Http404(f"no method {slug!r}")
    method_by_slug = {method.slug: method for method in methods_to_tune}
    return method_by_slug.get(slug) or method_by_slug[USUAL_METHOD]


# --- one --------------------------------------------------------------------------------------
@require_GET
@never_cache
def exploration(request: SignedInRequest, study: str, exploration: str) -> HttpResponse:
    """Progress, asked again by itself; the results once there are some. Each visit sweeps."""
    visible_study = study_for(request, study)
    shown_exploration = _find_exploration(request, visible_study, exploration)
    look_after(shown_exploration)
    reading = ExplorationResults(shown_exploration, request.user)
    context = job_context(request, visible_study, shown_exploration)
    hidden_words = "hidden until you have answered" if reading.hidden_count else ""
    context |= {
        "kind": "sensitivity",
        "done_word": "Answers",
        "errors": unit_errors(shown_exploration, hidden_words=hidden_words),
        "sentence": sentence_of_work(context["progress"]),
    }
    if context["fragment"]:
        return job_part(request, context)
    query_settings.warn_unused_parameters(request, ResultsQuery.settings())
    results_query = ResultsQuery.from_query(request.GET)
    choice = results_query.choice(exploration_goal(shown_exploration), shown_exploration.most_error)
    context |= {
        "reading": reading,
        "choice": choice,
        "query": results_query.query(),
        "ranges": stored_ranges(shown_exploration),
        "outputs": OUTPUTS,
        "objectives": OBJECTIVES,
        "units": UNITS,
        "heads": OUTPUT_HEADS if shown_exploration.is_sensitivity else HEADS,
        "whats": exports.exploration_tables(shown_exploration).titles,
        "command": tuning_command(shown_exploration),
        "open_campaign": campaign_to_continue(visible_study, request.user)
        if reading.hidden_count
        else None,
    }
    if shown_exploration.finished:
        results = figures.results_context(reading, results_query)
        context |= results | {"sentence": results_sentence(results)}
        if "tuned" in results:
            context["units"] = figure_units(reading)
        if context["may_act"] and (action := next_action(reading, results)):
            context["next_action"] = action
    return render(request, "analysis/tuning/exploration.html", context)


@require_GET
def tuning_file(request: SignedInRequest, study: str, exploration: str) -> HttpResponseBase:
    """One table of the results as CSV or JSON."""
    shown_exploration = _find_exploration(request, study_for(request, study), exploration)
    return table_download(request, exports.exploration_tables(shown_exploration), shown_exploration)


@require_POST
def remove_exploration_page(request: SignedInRequest, study: str, exploration: str) -> HttpResponse:
    """Let go of an exploration that has ended, with its answers; presets from it stay."""
    removed_exploration = _find_exploration(request, owned_study_for(request, study), exploration)
    removal_message = f"“{removed_exploration.name}” is removed. Presets that came from it stay."
    return remove_job(
        request,
        removed_exploration,
        work_phrase="computing it",
        removed_sentence=removal_message,
        list_route="runs",
    )


@require_POST
def take_preset_page(request: SignedInRequest, study: str, exploration: str) -> HttpResponse:
    """Keep one of its parameter sets as a preset."""
    source_exploration = _find_exploration(request, owned_study_for(request, study), exploration)
    reading = ExplorationResults(source_exploration, request.user)
    results_query = ResultsQuery.from_query(request.POST)
    set_text = request.POST.get("set", "")
    try:
        preset = taking_presets.take_preset(
            reading,
            results_query.choice(
                exploration_goal(source_exploration), source_exploration.most_error
            ),
            int(set_text) if set_text.isdecimal() and len(set_text) < 9 else -1,
            request.POST.get("name", ""),
            user=request.user,
        )
    except (PresetError, NoResultsYet) as error:
        messages.error(request, str(error))
        return redirect(source_exploration.get_absolute_url() + results_query.query())
    address = reverse("preset-removal", args=[study, preset.public_id])
    success_with_undo(request, f"“{preset}” is kept. The form of a run offers it.", address)
    return redirect(explorations_address(study))


@require_POST
def preset_removal(request: SignedInRequest, study: str, preset: str) -> HttpResponse:
    """Forget a name, or undo that; answers under its parameters stay."""
    owned_study = owned_study_for(request, study)
    if (state := undone_state(request)) is not None:
        try:
            restored_preset = taking_presets.restore_preset(owned_study, preset, state)
            messages.success(request, f"The preset “{restored_preset}” is kept again.")
        except PresetError as error:
            messages.error(request, str(error))
        return redirect(explorations_address(study))
    removed_preset = get_object_or_404(Preset, study=owned_study, public_id=preset)
    preset_fields = taking_presets.preset_fields(removed_preset)
    removed_preset.delete()
    sentence = f"The preset “{removed_preset.name}” is removed. Stored answers stay."
    success_with_undo(request, sentence, request.path, before=preset_fields)
    return redirect(explorations_address(study))


def _find_exploration(request: SignedInRequest, study: Study, public_id: str) -> Exploration:
    return job_for(request, study, Exploration.objects.all(), public_id)


def tuning_command(exploration: Exploration) -> str:
    """The command line that computes the same again."""
    return " ".join(_command_parts(exploration))


def _command_parts(exploration: Exploration) -> list[str]:
    name = "sensitivity" if exploration.is_sensitivity else "tune"
    parts = ["python manage.py", name, exploration.study.slug, f"--method {exploration.slug}"]
    parts.append(f"--yardstick {quote(exploration.yardstick)}")
    parts += [f"--dataset {exploration.dataset}"] if exploration.dataset else []
    parts += [
        f"--vary {quote(parameter_range.argument)}"
        for parameter_range in stored_ranges(exploration)
    ]
    parts += [f"--hold {quote(f'{name}={text}')}" for name, text in exploration.held.items()]
    if exploration.kind == Kind.SENSITIVITY:
        parts.append(f"--samples {exploration.samples}")
    elif exploration.kind in Exploration.SEARCHES:
        parts.append(f"--trials {exploration.samples}")
    parts += ["--front"] if exploration.kind == Kind.FRONT else []
    if not exploration.is_sensitivity:
        parts += [
            f"--weight {name}={weight:g}" for name, weight in exploration_goal(exploration).items()
        ]
    parts += [] if exploration.most_error is None else [f"--most-error {exploration.most_error:g}"]
    return (
        parts
        + ([f"--seed {exploration.seed}"] if exploration.kind != Kind.GRID else [])
        + ["--wait"]
    )
