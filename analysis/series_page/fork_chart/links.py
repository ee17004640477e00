"""The ways to a fork chart: from the page of a benchmark, and from that of each fork."""

from __future__ import annotations

from collections.abc import Iterable
from urllib.parse import urlencode

from django.http import HttpRequest
from django.urls import reverse

from series.models import Benchmark, Series
from series.panels import PagePanel

FOLDER = "analysis/series_page/fork_chart"


def of_benchmark(_: HttpRequest, benchmark: Benchmark) -> Iterable[PagePanel]:
    """A button beside the title (`series.panels`)."""
    return [PagePanel("actions", f"{FOLDER}/_link.html", {"url": address(benchmark)})]


def of_series(_: HttpRequest, series: Series) -> Iterable[PagePanel]:
    """Of a series with other forks, itself above them: beside its facts, where there is room."""
    mine = Series.objects.filter(benchmark=series.benchmark_id, recording=series.recording_id)
    if mine.count() < 2:
        return []
    there = {"r": series.recording.label, "fork": series.fork}
    url = f"{address(series.benchmark)}?{urlencode(there)}"
    return [PagePanel("side", f"{FOLDER}/_side.html", {"url": url})]


def address(benchmark: Benchmark) -> str:
    dataset = benchmark.dataset
    return reverse("benchmark-forks", args=[dataset.study.slug, dataset.slug, benchmark.public_id])
