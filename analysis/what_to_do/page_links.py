"""Link to *What to do* on the page of a series."""

from __future__ import annotations

from collections.abc import Iterable

from django.http import HttpRequest
from django.urls import reverse

from series.models import Series
from series.panels import PagePanel


def of_series(_: HttpRequest, series: Series) -> Iterable[PagePanel]:
    """A button beside the title (`series.panels`)."""
    benchmark = series.benchmark
    page = reverse("what-to-do", args=[benchmark.dataset.study.slug])
    url = f"{page}?b={benchmark.public_id}"
    return [PagePanel("actions", "analysis/what_to_do/_link.html", {"url": url})]
