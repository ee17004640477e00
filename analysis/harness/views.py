"""Files of what harnesses would have done with the series of a data set."""

from __future__ import annotations

from functools import partial
from typing import Final

from django.http import Http404, HttpResponse, StreamingHttpResponse
from django.views.decorators.http import require_GET

from analysis.harness import exports
from analysis.harness.query import HarnessQuery
from analysis.harness.reads import harness_runs
from analysis.harness.table import HarnessTable
from analysis.references.yardsticks import UnknownYardstick
from analysis.web.table_files import table_file, wanted_table
from people import downloads
from people.access import SignedInRequest
from series.access import dataset_for

OF_A_FILE: Final = 20.0  # seconds of computing


@require_GET
def harness_file(
    request: SignedInRequest, study: str, dataset: str
) -> HttpResponse | StreamingHttpResponse:
    """One table as CSV or JSON; a sentence instead of half a table that takes too long."""
    visible_dataset = dataset_for(request, study, dataset)
    table_name = wanted_table(request, exports.FILES)
    query = HarnessQuery.from_query(request.GET)
    try:
        table = HarnessTable(harness_runs(visible_dataset, request.user, query, OF_A_FILE))
    except UnknownYardstick as unknown:
        raise Http404(str(unknown)) from unknown
    if table.runs.waiting:
        sentence = f"{table.runs.waiting} series are still being computed; ask again in a moment\n"
        return HttpResponse(
            sentence, status=503, content_type="text/plain", headers={"Retry-After": 5}
        )
    return table_file(
        request,
        downloads.download_name(visible_dataset.study.slug, visible_dataset.slug, table_name),
        exports.FILES[table_name],
        exports.harness_rows(table, table_name),
        partial(exports.harness_document, table, table_name),
    )
