"""Series to run on, and runs that no worker has seen."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

import numpy as np
import pytest
from django.apps.registry import Apps
from django.db import connection
from django.db.migrations.executor import MigrationExecutor
from django.db.migrations.loader import MigrationLoader

from analysis.runs.models import Run
from analysis.runs.plan import store_run
from analysis.runs.selection import SeriesSelection
from people.models import Study
from series.models import Series

FIXED = "fixed@1?iteration=3"
NIGHTLY = SeriesSelection(dataset="nightly")


@pytest.fixture(autouse=True)
def _in_this_process(worker_here: None) -> None:
    """No broker, no worker."""


@pytest.fixture
def seven(make_series: Callable[..., Series]) -> list[Series]:
    """Seven forks of ten values."""
    return [make_series(np.arange(10.0) + fork, fork=fork) for fork in range(7)]


@pytest.fixture
def make_run(study: Study) -> Callable[..., Run]:
    """A stored run whose chunks nobody has queued."""

    def make(*keys: str, **options: Any) -> Run:
        return store_run(study, by=None, selection=NIGHTLY, keys=keys or (FIXED,), **options)

    return make


@pytest.fixture
def tables_of(transactional_db: None) -> Iterator[Callable[[str], Apps]]:
    """The models of `analysis` as of a migration, on tables as it left them; put back at the end.

    For tests that are marked with `transaction=True`.
    """

    def step_by_step() -> MigrationExecutor:
        executor = MigrationExecutor(connection)
        # The one that made these tables at once has no step in between.
        executor.loader = MigrationLoader(connection, replace_migrations=False)
        return executor

    def migrated(name: str) -> Apps:
        executor = step_by_step()
        executor.migrate([("analysis", name)])
        return executor.loader.project_state([("analysis", name)]).apps

    newest = step_by_step().loader.graph.leaf_nodes("analysis")
    yield migrated
    step_by_step().migrate(newest)
