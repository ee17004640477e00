"""Ways to the page, from a benchmark and from each of its forks."""

from __future__ import annotations

from collections.abc import Iterable

from django.http import HttpRequest
from django.urls import reverse

from series.models import Benchmark, Series
from series.panels import PagePanel


def of_benchmark(_: HttpRequest, benchmark: Benchmark) -> Iterable[PagePanel]:
    """A button beside the title (`series.panels`)."""
    page = reverse("what-to-do", args=[benchmark.dataset.study.slug])
    url = f"{page}?b={benchmark.public_id}"
    return [PagePanel("actions", "analysis/what_to_do/_link.html", {"url": url})]


def of_series(request: HttpRequest, series: Series) -> Iterable[PagePanel]:
    """The same button on the page of a fork."""
    return of_benchmark(request, series.benchmark)
