"""A study that has a row of every table, and archives of it."""

from __future__ import annotations

import zipfile
from collections.abc import Callable
from datetime import UTC, datetime
from pathlib import Path
from typing import Any
from uuid import uuid4

import numpy as np
import pytest

from analysis.archive.bundle import StudyArchive
from analysis.archive.models import ArchiveSettings
from analysis.methods.models import MethodSet
from analysis.references.models import ReviewDecision
from analysis.runs.models import Detection, Preset
from analysis.trend.models import RegressionNotice
from analysis.trend.services import judge_alarm
from annotate.answering.services import save_mark
from annotate.models import Campaign, Expected, Mark, Problem, Task
from annotate.simulation import simulated_annotators
from formats import Measurement, RawSamples, RecordingHint
from formats.events.lanes import RuntimeEvent
from formats.events.packed import packed_events
from people.models import Study, User
from series.importing.services import create_dataset, import_measurements, state_answer
from series.models import Recording, Series, StoredEventLane
from tests.analysis.comparison.conftest import answered_tasks, compared_study, four_series, store
from tests.analysis.runs.conftest import _in_this_process
from tests.replayed_rows import replayed
from tests.test_access import import_answers

__all__ = ["_in_this_process", "answered_tasks", "compared_study", "four_series", "store"]
NOTHING_SAID = ArchiveSettings()
NOTE = '=1+1, “said” he,\nand "left"; \'twas odd'


@pytest.fixture
def archived(tmp_path: Path) -> Callable[..., Path]:
    """The file of a study's archive; each call writes another one."""

    def archived(study: Study, archive_settings: ArchiveSettings = NOTHING_SAID) -> Path:
        path = tmp_path / f"archive-{len(list(tmp_path.iterdir()))}.zip"
        archive = StudyArchive(study, archive_settings)
        assert list(archive.write(path)) == [*range(1, archive.n_steps + 1)]
        return path

    return archived


def contents(path: Path) -> dict[str, bytes]:
    with zipfile.ZipFile(path) as archive:
        return {name: archive.read(name) for name in archive.namelist()}


def make_room(study: Study) -> None:
    """As on an installation that never had it: nothing has its names any more."""
    Mark.objects.filter(task__campaign__study=study).delete()
    study.campaigns.all().delete()
    study.datasets.all().delete()
    study.delete()


@pytest.fixture
@replayed
def full_study(
    compared_study: Campaign, answered_tasks: list[Task], ana: User, olga: User
) -> Study:
    """Something in every table: two data sets, five campaigns, rates, samples, simulated people."""
    study, task = compared_study.study, answered_tasks[0]
    recording_fields = {"machine": "a box", "instance": "i-1", "duet": "tuesday"}
    Recording.objects.update(measured_at=datetime(2026, 5, 4, 3, 2, 1, 5, UTC), **recording_fields)
    mark_again(task, ana)
    Problem.objects.create(task=task, by=ana, text="Cut off.", closed_by=olga)
    for kind, judged_task in (("exclude", task), ("note", None), ("accept", answered_tasks[1])):
        ReviewDecision.objects.create(
            series=judged_task.series if judged_task else answered_tasks[2].series,
            task=judged_task,
            kind=kind,
            text=NOTE if kind != "accept" else "",
            to_whom=["a1"],
            client_id=uuid4(),
            by=olga,
        )
    import_answers(study, task, olga)
    StoredEventLane.objects.create(
        series=task.series,
        kind="gc-pause",
        title="Pauses",
        clock="seconds",
        offset=0.25,
        events=packed_events([RuntimeEvent(start=0.5, end=0.75, name="Full, “all”", value=0.25)]),
        count=1,
        size=99,
        file_name="gc.log",
        file_digest="0" * 64,
    )
    Preset.objects.create(study=study, name="Ours", detector_key="fixed@1?iteration=6")
    detections = Detection.objects.filter(series=task.series).order_by("detector_key")
    detections.filter(pk=detections[0].pk).update(chance=0.75, low=1, high=4, near=0.125)
    Task.objects.filter(pk=task.pk).update(turn=2)
    MethodSet.objects.create(study=study, name="Two", methods=["kb-kssd", "sdm"], first=True)
    _rates(study)
    _judge_alarm(answered_tasks[0].series, ana, olga)
    _other_campaigns(compared_study, task)
    simulated_annotators.make_campaign(study, [task.series for task in answered_tasks], by=olga)
    return study


def _judge_alarm(series: Series, ana: User, olga: User) -> None:
    """A regression that was told, and of which two people have spoken."""
    benchmark, recording = series.benchmark, series.recording
    RegressionNotice.objects.create(benchmark=benchmark, recording=recording, share=0.25)
    subjects: dict[str, Any] = {"recording": recording, "note": NOTE}
    judge_alarm(benchmark, judge=ana, state="confirmed", assignee=olga, **subjects)
    judge_alarm(
        benchmark, judge=olga, state="fixed", commit="https://git.test/c/4f2c91a", **subjects
    )


def mark_again(task: Task, by: User) -> None:
    save_mark(
        task,
        by=by,
        client_id=uuid4(),
        digest=task.series.digest,
        kind="steady",
        index=41,
        note=NOTE,
        unsure=True,
        seconds=0.1,
        view={"y": "full", "log": False},
    )


def _rates(study: Study) -> None:
    """Two rates with raw samples, and an answer that is known."""
    dataset = create_dataset(study, name="Rates", simulated=True, licence="CC BY, 4.0")
    offsets = np.array([0, 1, 2, 3])
    samples = RawSamples(np.array([1.5, 2.0, 0.1]), np.array([1, 2, 3]), offsets)
    measurements = [
        Measurement(
            benchmark="org.example.Rate",
            values=np.array([1e-300, 2.0, 3.0]) + fork,
            label=f"fork {fork}",
            fork=fork,
            unit="ops/ms",
            mode="thrpt",
            params="size=8",
            settings={"forks": 2, "jvm_args": "-Xmx1g"},
            samples=samples if fork else None,
            recording=RecordingHint(label="second", build="f00d"),
        )
        for fork in range(2)
    ]
    import_measurements(dataset, measurements, "rates")
    series = Series.objects.filter(benchmark__dataset=dataset).first()
    assert series is not None
    state_answer(series, start=-1, reason="it was made so")


def _other_campaigns(first: Campaign, task: Task) -> None:
    """A training with a known answer, which the first one demands, and a second pass of that."""
    training = Campaign.objects.create(
        study=first.study, name="Training", slug="training", purpose="training"
    )
    training_task = Task.objects.create(campaign=training, series=task.series, position=1)
    Expected.objects.create(task=training_task, low=38, high=44, sentence="It steps down at 40.")
    Campaign.objects.filter(pk=first.pk).update(training=training)  # which comes after it
    Campaign.objects.create(
        study=first.study, name="Again", slug="again", purpose="repeat", repeats=first
    )
