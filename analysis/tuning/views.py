"""Sensitivity and tuning: start, progress and results, files, presets."""

from __future__ import annotations

from functools import partial
from shlex import quote
from typing import Any

from django.contrib import messages
from django.http import Http404, HttpResponse, QueryDict, StreamingHttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.urls import reverse
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_GET, require_http_methods, require_POST

from analysis.references import yardsticks
from analysis.runs.models import Preset
from analysis.statistics.objectives import OBJECTIVES
from analysis.tuning import exports, figures, plan as planning, services, taking_presets
from analysis.tuning.designs import ranges_of
from analysis.tuning.forms import KINDS, PUBLISHED_METHOD, ExplorationForm, methods
from analysis.tuning.models import Exploration
from analysis.tuning.page import HEADS, OUTPUT_HEADS, UNITS, next_action, results_sentence, units_of
from analysis.tuning.query import OUTPUTS, CannotExplore, Kind, ResultsQuery
from analysis.tuning.reads import ExplorationResults, NoResultsYet, goal_of
from analysis.tuning.taking_presets import PresetError
from analysis.web.table_files import table_file, wanted_table
from analysis.work import workers
from analysis.work.job_sentence import sentence_of_work
from analysis.work.views import (
    job_context,
    job_for,
    job_part,
    look_after,
    remove_job,
    unit_errors,
)
from annotate.answering.queries import campaign_to_continue
from detectors.contract import Detector
from detectors.registry import registry
from people import downloads, query_settings
from people.access import SignedInRequest, owned_study_for, study_for
from people.models import Study
from people.undo import state_before, success_with_undo

USUAL_METHOD = "kb-kssd"


# --- starting ---------------------------------------------------------------------------------
@require_http_methods(["GET", "POST"])
def new(request: SignedInRequest, study: str) -> HttpResponse:
    """The form of a kind and a method; while it is filled in, what would be computed."""
    here = owned_study_for(request, study)
    given = request.POST if request.method == "POST" else request.GET
    kind = _kind(given)
    method = _method(given, kind)
    if request.method == "GET":
        if not yardsticks.yardsticks(here):
            return redirect(list_of_explorations(here.slug))  # it says what is missing
        published = method.slug == PUBLISHED_METHOD and "ranges" in given
        at_error = "error" in given
        empty = ExplorationForm(here, kind, method, published=published, at_error=at_error)
        return _form(request, here, empty)
    form = ExplorationForm(here, kind, method, request.POST)
    planned = _planned(here, form)
    if request.headers.get("HX-Request"):
        return render(request, "analysis/tuning/_plan.html", _plan(form, planned))
    if planned is None:
        return _form(request, here, form, status=422)
    scope, found = planned
    made = services.start_exploration(here, found.asked, scope, by=request.user)
    return redirect(made)


def list_of_explorations(study: str) -> str:
    """Address of the runs of this kind."""
    return f"{reverse('runs', args=[study])}?kind=sensitivity"


def _planned(
    study: Study, form: ExplorationForm
) -> tuple[planning.ExplorationScope, planning.ExplorationPlan] | None:
    """What the form asks for, with its series; None, and the form says why, if it cannot be."""
    if not form.is_valid():
        return None
    asked = form.cleaned_data["asked"]
    try:
        scope = planning.scope_of(study, asked.yardstick, asked.dataset)
        return scope, planning.plan_exploration(study, asked, scope)
    except CannotExplore as error:
        form.add_error(error.where if error.where in form.fields else None, str(error))
        return None


def _form(
    request: SignedInRequest, study: Study, form: ExplorationForm, *, status: int = 200
) -> HttpResponse:
    context = {
        "study": study,
        "form": form,
        "kinds": KINDS,
        "methods": methods(form.kind),
        "published": form.method.slug == PUBLISHED_METHOD,
        **_plan(form, None),
    }
    return render(request, "analysis/tuning/new.html", context, status=status)


def _plan(
    form: ExplorationForm,
    planned: tuple[planning.ExplorationScope, planning.ExplorationPlan] | None,
) -> dict[str, Any]:
    alive = len(workers.living_workers())
    found = planned[1] if planned else None
    seconds = found.seconds(alive) if found else None
    return {"form": form, "plan": found, "seconds": seconds, "workers": alive}


def _kind(given: QueryDict) -> Kind:
    return next((each for each in Kind if each == given.get("kind")), Kind.SENSITIVITY)


def _method(given: QueryDict, kind: Kind) -> type[Detector]:
    """A method that the kind cannot vary gives way to the usual one: the kind was changed."""
    found = methods(kind)
    slug = given.get("method") or USUAL_METHOD
    if slug not in registry():
        raise Http404(f"no method {slug!r}")
    by_slug = {each.slug: each for each in found}
    return by_slug.get(slug) or by_slug[USUAL_METHOD]


