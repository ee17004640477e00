"""Jobs of both kinds, of a method of which everything can be worked out."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
import pytest

from analysis.runs.services import start_run
from analysis.tuning import plan
from analysis.tuning.query import ExplorationQuery, Kind, level_range
from analysis.tuning.services import start_exploration
from analysis.work.models import Job
from detectors import registry as registry_module
from detectors.contract import Context, Detection as Answer, Detector, Source, Values, parameter
from detectors.contract.parameters import Parameters
from people.models import Study
from series.models import Series
from tests.analysis.runs.conftest import NIGHTLY, _in_this_process, make_run, seven_series

__all__ = ["_in_this_process", "make_run", "seven_series"]


class Moody(Detector):
    """Answers with its parameter; fails while it is in a bad mood."""

    slug, version = "moody", "1"
    title, code = "Moody", "MO"
    source = Source("Nobody")
    bad_mood = False

    class Params(Parameters):
        at: int = parameter(1, low=0, high=9, help="The answer.")

    params: Params

    def detect(self, values: Values, context: Context) -> Answer:
        if self.bad_mood:
            raise ZeroDivisionError("division by a mood")
        return Answer(self.params.at)


@pytest.fixture
def moody_method(monkeypatch: pytest.MonkeyPatch) -> type[Moody]:
    methods = {**registry_module.registry(), "moody": Moody}
    monkeypatch.setattr(registry_module, "registry", lambda: methods)
    monkeypatch.setattr(Moody, "bad_mood", False)
    return Moody


@pytest.fixture
def three_series(make_series: Callable[..., Series]) -> list[Series]:
    """Three series with known answers."""
    series = [
        make_series(np.arange(10.0) + number, name=f"org.example.B{number}") for number in range(3)
    ]
    Series.objects.update(known_start=4)
    return series


@pytest.fixture(params=["run", "exploration"])
def make_job(
    request: pytest.FixtureRequest,
    study: Study,
    three_series: list[Series],
    moody_method: type[Moody],
    monkeypatch: pytest.MonkeyPatch,
) -> Callable[..., Job]:
    """A stored job of each kind on three series, of which nobody has been told."""

    def run() -> Job:
        return start_run(study, user=None, selection=NIGHTLY, keys=("moody",), queued=False)

    def exploration() -> Job:
        ranges = (level_range(moody_method, "at", [2, 4]),)
        query = ExplorationQuery(Kind.GRID, moody_method, ranges, {}, "known")
        return start_exploration(
            study, query, plan.exploration_scope(study, "known"), user=None, queued=False
        )

    def make(*, alone: bool = False) -> Job:
        """alone: each series is a unit of its own."""
        if alone:
            monkeypatch.setattr("analysis.runs.plan.CHUNK_POINTS", 1)
            monkeypatch.setattr(plan, "LEAST_MILLISECONDS", 0.0)
            monkeypatch.setattr(plan, "answer_milliseconds", lambda *_: 1e-6)
            monkeypatch.setattr(plan, "_sets_per_part", lambda sets, *_: sets)
        return {"run": run, "exploration": exploration}[request.param]()

    return make
