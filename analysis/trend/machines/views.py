"""Page of the machines of a build: a tab of the trend."""

from __future__ import annotations

from typing import Any

from django.core.paginator import Paginator
from django.http import Http404, HttpResponse
from django.shortcuts import render
from django.views.decorators.http import require_GET

from analysis.trend.exports import MOST_MEANS
from analysis.trend.machines.exports import MACHINE_TABLES
from analysis.trend.machines.query import MachinesQuery
from analysis.trend.machines.table import NoMachines, build_machines, kind_of, kinds_by_instance
from analysis.trend.query import target_words, trend_address
from analysis.trend.starts import UnknownStart, start_choices
from analysis.trend.two_builds.table import UnknownBuild, build_choices
from people import query_settings
from people.access import SignedInRequest
from people.query_form import FilledControl
from series.access import dataset_for
from series.models import Dataset

PAGE = 50


@require_GET
def machines(request: SignedInRequest, study: str, dataset: str) -> HttpResponse:
    """Machines of a build; why there are none, where it was measured on one."""
    visible_dataset = dataset_for(request, study, dataset)
    query_settings.warn_unused_parameters(request, MachinesQuery.settings())
    query = MachinesQuery.from_query(request.GET)
    context: dict[str, Any] = {"dataset": visible_dataset, "study": visible_dataset.study}
    try:
        build = build_machines(visible_dataset, request.user, query, limit=MOST_MEANS)
    except UnknownStart as unknown:
        raise Http404(str(unknown)) from unknown
    except (UnknownBuild, NoMachines) as sentence:
        context["refusal"] = f"{sentence}."
    else:
        page = Paginator(build.rows, PAGE).get_page(request.GET.get("page"))
        context |= {
            "build": build,
            "page": page,
            "rows": [(row, trend_address(row.benchmark)) for row in page],
            "titles": MACHINE_TABLES.titles,
            "target": target_words(query.target),
            "first": build.rows[0].benchmark if build.rows else None,
            "first_address": trend_address(build.rows[0].benchmark) if build.rows else "",
            "command": " ".join(query.arguments()),
        }
    context |= {"query": query, "controls": _controls(visible_dataset, query)}
    context["has_recordings"] = visible_dataset.recordings.exists()
    return render(request, "analysis/trend/machines.html", context)


def _controls(dataset: Dataset, query: MachinesQuery) -> list[FilledControl]:
    instances = kinds_by_instance(dataset)
    recordings = dataset.recordings.exclude(machine="", instance="").only("machine", "instance")
    kinds = sorted({kind_of(recording, instances) for recording in recordings} - {""})
    return query.controls(
        choices={
            "build": build_choices(dataset, query.build),
            "kind": [(kind, kind) for kind in kinds],
            "start": start_choices(dataset),
        }
    )
