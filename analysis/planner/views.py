"""The page of a benchmark's plan, and the files of all plans of a data set."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from django.http import Http404, HttpResponse, StreamingHttpResponse
from django.shortcuts import render
from django.views.decorators.http import require_GET

from analysis.planner import exports
from analysis.planner.figures import forks_figure
from analysis.planner.grid import exact_figure
from analysis.planner.query import PlanQuery
from analysis.planner.reads import PlanPage, UnknownPlanSource, dataset_plans, plan_page
from analysis.planner.sentences import compared_rows, page_note, page_sentence
from analysis.series_page.fork_chart.reads import UnknownRecording
from detectors.plan_rows import plan_row
from formats import tables
from people import downloads, query_settings
from people.access import SignedInRequest
from people.query_form import FilledControl
from series.access import benchmark_for, dataset_for
from series.models import Benchmark


@require_GET
def plan(request: SignedInRequest, study: str, dataset: str, benchmark: str) -> HttpResponse:
    here = benchmark_for(request, study, dataset, benchmark)
    query_settings.warn_unused_parameters(request, PlanQuery.settings())
    asked = PlanQuery.of(request.GET)
    found = _found(request, here, asked)
    context: dict[str, Any] = {
        "benchmark": here,
        "dataset": here.dataset,
        "study": here.dataset.study,
        "asked": asked,
    }
    if found is not None:
        figures = exact_figure(found.plan, found.today), forks_figure(found)
        context |= {
            "found": found,
            "sentence": page_sentence(found),
            "note": page_note(found),
            "figures": [each for each in figures if each],
            "rows": compared_rows(found),
            "controls": _controls(found, asked),
            "query": asked.changed(recording="", source="").query(),
        }
    return render(request, "analysis/planner/page.html", context)


@require_GET
def plans_file(request: SignedInRequest, study: str, dataset: str) -> StreamingHttpResponse:
    """A row a benchmark."""
    here = dataset_for(request, study, dataset)
    found = dataset_plans(here, request.user, PlanQuery.of(request.GET))
    pieces = tables.write_rows(exports.COLUMNS, map(plan_row, found))
    return downloads.csv(pieces, f"{downloads.named(here.study.slug, here.slug, 'plans')}.csv")


@require_GET
def annotations_file(request: SignedInRequest, study: str, dataset: str) -> StreamingHttpResponse:
    """The benchmarks with a recommendation, each with the lines that its harness is told."""
    here = dataset_for(request, study, dataset)
    asked = PlanQuery.of(request.GET)
    if "h" not in request.GET:
        asked = asked.changed(harness="jmh-annotations")
    pieces: Iterator[str] = exports.lines(dataset_plans(here, request.user, asked))
    answer = StreamingHttpResponse(pieces, content_type="text/plain; charset=utf-8")
    name = f"{downloads.named(here.study.slug, here.slug, 'plans')}.txt"
    answer["Content-Disposition"] = f'attachment; filename="{name}"'
    return answer


def _found(request: SignedInRequest, here: Benchmark, asked: PlanQuery) -> PlanPage | None:
    try:
        return plan_page(here, request.user, asked)
    except (UnknownRecording, UnknownPlanSource) as unknown:
        raise Http404(str(unknown)) from unknown


def _controls(found: PlanPage, asked: PlanQuery) -> list[FilledControl]:
    """With what there is to choose from; the default of each is first."""
    labels = [each.label for each in found.recordings]
    shown = asked.changed(
        recording="" if found.recording == found.recordings[0] else found.recording.label,
    )
    default = "" if asked.source else found.source.code if found.source else ""
    sources = [("" if each.code == default else each.code, each.title) for each in found.sources]
    choices = {
        "recording": [("" if at == 0 else label, label) for at, label in enumerate(labels)],
        "source": sources or [("", "nobody")],
    }
    without = () if len(labels) > 1 else ("recording",)
    return shown.controls(choices=choices, without=without)
