"""Parts, payloads and files of the page of a series, and of all forks of its benchmark."""

from __future__ import annotations

from django.http import Http404, HttpRequest, HttpResponse, JsonResponse
from django.http.response import HttpResponseBase
from django.views.decorators.http import require_GET

from analysis.references.yardsticks import UnknownYardstick
from analysis.series_page import (
    event_panel,
    invocations as raw_invocations,
    online_course,
    results as steady_results,
)
from analysis.series_page.diagnostics.query import DiagnosticsQuery
from analysis.series_page.diagnostics.table import compute_diagnostics
from analysis.series_page.evidence import read_evidence
from analysis.series_page.fork_chart import figures
from analysis.series_page.fork_chart.query import ForkChartQuery
from analysis.series_page.fork_chart.reads import ForkChart, UnknownRecording, fork_chart
from analysis.series_page.series_overlay import yardstick_answer
from annotate.access import seen_series_for
from formats import tables
from people import downloads
from people.access import SignedInRequest
from people.query_form import FilledControl
from series.access import series_for
from series.folds import fold_or_page
from series.models import Benchmark

FOLDER = "analysis/series_page"


# --- of one series ----------------------------------------------------------------------------
@require_GET
def evidence(request: HttpRequest, study: str, series: str) -> JsonResponse:
    """Why the method `?of=` answered so."""
    payload = read_evidence(seen_series_for(request, study, series), request.GET.get("of", ""))
    if payload is None:
        problem = "No detection of that method is stored for this series."
        return JsonResponse({"items": [], "problem": problem}, status=422)
    return JsonResponse(payload)


@require_GET
def results(request: HttpRequest, study: str, series: str) -> HttpResponseBase:
    """Results from any iteration on: a part of the series' page, or CSV."""
    visible_series = seen_series_for(request, study, series)
    code = request.GET.get("y", "").strip()
    iteration_text = request.GET.get("from", "").strip()
    series_results = steady_results.results_of(visible_series, text=iteration_text, code=code)
    if request.GET.get("as") == "csv":
        name = downloads.download_name(study, visible_series.public_id, "results")
        pieces = tables.table_text(
            steady_results.COLUMNS, steady_results.results_file_rows(series_results)
        )
        return downloads.csv(pieces, f"{name}.csv")
    context = {"results": series_results, "series": visible_series, "code": code}
    return fold_or_page(request, visible_series, "results", f"{FOLDER}/results/rows.html", context)


@require_GET
def online(request: HttpRequest, study: str, series: str) -> HttpResponse:
    """Answers of online methods at iteration `?t=`: a part of the series' page."""
    visible_series = seen_series_for(request, study, series)
    courses_page = online_course.online_courses_page(
        visible_series, request.GET.get("t", "").strip()
    )
    context = {"courses_page": courses_page, "series": visible_series}
    return fold_or_page(request, visible_series, "online", f"{FOLDER}/online/courses.html", context)


@require_GET
def events(request: HttpRequest, study: str, series: str) -> HttpResponse:
    """Events around iteration `?at=`: a part of the series' page."""
    visible_series = seen_series_for(request, study, series)
    context = event_panel.events_context(request, visible_series)
    return fold_or_page(request, visible_series, "events", f"{FOLDER}/events/around.html", context)


@require_GET
def invocations(request: HttpRequest, study: str, series: str) -> HttpResponse:
    """Invocations of iteration `?at=`: a part of the series' page."""
    visible_series = seen_series_for(request, study, series)
    query = raw_invocations.InvocationsQuery.from_query(request.GET)
    context = {
        "series": visible_series,
        "opened": raw_invocations.iteration_invocations(visible_series, query.at),
        "titles": raw_invocations.INVOCATION_TABLES.titles,
    }
    return fold_or_page(
        request, visible_series, "invocations", f"{raw_invocations.FOLDER}/part.html", context
    )


@require_GET
def diagnostics(request: HttpRequest, study: str, series: str) -> HttpResponse:
    """Plots of what remains after a cut: a part of the series' page.

    They begin where the yardstick says, so that they are for who may see it; 404 for others.
    """
    visible_series = seen_series_for(request, study, series)
    query = DiagnosticsQuery.from_query(request.GET).within(visible_series.n)
    truth, truth_words = yardstick_answer(visible_series, query.yardstick)
    diagnostics_page = compute_diagnostics(
        visible_series, query, truth=truth, dataset_name=truth_words
    )
    context = {"aids": diagnostics_page, "series": visible_series}
    return fold_or_page(
        request, visible_series, "diagnostics", f"{FOLDER}/diagnostics/plots.html", context
    )


# --- all forks of a benchmark -----------------------------------------------------------------
@require_GET
def chart_of_forks(request: SignedInRequest, study: str, series: str) -> HttpResponse:
    """All forks of a series' benchmark and recording on one chart: a part of its page."""
    visible_series = series_for(request, study, series)
    query = ForkChartQuery.from_query(request.GET).changed(
        recording=visible_series.recording.label, fork=visible_series.fork
    )
    fork_chart = _forks(request, visible_series.benchmark, query)
    context = {
        "series": visible_series,
        "benchmark": visible_series.benchmark,
        "fork_chart": fork_chart,
        "figure": figures.fork_figure(fork_chart) if fork_chart else None,
        "controls": _fork_controls(fork_chart, query) if fork_chart else [],
    }
    return fold_or_page(
        request, visible_series, "fork-chart", f"{FOLDER}/fork_chart/part.html", context
    )


def _forks(
    request: SignedInRequest, shown_benchmark: Benchmark, query: ForkChartQuery
) -> ForkChart | None:
    try:
        return fork_chart(shown_benchmark, request.user, query)
    except (UnknownRecording, UnknownYardstick) as unknown:
        raise Http404(str(unknown)) from unknown


def _fork_controls(fork_chart: ForkChart, query: ForkChartQuery) -> list[FilledControl]:
    """Controls of the fork chart with their choices; the first of each is the default."""
    title_by_code = {yardstick.code: yardstick.title for yardstick in fork_chart.yardsticks}
    default_code = next(iter(title_by_code), "")
    shown_query = query.changed(
        yardstick="" if query.yardstick == default_code else query.yardstick
    )
    choices_by_control = {
        "yardstick": [
            ("" if code == default_code else code, title) for code, title in title_by_code.items()
        ]
        or [("", "none")],
        "method": [
            ("", "no method"),
            *((name, m[0].label) for name, m in fork_chart.methods.items()),
        ],
    }
    offers_scale = fork_chart.is_wide or query.scale == "log"
    omitted_controls = ("recording", "fork") if offers_scale else ("recording", "fork", "scale")
    return shown_query.controls(choices=choices_by_control, omitted_fields=omitted_controls)
