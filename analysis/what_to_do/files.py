"""Files behind the page: plans, harnesses and costs of a data set."""

from __future__ import annotations

from django.urls import reverse

from analysis.cost.exports import COST_TABLES
from analysis.harness.exports import HARNESS_TABLES
from analysis.planner.exports import PLAN_TABLES
from analysis.planner.query import PlanQuery
from analysis.what_to_do.query import WhatToDoQuery
from series.models import Dataset


def file_links(dataset: Dataset, query: WhatToDoQuery) -> list[tuple[str, str]]:
    """Words and addresses of the files behind the page."""
    study, yardstick = dataset.study.slug, query.yardstick_code
    harness_address = f"{reverse('harness-file', args=[study, dataset.slug])}?y={yardstick}&what="
    cost_address = f"{reverse('cost-file', args=[study])}?d={dataset.slug}&y={yardstick}&what="
    settings = plan_query(query).query()
    plans_address = reverse("plans-file", args=[study, dataset.slug]) + (
        f"{settings}&" if settings else "?"
    )
    return [
        *(
            (words, f"{plans_address}what={table_name}")
            for table_name, words in PLAN_TABLES.titles.items()
        ),
        ("Plans as source", reverse("plans-annotations", args=[study, dataset.slug]) + settings),
        *(
            (words, harness_address + table_name)
            for table_name, words in HARNESS_TABLES.titles.items()
        ),
        *((words, cost_address + table_name) for table_name, words in COST_TABLES.titles.items()),
    ]


def plan_query(query: WhatToDoQuery) -> PlanQuery:
    """The settings of a plan alone, of the newest recording."""
    settings = {name: getattr(query, name) for name in PlanQuery.declared()}
    return PlanQuery(**{**settings, "source": query.steady_by, "recording": ""})
