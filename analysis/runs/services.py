"""Starting a run, and forgetting answers; what else is done to jobs is the same for all."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Final

from django.db import transaction
from django.db.models import F

from analysis.methods.weight_sets import refuse_foreign_sets
from analysis.runs.models import Chunk, ChunkSeries, Detection, Run
from analysis.runs.plan import (
    CHUNK_SIZES,
    NothingToRun,
    cut_into_chunks,
    detectors_by_cost,
    expected_milliseconds,
)
from analysis.runs.selection import SeriesSelection
from analysis.runs.timing import MethodTiming, timings
from analysis.work import services as work
from analysis.work.models import Job, WorkUnit
from detectors.contract import Detector
from detectors.registry import registry
from people.models import Study, User
from series.models import Benchmark, Series

FORGOTTEN_AT_ONCE: Final = 500  # series whose detections are deleted at once


def start_run(
    study: Study,
    *,
    user: User | None,
    selection: SeriesSelection,
    keys: Sequence[str],
    name: str = "",
    again: bool = False,
    queued: bool = True,
) -> Run:
    """Store a run and queue its chunks; of what is stored already nothing is computed.

    again   compute everything, and report what differs from what is stored
    queued  False leaves the chunks to whoever calls `analysis.work.services.work_through`
    Raises `NothingToRun`, `UnknownDetector` and `ParameterError`.
    """
    run_work = _planned_work(study, selection, keys, again=again)
    return _create_run(study, run_work, user=user, name=name, again=again, queued=queued)


def continue_or_start(
    study: Study,
    *,
    selection: SeriesSelection,
    keys: Sequence[str],
    name: str = "",
    again: bool = False,
    queued: bool = True,
) -> tuple[Run, bool]:
    """The newest open run of the same that will answer all that is missing, else a new run.

    The second is whether a run goes on. Arguments and errors as of `start_run`; an empty name is
    that of any run.
    """
    run_work = _planned_work(study, selection, keys, again=again)
    missing_pairs = {
        (key, pk) for key, series in run_work.missing_by_key.items() for pk, _ in series
    }
    wanted_work = (selection.as_json(), [detector.key for detector in run_work.detectors])
    for run in Run.objects.filter(study=study, again=again).open():
        is_same_work = (run.selection, run.detectors) == wanted_work and name in {"", run.name}
        if is_same_work and missing_pairs <= _claimed_answers(run):
            return run, True
    return _create_run(study, run_work, user=None, name=name, again=again, queued=queued), False


@dataclass(frozen=True, slots=True)
class _RunWork:
    """Methods, series (primary key, number of values), and by key the series to compute."""

    selection: SeriesSelection
    detectors: Sequence[Detector]
    series: Sequence[tuple[int, int]]
    missing_by_key: Mapping[str, Sequence[tuple[int, int]]]


def _planned_work(
    study: Study, selection: SeriesSelection, keys: Sequence[str], *, again: bool
) -> _RunWork:
    detectors = detectors_by_cost(keys)
    refuse_foreign_sets(study, detectors)
    if not detectors:
        raise NothingToRun("Choose at least one method.")
    series = _some_series(study, selection)
    missing_by_key = {
        detector.key: series if again else _missing_answers(detector.key, series)
        for detector in detectors
    }
    return _RunWork(selection, detectors, series, missing_by_key)


def _create_run(
    study: Study, run_work: _RunWork, *, user: User | None, name: str, again: bool, queued: bool
) -> Run:
    stored_by_key = {
        key: len(run_work.series) - len(missing_series)
        for key, missing_series in run_work.missing_by_key.items()
    }
    method_timings = timings(study, run_work.detectors)
    with transaction.atomic():
        run = Run.objects.create(
            study=study,
            name=name or default_run_name(run_work.detectors, run_work.selection),
            selection=run_work.selection.as_json(),
            detectors=[detector.key for detector in run_work.detectors],
            series_count=len(run_work.series),
            wanted=len(run_work.detectors) * len(run_work.series),
            stored_before=sum(stored_by_key.values()),
            stored_by_key=stored_by_key,
            again=again,
            started_by=user,
        )
        Chunk.objects.create_with(
            [
                chunk
                for detector in run_work.detectors
                for chunk in _chunks(
                    run,
                    detector,
                    method_timings[detector.key],
                    run_work.missing_by_key[detector.key],
                )
            ]
        )
    work.queue_first_units(
        run, queued=queued
    )  # outside the transaction of the rows: sending must not hold up others
    return run


def _claimed_answers(run: Run) -> set[tuple[str, int]]:
    """Detector key and series of what an open run has yet to compute, or has looked at."""
    chunks = run.units.all() if run.again else run.units.open()
    members = ChunkSeries.objects.filter(chunk__in=chunks)
    chunk_pairs = members.values_list("chunk__detector_key", "series_id")
    return {*chunk_pairs, *run.detections.values_list("detector_key", "series_id")}


def _chunks(
    run: Run, detector: Detector, timing: MethodTiming, series: Sequence[tuple[int, int]]
) -> Iterator[tuple[Chunk, list[int]]]:
    """Chunks of one method that are not stored yet, with primary keys of their series."""
    milliseconds = partial(expected_milliseconds, detector, timing)
    for planned_chunk in cut_into_chunks(series, CHUNK_SIZES[detector.cost], milliseconds):
        chunk = Chunk(job=run, detector_key=detector.key, expected_ms=planned_chunk.expected_ms)
        yield chunk, planned_chunk.series_pks


@transaction.atomic
def leave_series_out(run: Run, series: Series) -> list[str]:
    """Take a series out of what the run has yet to compute; keys of the methods that are spared.

    Answers that are stored stay. A worker that is at the series ends it soon; other series of the
    same chunk wait again. Another run computes what is left out here.
    """
    # Beside the key of the run, on which the answers of workers hold a lock while they are stored.
    locked_run = Run.objects.select_for_update(no_key=True).get(pk=run.pk)
    if locked_run.state not in Job.OPEN:
        return []
    chunks = Chunk.objects.filter(job=run).open().filter(members__series=series)
    key_by_chunk = dict(chunks.values_list("pk", "detector_key"))
    chunk_pks = list(key_by_chunk)
    ChunkSeries.objects.filter(chunk__in=chunk_pks, series=series).delete()
    Chunk.objects.filter(pk__in=chunk_pks).update(size=F("size") - 1)
    Chunk.objects.filter(pk__in=chunk_pks, size=0, state=WorkUnit.State.WAITING).delete()
    if chunk_pks:
        locked_run.wanted -= len(chunk_pks)
        locked_run.left_out = [*dict.fromkeys([*locked_run.left_out, series.public_id])]
        locked_run.save(update_fields=["wanted", "left_out"])
    run.refresh_from_db()
    transaction.on_commit(partial(work.enqueue_next, run))
    return list(key_by_chunk.values())


@transaction.atomic
def take_series_in(run: Run, series: Series, keys: Sequence[str]) -> bool:
    """Compute a series after all that was left out; False where the run has ended since."""
    locked_run = Run.objects.select_for_update(no_key=True).get(pk=run.pk)
    if locked_run.state not in Job.OPEN or series.public_id not in locked_run.left_out:
        return False
    detectors = detectors_by_cost(keys)
    method_timings = timings(run.study, detectors)
    pk_and_length = [(series.pk, series.n)]
    Chunk.objects.create_with(
        [
            chunk
            for detector in detectors
            for chunk in _chunks(locked_run, detector, method_timings[detector.key], pk_and_length)
        ]
    )
    locked_run.wanted += len(keys)
    locked_run.left_out = [
        public_id for public_id in locked_run.left_out if public_id != series.public_id
    ]
    locked_run.save(update_fields=["wanted", "left_out"])
    run.refresh_from_db()
    transaction.on_commit(partial(work.enqueue_next, run))
    return True


def _some_series(study: Study, selection: SeriesSelection) -> list[tuple[int, int]]:
    """Primary key and length of each."""
    pks_and_lengths = list(selection.series(study).order_by("pk").values_list("pk", "n"))
    if not pks_and_lengths:
        raise NothingToRun(
            f"No series of {selection.dataset} is left by: {selection.words}. Remove a filter."
            if selection.words
            else "No series is selected. Choose a data set that has some."
        )
    return pks_and_lengths


def _missing_answers(key: str, series: Sequence[tuple[int, int]]) -> list[tuple[int, int]]:
    stored_pks = set(
        Detection.objects.filter(
            detector_key=key, series_id__gte=series[0][0], series_id__lte=series[-1][0]
        )
        .settled()
        .values_list("series_id", flat=True)
    )
    return [(pk, n) for pk, n in series if pk not in stored_pks]


def default_run_name(detectors: Sequence[Detector], selection: SeriesSelection) -> str:
    """Default name of a run: its methods and its data set."""
    titles = [detector.title for detector in detectors]
    method_phrase = titles[0] if len(titles) == 1 else f"{len(titles)} methods"
    series_phrase = f"{len(selection.only.split())} of " if selection.only else ""
    return f"{method_phrase} on {series_phrase}{selection.dataset}"[:120]


# --- answers that hold no more ----------------------------------------------------------------
def forget_answers(benchmark: Benchmark) -> None:
    """Delete those of methods that read a series otherwise, once its direction is another."""
    slugs = [slug for slug, method in registry().items() if method.rates != "free"]
    Detection.objects.filter(series__benchmark=benchmark, slug__in=slugs).delete()


def forget_by_seconds(series_pks: Sequence[int]) -> int:
    """Delete those that took an iteration for as long as their method's own parameter says."""
    slugs = [
        slug for slug, method in registry().items() if hasattr(method.Params(), "iteration_time")
    ]
    deleted_count = 0
    for offset in range(0, len(series_pks), FORGOTTEN_AT_ONCE):
        batch = series_pks[offset : offset + FORGOTTEN_AT_ONCE]
        deleted_count += Detection.objects.filter(series__in=batch, slug__in=slugs).delete()[0]
    return deleted_count
