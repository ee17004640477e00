"""All forks of a benchmark on one chart, and what is said of them as a file."""

from __future__ import annotations

from typing import Any

from django.http import Http404, HttpResponse, StreamingHttpResponse
from django.shortcuts import render
from django.views.decorators.http import require_GET

from analysis.references.yardsticks import UnknownYardstick
from analysis.series_page.fork_chart import exports, figures
from analysis.series_page.fork_chart.query import ForkChartQuery
from analysis.series_page.fork_chart.reads import ForkChart, UnknownRecording, fork_chart
from formats import tables
from people import downloads, query_settings
from people.access import SignedInRequest
from people.query_form import FilledControl
from series.access import benchmark_for
from series.models import Benchmark


@require_GET
def forks(request: SignedInRequest, study: str, dataset: str, benchmark: str) -> HttpResponse:
    here = benchmark_for(request, study, dataset, benchmark)
    query_settings.warn_unused_parameters(request, ForkChartQuery.settings())
    asked = ForkChartQuery.of(request.GET)
    found = _found(request, here, asked)
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
            "controls": _controls(found, asked),
        }
    return render(request, "analysis/series_page/fork_chart/page.html", context)


@require_GET
def forks_file(
    request: SignedInRequest, study: str, dataset: str, benchmark: str
) -> StreamingHttpResponse:
    here = benchmark_for(request, study, dataset, benchmark)
    found = _found(request, here, ForkChartQuery.of(request.GET))
    rows = exports.file_rows(found) if found else iter(())
    pieces = tables.write_rows(exports.COLUMNS, rows)
    return downloads.csv(pieces, f"{downloads.named(study, here.public_id, 'forks')}.csv")


def _found(request: SignedInRequest, here: Benchmark, asked: ForkChartQuery) -> ForkChart | None:
    try:
        return fork_chart(here, request.user, asked)
    except (UnknownRecording, UnknownYardstick) as unknown:
        raise Http404(str(unknown)) from unknown


def _controls(found: ForkChart, asked: ForkChartQuery) -> list[FilledControl]:
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
