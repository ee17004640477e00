"""Map of a run: cells by state, room for many methods, what the reader may see."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import AbstractContextManager
from datetime import UTC, datetime, timedelta

import pytest

from analysis.runs import answer_map
from analysis.runs.answer_map import AnswerMap, map_columns
from analysis.runs.models import Run
from analysis.runs.run_sentence import open_series_count
from analysis.runs.time_line import TimeLine, pace_bars
from analysis.work.progress import job_progress
from detectors.registry import registry
from people.models import User
from series.models import Series
from tests.analysis.runs.conftest import FIXED
from tests.analysis.work.units import take, work


def cell_states(drawn_map: AnswerMap) -> list[list[str]]:
    return [[cell.state for cell in row.cells] for row in drawn_map.rows]


def test_a_cell_says_where_its_answer_stands(
    seven_series: list[Series], make_run: Callable[..., Run], olga: User
) -> None:
    run = make_run(FIXED, "ruptures-pelt", "kb-kssd")
    work(run.units.get(detector_key__startswith="fixed"))
    for chunk in run.units.filter(detector_key__startswith="ruptures"):
        work(chunk)
    waiting_units = run.units.filter(state="waiting", members__series=seven_series[2])
    claim = take(waiting_units.get(), worker="w-1@here")
    assert claim is not None
    claim.begin(seven_series[2].public_id)
    claim.extend()

    drawn_map = answer_map.answer_map(run, job_progress(run), olga)

    assert [method.slug for method in drawn_map.methods] == ["kb-kssd", "fixed", "ruptures-pelt"]
    assert sorted(cell_states(drawn_map)[:-1]) == [["waiting", "answered", "short"]] * 6
    assert cell_states(drawn_map)[-1] == ["working", "answered", "short"]
    assert drawn_map.rows[-1].series == seven_series[2]
    assert drawn_map.rows[-1].is_at_work
    assert drawn_map.rows[-1].cells[1].label == "3"
    assert drawn_map.rows[-1].cells[1].words.endswith(": 3")
    assert [row.done_count for row in drawn_map.rows] == [2] * 7
    assert [state for state, _ in drawn_map.legend] == ["short", "working", "waiting"]
    assert open_series_count(run) == 7


def test_a_page_draws_the_longest_series_and_counts_the_others(
    seven_series: list[Series],
    make_run: Callable[..., Run],
    olga: User,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(answer_map, "MOST_ROWS", 2)
    monkeypatch.setattr(answer_map, "FEWEST_ROWS", 1)
    Series.objects.filter(pk=seven_series[1].pk).update(n=99)

    run = make_run(FIXED)
    drawn_map = answer_map.answer_map(run, job_progress(run), olga)

    assert [row.series for row in drawn_map.rows] == [seven_series[6], seven_series[1]]
    assert (drawn_map.undrawn_count, drawn_map.hidden_count) == (5, 0)


def test_a_heading_without_room_joins_the_others() -> None:
    keys = [method().key for method in registry().values()]

    columns, families = map_columns(keys)

    assert sorted(columns) == sorted(keys)
    assert sum(count for _, count in families) == len(keys)
    assert families[-1][0] == answer_map.OTHERS
    assert ("Published detectors", 14) in families
    assert "Combinations" not in dict(families)
    assert map_columns([]) == ([], ())


def test_the_time_line_ends_with_the_latest_end() -> None:
    begin_time = datetime(2026, 1, 1, 12, tzinfo=UTC)
    line = TimeLine.from_moments(
        begin_time, begin_time + timedelta(minutes=20), (1200.0, 3600.0), planned_seconds=600.0
    )

    assert (line.now_position, line.sure_width, line.position_of(line.latest)) == (
        25.0,
        25.0,
        100.0,
    )
    assert [(mark.words, mark.position) for mark in line.marks] == [
        ("latest", 100.0),
        ("earliest", 50.0),
        ("", 0.0),
        ("first guess", 12.5),
    ]
    near_line = TimeLine.from_moments(begin_time, begin_time, (60.0, 61.0))
    assert [mark.words for mark in near_line.marks] == ["about", ""]


def test_bars_of_the_pace_are_shares_of_the_fastest_minute() -> None:
    assert pace_bars([0, 5, 10]) == [0, 50, 100]
    assert pace_bars([0, 0]) == []


def test_cells_are_read_anew_once_the_run_has_looked_at_one_series_more(
    seven_series: list[Series],
    make_run: Callable[..., Run],
    olga: User,
    django_assert_num_queries: Callable[..., AbstractContextManager[object]],
) -> None:
    run = make_run(FIXED)
    progress = job_progress(run)
    drawn_map = answer_map.answer_map(run, progress, olga)
    assert {cell for row in cell_states(drawn_map) for cell in row} == {"waiting"}
    with django_assert_num_queries(2):  # series that the reader may see: their number, and the rows
        answer_map.answer_map(run, progress, olga)
    work(run.units.get())

    drawn_map = answer_map.answer_map(run, job_progress(run), olga)

    assert {cell for row in cell_states(drawn_map) for cell in row} == {"answered"}
