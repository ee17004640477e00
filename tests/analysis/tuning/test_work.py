"""What happens to the parts of an exploration, whoever takes them and however often."""

from __future__ import annotations

import logging
from collections.abc import Callable
from datetime import timedelta

import numpy as np
import pytest
from django.utils import timezone

from analysis.tuning import answer_unit, control, designs, plan, services
from analysis.tuning.answer_table import rows_of
from analysis.tuning.answer_unit import explore_part, take_part
from analysis.tuning.models import Exploration, Part
from analysis.tuning.query import ExplorationQuery, Kind, levels_of
from analysis.work import leases, workers
from analysis.work.models import TRIES, Worker
from detectors import registry as registry_module
from detectors.contract import Context, Detection as Answer, Detector, Source, Values, parameter
from detectors.parameters import Parameters
from people.models import Study
from series.models import Series

EXPIRED = timezone.now() - timedelta(seconds=1)


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
def sulky(monkeypatch: pytest.MonkeyPatch) -> type[Sulky]:
    known = {**registry_module.registry(), "sulky": Sulky}
    monkeypatch.setattr(registry_module, "registry", lambda: known)
    return Sulky


@pytest.fixture
def small_parts(monkeypatch: pytest.MonkeyPatch) -> None:
    """A part for each series."""
    monkeypatch.setattr(plan, "LEAST_MILLISECONDS", 0.0)
    monkeypatch.setattr(plan, "milliseconds_of", lambda *_: 1e-6)
    monkeypatch.setattr(plan, "_sets_at_once", lambda sets, *_: sets)


def read_again(exploration: Exploration) -> Exploration:
    return Exploration.objects.get(pk=exploration.pk)


def finish(exploration: Exploration) -> Exploration:
    services.work_through(exploration, worker="here", tell=lambda *_: None)
    return read_again(exploration)


def test_every_set_is_answered_for_every_series(
    four: list[Series], make_exploration: Callable[..., Exploration]
) -> None:
    done = finish(make_exploration())

    rows = rows_of(done)
    assert done.state == "done"
    assert designs.design_of(done).ravel().tolist() == [500, 2, 4, 6]  # the default first
    assert rows.table.tolist() == [[-1] * 4, [2] * 4, [4] * 4, [6] * 4]
    assert rows.complete.all()
    assert designs.truth_of(done).index.tolist() == [3, 5, 8, -1]


def test_a_message_delivered_twice_is_harmless(
    four: list[Series], make_exploration: Callable[..., Exploration]
) -> None:
    part = make_exploration().parts.get()
    explore_part(part.pk, worker="w-1@here")
    before = Part.objects.values_list("answers", "finished", "attempts").get()

    assert explore_part(part.pk) == "not-free"

    assert Part.objects.values_list("answers", "finished", "attempts").get() == before


def test_a_dead_workers_part_comes_back_and_who_was_too_slow_changes_nothing(
    four: list[Series], make_exploration: Callable[..., Exploration]
) -> None:
    exploration = make_exploration()
    part = exploration.parts.get()
    slow = take_part(part.pk, worker="w-1@here")
    assert slow is not None
    Part.objects.update(lease=EXPIRED)

    assert control.sweep() == [part.pk]
    assert explore_part(part.pk, worker="w-2@here") == "done"
    assert answer_unit.work_on(slow) == "lost"

    assert Part.objects.get().worker == "w-2@here"
    assert Part.objects.get().attempts == 2


def test_a_part_that_kills_its_workers_is_given_up_and_can_be_tried_again(
    four: list[Series], make_exploration: Callable[..., Exploration]
) -> None:
    exploration = make_exploration()
    for _ in range(TRIES):
        part = Part.objects.get()
        assert take_part(part.pk, worker="w-1@here")
        Part.objects.update(lease=EXPIRED)
        control.sweep()

    part = Part.objects.get()
    assert part.state == "given-up"
    assert part.error == "the worker died 5 times while computing this; last: w-1@here"
    assert read_again(exploration).finished

    assert services.retry(exploration) == 1
    assert finish(exploration).state == "done"
    assert rows_of(exploration).complete.all()


def test_stopping_gives_out_no_more_parts_and_going_on_computes_the_rest(
    four: list[Series],
    small_parts: None,
    make_exploration: Callable[..., Exploration],
) -> None:
    exploration = make_exploration()
    first, *others = exploration.parts.all()
    explore_part(first.pk)

    assert services.stop(exploration)
    assert [explore_part(each.pk) for each in others] == ["not-free"] * 3

    assert read_again(exploration).state == "stopped"
    assert not rows_of(exploration).complete.any()
    assert services.retry(exploration) == 3
    assert finish(exploration).state == "done"
    assert rows_of(exploration).complete.all()


