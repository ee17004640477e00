"""The way from a series' page to the playground, for who may see its detections."""

from __future__ import annotations

from django.http import HttpRequest

from analysis.methods.playground.subjects import playground_address
from annotate import blind
from series.models import Series
from series.panels import PagePanel


def panels(request: HttpRequest, series: Series) -> list[PagePanel]:
    """Parts of the page of a series (`series.panels`)."""
    if blind.is_open(request.user, series):
        return []
    context = {"url": playground_address(series.digest)}
    return [PagePanel("actions", "analysis/series_page/overlay/playground.html", context)]
