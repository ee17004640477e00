"""Events of a series on its page: lanes under the chart, coincidences, and one neighbourhood."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any, Final

import numpy as np
from django.conf import settings
from django.http import HttpRequest

from analysis.event_lanes.coincidence import (
    NEAR,
    SeriesChange,
    coincidence_sentences,
    level_changes,
)
from analysis.event_lanes.reads import (
    PlacedEvent,
    PlacedLane,
    lane_drawings,
    outside_sentence,
    placed_lanes,
    placement_sentences,
)
from analysis.series_page.series_overlay import yardstick_answer
from annotate import blind
from people.models import Role
from people.query_form import QueryForm, text_field, whole_field
from people.templatetags.writing import grouped
from series import shapes
from series.folds import SeriesFold
from series.models import Series, StoredEventLane
from series.panels import PagePanel
from series.shape_facts import shape_facts

FOLDER: Final = "analysis/series_page/events"
AROUND: Final = 20  # iterations before and after the one that is looked at
MOST_AROUND: Final = 10_000
MOST_ROWS: Final = 200


@dataclass(frozen=True, slots=True)
class EventsQuery(QueryForm):
    """Iteration whose events are listed, and how many iterations around it."""

    at: int | None = whole_field("at", "at", 0, 10**9, fallback="where the yardstick says")
    around: int = whole_field("around", "around", 0, MOST_AROUND, default=AROUND, fallback="20")
    yardstick: str = text_field("y", "yardstick")


@dataclass(frozen=True, slots=True)
class MetricRow:
    """Figure of each iteration: at the one that is looked at, and the median around it."""

    title: str
    unit: str
    value: float
    median: float


@dataclass(frozen=True, slots=True)
class EventNeighbourhood:
    """Everything that was going on around one iteration; `left_out` rows are not listed.

    rows   events, each with how often it stands in its lane: equal ones are one row
    """

    at: int
    around: int
    rows: Sequence[tuple[PlacedEvent, int]]
    left_out: int
    metrics: Sequence[MetricRow]
    lanes: Sequence[PlacedLane]
    placement: str
    outside: str
    offset: float | None

    @property
    def files(self) -> str:
        """Names of the files that the lanes came from."""
        return ", ".join(dict.fromkeys(lane.stored.file_name for lane in self.lanes))

    @property
    def limits(self) -> tuple[int, int]:
        """First and last iteration that is looked at."""
        last_index = self.lanes[0].n - 1 if self.lanes else self.at
        return max(self.at - self.around, 0), min(self.at + self.around, last_index)


def event_panels(request: HttpRequest, series: Series) -> Iterator[PagePanel]:
    """Parts of the page of a series (`series.panels`); none for who has yet to answer it."""
    if blind.is_open(request.user, series):
        return
    lanes = placed_lanes(series)
    is_owner = series.benchmark.dataset.study.role_of(request.user) == Role.OWNER
    if not lanes and not is_owner:
        return
    if lanes:
        sentences = coincidence_sentences(_changes(series, request.GET.get("y", "")), lanes)
        yield PagePanel("under", f"{FOLDER}/sentences.html", {"sentences": sentences})
        yield PagePanel("scripts", f"{FOLDER}/scripts.html", {"lanes": lane_drawings(lanes)})
    yield SeriesFold("events", "Events", _finding(lanes), series, request.GET.urlencode()).panel


def _finding(lanes: Sequence[PlacedLane]) -> str:
    if not lanes:
        return "import pauses, compilations or counters of the process"
    count = sum(lane.stored.count for lane in lanes)
    return f"{grouped(count)} in {len(lanes)} lane{'s' * (len(lanes) != 1)}"


def _changes(series: Series, code: str) -> list[SeriesChange]:
    """Changes of level by the shape of the series, and the start of its yardstick."""
    changes: list[SeriesChange] = []
    stored_shape = shapes.current_shape(series)
    if stored_shape is not None:
        shape, _ = shape_facts(stored_shape.facts)
        changes = level_changes(series.array(), shape.changes, 2 * shape.block)
    truth, words = yardstick_answer(series, code)
    is_new = truth is not None and all(abs(change.iteration - truth) > NEAR for change in changes)
    if truth is not None and truth > 0 and is_new:
        changes.append(SeriesChange(round(truth), f"{words} is steady from"))
    return sorted(changes, key=lambda change: change.iteration)


def neighbourhood(series: Series, query: EventsQuery) -> EventNeighbourhood:
    """The events around the iteration of `query`, which the reader may see answers to."""
    lanes = placed_lanes(series)
    iteration = query.at
    if iteration is None:
        changes = _changes(series, query.yardstick) if lanes else []
        iteration = changes[-1].iteration if changes else series.n // 2
    iteration = min(iteration, series.n - 1)
    begin, end = max(iteration - query.around, 0), min(iteration + query.around, series.n - 1)
    rows = [row for lane in lanes if not lane.is_metric for row in _event_counts(lane, begin, end)]
    rows.sort(key=lambda row: (row[0].first, row[0].last, row[0].lane.stored.pk))
    timed_lanes = [lane for lane in lanes if lane.stored.clock == StoredEventLane.Clock.SECONDS]
    is_placed = bool(lanes) and not (timed_lanes and series.iteration_length is None)
    return EventNeighbourhood(
        at=iteration,
        around=query.around,
        rows=rows[:MOST_ROWS],
        left_out=max(len(rows) - MOST_ROWS, 0),
        metrics=[_metric_row(lane, iteration, begin, end) for lane in lanes if lane.is_metric],
        lanes=lanes,
        placement=placement_sentences(series, lanes),
        outside=outside_sentence(lanes) if is_placed else "",
        offset=timed_lanes[0].stored.offset if timed_lanes else None,
    )


def _event_counts(lane: PlacedLane, begin: int, end: int) -> list[tuple[PlacedEvent, int]]:
    """Events of a lane from `begin` to `end`, equal ones once with their number."""
    rows: dict[tuple[object, ...], tuple[PlacedEvent, int]] = {}
    for event in lane.within(begin, end):
        key = (event.first, event.last, event.name, event.detail, event.value)
        rows[key] = (event, rows[key][1] + 1 if key in rows else 1)
    return list(rows.values())


def _metric_row(lane: PlacedLane, iteration: int, begin: int, end: int) -> MetricRow:
    values = lane.events["value"]
    median = float(np.median(values[begin : end + 1]))
    return MetricRow(lane.stored.title, lane.stored.unit, values[iteration], median)


def events_context(request: HttpRequest, series: Series) -> dict[str, Any]:
    """Context of the opened part."""
    return {
        "series": series,
        "events": neighbourhood(series, EventsQuery.from_query(request.GET)),
        "is_owner": series.benchmark.dataset.study.role_of(request.user) == Role.OWNER,
        "limit": settings.IMPORT_MAX_FILE_BYTES // 1_000_000,
    }
