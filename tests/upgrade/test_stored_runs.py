"""Runs that were stored by earlier versions: their series become rows, their failures are told
apart, and what was not done is done."""

from __future__ import annotations

import importlib
from collections.abc import Callable, Sequence
from typing import Any

import pytest
from django.apps.registry import Apps
from django.db import connection
from django.db.migrations.executor import MigrationExecutor
from django.db.migrations.loader import MigrationLoader

from analysis.runs.models import Chunk, Detection, Run
from series.models import Series
from tests.analysis.runs.conftest import _in_this_process, make_run, seven
from tests.analysis.runs.test_not_available import DEVELOPER, configure, finish
from tests.analysis.work.units import work

__all__ = ["_in_this_process", "make_run", "seven"]

LISTS = "0013_write_probe"  # of series, in a column of the chunk
LENGTHS: Sequence[Sequence[int]] = ([], [0], [2, 1], range(7))


def migrate(name: str | None = None) -> Apps:
    """The models of `analysis` as of a migration, on tables as it left them; of the newest."""
    executor = MigrationExecutor(connection)
    # The one that made these tables at once has no step in between.
    executor.loader = MigrationLoader(connection, replace_migrations=False)
    newest = executor.loader.graph.leaf_nodes("analysis")
    targets = [("analysis", name)] if name else newest
    executor.migrate(targets)
    return executor.loader.project_state(targets).apps


def stored_rows() -> list[tuple[Any, ...]]:
    """Rows of runs and chunks in the columns of the earlier tables, without the series of chunks.

    Columns that were added since are lost on the way back, whatever a migration does.
    """
    loader = MigrationLoader(connection, replace_migrations=False)
    earlier = loader.project_state([("analysis", LISTS)]).apps
    return [row for model in (Run, Chunk) for row in _rows_as_of(earlier, model)]


def _rows_as_of(earlier: Apps, model: type[Run | Chunk]) -> list[tuple[Any, ...]]:
    there = {field.name for field in earlier.get_model("analysis", model.__name__)._meta.fields}
    shared = [field.name for field in model._meta.fields if field.name in there]
    return list(model.objects.order_by("pk").values_list(*shared))


def series_of(run: Run) -> dict[int, list[int]]:
    return {chunk.pk: chunk.series_ids() for chunk in run.units.all()}


def told_apart_and_back(apps: Apps, run: Run) -> tuple[set[str], int]:
    """How failures looked before there was another word for methods that lack something."""
    told: Any = importlib.import_module("analysis.migrations.0008_not_available")
    stored: Any = apps.get_model("analysis", "Chunk")
    detections: Any = apps.get_model("analysis", "Detection")
    told.failures_again(apps, None)
    outcomes = set(detections.objects.filter(slug=DEVELOPER).values_list("outcome", flat=True))
    failures = sum(stored.objects.filter(run=run.pk).values_list("failed_count", flat=True))
    told.told_apart(apps, None)
    return outcomes, failures


@pytest.mark.django_db(transaction=True)
def test_stored_runs_keep_what_they_say_and_go_on(
    seven: list[Series], make_run: Callable[..., Run]
) -> None:
    configure(seven[6])
    lacking = finish(make_run(DEVELOPER))
    halfway = make_run("fixed@1?iteration=3", "fixed@1?iteration=5")
    of_every_length = make_run(*(f"fixed@1?iteration={10 + each}" for each in range(len(LENGTHS))))
    done, waiting = halfway.units.order_by("pk")
    work(done, worker="w-1@here")
    before, series = stored_rows(), series_of(halfway)
    wanted = {
        chunk.pk: [seven[at].pk for at in places]
        for chunk, places in zip(of_every_length.units.order_by("pk"), LENGTHS, strict=True)
    }

    apps = migrate(LISTS)
    stored: Any = apps.get_model("analysis", "Chunk")
    lists = dict(stored.objects.filter(run=halfway.pk).values_list("pk", "series_ids"))
    for pk, keys in wanted.items():  # and one of a series that is gone
        stored.objects.filter(pk=pk).update(series_ids=[*keys, seven[-1].pk + 1000])
    as_failed = told_apart_and_back(apps, lacking)
    migrate()

    assert as_failed == ({"answer", "failed"}, 6)
    assert Detection.objects.filter(outcome="not-available").count() == 6
    assert lists == series == series_of(halfway)
    assert series_of(of_every_length) == {pk: sorted(keys) for pk, keys in wanted.items()}
    assert stored_rows() == before
    assert work(waiting, worker="w-1@here") == "done"
    halfway.refresh_from_db()
    assert (halfway.state, Detection.objects.filter(run=halfway).count()) == ("done", 14)
