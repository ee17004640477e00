"""Time that people will take for what was just imported, at this study's own pace. A panel."""

from __future__ import annotations

from collections.abc import Iterator

from django.http import HttpRequest

from annotate.campaigns.pace import seconds_a_series
from series.import_pages.import_page import NewSeries
from series.panels import PagePanel


def campaign_panels(_request: HttpRequest, new_series: NewSeries) -> Iterator[PagePanel]:
    """Yield the panel; nothing where nobody has answered yet."""
    pace = seconds_a_series(new_series.study)
    if pace is not None and new_series.count:
        context = {"series": new_series.count, "seconds": pace * new_series.count, "pace": pace}
        yield PagePanel("people", "annotate/campaigns/_after_import.html", context)
