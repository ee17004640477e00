"""Series to run on, and runs that no worker has seen."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

from analysis.runs.models import Run
from analysis.runs.selection import SeriesSelection
from analysis.runs.services import start_run
from people.models import Study
from series.models import Series
from tests.replayed_rows import replayed

FIXED = "fixed@1?iteration=3"
NIGHTLY = SeriesSelection(dataset="nightly")


@pytest.fixture(autouse=True)
def _in_this_process(worker_here: None) -> None:
    """No broker, no worker."""


@pytest.fixture
@replayed
def seven_series(make_series: Callable[..., Series]) -> list[Series]:
    """Seven forks of ten values."""
    return [make_series(np.arange(10.0) + fork, fork=fork) for fork in range(7)]


@pytest.fixture
def make_run(study: Study) -> Callable[..., Run]:
    """A stored run whose chunks nobody has queued."""

    def make(*keys: str, **options: Any) -> Run:
        return start_run(
            study, user=None, selection=NIGHTLY, keys=keys or (FIXED,), queued=False, **options
        )

    return make
