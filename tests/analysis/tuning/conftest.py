"""Series with known answers, and explorations of a method of which everything can be worked out."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

from analysis.tuning import plan
from analysis.tuning.models import Exploration
from analysis.tuning.query import ExplorationQuery, Kind, checked_range, level_range
from analysis.tuning.services import start_exploration
from detectors.registry import get
from people.models import Study
from series.models import Benchmark, Series
from tests.analysis.runs.conftest import _in_this_process
from tests.replayed_rows import replayed

__all__ = ["_in_this_process"]

KNOWN = (3, 5, 8, -1)  # of four series of ten values


@pytest.fixture
@replayed
def four_series(make_series: Callable[..., Series]) -> list[Series]:
    """Four series with known answers, in two systems."""
    series_rows = []
    for index, known_start in enumerate(KNOWN):
        series = make_series(np.arange(10.0) + index, name=f"org.example.B{index}")
        Series.objects.filter(pk=series.pk).update(known_start=known_start)
        Benchmark.objects.filter(pk=series.benchmark_id).update(system=("left", "right")[index % 2])
        series_rows.append(series)
    return series_rows


@pytest.fixture
def make_query() -> Callable[..., ExplorationQuery]:
    """A grid over the one parameter of `fixed`, unless another kind is asked for."""

    def make(kind: Kind = Kind.GRID, **values: Any) -> ExplorationQuery:
        fixed_method = get("fixed")
        varied_range = (
            level_range(fixed_method, "iteration", [2, 4, 6])
            if kind == Kind.GRID
            else checked_range(fixed_method, "iteration", 0, 9)
        )
        default_fields = {
            "method": fixed_method,
            "ranges": (varied_range,),
            "held": {},
            "yardstick": "known",
        }
        return ExplorationQuery(kind=kind, **{**default_fields, "samples": 12, **values})

    return make


@pytest.fixture
def make_exploration(
    study: Study, make_query: Callable[..., ExplorationQuery]
) -> Callable[..., Exploration]:
    """A stored exploration whose parts nobody has queued."""

    def make(kind: Kind = Kind.GRID, **values: Any) -> Exploration:
        scope = plan.exploration_scope(study, "known")
        return start_exploration(study, make_query(kind, **values), scope, user=None, queued=False)

    return make
