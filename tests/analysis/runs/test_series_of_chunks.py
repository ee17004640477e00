"""The series of a chunk are rows: stored runs keep theirs, and one statement asks for them."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from contextlib import AbstractContextManager
from datetime import timedelta
from typing import Any

import pytest
from django.apps.registry import Apps
from django.db import connection
from django.test.utils import CaptureQueriesContext
from django.utils import timezone

from analysis.runs.job_kind import RunKind
from analysis.runs.models import Chunk, ChunkSeries, Detection, Run
from analysis.work import services as jobs
from series.models import Series
from tests.analysis.runs.conftest import FIXED
from tests.analysis.work.units import take, work

LISTS, ROWS = "0013_write_probe", "0015_remove_lists_of_series"
OTHER = "fixed@1?iteration=5"


def lists_of(apps: Apps) -> dict[int, list[int]]:
    stored: Any = apps.get_model("analysis", "Chunk")
    return dict(stored.objects.values_list("pk", "series_ids"))


def rows_of(run: Run) -> dict[int, list[int]]:
    return {chunk.pk: chunk.series_ids() for chunk in run.units.all()}


def everything_but_series() -> list[tuple[Any, ...]]:
    runs, chunks = Run.objects.order_by("pk"), Chunk.objects.order_by("pk")
    return [*runs.values_list(), *chunks.values_list()]


@pytest.mark.django_db(transaction=True)
def test_a_stored_run_keeps_its_series_and_goes_on(
    seven: list[Series], make_run: Callable[..., Run], tables_of: Callable[[str], Apps]
) -> None:
    run = make_run(FIXED, OTHER)
    done, waiting = run.units.order_by("pk")
    work(done, worker="w-1@here")
    before, series = everything_but_series(), rows_of(run)

    lists = lists_of(tables_of(LISTS))
    tables_of(ROWS)

    assert lists == series == rows_of(run)
    assert everything_but_series() == before
    assert work(waiting, worker="w-1@here") == "done"
    run.refresh_from_db()
    assert (run.state, Detection.objects.filter(run=run).count()) == ("done", 14)


@pytest.mark.django_db(transaction=True)
def test_lists_of_every_length_become_rows_and_series_that_are_gone_do_not(
    seven: list[Series], make_run: Callable[..., Run], tables_of: Callable[[str], Apps]
) -> None:
    listed: list[Sequence[int]] = [[], [0], [2, 1], range(7)]
    run = make_run(*(f"fixed@1?iteration={number}" for number, _ in enumerate(listed)))
    lists = {
        chunk.pk: [seven[at].pk for at in places]
        for chunk, places in zip(run.units.order_by("pk"), listed, strict=True)
    }
    stored: Any = tables_of(LISTS).get_model("analysis", "Chunk")
    for pk, series in lists.items():
        stored.objects.filter(pk=pk).update(series_ids=[*series, seven[-1].pk + 1000])

    tables_of(ROWS)

    assert rows_of(run) == {pk: sorted(series) for pk, series in lists.items()}


def stopped(run: Run) -> Run:
    """With two answers of each chunk, and a failure."""
    jobs.stop(run)
    for chunk in run.units.all():
        for pk, outcome in zip(chunk.series_ids(), ("answer", "too-short", "failed"), strict=False):
            Detection.objects.create(
                series_id=pk,
                detector_key=chunk.detector_key,
                slug="fixed",
                outcome=outcome,
                steady_start=0 if outcome == "answer" else None,
            )
    return run


def test_run_again_counts_what_is_answered_of_each_chunk(
    seven: list[Series], make_run: Callable[..., Run]
) -> None:
    run = stopped(make_run(FIXED, OTHER))
    Detection.objects.filter(detector_key=OTHER).delete()

    assert jobs.retry(run) == 2

    counts = dict(run.units.values_list("detector_key", "done_count"))
    assert counts == {FIXED: 2, OTHER: 0}
    assert set(run.units.values_list("state", flat=True)) == {"waiting"}


def test_run_again_takes_as_many_statements_for_one_chunk_as_for_many(
    seven: list[Series], make_run: Callable[..., Run]
) -> None:
    one, many = (
        stopped(make_run(FIXED)),
        stopped(make_run(*(f"fixed?iteration={n}" for n in range(4, 9)))),
    )
    taken = []
    for run in (one, many):
        with CaptureQueriesContext(
            connection,
        ) as queries:
            jobs.retry(run)
        taken.append(len(queries))

    assert taken[0] == taken[1]


def test_a_chunk_taken_apart_shares_its_series_out(
    seven: list[Series], make_run: Callable[..., Run]
) -> None:
    run = make_run(FIXED)
    for _ in range(2):
        take(run.units.get(), worker="w-1@here")
        Chunk.objects.update(lease=timezone.now() - timedelta(seconds=1))
        jobs.recover(RunKind())

    assert sorted(rows_of(run).values()) == [[each.pk] for each in seven]
    assert set(run.units.values_list("size", flat=True)) == {1}
    assert ChunkSeries.objects.count() == 7


def test_a_series_that_is_deleted_leaves_its_chunk(
    seven: list[Series],
    make_run: Callable[..., Run],
    django_capture_on_commit_callbacks: Callable[..., AbstractContextManager[object]],
) -> None:
    run = make_run(FIXED)
    seven[0].delete()

    assert run.units.get().series_ids() == [each.pk for each in seven[1:]]
    assert work(run.units.get()) == "done"
    assert Detection.objects.filter(run=run).count() == 6
    with django_capture_on_commit_callbacks(execute=True):
        assert jobs.retry(run) == 0
