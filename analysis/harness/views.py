"""The page “What would your harness have done?”, and its files."""

from __future__ import annotations

from functools import partial
from typing import Final

from django.http import Http404, HttpResponse, StreamingHttpResponse
from django.shortcuts import render
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_GET

from analysis.harness import exports
from analysis.harness.query import SERIES, HarnessQuery
from analysis.harness.reads import HarnessRuns, harness_runs, series_choices, yardsticks_of
from analysis.harness.rules import HARNESSES
from analysis.harness.sentences import harness_note, harness_sentence
from analysis.harness.strips import (
    BAR,
    ERRORS,
    HEIGHT,
    WIDTH,
    HarnessStrips,
    bar_width,
    error_strip,
)
from analysis.harness.table import HarnessTable
from analysis.references.yardsticks import UnknownYardstick
from analysis.web.table_files import table_file, wanted_table
from people import downloads, query_settings
from people.access import SignedInRequest
from series.access import dataset_for
from series.models import Dataset

AT_ONCE, AGAIN = 0.5, 1.0  # seconds that a page waits for more, and its parts that follow
OF_A_FILE: Final = 20.0  # of a file, which cannot ask again


@require_GET
@never_cache
def harness(request: SignedInRequest, study: str, dataset: str) -> HttpResponse:
    """The page; asked again by itself while series are missing, only what changes."""
    here = dataset_for(request, study, dataset)
    query_settings.warn_unused_parameters(request, HarnessQuery.settings())
    wanted = HarnessQuery.of(request.GET)
    follows = "HX-Request" in request.headers
    table = HarnessTable(_runs(request, here, wanted, AGAIN if follows else AT_ONCE))
    strips = HarnessStrips(table)
    context = {
        "study": here.study,
        "dataset": here,
        "table": table,
        "runs": table.runs,
        "wanted": wanted,
        "query": wanted.query() or "?",
        "command": " ".join((f"{here.study.slug}/{here.slug}", *wanted.arguments())),
        "yardsticks": yardsticks_of(here),
        "harnesses": HARNESSES,
        "series_controls": wanted.controls(SERIES, series_choices(here)),
        "titles": exports.TITLES,
        "sentence": harness_sentence(table),
        "note": harness_note(table),
        "strips": strips,
        "sizes": {"strip": WIDTH, "height": HEIGHT, "error": ERRORS, "bar": BAR},
        "rows": [
            (row, strips.strip(row), error_strip(row), bar_width(row.early or 0.0))
            for row in table.rows
        ],
    }
    part = "_answer" if follows else "harness"
    return render(request, f"analysis/harness/{part}.html", context)


@require_GET
def file(
    request: SignedInRequest, study: str, dataset: str
) -> HttpResponse | StreamingHttpResponse:
    """One table as CSV or JSON; a sentence instead of half a table that takes too long."""
    here = dataset_for(request, study, dataset)
    what = wanted_table(request, exports.FILES)
    table = HarnessTable(_runs(request, here, HarnessQuery.of(request.GET), OF_A_FILE))
    if table.runs.waiting:
        said = f"{table.runs.waiting} series are still being computed; ask again in a moment\n"
        return HttpResponse(said, status=503, content_type="text/plain", headers={"Retry-After": 5})
    return table_file(
        request,
        downloads.named(here.study.slug, here.slug, what),
        exports.FILES[what],
        exports.harness_rows(table, what),
        partial(exports.harness_document, table, what),
    )


def _runs(
    request: SignedInRequest, dataset: Dataset, wanted: HarnessQuery, seconds: float
) -> HarnessRuns:
    try:
        return harness_runs(dataset, request.user, wanted, seconds)
    except UnknownYardstick as unknown:
        raise Http404(str(unknown)) from unknown
