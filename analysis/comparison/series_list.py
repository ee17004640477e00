"""Walking a list of series from page to page: the list behind a number, or the queue."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from django.http import HttpRequest
from django.urls import reverse

from analysis.comparison import consequences, drilldown
from analysis.comparison.drilldown import Drilldown, DrilldownRow, UnknownCell
from analysis.comparison.inputs import ComparedSeries, UnknownMethod
from analysis.comparison.query import ComparisonQuery, DrilldownCell, ListQuery
from analysis.comparison.table import ComparisonResult, compare
from analysis.references.yardsticks import UnknownYardstick
from analysis.statistics.disagreement import Disagreement
from people.models import User
from series.models import Series


def queue_in(found: ComparisonResult, by: ListQuery) -> Sequence[Disagreement]:
    """The queue of disagreements, widest first, or largest change of the result first."""
    queue = drilldown.disagreement_queue(found)
    return consequences.queue_by_change(found, queue) if by.order else queue


def rows_in(listed: Drilldown, by: ListQuery) -> Sequence[DrilldownRow]:
    """The series behind a number, in the same orders."""
    return consequences.rows_by_change(listed.rows) if by.order else listed.rows


@dataclass(frozen=True, slots=True)
class DrilldownWalk:
    """The list that a series was opened from, and the way on through it."""

    title: str
    url: str
    at: int  # from 1
    of: int
    previous: str
    next: str
    yardstick: str  # by which the list was made
    methods: tuple[str, ...]  # that it is about; none of the queue


def drilldown_walk(
    request: HttpRequest, series: Series, asked: ComparisonQuery
) -> DrilldownWalk | None:
    """None for a page that was opened from no list, or whose list has changed since."""
    kind = request.GET.get("from", "")
    if kind not in {"series", "queue"} or not isinstance(request.user, User):
        return None
    study = series.benchmark.dataset.study
    cell, by = DrilldownCell.of(request.GET), ListQuery.of(request.GET)
    try:
        found = compare(study, request.user, asked)
        if found is None:
            return None
        title, lines = _list(found, kind, cell, by)
    except (UnknownCell, UnknownMethod, UnknownYardstick, KeyError):
        return None  # an old address: the page is still the series' page
    ids = [line.public_id for line in lines]
    if series.public_id not in ids:
        return None
    at = ids.index(series.public_id)
    own = (cell, by) if kind == "series" else (by,)
    query = asked.query(*own, **{"from": kind})
    return DrilldownWalk(
        title,
        reverse(f"comparison-{kind}", args=[study.slug]) + asked.query(*own),
        at + 1,
        len(ids),
        lines[at - 1].address(study.slug) + query if at else "",
        lines[at + 1].address(study.slug) + query if at + 1 < len(ids) else "",
        found.yardstick.code,
        tuple(filter(None, (cell.row, cell.other))) if kind == "series" else (),
    )


def _list(
    found: ComparisonResult, kind: str, cell: DrilldownCell, by: ListQuery
) -> tuple[str, Sequence[ComparedSeries]]:
    if kind == "queue":
        lines = [found.lines[one.series] for one in queue_in(found, by)]
        return "Queue of disagreements", lines
    listed = drilldown.drilldown_of(found, cell)
    return listed.sentence, [row.line for row in rows_in(listed, by)]
