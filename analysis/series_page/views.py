"""Pages, payloads and files of the series page, and of the forks of a benchmark."""

from __future__ import annotations

from typing import Any

from django.http import Http404, HttpRequest, HttpResponse, JsonResponse, StreamingHttpResponse
from django.http.response import HttpResponseBase
from django.shortcuts import render
from django.views.decorators.http import require_GET

from analysis.comparison.query import ComparisonQuery
from analysis.references.yardsticks import UnknownYardstick
from analysis.series_page import online_course, overlay_file, results as steady_results
from analysis.series_page.diagnostics.query import DiagnosticsQuery
from analysis.series_page.diagnostics.table import diagnostics_of
from analysis.series_page.evidence import evidence_of
from analysis.series_page.fork_chart import exports, figures
from analysis.series_page.fork_chart.query import ForkChartQuery
from analysis.series_page.fork_chart.reads import ForkChart, UnknownRecording, fork_chart
from analysis.series_page.series_overlay import overlay_of, truth_of
from annotate.access import seen_series_for
from formats import tables
from people import downloads, query_settings
from people.access import SignedInRequest
from people.page_part import part_or_page
from people.query_form import FilledControl
from series.access import benchmark_for
from series.models import Benchmark

FOLDER = "analysis/series_page"


# --- of one series ----------------------------------------------------------------------------
@require_GET
def evidence(request: HttpRequest, study: str, series: str) -> JsonResponse:
    """Why the method `?of=` answered so."""
    found = evidence_of(seen_series_for(request, study, series), request.GET.get("of", ""))
    if found is None:
        problem = "No detection of that method is stored for this series."
        return JsonResponse({"items": [], "problem": problem}, status=422)
    return JsonResponse(found)


@require_GET
def detections(request: HttpRequest, study: str, series: str) -> StreamingHttpResponse:
    """The table of the page as CSV, by the same yardstick and tolerance."""
    seen = seen_series_for(request, study, series)
    asked = ComparisonQuery.of(request.GET)
    try:
        found = overlay_of(seen, code=asked.yardstick, tolerance=asked.tolerance)
    except UnknownYardstick as unknown:
        raise Http404(str(unknown)) from unknown
    pieces = tables.write(overlay_file.COLUMNS, overlay_file.file_rows(found))
    return downloads.csv(pieces, f"plateau_{study}_{seen.public_id}_detections.csv")


@require_GET
def results(request: HttpRequest, study: str, series: str) -> HttpResponseBase:
    """Results from any iteration on: part of the series' page, a page of their own, or CSV."""
    here = seen_series_for(request, study, series)
    code = request.GET.get("y", "").strip()
    first = request.GET.get("from", "").strip()
    found = steady_results.results_of(here, first=first, code=code)
    if request.GET.get("as") == "csv":
        name = downloads.named(study, here.public_id, "results")
        pieces = tables.write(steady_results.COLUMNS, steady_results.file_rows(found))
        return downloads.csv(pieces, f"{name}.csv")
    folder = f"{FOLDER}/results"
    context = {"found": found, "series": here, "code": code}
    return part_or_page(request, f"{folder}/rows.html", f"{folder}/page.html", context)


@require_GET
def online(request: HttpRequest, study: str, series: str) -> HttpResponse:
    """What online methods knew at iteration `?t=`: part of the series' page, or a page."""
    found = seen_series_for(request, study, series)
    known = online_course.page_of(found, request.GET.get("t", "").strip())
    folder, context = f"{FOLDER}/online", {"known": known, "series": found}
    return part_or_page(request, f"{folder}/courses.html", f"{folder}/page.html", context)


@require_GET
def diagnostics(request: HttpRequest, study: str, series: str) -> HttpResponse:
    """Plots of what remains after a cut: part of the series' page, or a page of their own.

    They begin where the yardstick says, so that they are for who may see it; 404 for others.
    """
    found = seen_series_for(request, study, series)
    query_settings.warn_unused_parameters(request, DiagnosticsQuery.settings())
    asked = DiagnosticsQuery.of(request.GET).within(found.n)
    truth, named = truth_of(found, asked.yardstick)
    shown = diagnostics_of(found, asked, truth=truth, named=named)
    folder, context = f"{FOLDER}/diagnostics", {"aids": shown, "series": found}
    return part_or_page(request, f"{folder}/plots.html", f"{folder}/page.html", context)


# --- all forks of a benchmark -----------------------------------------------------------------
@require_GET
def forks(request: SignedInRequest, study: str, dataset: str, benchmark: str) -> HttpResponse:
    """All forks of a benchmark on one chart."""
    here = benchmark_for(request, study, dataset, benchmark)
    query_settings.warn_unused_parameters(request, ForkChartQuery.settings())
    asked = ForkChartQuery.of(request.GET)
    found = _forks(request, here, asked)
    context: dict[str, Any] = {
        "benchmark": here,
        "dataset": here.dataset,
        "study": here.dataset.study,
    }
    if found is not None:
        context |= {
            "found": found,
            "asked": asked,
            "figure": figures.fork_figure(found, asked),
            "controls": _fork_controls(found, asked),
        }
    return render(request, f"{FOLDER}/fork_chart/page.html", context)


@require_GET
def forks_file(
    request: SignedInRequest, study: str, dataset: str, benchmark: str
) -> StreamingHttpResponse:
    """What is said of each fork, and of the benchmark, as CSV."""
    here = benchmark_for(request, study, dataset, benchmark)
    found = _forks(request, here, ForkChartQuery.of(request.GET))
    rows = exports.file_rows(found) if found else iter(())
    pieces = tables.write_rows(exports.COLUMNS, rows)
    return downloads.csv(pieces, f"{downloads.named(study, here.public_id, 'forks')}.csv")


def _forks(request: SignedInRequest, here: Benchmark, asked: ForkChartQuery) -> ForkChart | None:
    try:
        return fork_chart(here, request.user, asked)
    except (UnknownRecording, UnknownYardstick) as unknown:
        raise Http404(str(unknown)) from unknown


def _fork_controls(found: ForkChart, asked: ForkChartQuery) -> list[FilledControl]:
    """With what there is to choose from; the first of each is the default."""
    labels = [each.label for each in found.recordings]
    codes = {each.code: each.title for each in found.choices}
    first = next(iter(codes), "")
    shown = asked.changed(
        recording="" if found.recording == found.recordings[0] else found.recording.label,
        yardstick="" if asked.yardstick == first else asked.yardstick,
    )
    choices = {
        "recording": [("" if at == 0 else label, label) for at, label in enumerate(labels)],
        "yardstick": [("" if code == first else code, words) for code, words in codes.items()]
        or [("", "none")],
        "method": [("", "no method"), *((name, m[0].label) for name, m in found.methods.items())],
    }
    offered = found.is_wide or asked.scale == "log"
    return shown.controls(choices=choices, without=() if offered else ("scale",))