def test_a_stop_ends_a_part_at_its_next_series(
    four: list[Series],
    make_exploration: Callable[..., Exploration],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(leases, "RENEW_EVERY", 0.0)
    exploration = make_exploration()
    claim = take_part(exploration.parts.get().pk, worker="here")
    assert claim is not None
    services.stop(exploration)

    assert answer_unit.work_on(claim) == "unfinished"

    assert Part.objects.get().state == "stopped"
    assert read_again(exploration).finished is None  # closed by the next look
    control.sweep()
    assert read_again(exploration).finished


def test_a_failure_on_one_series_leaves_the_others_alone(
    four: list[Series],
    sulky: type[Sulky],
    make_exploration: Callable[..., Exploration],
    caplog: pytest.LogCaptureFixture,
) -> None:
    ranges = (levels_of(sulky, "at", [2, 4]),)
    with caplog.at_level(logging.CRITICAL, logger="analysis.tuning.answer_unit"):
        done = finish(make_exploration(method=sulky, ranges=ranges))

    part = done.parts.get()
    assert rows_of(done).table.tolist() == [[1, -2, 1, 1], [2, -2, 2, 2], [4, -2, 4, 4]]
    assert (part.failed_count, part.error) == (3, "ZeroDivisionError: division by a mood")


def test_a_worker_with_another_version_says_so(
    four: list[Series], make_exploration: Callable[..., Exploration]
) -> None:
    exploration = make_exploration()
    Exploration.objects.update(method="fixed@0")

    explore_part(exploration.parts.get().pk)

    part = Part.objects.get()
    assert part.error == "no version '0' of 'fixed' here; there is: 1"
    assert part.failed_count == part.size


def test_few_messages_are_out_at_a_time(
    four: list[Series],
    small_parts: None,
    make_exploration: Callable[..., Exploration],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(control, "FEW", 2)
    exploration = make_exploration()
    first, second, third, _ = exploration.parts.values_list("pk", flat=True)

    assert control.parts_to_send(exploration) == [first, second]
    Part.objects.filter(pk__in=[first, second]).update(queued_at=timezone.now())
    assert control.parts_to_send(exploration) == []
    explore_part(first)
    assert control.next_parts(exploration.pk) == [third]


@pytest.mark.django_db(transaction=True)
def test_started_it_runs_to_its_end_by_messages_alone(
    four: list[Series], small_parts: None, study: Study, asked: Callable[..., ExplorationQuery]
) -> None:
    made = services.start(study, asked(), plan.scope_of(study, "known"), by=None)

    assert read_again(made).state == "done"
    assert rows_of(made).complete.all()


@pytest.mark.parametrize("kind", [Kind.SEARCH, Kind.FRONT])
def test_a_search_plans_round_after_round_and_repeats_itself(
    four: list[Series], make_exploration: Callable[..., Exploration], kind: Kind
) -> None:
    once = finish(make_exploration(kind, seed=7))
    again = finish(make_exploration(kind, seed=7))

    tried = designs.design_of(once)
    assert once.state == "done"
    assert tried.shape == (13, 1)
    assert tried[0] == 500
    assert tried[1:].min() >= 0
    assert tried[1:].max() <= 9
    assert np.array_equal(tried, designs.design_of(again))


def test_a_round_that_two_workers_plan_is_planned_once(
    four: list[Series], make_exploration: Callable[..., Exploration]
) -> None:
    exploration = make_exploration(Kind.SEARCH)
    for part in exploration.parts.all():
        explore_part(part.pk)
    stale = Exploration.objects.get(pk=exploration.pk)

    control.next_parts(exploration.pk)
    planned = read_again(exploration)
    control._plan_more(stale)

    assert read_again(exploration).planned == planned.planned == 11
    assert Part.objects.filter(first_set=1, first_series=0).count() == 1


def test_a_worker_that_begins_anew_frees_what_its_predecessor_held(
    four: list[Series], make_exploration: Callable[..., Exploration]
) -> None:
    part = make_exploration().parts.get()
    take_part(part.pk, worker="w-1@here")
    Worker.objects.create(
        name="w-1@here", pid=2**22 + 1, started=timezone.now(), last_beat=timezone.now()
    )

    workers.register("w-1@here")

    assert Part.objects.get().state == "waiting"
    assert control.sweep() == [part.pk]
