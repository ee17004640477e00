"""The page “What should I do?” of a benchmark, or of all benchmarks of a data set."""

from __future__ import annotations

from typing import Any

from django.http import Http404, HttpResponse
from django.shortcuts import get_object_or_404, render
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_GET

from analysis.references.yardsticks import UnknownYardstick
from analysis.series_page.fork_chart.reads import UnknownRecording
from analysis.what_to_do.benchmark_page import benchmark_context
from analysis.what_to_do.choices import choices_context, default_dataset
from analysis.what_to_do.dataset_page import dataset_context
from analysis.what_to_do.query import WhatToDoQuery
from people import query_settings
from people.access import SignedInRequest, study_for
from people.models import Study
from series.models import Benchmark, Dataset


@require_GET
@never_cache
def what_to_do(request: SignedInRequest, study: str) -> HttpResponse:
    """One benchmark where the address names it, else all benchmarks of a data set."""
    query_settings.warn_unused_parameters(request, WhatToDoQuery.settings())
    query, visible_study = WhatToDoQuery.from_query(request.GET), study_for(request, study)
    benchmark = _benchmark(visible_study, query)
    dataset = benchmark.dataset if benchmark else _dataset(visible_study, query)
    context: dict[str, Any] = {"study": visible_study, "query": query}
    if dataset is None:
        return render(request, "analysis/what_to_do/page.html", context)
    context |= choices_context(dataset, benchmark, query)
    follows_request = benchmark is None and "HX-Request" in request.headers
    try:
        if benchmark is not None:
            context |= benchmark_context(benchmark, request.user, query)
        else:
            context |= dataset_context(dataset, request.user, query, is_follow_up=follows_request)
    except (UnknownRecording, UnknownYardstick) as error:
        raise Http404(str(error)) from error
    template_name = "_dataset" if follows_request else "page"
    return render(request, f"analysis/what_to_do/{template_name}.html", context)


def _benchmark(study: Study, query: WhatToDoQuery) -> Benchmark | None:
    """The benchmark that the address names; 404 where the study has none of that id."""
    if not query.benchmark:
        return None
    study_benchmarks = Benchmark.objects.filter(dataset__study=study).select_related(
        "dataset__study"
    )
    return get_object_or_404(study_benchmarks, public_id=query.benchmark)


def _dataset(study: Study, query: WhatToDoQuery) -> Dataset | None:
    """The data set that the address names, else the default; None in a study without any."""
    study_datasets = study.datasets.select_related("study")
    return (
        get_object_or_404(study_datasets, slug=query.dataset)
        if query.dataset
        else default_dataset(study)
    )
