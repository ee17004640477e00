"""What happens to a chunk, whoever takes it and however often it is delivered."""

from __future__ import annotations

import logging
from collections.abc import Callable
from contextlib import AbstractContextManager
from datetime import timedelta

import numpy as np
import pytest
from django.utils import timezone

from analysis.runs import detect_unit, plan, services
from analysis.runs.job_kind import RunKind
from analysis.runs.models import Chunk, Detection, Run
from analysis.work import leases, services as jobs
from analysis.work.models import TRIES
from detectors import registry as registry_module
from detectors.contract import Context, Detection as Answer, Detector, Source, Values
from detectors.methods.plateau import Plateau
from series.models import Samples, Series
from tests.analysis.runs.conftest import FIXED
from tests.analysis.work.units import take, work

EXPIRED = timezone.now() - timedelta(seconds=1)


class FailsOnTwo(Detector):
    """Fails on a series that begins with 2; tells what it was given on one that begins with 3."""

    slug, version = "moody", "1"
    title, code = "Moody", "MO"
    source = Source("Nobody")
    needs = ("samples",)
    seen: list[Context] = []

    def detect(self, values: Values, context: Context) -> Answer:
        if values[0] == 2:
            raise ZeroDivisionError("division by a mood")
        if values[0] == 3:
            self.seen.append(context)
        return Answer(0, flags=("calm", "capped"))


@pytest.fixture
def moody_method(monkeypatch: pytest.MonkeyPatch) -> type[FailsOnTwo]:
    methods = {**registry_module.registry(), "moody": FailsOnTwo}
    monkeypatch.setattr(registry_module, "registry", lambda: methods)
    FailsOnTwo.seen.clear()
    return FailsOnTwo


def only_chunk(run: Run) -> Chunk:
    return run.units.get()


def test_every_series_gets_its_answer(
    seven_series: list[Series], make_run: Callable[..., Run]
) -> None:
    run = make_run(FIXED)

    assert work(only_chunk(run), worker="w-1@here") == "done"

    run.refresh_from_db()
    chunk = only_chunk(run)
    stored_detections = Detection.objects.filter(detector_key=FIXED)
    assert {detection.series_id: detection.steady_start for detection in stored_detections} == {
        series.pk: 3 for series in seven_series
    }
    assert {detection.published_index for detection in stored_detections} == {2}
    assert (run.state, chunk.state, chunk.done_count, chunk.worker) == (
        "done",
        "done",
        7,
        "w-1@here",
    )
    assert run.began is not None
    assert run.finished is not None


def test_two_runs_that_ask_the_same_store_it_once(
    seven_series: list[Series], make_run: Callable[..., Run]
) -> None:
    first, second = make_run(FIXED), make_run(FIXED)

    work(only_chunk(first))
    work(only_chunk(second))

    assert Detection.objects.count() == 7
    assert set(Detection.objects.values_list("run", flat=True)) == {first.pk}
    assert only_chunk(second).done_count == 7


def test_a_failure_is_stored_with_its_text_and_leaves_the_others_alone(
    moody_method: type[FailsOnTwo],
    seven_series: list[Series],
    make_run: Callable[..., Run],
    caplog: pytest.LogCaptureFixture,
) -> None:
    run = make_run("moody")

    with caplog.at_level(logging.CRITICAL, logger="analysis.runs.detect_unit"):
        work(only_chunk(run))

    failed_detection = Detection.objects.get(outcome="failed")
    chunk = only_chunk(run)
    assert failed_detection.series == seven_series[2]
    assert failed_detection.error == "ZeroDivisionError: division by a mood"
    assert failed_detection.steady_start is None
    assert (chunk.state, chunk.done_count, chunk.failed_count) == ("done", 7, 1)
    assert Detection.objects.filter(steady_start=0, flags="calm capped").count() == 6


def test_run_again_repeats_the_failed_ones_only(
    moody_method: type[FailsOnTwo],
    seven_series: list[Series],
    make_run: Callable[..., Run],
    monkeypatch: pytest.MonkeyPatch,
    caplog: pytest.LogCaptureFixture,
    django_capture_on_commit_callbacks: Callable[..., AbstractContextManager[object]],
) -> None:
    run = make_run("moody")
    with caplog.at_level(logging.CRITICAL, logger="analysis.runs.detect_unit"):
        work(only_chunk(run))
    other_detections = set(Detection.objects.exclude(outcome="failed").values_list("pk", "when"))
    monkeypatch.setattr(FailsOnTwo, "detect", lambda *_: Answer(1))

    with django_capture_on_commit_callbacks(execute=True):
        assert jobs.retry(run) == 1

    chunk = only_chunk(run)
    assert Detection.objects.get(series=seven_series[2]).steady_start == 1
    assert other_detections <= set(Detection.objects.values_list("pk", "when"))
    assert (chunk.failed_count, chunk.done_count) == (0, 7)
    assert Detection.objects.count() == 7


