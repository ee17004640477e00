"""Link from the page of a series to the trend of its benchmark."""

from __future__ import annotations

from collections.abc import Iterable

from django.http import HttpRequest

from analysis.trend.query import trend_address
from series.models import Series
from series.panels import PagePanel
from series.queries import has_several_recordings


def trend_link_panel(_: HttpRequest, series: Series) -> Iterable[PagePanel]:
    """An entry of the page's menu, once the data set has two recordings (`series.panels`)."""
    benchmark, dataset = series.benchmark, series.benchmark.dataset
    if not has_several_recordings(dataset):
        return []
    link = {"url": trend_address(benchmark), "words": "Trend"}
    return [PagePanel("menu", "series/_menu_link.html", link)]
