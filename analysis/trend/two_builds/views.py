"""Page of two builds: a tab of the trend."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from django.core.paginator import Paginator
from django.http import Http404, HttpResponse
from django.shortcuts import render
from django.views.decorators.http import require_GET

from analysis.trend.exports import MOST_MEANS
from analysis.trend.query import target_words, trend_address
from analysis.trend.starts import UnknownStart, start_choices
from analysis.trend.two_builds.query import TwoBuildsQuery
from analysis.trend.two_builds.table import (
    NoSecondBuild,
    TwoBuilds,
    UnknownBuild,
    build_choices,
    two_builds,
)
from people import query_settings
from people.access import SignedInRequest
from people.query_form import FilledControl
from series.access import dataset_for
from series.models import Dataset

PAGE = 50


@require_GET
def builds(request: SignedInRequest, study: str, dataset: str) -> HttpResponse:
    """All benchmarks of two builds; why there are none, where a data set has one build."""
    visible_dataset = dataset_for(request, study, dataset)
    query_settings.warn_unused_parameters(request, TwoBuildsQuery.settings())
    query = TwoBuildsQuery.from_query(request.GET)
    context: dict[str, Any] = {"dataset": visible_dataset, "study": visible_dataset.study}
    try:
        two_build_table = two_builds(visible_dataset, request.user, query, limit=MOST_MEANS)
    except UnknownStart as error:
        raise Http404(str(error)) from error
    except (UnknownBuild, NoSecondBuild) as error:
        context |= {"refusal": f"{error}."}
    else:
        context |= _table_context(request, two_build_table)
    has_duets = visible_dataset.recordings.exclude(duet="").exists()
    controls = _controls(visible_dataset, query, () if has_duets else ("duets", "target"))
    context |= {"query": query, "controls": controls}
    context["has_recordings"] = visible_dataset.recordings.exists()
    return render(request, "analysis/trend/builds.html", context)


def _table_context(request: SignedInRequest, two_build_table: TwoBuilds) -> dict[str, Any]:
    page = Paginator(two_build_table.rows, PAGE).get_page(request.GET.get("page"))
    exact_query = two_build_table.asked.changed(
        before=two_build_table.before.name,
        after=two_build_table.after.name,
        start=two_build_table.start.code,
    )
    first_benchmark = two_build_table.rows[0].benchmark if two_build_table.rows else None
    return {
        "builds": two_build_table,
        "counts": two_build_table.counts,
        "page": page,
        "target": target_words(two_build_table.asked.target),
        "rows": [
            (
                row,
                trend_address(row.benchmark),
                row.duet.forks_needed(two_build_table.asked.target) if row.duet else None,
            )
            for row in page
        ],
        "first": first_benchmark,
        "first_address": trend_address(first_benchmark) if first_benchmark else "",
        "command": " ".join(exact_query.arguments()),
    }


def _controls(
    dataset: Dataset, query: TwoBuildsQuery, omitted_names: Sequence[str]
) -> list[FilledControl]:
    other_datasets = dataset.study.datasets.exclude(pk=dataset.pk).order_by("name")
    other_choices = [(other_dataset.slug, other_dataset.name) for other_dataset in other_datasets]
    before_dataset = other_datasets.filter(slug=query.against).first() or dataset
    return query.controls(
        choices={
            "before": build_choices(before_dataset, query.before),
            "after": build_choices(dataset, query.after),
            "against": other_choices,
            "start": start_choices(dataset),
        },
        omitted_fields=omitted_names,
    )
