"""What happens to the parts of an exploration, whoever takes them and however often."""

from __future__ import annotations

import logging
from collections.abc import Callable

import numpy as np
import pytest
from django.utils import timezone

from analysis.tuning import designs, plan, rounds, services
from analysis.tuning.designs import stored_answers
from analysis.tuning.job_kind import ExplorationKind
from analysis.tuning.models import Exploration, Part
from analysis.tuning.query import ExplorationQuery, Kind, level_range
from analysis.work import services as jobs
from detectors import registry as registry_module
from detectors.contract import Context, Detection as Answer, Detector, Source, Values, parameter
from detectors.contract.parameters import Parameters
from people.models import Study
from series.models import Series
from tests.analysis.work.units import work


class Sulky(Detector):
    """Answers with its parameter; fails on the series that begins with 1."""

    slug, version = "sulky", "1"
    title, code = "Sulky", "SU"
    source = Source("Nobody")

    class Params(Parameters):
        at: int = parameter(1, low=0, high=9, help="The answer.")

    params: Params

    def detect(self, values: Values, context: Context) -> Answer:
        if values[0] == 1:
            raise ZeroDivisionError("division by a mood")
        return Answer(self.params.at)


@pytest.fixture
def sulky_method(monkeypatch: pytest.MonkeyPatch) -> type[Sulky]:
    methods = {**registry_module.registry(), "sulky": Sulky}
    monkeypatch.setattr(registry_module, "registry", lambda: methods)
    return Sulky


@pytest.fixture
def small_parts(monkeypatch: pytest.MonkeyPatch) -> None:
    """A part for each series."""
    monkeypatch.setattr(plan, "LEAST_MILLISECONDS", 0.0)
    monkeypatch.setattr(plan, "answer_milliseconds", lambda *_: 1e-6)
    monkeypatch.setattr(plan, "_sets_per_part", lambda sets, *_: sets)


def read_again(exploration: Exploration) -> Exploration:
    return Exploration.objects.get(pk=exploration.pk)


def finish(exploration: Exploration) -> Exploration:
    jobs.work_through(exploration, worker="here", tell_progress=lambda *_: None)
    return read_again(exploration)


def test_every_set_is_answered_for_every_series(
    four_series: list[Series], make_exploration: Callable[..., Exploration]
) -> None:
    exploration = finish(make_exploration())

    answers = stored_answers(exploration)
    assert exploration.state == "done"
    assert designs.planned_sets(exploration).ravel().tolist() == [500, 2, 4, 6]  # the default first
    assert answers.table.tolist() == [[-1] * 4, [2] * 4, [4] * 4, [6] * 4]
    assert answers.complete.all()
    assert designs.stored_truth(exploration).index.tolist() == [3, 5, 8, -1]


def test_a_failure_on_one_series_leaves_the_others_alone(
    four_series: list[Series],
    sulky_method: type[Sulky],
    make_exploration: Callable[..., Exploration],
    caplog: pytest.LogCaptureFixture,
) -> None:
    ranges = (level_range(sulky_method, "at", [2, 4]),)
    with caplog.at_level(logging.CRITICAL, logger="analysis.tuning.answer_unit"):
        exploration = finish(make_exploration(method=sulky_method, ranges=ranges))

    unit = exploration.units.get()
    table = stored_answers(exploration).table.tolist()
    assert table == [[1, -2, 1, 1], [2, -2, 2, 2], [4, -2, 4, 4]]
    assert (unit.failed_count, unit.error) == (3, "ZeroDivisionError: division by a mood")


def test_a_worker_with_another_version_says_so(
    four_series: list[Series], make_exploration: Callable[..., Exploration]
) -> None:
    exploration = make_exploration()
    Exploration.objects.update(method="fixed@0")

    work(exploration.units.get())

    unit = Part.objects.get()
    assert unit.error == "no version '0' of 'fixed' here; there is: 1"
    assert unit.failed_count == unit.size


def test_few_messages_are_out_at_a_time(
    four_series: list[Series],
    small_parts: None,
    make_exploration: Callable[..., Exploration],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(jobs, "FEW", 2)
    exploration = make_exploration()
    first, second, third, _ = exploration.units.values_list("pk", flat=True)

    assert jobs.units_to_send(exploration) == [first, second]
    Part.objects.filter(pk__in=[first, second]).update(queued_at=timezone.now())
    assert jobs.units_to_send(exploration) == []
    work(Part.objects.get(pk=first))
    assert jobs.next_units(read_again(exploration)) == [third]


@pytest.mark.django_db(transaction=True)
def test_started_it_runs_to_its_end_by_messages_alone(
    four_series: list[Series],
    small_parts: None,
    study: Study,
    make_query: Callable[..., ExplorationQuery],
) -> None:
    exploration = services.start_exploration(
        study, make_query(), plan.exploration_scope(study, "known"), user=None
    )

    assert read_again(exploration).state == "done"
    assert stored_answers(exploration).complete.all()


@pytest.mark.parametrize("kind", [Kind.SEARCH, Kind.FRONT])
def test_a_search_plans_round_after_round_and_repeats_itself(
    four_series: list[Series], make_exploration: Callable[..., Exploration], kind: Kind
) -> None:
    first_exploration = finish(make_exploration(kind, seed=7))
    second_exploration = finish(make_exploration(kind, seed=7))

    tried_sets = designs.planned_sets(first_exploration)
    assert first_exploration.state == "done"
    assert tried_sets.shape == (13, 1)
    assert tried_sets[0] == 500
    assert tried_sets[1:].min() >= 0
    assert tried_sets[1:].max() <= 9
    assert np.array_equal(tried_sets, designs.planned_sets(second_exploration))


def test_a_round_that_two_workers_plan_is_planned_once(
    four_series: list[Series], make_exploration: Callable[..., Exploration]
) -> None:
    exploration = make_exploration(Kind.SEARCH)
    for unit in exploration.units.all():
        jobs.take_and_work(ExplorationKind(), unit.pk)
    stale_exploration = Exploration.objects.get(pk=exploration.pk)

    jobs.next_units(exploration)
    planned_exploration = read_again(exploration)
    rounds.plan_round(stale_exploration)

    assert read_again(exploration).planned == planned_exploration.planned == 11
    assert Part.objects.filter(first_set=1, first_series=0).count() == 1
