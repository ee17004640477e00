"""Plans of a data set as source text, and the machine time that they save."""

from __future__ import annotations

from django.http import HttpResponse, StreamingHttpResponse
from django.shortcuts import render
from django.views.decorators.http import require_GET

from analysis.planner import exports
from analysis.planner.query import PlanQuery
from analysis.planner.reads import dataset_plans
from analysis.planner.savings import saving_sentence, suite_savings
from detectors.registry import DEFAULT_METHOD, registry
from people import downloads
from people.access import SignedInRequest
from series.access import dataset_for


@require_GET
def annotations_file(request: SignedInRequest, study: str, dataset: str) -> StreamingHttpResponse:
    """The benchmarks with a recommendation, each with the lines that its harness is told."""
    visible_dataset = dataset_for(request, study, dataset)
    query = PlanQuery.from_query(request.GET)
    pieces = exports.plan_lines(
        dataset_plans(visible_dataset, request.user, query), has_annotations=not query.harness
    )
    return downloads.text(pieces, f"{downloads.download_name(study, dataset, 'plans')}.txt")


@require_GET
def savings_fold(request: SignedInRequest, study: str, dataset: str) -> HttpResponse:
    """Body of the fold: what the plans of all benchmarks would take, beside other ways."""
    visible_dataset = dataset_for(request, study, dataset)
    query = PlanQuery.from_query(request.GET)
    savings, best_way = suite_savings(visible_dataset, request.user, query), ""
    if not savings.ways and savings.read == savings.of:  # people have marked too few forks
        method_query = query.changed(source=DEFAULT_METHOD)
        savings = suite_savings(visible_dataset, request.user, method_query)
        best_way = registry()[DEFAULT_METHOD].title if savings.ways else ""
    context = {"savings": savings, "sentence": saving_sentence(savings), "by": best_way}
    return render(request, "analysis/planner/_savings.html", context)
