"""Pages of runs: list, start, progress."""

from __future__ import annotations

from shlex import quote
from typing import Any

from django.contrib import messages
from django.http import HttpResponse, QueryDict
from django.shortcuts import redirect, render
from django.utils.datastructures import MultiValueDict
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_GET, require_http_methods, require_POST

from analysis.runs import services
from analysis.runs.answer_map import answer_map
from analysis.runs.answer_table import answer_page, answer_rows
from analysis.runs.forms import RunForm
from analysis.runs.listed_kinds import listed_setting, run_list
from analysis.runs.models import Run
from analysis.runs.plan import NothingToRun
from analysis.runs.presets import study_presets
from analysis.runs.progress import read_progress
from analysis.runs.run_sentence import run_sentence
from analysis.runs.selection import SeriesSelection
from analysis.runs.start_page import StartPage, start_page
from analysis.runs.time_line import MINUTES, pace_bars, run_time_line
from analysis.work import workers
from analysis.work.progress import answers_by_minute
from analysis.work.views import job_context, job_for, look_after
from detectors.registry import DEFAULT_METHOD
from people import query_settings
from people.access import SignedInRequest, owned_study_for, study_for
from people.models import Role, Study
from people.undo import success_with_undo, undone_state
from series.models import Series
from series.queries import has_series


@require_GET
def runs_page(request: SignedInRequest, study: str) -> HttpResponse:
    visible_study = study_for(request, study)
    query_settings.warn_unused_parameters(request, listed_setting())
    listed_runs = run_list(visible_study, request.GET.get("kind", ""), request.GET.get("page"))
    context = {
        "study": visible_study,
        "listed": listed_runs,
        "page": listed_runs.page,
        "may_start": visible_study.role_of(request.user) == Role.OWNER,
        "any_series": bool(listed_runs.rows) or has_series(visible_study),
        "presets": study_presets(visible_study, request.user),
    }
    return render(request, "analysis/runs/list.html", context)


@require_http_methods(["GET", "POST"])
def new_run(request: SignedInRequest, study: str) -> HttpResponse:
    """The form; while it is filled in, what the run would compute."""
    owned_study = owned_study_for(request, study)
    if request.headers.get("HX-Request"):  # posted, as an address has no room for every parameter
        page = _start_page(request, owned_study, request.POST)
        context = _page_context(page) | {"fragment": True}
        return render(request, "analysis/runs/_plan.html", context)
    if request.method == "POST":
        return _start(request, owned_study)
    if not has_series(owned_study):
        return redirect("runs", study=owned_study.slug)  # the page says what is missing
    page = _start_page(request, owned_study, _prefilled(owned_study, request.GET))
    if "methods" not in request.GET:
        code = request.GET.get("preselection", "")
        preselection = page.preselections.get(code) or page.preselections["default"]
        page = page.with_methods(dict.fromkeys((*preselection.slugs, DEFAULT_METHOD)))
    return render(request, "analysis/runs/new.html", _page_context(page))


def _start(request: SignedInRequest, study: Study) -> HttpResponse:
    page = _start_page(request, study, request.POST)
    form = page.form
    if "preselection" in request.POST:  # a button that chooses methods, pressed without script
        preselection = page.preselections.get(request.POST["preselection"])
        page = page.with_methods(preselection.slugs) if preselection else page
        return render(request, "analysis/runs/new.html", _page_context(page))
    if form.is_valid():
        try:
            run = services.start_run(
                study,
                user=request.user,
                selection=form.selection,
                keys=form.keys,
                name=form.cleaned_data["name"],
                again=form.cleaned_data["again"],
            )
            return redirect(run)
        except NothingToRun as nothing:
            form.add_error(None, str(nothing))
    return render(request, "analysis/runs/new.html", _page_context(page), status=422)


def _start_page(
    request: SignedInRequest, study: Study, values: MultiValueDict[str, Any]
) -> StartPage:
    form = RunForm(study, values)
    return start_page(study, form, request.user, len(workers.living_workers()))


