"""Files of all plans of a data set."""

from __future__ import annotations

from collections.abc import Iterator

from django.http import StreamingHttpResponse
from django.views.decorators.http import require_GET

from analysis.planner import exports
from analysis.planner.query import PlanQuery
from analysis.planner.reads import dataset_plans
from detectors.planning.plan_rows import plan_row
from formats import tables
from people import downloads
from people.access import SignedInRequest
from series.access import dataset_for


@require_GET
def plans_file(request: SignedInRequest, study: str, dataset: str) -> StreamingHttpResponse:
    """A row a benchmark."""
    visible_dataset = dataset_for(request, study, dataset)
    benchmark_plans = dataset_plans(
        visible_dataset, request.user, PlanQuery.from_query(request.GET)
    )
    pieces = tables.write_rows(exports.COLUMNS, map(plan_row, benchmark_plans))
    return downloads.csv(
        pieces,
        f"{downloads.download_name(visible_dataset.study.slug, visible_dataset.slug, 'plans')}.csv",
    )


@require_GET
def annotations_file(request: SignedInRequest, study: str, dataset: str) -> StreamingHttpResponse:
    """The benchmarks with a recommendation, each with the lines that its harness is told."""
    visible_dataset = dataset_for(request, study, dataset)
    query = PlanQuery.from_query(request.GET)
    if "h" not in request.GET:
        query = query.changed(harness="jmh-annotations")
    pieces: Iterator[str] = exports.plan_lines(dataset_plans(visible_dataset, request.user, query))
    answer = StreamingHttpResponse(pieces, content_type="text/plain; charset=utf-8")
    name = (
        f"{downloads.download_name(visible_dataset.study.slug, visible_dataset.slug, 'plans')}.txt"
    )
    answer["Content-Disposition"] = f'attachment; filename="{name}"'
    return answer
