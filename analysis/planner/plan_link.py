"""The way to a plan, from the page of a benchmark."""

from __future__ import annotations

from collections.abc import Iterable

from django.http import HttpRequest
from django.urls import reverse

from series.models import Benchmark
from series.panels import PagePanel


def of_benchmark(_: HttpRequest, benchmark: Benchmark) -> Iterable[PagePanel]:
    """A button beside the title (`series.panels`)."""
    where = benchmark.dataset
    url = reverse("benchmark-plan", args=[where.study.slug, where.slug, benchmark.public_id])
    return [PagePanel("actions", "analysis/planner/_link.html", {"url": url})]
