"""Savings of a suite that workers keep, so that its page shows all benchmarks."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
import pytest
from django.test import Client
from django.urls import reverse

from analysis.planner import kept_savings, savings
from analysis.planner.kept_savings import keep_savings, kept_rows, summary_key, want_rows
from analysis.planner.query import PlanQuery
from analysis.runs.models import Detection, Run
from annotate.blind import EVERYTHING
from annotate.models import Task
from detectors.registry import registry
from people.models import User
from series.importing.services import say_length
from series.models import Dataset, Series
from series.values_store import ValuesMissing
from tests.analysis.comparison.conftest import mark
from tests.replayed_rows import replayed

LENGTH = {"seconds_per_iteration": 0.1, "warmup_seconds": 0.1}


@pytest.fixture
@replayed
def suite(make_series: Callable[..., Series]) -> list[Series]:
    """Three benchmarks of five forks around 10, whose starts are known."""
    rng = np.random.default_rng(1)
    return [
        make_series(
            10 + rng.normal(0, 0.2, 300), name=name, fork=fork, known_start=30, settings=LENGTH
        )
        for name in ("a", "b", "c")
        for fork in range(5)
    ]


def store_answer(series: Series, start: int = 40) -> Detection:
    key = registry()["kb-kssd"]().key
    fields = {"slug": "kb-kssd", "steady_start": start, "milliseconds": 1.0}
    return Detection.objects.create(series=series, detector_key=key, **fields)


@pytest.mark.usefixtures("suite")
def test_a_page_without_time_asks_workers_and_shows_all_later(
    dataset: Dataset, client: Client, vic: User, monkeypatch: pytest.MonkeyPatch
) -> None:
    computed_rows = list(savings.dataset_savings(dataset, EVERYTHING, PlanQuery()))
    monkeypatch.setattr(savings, "AT_MOST", 0.0)
    client.force_login(vic)
    address = reverse("plan-savings", args=[dataset.study.slug, dataset.slug])

    response_before = client.get(address)
    waiting_count = keep_savings()
    response_after = client.get(address)

    assert "workers compute the rest" in response_before.content.decode()
    assert waiting_count == 0
    assert "the first" not in response_after.content.decode()
    assert kept_rows(dataset) == computed_rows
    assert len({row.benchmark for row in computed_rows}) == 3


def test_the_default_method_stands_in_where_few_forks_are_known(
    suite: list[Series], dataset: Dataset, client: Client, vic: User
) -> None:
    Series.objects.exclude(fork=0).update(known_start=None)
    key = registry()["plateau"]().key
    for series in suite:
        Detection.objects.create(
            series=series, detector_key=key, slug="plateau", steady_start=30, milliseconds=1.0
        )
    client.force_login(vic)

    page = client.get(reverse("plan-savings", args=[dataset.study.slug, dataset.slug]))

    assert page.context["by"] == "Plateau"
    assert page.context["savings"].ways


def test_answers_are_news_to_workers_once_runs_have_ended(
    suite: list[Series], dataset: Dataset
) -> None:
    assert (keep_savings(), kept_rows(dataset)) == (0, None)  # the first look
    store_answer(suite[0])
    run = Run.objects.create(study=dataset.study, state=Run.State.RUNNING)

    assert keep_savings() == 1
    Run.objects.filter(pk=run.pk).update(state=Run.State.DONE)
    assert keep_savings() == 0
    assert kept_rows(dataset)
    assert keep_savings() == 0


@pytest.mark.usefixtures("suite")
def test_no_method_stands_in_for_people_before_all_benchmarks_were_read(
    dataset: Dataset, client: Client, vic: User, monkeypatch: pytest.MonkeyPatch
) -> None:
    Series.objects.filter(benchmark__name="a").update(known_start=None)
    monkeypatch.setattr(savings, "AT_MOST", 0.0)
    client.force_login(vic)

    page = client.get(reverse("plan-savings", args=[dataset.study.slug, dataset.slug]))

    assert (page.context["by"], page.context["savings"].ways) == ("", [])
    assert (page.context["savings"].read, page.context["savings"].rest_is_computed) == (1, True)


@pytest.mark.usefixtures("suite")
def test_a_deleted_data_set_is_wanted_no_more(dataset: Dataset) -> None:
    want_rows([dataset.pk])
    dataset.delete()

    assert keep_savings() == 0


@pytest.mark.usefixtures("suite")
def test_a_worker_goes_on_where_it_stopped(
    dataset: Dataset, monkeypatch: pytest.MonkeyPatch
) -> None:
    computed_rows = list(savings.dataset_savings(dataset, EVERYTHING, PlanQuery()))
    want_rows([dataset.pk])
    monkeypatch.setattr(kept_savings, "LOOK_SECONDS", 0.0)

    looks = [(keep_savings(), kept_rows(dataset) is None) for _ in range(4)]

    assert looks == [(1, True), (1, True), (1, True), (0, False)]
    assert kept_rows(dataset) == computed_rows != []


def test_whatever_changes_a_plan_outdates_what_is_kept(
    suite: list[Series],
    dataset: Dataset,
    make_series: Callable[..., Series],
    make_task: Callable[[Series], Task],
    ana: User,
) -> None:
    keys = [summary_key(dataset)]
    detection = store_answer(suite[0])
    keys.append(summary_key(dataset))
    Detection.objects.filter(pk=detection.pk).update(steady_start=41)
    keys.append(summary_key(dataset))
    Series.objects.filter(pk=suite[1].pk).update(known_start=31)
    keys.append(summary_key(dataset))
    added_series = make_series(np.ones(300), name="a", fork=9)
    keys.append(summary_key(dataset))
    assert say_length(Series.objects.filter(pk=added_series.pk), {"seconds_per_iteration": 0.5})
    keys.append(summary_key(dataset))
    mark(make_task(suite[2]), ana, 40)
    keys.append(summary_key(dataset))
    dataset.benchmarks.filter(name="a").update(unit="ms/op")
    keys.append(summary_key(dataset))

    assert len(set(keys)) == len(keys)
    assert summary_key(dataset) == keys[-1]


def test_kept_savings_are_for_who_may_see_all(
    suite: list[Series],
    dataset: Dataset,
    make_task: Callable[[Series], Task],
    ana: User,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    make_task(suite[0])
    want_rows([dataset.pk])
    keep_savings()
    monkeypatch.setattr(savings, "AT_MOST", 0.0)

    shown_to_annotator = savings.suite_savings(dataset, ana, PlanQuery())

    assert (shown_to_annotator.read, shown_to_annotator.rest_is_computed) == (1, False)


@pytest.mark.usefixtures("suite")
def test_values_that_cannot_be_read_end_no_duty(
    dataset: Dataset, monkeypatch: pytest.MonkeyPatch
) -> None:
    def unreadable(*_arguments: object, **_options: object) -> None:
        raise ValuesMissing("no file")

    want_rows([dataset.pk])
    monkeypatch.setattr(kept_savings, "dataset_plan_pages", unreadable)

    assert keep_savings() == 0
    assert kept_rows(dataset) is None