def test_too_short_is_an_answer(make_run: Callable[..., Run], seven_series: list[Series]) -> None:
    run = make_run("ruptures-pelt")

    for chunk in run.units.all():
        work(chunk)

    detections = Detection.objects.all()
    assert {detection.outcome for detection in detections} == {"too-short"}
    assert {detection.error for detection in detections} == {
        "too short: needs at least 200 values; got 10"
    }
    assert sum(chunk.failed_count for chunk in run.units.all()) == 0


@pytest.mark.parametrize("wish", ["needs", "uses"])
def test_the_method_is_told_what_the_file_said(
    wish: str,
    moody_method: type[FailsOnTwo],
    seven_series: list[Series],
    make_run: Callable[..., Run],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(moody_method, "needs", ())
    monkeypatch.setattr(moody_method, wish, ("samples",))
    Series.objects.filter(pk=seven_series[3].pk).update(
        settings={"warmup_iterations": 5}, seconds_per_iteration=2.5
    )
    Samples.objects.create(
        series=seven_series[3],
        offsets=np.array([0, 2, *[3] * 9], "<i8").tobytes(),
        values=np.array([1.0, 2.0, 3.0]).tobytes(),
        counts=np.array([4, 5, 6], "<i8").tobytes(),
    )

    FailsOnTwo.seen.clear()
    work(only_chunk(make_run("moody")))

    context = FailsOnTwo.seen[-1]
    assert (context.unit, context.mode, context.seconds_per_iteration) == ("s/op", "avgt", 2.5)
    assert context.settings == {"warmup_iterations": 5, "unrecorded_iterations": 5}
    assert context.samples is not None
    assert context.samples.offsets.tolist() == [0, 2, *[3] * 9]
    assert context.samples.values.tolist() == [1.0, 2.0, 3.0]
    assert context.samples.counts.tolist() == [4, 5, 6]


def test_compute_again_reports_differences_and_keeps_what_is_stored(
    seven_series: list[Series], make_run: Callable[..., Run]
) -> None:
    work(only_chunk(make_run(FIXED)))
    Detection.objects.filter(series=seven_series[4]).update(steady_start=8)

    repeated_run = make_run(FIXED, again=True)
    work(only_chunk(repeated_run))

    assert only_chunk(repeated_run).differing == [seven_series[4].pk]
    assert Detection.objects.get(series=seven_series[4]).steady_start == 8
    assert Detection.objects.count() == 7


def test_a_method_that_this_worker_does_not_have_is_a_failure(
    seven_series: list[Series], make_run: Callable[..., Run]
) -> None:
    run = make_run(FIXED)
    run.units.update(detector_key="fixed@99?iteration=3")

    work(only_chunk(run))

    errors = set(Detection.objects.values_list("error", flat=True))
    assert errors == {"no version '99' of 'fixed' here; there is: 1"}


# --- stopping -------------------------------------------------------------------------------------


def test_a_chunk_at_work_ends_at_its_next_series_and_keeps_its_results(
    seven_series: list[Series], make_run: Callable[..., Run], monkeypatch: pytest.MonkeyPatch
) -> None:
    run = make_run(FIXED)
    claim = take(only_chunk(run), worker="w-1@here")
    assert claim is not None
    monkeypatch.setattr(leases, "RENEW_EVERY", 0.0)
    real_function = detect_unit.unsaved_detection

    def stopped_after_three(detector: Detector, series: Series) -> Detection:
        if series == seven_series[2]:
            jobs.stop(run)
        return real_function(detector, series)

    monkeypatch.setattr(detect_unit, "unsaved_detection", stopped_after_three)
    assert jobs.work_on(claim) == "stopped"
    jobs.enqueue_next(run)

    run.refresh_from_db()
    chunk = only_chunk(run)
    assert (chunk.state, chunk.done_count, run.state) == ("stopped", 3, "stopped")
    assert Detection.objects.count() == 3
    assert run.finished is not None


# --- workers that die -----------------------------------------------------------------------------


def test_series_of_a_deadly_chunk_are_tried_one_by_one(
    seven_series: list[Series], make_run: Callable[..., Run]
) -> None:
    run = make_run(FIXED)
    for _ in range(2):
        take(only_chunk(run), worker="w-1@here")
        Chunk.objects.update(lease=EXPIRED, queued_at=EXPIRED)
        unit_pks = jobs.recover(RunKind())

    assert len(unit_pks) == 7
    assert sorted(chunk.series_ids() for chunk in run.units.all()) == [
        [series_row.pk] for series_row in seven_series
    ]


def test_a_chunk_that_kills_every_worker_is_given_up_with_a_reason(
    series: Series, make_run: Callable[..., Run]
) -> None:
    run = make_run(FIXED)
    for _ in range(TRIES):
        take(only_chunk(run), worker="w-1@here")
        Chunk.objects.update(lease=EXPIRED, queued_at=EXPIRED)
        jobs.recover(RunKind())

    run.refresh_from_db()
    chunk = only_chunk(run)
    detection = Detection.objects.get()
    text = "the worker died 5 times while computing this; last: w-1@here"
    assert (chunk.state, chunk.failed_count) == ("given-up", 1)
    assert (detection.outcome, detection.error) == ("failed", text)
    assert jobs.recover(RunKind()) == []
    run.refresh_from_db()
    assert run.state == "done"


def test_how_sure_the_method_is_is_stored_and_filled_in_by_the_next_run(
    make_series: Callable[..., Series], make_run: Callable[..., Run]
) -> None:
    """What was answered before methods said so is computed again, once; other methods' is not."""
    values = np.r_[np.full(60, 2.0), np.full(140, 1.0)]
    series, other_fork = (make_series(values * unit, fork=unit) for unit in (1, 2))
    work(only_chunk(make_run("plateau")))
    work(only_chunk(make_run(FIXED)))
    first = Detection.objects.get(series=series, slug="plateau")
    Detection.objects.filter(series=other_fork).update(chance=None, low=None, high=None, near=None)

    second_run = make_run("plateau")
    work(only_chunk(second_run))

    certainty = first.certainty
    assert certainty is not None
    assert certainty == Plateau().answer(values).certainty
    assert Detection.objects.get(series=other_fork, slug="plateau").certainty == certainty
    assert Detection.objects.get(pk=first.pk).run == first.run
    runs = second_run, make_run("plateau"), make_run(FIXED)
    assert [run.stored_before for run in runs] == [1, 2, 2]
    assert Detection.objects.get(series=series, slug="fixed").certainty is None


class ReadsFive(FailsOnTwo):
    longest = 5


def test_too_long_is_an_answer_and_is_not_computed_again(
    make_run: Callable[..., Run], seven_series: list[Series], monkeypatch: pytest.MonkeyPatch
) -> None:
    methods = {**registry_module.registry(), "moody": ReadsFive}
    monkeypatch.setattr(registry_module, "registry", lambda: methods)
    run = make_run("moody")
    work(only_chunk(run))

    stored_detections = Detection.objects.filter(run=run)
    assert set(stored_detections.values_list("outcome", "error")) == {
        ("too-long", "too long: reads at most 5 values; got 10")
    }
    assert (only_chunk(run).done_count, only_chunk(run).failed_count) == (7, 0)
    assert make_run("moody").to_compute == 0


def test_what_was_left_out_meanwhile_is_not_computed(
    make_run: Callable[..., Run], seven_series: list[Series], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(leases, "RENEW_EVERY", 0.0)
    run = make_run(FIXED)
    claim = take(only_chunk(run))
    assert claim is not None
    assert services.leave_series_out(run, seven_series[3]) == [FIXED]

    assert jobs.work_on(claim) == "done"
    jobs.next_units(run)

    chunk = only_chunk(run)
    assert (chunk.size, chunk.done_count, sum(chunk.pace.values())) == (6, 6, 6)
    assert not Detection.objects.filter(series=seven_series[3]).exists()
    run.refresh_from_db()
    assert (run.state, run.to_compute) == ("done", 6)


def test_the_last_series_of_waiting_chunks_takes_them_with_it(
    make_run: Callable[..., Run], seven_series: list[Series], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(plan, "CHUNK_POINTS", 1)
    run = make_run(FIXED, "kb-kssd")
    claim = take(run.units.get(detector_key=FIXED, members__series=seven_series[0]))
    assert claim is not None

    assert len(services.leave_series_out(run, seven_series[0])) == 2

    assert run.units.count() == 13  # the one at work ends by itself
    assert not RunKind().wants_current(claim) or not claim.current
    claim.begin(seven_series[0].public_id)
    assert not RunKind().wants_current(claim)
    assert jobs.abandon(claim)
    assert jobs.take_and_work(RunKind(), claim.unit.pk) == "done"  # there is nothing in it
    claim.unit.refresh_from_db()
    assert (claim.unit.size, claim.unit.done_count, claim.unit.state) == (0, 0, "done")


def test_a_series_that_was_left_out_is_taken_in_again(
    make_run: Callable[..., Run], seven_series: list[Series]
) -> None:
    run = make_run(FIXED, "kb-kssd")
    keys = services.leave_series_out(run, seven_series[0])
    assert (run.wanted, run.left_out) == (12, [seven_series[0].public_id])

    assert services.take_series_in(run, seven_series[0], keys)
    assert not services.take_series_in(run, seven_series[0], keys)  # of two clicks one

    assert (run.wanted, run.left_out) == (14, [])
    for chunk in run.units.all():
        work(chunk)
    detections = Detection.objects.filter(series=seven_series[0]).values_list(
        "detector_key", flat=True
    )
    assert sorted(detections) == sorted(keys)
    run.refresh_from_db()
    assert run.state == "done"


def test_a_run_that_has_ended_leaves_nothing_out(
    make_run: Callable[..., Run], seven_series: list[Series]
) -> None:
    run = make_run(FIXED)
    work(only_chunk(run))

    assert services.leave_series_out(run, seven_series[0]) == []
    run.refresh_from_db()
    assert (run.left_out, run.wanted) == ([], 7)
