"""How long a run takes on what was just imported, as this machine's last run took. A panel."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from django.db.models import F
from django.http import HttpRequest

from analysis.runs.models import Run
from series.import_page import NewSeries
from series.panels import PagePanel


@dataclass(frozen=True, slots=True)
class RunTime:
    """`methods` on `series` take about `seconds`, with as many workers as the last run had."""

    methods: int
    series: int
    seconds: float


def panels(_request: HttpRequest, new: NewSeries) -> Iterator[PagePanel]:
    """Nothing where no run tells how fast this machine is."""
    if found := expected_time(new.count):
        yield PagePanel("run", "analysis/runs/_after_import.html", {"time": found})


def expected_time(series: int) -> RunTime | None:
    """Of the methods of the last run that computed something, at its seconds an answer."""
    done = Run.objects.filter(
        state=Run.State.DONE, began__isnull=False, finished__isnull=False, study__removed=None
    )
    last = done.filter(wanted__gt=F("stored_before")).order_by("-finished", "-pk").first()
    if last is None or not last.seconds or not series:
        return None
    each = last.seconds / last.to_compute
    return RunTime(last.breadth, series, each * last.breadth * series)
