"""The way from a benchmark's page to its trend."""

from __future__ import annotations

from collections.abc import Iterable

from django.http import HttpRequest
from django.urls import reverse

from series.models import Benchmark
from series.panels import PagePanel


def link(_: HttpRequest, benchmark: Benchmark) -> Iterable[PagePanel]:
    """A button beside the title (`series.panels`)."""
    dataset = benchmark.dataset
    where = [dataset.study.slug, dataset.slug, benchmark.public_id]
    return [
        PagePanel("actions", "analysis/trend/_link.html", {"url": reverse("trend", args=where)})
    ]
