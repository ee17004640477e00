"""Parts, payloads and files of the page of a series, and of all forks of its benchmark."""

from __future__ import annotations

from django.http import Http404, HttpRequest, HttpResponse, JsonResponse, StreamingHttpResponse
from django.http.response import HttpResponseBase
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
from people import downloads
from people.access import SignedInRequest
from people.query_form import FilledControl
from series.access import benchmark_for, series_for
from series.folds import fold_or_page
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
    """Results from any iteration on: a part of the series' page, or CSV."""
    here = seen_series_for(request, study, series)
    code = request.GET.get("y", "").strip()
    first = request.GET.get("from", "").strip()
    found = steady_results.results_of(here, first=first, code=code)
    if request.GET.get("as") == "csv":
        name = downloads.named(study, here.public_id, "results")
        pieces = tables.write(steady_results.COLUMNS, steady_results.file_rows(found))
        return downloads.csv(pieces, f"{name}.csv")
    context = {"found": found, "series": here, "code": code}
    return fold_or_page(request, here, "results", f"{FOLDER}/results/rows.html", context)


@require_GET
def online(request: HttpRequest, study: str, series: str) -> HttpResponse:
    """Answers of online methods at iteration `?t=`: a part of the series' page."""
    found = seen_series_for(request, study, series)
    known = online_course.page_of(found, request.GET.get("t", "").strip())
    context = {"known": known, "series": found}
    return fold_or_page(request, found, "online", f"{FOLDER}/online/courses.html", context)


@require_GET
def diagnostics(request: HttpRequest, study: str, series: str) -> HttpResponse:
    """Plots of what remains after a cut: a part of the series' page.

    They begin where the yardstick says, so that they are for who may see it; 404 for others.
    """
    found = seen_series_for(request, study, series)
    asked = DiagnosticsQuery.of(request.GET).within(found.n)
    truth, named = truth_of(found, asked.yardstick)
    shown = diagnostics_of(found, asked, truth=truth, named=named)
    context = {"aids": shown, "series": found}
    return fold_or_page(request, found, "diagnostics", f"{FOLDER}/diagnostics/plots.html", context)


# --- all forks of a benchmark -----------------------------------------------------------------
@require_GET
def chart_of_forks(request: SignedInRequest, study: str, series: str) -> HttpResponse:
    """All forks of a series' benchmark and recording on one chart: a part of its page."""
    here = series_for(request, study, series)
    asked = ForkChartQuery.of(request.GET).changed(recording=here.recording.label, fork=here.fork)
    found = _forks(request, here.benchmark, asked)
    context = {
        "series": here,
        "benchmark": here.benchmark,
        "found": found,
        "figure": figures.fork_figure(found, asked) if found else None,
        "controls": _fork_controls(found, asked) if found else [],
    }
    return fold_or_page(request, here, "fork-chart", f"{FOLDER}/fork_chart/part.html", context)


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
    codes = {each.code: each.title for each in found.choices}
    first = next(iter(codes), "")
    shown = asked.changed(yardstick="" if asked.yardstick == first else asked.yardstick)
    choices = {
        "yardstick": [("" if code == first else code, words) for code, words in codes.items()]
        or [("", "none")],
        "method": [("", "no method"), *((name, m[0].label) for name, m in found.methods.items())],
    }
    offered = found.is_wide or asked.scale == "log"
    without = ("recording", "fork") if offered else ("recording", "fork", "scale")
    return shown.controls(choices=choices, without=without)
