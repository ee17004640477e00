"""Seconds that people take to answer a series."""

from __future__ import annotations

from statistics import median
from typing import Final

from django.db.models import F

from annotate.models import Annotator, Mark
from people.models import Study

USUAL_SECONDS: Final = 20.0  # a series, before a study has a pace of its own
ENOUGH: Final = 5  # answers, before they tell a pace
LATEST: Final = 500  # answers whose times are looked at


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