# --- one --------------------------------------------------------------------------------------
@require_GET
@never_cache
def exploration(request: SignedInRequest, study: str, exploration: str) -> HttpResponse:
    """Progress, asked again by itself; the results once there are some. Each visit sweeps."""
    here = study_for(request, study)
    found = _found(request, here, exploration)
    look_after(found)
    reading = ExplorationResults(found, request.user)
    context = job_context(request, here, found)
    hidden = "hidden until you have answered" if reading.left_out else ""
    context |= {
        "kind": "sensitivity",
        "done_word": "Answers",
        "errors": unit_errors(found, hidden=hidden),
        "sentence": sentence_of_work(context["progress"]),
    }
    if context["fragment"]:
        return job_part(request, context)
    query_settings.warn_unused_parameters(request, ResultsQuery.settings())
    asked = ResultsQuery.of(request.GET)
    choice = asked.choice(goal_of(found), found.most_error)
    context |= {
        "reading": reading,
        "choice": choice,
        "query": asked.query(),
        "ranges": ranges_of(found),
        "outputs": OUTPUTS,
        "objectives": OBJECTIVES,
        "units": UNITS,
        "heads": OUTPUT_HEADS if found.is_sensitivity else HEADS,
        "whats": exports.whats(reading),
        "command": command(found),
        "open_campaign": campaign_to_continue(here, request.user) if reading.left_out else None,
    }
    if found.finished:
        results = figures.results_context(reading, asked)
        context |= results | {"sentence": results_sentence(results)}
        if "tuned" in results:
            context["units"] = units_of(reading)
        if context["may_act"] and (action := next_action(reading, results)):
            context["next_action"] = action
    return render(request, "analysis/tuning/exploration.html", context)


@require_GET
def file(
    request: SignedInRequest, study: str, exploration: str
) -> HttpResponse | StreamingHttpResponse:
    """One table of the results as CSV or JSON: the figures of page and command line."""
    here = study_for(request, study)
    reading = ExplorationResults(_found(request, here, exploration), request.user)
    of = reading.exploration
    choice = ResultsQuery.of(request.GET).choice(goal_of(of), of.most_error)
    what = wanted_table(request, exports.whats(reading))
    name = downloads.named(here.slug, reading.exploration.kind, what)
    try:
        table = exports.exploration_table(reading, choice, what)
        document = partial(exports.exploration_document, reading, choice, what, table)
        return table_file(request, name, table.columns, table.rows, document)
    except NoResultsYet as nothing:
        return HttpResponse(f"{nothing}\n", status=409, content_type="text/plain; charset=utf-8")


@require_POST
def removal(request: SignedInRequest, study: str, exploration: str) -> HttpResponse:
    """Let go of an exploration that has ended, with its answers; presets from it stay."""
    found = _found(request, owned_study_for(request, study), exploration)
    removed = f"“{found.name}” is removed. Presets that came from it stay."
    return remove_job(request, found, doing="computing it", removed=removed, listing="runs")


@require_POST
def take_over(request: SignedInRequest, study: str, exploration: str) -> HttpResponse:
    """Keep one of its parameter sets as a preset."""
    found = _found(request, owned_study_for(request, study), exploration)
    reading = ExplorationResults(found, request.user)
    asked = ResultsQuery.of(request.POST)
    at = request.POST.get("set", "")
    try:
        preset = taking_presets.take_over(
            reading,
            asked.choice(goal_of(found), found.most_error),
            int(at) if at.isdecimal() and len(at) < 9 else -1,
            request.POST.get("name", ""),
            by=request.user,
        )
    except (PresetError, NoResultsYet) as refused:
        messages.error(request, str(refused))
        return redirect(found.get_absolute_url() + asked.query())
    address = reverse("preset-removal", args=[study, preset.public_id])
    success_with_undo(request, f"“{preset}” is kept. The form of a run offers it.", address)
    return redirect(list_of_explorations(study))


@require_POST
def preset_removal(request: SignedInRequest, study: str, preset: str) -> HttpResponse:
    """Forget a name, or undo that; answers under its parameters stay."""
    here = owned_study_for(request, study)
    if (state := state_before(request)) is not None:
        try:
            kept = taking_presets.put_back(here, preset, state)
            messages.success(request, f"The preset “{kept}” is kept again.")
        except PresetError as refused:
            messages.error(request, str(refused))
        return redirect(list_of_explorations(study))
    found = get_object_or_404(Preset, study=here, public_id=preset)
    before = taking_presets.fields_of(found)
    found.delete()
    sentence = f"The preset “{found.name}” is removed. Stored answers stay."
    success_with_undo(request, sentence, request.path, before=before)
    return redirect(list_of_explorations(study))


def _found(request: SignedInRequest, study: Study, public_id: str) -> Exploration:
    return job_for(request, study, Exploration.objects.all(), public_id)


def command(found: Exploration) -> str:
    """The command line that computes the same again."""
    return " ".join(_words(found))


def _words(found: Exploration) -> list[str]:
    name = "sensitivity" if found.is_sensitivity else "tune"
    words = ["python manage.py", name, found.study.slug, f"--method {found.slug}"]
    words.append(f"--yardstick {quote(found.yardstick)}")
    words += [f"--dataset {found.dataset}"] if found.dataset else []
    words += [f"--vary {quote(each.argument)}" for each in ranges_of(found)]
    words += [f"--hold {quote(f'{name}={text}')}" for name, text in found.held.items()]
    if found.kind == Kind.SENSITIVITY:
        words.append(f"--samples {found.samples}")
    elif found.kind in Exploration.SEARCHES:
        words.append(f"--trials {found.samples}")
    words += ["--front"] if found.kind == Kind.FRONT else []
    if not found.is_sensitivity:
        words += [f"--weight {name}={weight:g}" for name, weight in goal_of(found).items()]
    words += [] if found.most_error is None else [f"--most-error {found.most_error:g}"]
    return words + ([f"--seed {found.seed}"] if found.kind != Kind.GRID else []) + ["--wait"]
