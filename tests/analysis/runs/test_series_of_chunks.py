"""The series of a chunk are rows: stored runs keep theirs, and one statement asks for them."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import AbstractContextManager
from datetime import timedelta

from django.db import connection
from django.test.utils import CaptureQueriesContext
from django.utils import timezone

from analysis.runs.job_kind import RunKind
from analysis.runs.models import Chunk, ChunkSeries, Detection, Run
from analysis.work import services as jobs
from series.models import Series
from tests.analysis.runs.conftest import FIXED
from tests.analysis.work.units import take, work

OTHER = "fixed@1?iteration=5"


def stop_run(run: Run) -> Run:
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
    seven_series: list[Series], make_run: Callable[..., Run]
) -> None:
    run = stop_run(make_run(FIXED, OTHER))
    Detection.objects.filter(detector_key=OTHER).delete()

    assert jobs.retry(run) == 2

    counts = dict(run.units.values_list("detector_key", "done_count"))
    assert counts == {FIXED: 2, OTHER: 0}
    assert set(run.units.values_list("state", flat=True)) == {"waiting"}


def test_run_again_takes_as_many_statements_for_one_chunk_as_for_many(
    seven_series: list[Series], make_run: Callable[..., Run]
) -> None:
    run_of_one, run_of_many = (
        stop_run(make_run(FIXED)),
        stop_run(make_run(*(f"fixed?iteration={n}" for n in range(4, 9)))),
    )
    query_counts = []
    for run in (run_of_one, run_of_many):
        with CaptureQueriesContext(connection) as queries:
            jobs.retry(run)
        query_counts.append(len(queries))

    assert query_counts[0] == query_counts[1]


def test_a_chunk_taken_apart_shares_its_series_out(
    seven_series: list[Series], make_run: Callable[..., Run]
) -> None:
    run = make_run(FIXED)
    for _ in range(2):
        take(run.units.get(), worker="w-1@here")
        Chunk.objects.update(lease=timezone.now() - timedelta(seconds=1))
        jobs.recover(RunKind())

    assert sorted(chunk.series_ids() for chunk in run.units.all()) == [
        [series_row.pk] for series_row in seven_series
    ]
    assert set(run.units.values_list("size", flat=True)) == {1}
    assert ChunkSeries.objects.count() == 7


def test_a_series_that_is_deleted_leaves_its_chunk(
    seven_series: list[Series],
    make_run: Callable[..., Run],
    django_capture_on_commit_callbacks: Callable[..., AbstractContextManager[object]],
) -> None:
    run = make_run(FIXED)
    seven_series[0].delete()

    assert run.units.get().series_ids() == [series_row.pk for series_row in seven_series[1:]]
    assert work(run.units.get()) == "done"
    assert Detection.objects.filter(run=run).count() == 6
    with django_capture_on_commit_callbacks(execute=True):
        assert jobs.retry(run) == 0
