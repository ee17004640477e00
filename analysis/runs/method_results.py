"""Figures of stored detections for the catalogue of methods."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Final

from django.db.models import Count, F, IntegerField, Window
from django.db.models.functions import RowNumber

from analysis.methods.catalogue import StoredResults
from analysis.runs.models import Detection
from annotate import blind
from detectors.registry import registry
from people.models import User
from series.models import Series

ABOUT_3000: Final = (2_500, 3_500)  # values of the series whose times are told


def results_by_method(person: User) -> dict[str, StoredResults]:
    """Of each slug, over the series that this person may see answers of."""
    series = blind.visible_series(person, Series.objects.all())
    answered = Detection.objects.filter(series__in=series, outcome=Detection.Outcome.ANSWER)
    counts = answered.values_list("slug").annotate(count=Count("series", distinct=True)).order_by()
    times = _medians(series.filter(n__range=ABOUT_3000))
    return {slug: StoredResults(count, *times.get(slug, (None, 0))) for slug, count in counts}


def _medians(series: Iterable[Series]) -> dict[str, tuple[float, int]]:
    """Median milliseconds and number of results of each method with its defaults."""
    defaults = [detector().key for detector in registry().values()]
    timed = Detection.objects.filter(
        series__in=series,
        detector_key__in=defaults,
        outcome=Detection.Outcome.ANSWER,
        milliseconds__isnull=False,
    ).annotate(
        rank=Window(RowNumber(), partition_by="slug", order_by="milliseconds"),
        of=Window(Count("pk"), partition_by="slug", output_field=IntegerField()),
    )
    middle = timed.filter(rank=(F("of") + 1) / 2)
    found = middle.values_list("slug", "milliseconds", "of")
    return {slug: (ms, of) for slug, ms, of in found if ms is not None}
