"""A study with some of everything, and everything that the database holds of it."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any
from uuid import uuid4

import pytest
from django.apps import apps

from analysis.methods.models import ImportedMethod
from analysis.runs.models import Chunk, ChunkSeries, Detection, Run
from annotate.answering.services import save_mark
from annotate.models import Annotator, Assignment, Campaign, Task
from people.models import Study, User
from series.importing.services import choose_shown
from series.models import Benchmark, Dataset, Recording, Series
from tests.replayed_rows import replayed

OWN = "own:ours@1"
FIXED = "fixed@1?iteration=1"


@pytest.fixture
def second_recording(dataset: Dataset) -> Recording:
    return Recording.objects.create(dataset=dataset, label="second")


@pytest.fixture
@replayed
def many_series(make_series: Callable[..., Series], second_recording: Recording) -> list[Series]:
    """A benchmark in both recordings, one in the first, one in the second alone."""
    series = [
        make_series([4.0, 2.0, 1.0, 1.0], "org.example.Both"),
        make_series([4.0, 2.0, 1.0, 1.1], "org.example.First"),
        make_series([4.0, 2.0, 1.0, 1.2], "org.example.Both", fork=7),
        make_series([4.0, 2.0, 1.0, 1.3], "org.example.Second"),
    ]
    Benchmark.objects.update(shown=None)
    Series.objects.filter(pk__in=[series_row.pk for series_row in series[2:]]).update(
        recording=second_recording
    )
    choose_shown(Benchmark.objects.values_list("pk", flat=True))
    return [Series.objects.get(pk=series_row.pk) for series_row in series]


@pytest.fixture
@replayed
def full_study(
    study: Study, campaign: Campaign, many_series: list[Series], ana: User, ben: User
) -> Study:
    """Two campaigns (all series; those of the second recording), a run, a method, marks."""
    ask_annotators(campaign, many_series)
    late_campaign = Campaign.objects.create(study=study, name="Late", slug="late", state="open")
    Annotator.objects.create(campaign=late_campaign, user=ana, pseudonym="a1")
    ask_annotators(late_campaign, many_series[2:])
    for task in Task.objects.all():
        answer(task, ana)
    answer(campaign.tasks.first(), ben)
    finished_run(study, many_series, "Ours")
    own_method = ImportedMethod.objects.create(
        study=study,
        state="stored",
        title="Ours",
        slug="own:ours",
        code="OU",
        detector_key=OWN,
        file_name="ours.csv",
        file_digest="0" * 64,
        size=1,
        answers=4,
    )
    for series_row in many_series:
        Detection.objects.create(
            series=series_row, detector_key=OWN, slug=own_method.slug, steady_start=1
        )
    return study


def ask_annotators(campaign: Campaign, series: list[Series]) -> None:
    for position, series_row in enumerate(series, start=1):
        task = Task.objects.create(campaign=campaign, series=series_row, position=position)
        for annotator in campaign.annotators.all():
            Assignment.objects.create(task=task, user=annotator.user, order=position)


def answer(task: Task | None, by: User) -> None:
    assert task is not None
    digest = task.series.digest
    save_mark(task, by=by, client_id=uuid4(), digest=digest, kind="steady", index=1)


def finished_run(study: Study, series: list[Series], name: str) -> Run:
    """A finished run; what is stored is computed by the first."""
    run = Run.objects.create(
        study=study,
        name=name,
        state="done",
        selection={"dataset": "nightly"},
        detectors=[FIXED],
        series_count=len(series),
        wanted=len(series),
    )
    Run.objects.filter(pk=run.pk).update(finished=run.created)
    chunk = Chunk.objects.create(job=run, detector_key=FIXED, size=len(series), state="done")
    for series_row in series:
        ChunkSeries.objects.create(chunk=chunk, series=series_row)
        Detection.objects.get_or_create(
            series=series_row,
            detector_key=FIXED,
            defaults={"slug": "fixed", "steady_start": 1, "run": run},
        )
    return run


ROOMS = ("people", "series", "annotate", "analysis")
OF_REMOVAL = {"AuditEvent", "Removal", "RemovedMembership", "RemovedDetection"}
NEW_KEYS = {"Detection": "id", "Membership": "id"}  # put back as rows of their own


@pytest.fixture
def everything_rows(db: None) -> Callable[[], dict[str, Any]]:
    """Every row of every table, by model; what a removal writes down of itself left out."""

    def read() -> dict[str, Any]:
        return {
            model.__name__: sorted(map(repr, _rows(model)))
            for room in ROOMS
            for model in apps.get_app_config(room).get_models()
            if model.__name__ not in OF_REMOVAL
        }

    return read


def _rows(model: Any) -> list[dict[str, Any]]:
    rows = list(model._base_manager.values())
    for row in rows:
        row.pop(NEW_KEYS.get(model.__name__, ""), None)
    return rows
