"""Parts of a series' page that are asked for when somebody opens them."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from django.http import HttpRequest, HttpResponse, HttpResponsePermanentRedirect
from django.shortcuts import render
from django.urls import reverse

from series.models import Series
from series.panels import PagePanel

TEMPLATE = "series/_fold.html"


@dataclass(frozen=True, slots=True)
class SeriesFold:
    """A closed line with its finding.

    name   id of the part on the page, and the end of its route: `series-<name>`
    query  of the page, which the part is given too, so that an address opens it as it was
    """

    name: str
    title: str
    finding: str
    series: Series
    query: str = ""

    @property
    def url(self) -> str:
        """Address of the part."""
        study = self.series.benchmark.dataset.study
        address = reverse(f"series-{self.name}", args=[study.slug, self.series.public_id])
        return f"{address}?{self.query}" if self.query else address

    @property
    def panel(self) -> PagePanel:
        """The fold below everything else on the page."""
        return PagePanel("folds", TEMPLATE, {"fold": self})


def fold_or_page(
    request: HttpRequest, series: Series, name: str, template: str, context: Mapping[str, Any]
) -> HttpResponse:
    """The opened part for htmx; for anybody else the series' page, at this part."""
    if request.headers.get("HX-Request"):
        return render(request, template, context)
    return redirect_to_part(request, series, name)


def redirect_to_part(request: HttpRequest, series: Series, name: str) -> HttpResponse:
    """A permanent redirect to a part of the series' page, with the query."""
    query = request.GET.urlencode()
    address = f"{series.get_absolute_url()}{'?' if query else ''}{query}#{name}"
    return HttpResponsePermanentRedirect(address, preserve_request=True)