def _page_context(page: StartPage) -> dict[str, object]:
    return {"study": page.study, "page": page, "form": page.form, "workers": page.workers}


def _prefilled(study: Study, parameters: QueryDict) -> MultiValueDict[str, object]:
    """The form's first state: what the address says, defaults for the rest."""
    blank_form = RunForm(study)
    values: MultiValueDict[str, object] = MultiValueDict(
        {name: [blank_form.get_initial_for_field(f, name)] for name, f in blank_form.fields.items()}
    )
    first_dataset = study.datasets.first()
    values["dataset"] = first_dataset.slug if first_dataset else ""
    values.setlist("methods", [])
    for name in set(parameters) & set(blank_form.fields):
        values.setlist(name, list(parameters.getlist(name)))
    return values


@require_GET
@never_cache
def run_page(request: SignedInRequest, study: str, run: str) -> HttpResponse:
    """The run's page; asked again by itself, only what changes. Each visit sweeps."""
    visible_study = study_for(request, study)
    shown_run = job_for(request, visible_study, Run.objects.all(), run)
    look_after(shown_run)
    answer_context: dict[str, object] = {}
    if "answers" in request.GET:  # the table that the page folds, read when it is opened
        page_of_answers = answer_page(shown_run, request.user, request.GET.get("page", ""))
        answer_context = {"page": page_of_answers, "rows": answer_rows(page_of_answers)}
        if "HX-Request" in request.headers:
            context = {"study": visible_study, "job": shown_run, **answer_context}
            return render(request, "analysis/runs/_answers.html", context)
    progress, results = read_progress(shown_run, request.user)
    context = job_context(
        request, visible_study, shown_run, "analysis/runs/_progress.html", progress
    )
    context |= {
        "results": results,
        "sentence": run_sentence(shown_run, progress, results),
        "map": answer_map(shown_run, progress, request.user),
        "time_line": run_time_line(shown_run, progress),
        "pace": pace_bars(answers_by_minute(shown_run, minutes=MINUTES))
        if shown_run.is_open
        else [],
        "selection": SeriesSelection.from_json(shown_run.selection),
        "command": _command(shown_run),
        "done_word": "Answers",
        **answer_context,
    }
    if not (results.answered_count or results.stored_lines):
        context["next_action"] = None
    template = "analysis/work/_fragment.html" if context["fragment"] else "analysis/runs/run.html"
    return render(request, template, context)


@require_POST
def leave_series_out_page(request: SignedInRequest, study: str, run: str) -> HttpResponse:
    """Let the run go on without a series that holds it up, or undo that."""
    owned_study = owned_study_for(request, study)
    job = job_for(request, owned_study, Run.objects.all(), run)
    series = Series.objects.filter(
        benchmark__dataset__study=owned_study, public_id=request.POST.get("series", "")
    ).first()
    state = undone_state(request)
    if series is not None and state is not None:
        if not services.take_series_in(job, series, state["keys"]):
            messages.info(request, "The run has ended: another one computes this series.")
    elif series is None or not (keys := services.leave_series_out(job, series)):
        messages.info(request, "The run has nothing left to compute for this series.")
    else:
        sentence = f"{series.benchmark.short_name} fork {series.fork} is left out of this run."
        undo_fields = {"series": series.public_id}
        success_with_undo(request, sentence, request.path, undo_fields, before={"keys": keys})
    return redirect(job)


def _command(run: Run) -> str:
    """The command line that starts the run again on the machine itself."""
    selection = SeriesSelection.from_json(run.selection)
    command_parts = [
        f"python manage.py run {run.study.slug}/{selection.dataset}",
        *selection.arguments(),
    ]
    command_parts += [f"--method {quote(key)}" for key in run.detectors]
    command_parts += ["--again"] if run.again else []
    return " ".join([*command_parts, "--wait"])
