"""Time that people will take for what was just imported, at this study's own pace. A panel."""

from __future__ import annotations

from collections.abc import Iterator
from statistics import median
from typing import Final

from django.db.models import F
from django.http import HttpRequest

from annotate.models import Annotator, Mark
from people.models import Study
from series.import_pages.import_page import NewSeries
from series.panels import PagePanel

ENOUGH: Final = 5  # answers, before they tell a pace
LATEST: Final = 500  # answers whose times are looked at


def campaign_panels(_request: HttpRequest, new_series: NewSeries) -> Iterator[PagePanel]:
    """Yield the panel; nothing where nobody has answered yet."""
    pace = seconds_a_series(new_series.study)
    if pace is not None and new_series.count:
        context = {"series": new_series.count, "seconds": pace * new_series.count, "pace": pace}
        yield PagePanel("people", "annotate/campaigns/_after_import.html", context)


def seconds_a_series(study: Study) -> float | None:
    """Median time of the latest first answers of people; None for too few. No answer is read."""
    first = Mark.objects.filter(
        task__campaign__study=study,
        task__campaign__simulated=False,
        task__expected=None,
        revision=1,
        seconds__gt=0,
    )
    marks_of_people = first.filter(
        task__campaign__annotators__user_id=F("annotator_id"),
        task__campaign__annotators__kind=Annotator.Kind.PERSON,
    )
    latest_seconds = marks_of_people.order_by("-when").values_list("seconds", flat=True)[:LATEST]
    seconds = [duration for duration in latest_seconds if duration is not None]
    return median(seconds) if len(seconds) >= ENOUGH else None
