"""Pages of trainings: form, progress, figures, windows of a series, and who sees what."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from django.test import Client
from django.urls import reverse

from analysis.methods.series_context import context_of_series
from analysis.training.models import Training
from analysis.work import services as work
from annotate.models import Campaign
from detectors.learned import fitted_classifiers
from detectors.registry import from_key
from people.models import Study, User
from series.models import Series
from tests.analysis.training.test_job import (
    BAYES,
    allowed,
    finish_training,
    known_series,
    make_training,
)
from tests.detectors.training.fitting import channel_classifier

__all__ = ["allowed", "known_series"]

FORM = {
    "yardstick": "known",
    "model": BAYES,
    "window": "30",
    "size": "4",
    "seeds": "2",
    "unseen": "benchmarks",
    "name": "Mine",
}


LIST = "/s/startup-times/runs/?kind=training"


def post_form(client: Client, study: Study, *, htmx: bool = False, **changes: Any) -> Any:
    headers = {"HX-Request": "true"} if htmx else {}
    return client.post(reverse("training-new", args=[study.slug]), FORM | changes, headers=headers)


@pytest.fixture
def owner(client: Client, olga: User) -> Client:
    client.force_login(olga)
    return client


def test_the_form_starts_what_it_says(
    owner: Client, study: Study, known_series: list[Series]
) -> None:
    page = post_form(owner, study, htmx=True).content.decode()
    assert "<b>10 models</b>" in page
    assert not Training.objects.exists()

    answer = post_form(owner, study)

    training = Training.objects.get()
    assert answer.headers["Location"] == training.get_absolute_url()
    assert (training.name, training.benchmarks, training.seeds, training.window) == (
        "Mine",
        4,
        2,
        30,
    )
    assert training.labels == [
        [series_row.pk, 60 if series_row != known_series[5] else -1] for series_row in known_series
    ]
    assert training.units.count() == 10


@pytest.mark.parametrize(
    ("changes", "sentence"),
    [
        ({"model": "os:system"}, "a class is a program"),
        ({"model": "aeon.nothing:Classifier"}, "needs aeon, not installed"),
        ({"window": "11"}, "greater than or equal to 12"),
        ({"window": "121"}, "expected 5 benchmarks"),
        ({"size": "0"}, "greater than or equal to 1"),
        ({"seeds": "21"}, "less than or equal to 20"),
        ({"yardstick": "campaign:nobody"}, "Select a valid choice"),
    ],
)
def test_what_cannot_be_trained_is_refused_with_a_reason(
    owner: Client, study: Study, known_series: list[Series], changes: dict[str, Any], sentence: str
) -> None:
    answer = post_form(owner, study, **changes)

    assert answer.status_code == 422
    assert sentence in answer.content.decode()
    assert not Training.objects.exists()


def test_a_class_that_is_not_listed_names_the_setting(
    owner: Client, study: Study, known_series: list[Series]
) -> None:
    page = post_form(owner, study, model="subprocess:Popen").content.decode()

    assert fitted_classifiers.VARIABLE in page
    assert BAYES in page


def test_without_anything_to_learn_from_the_list_says_so(owner: Client, study: Study) -> None:
    assert owner.get(reverse("training-new", args=[study.slug])).status_code == 302
    assert "empty" in owner.get(LIST).content.decode()


def test_the_page_shows_progress_then_figures(
    owner: Client, study: Study, known_series: list[Series]
) -> None:
    waiting_training = make_training(study)
    page = owner.get(waiting_training.get_absolute_url()).content.decode()
    assert 'data-state="queued"' in page
    assert "Over seeds" not in page

    finished_training = finish_training(study)
    page = owner.get(finished_training.get_absolute_url()).content.decode()

    assert "Over seeds" in page
    assert f"classifier?weights={finished_training.weights}" in page
    assert 'id="segments"' in page
    list_page = owner.get(LIST).content.decode()
    assert finished_training.get_absolute_url() in list_page


def test_another_series_can_be_looked_at_and_an_unknown_one_is_404(
    owner: Client, study: Study, known_series: list[Series]
) -> None:
    finished_training = finish_training(study, seeds=1)

    reply = owner.get(finished_training.get_absolute_url(), {"series": known_series[5].public_id})

    assert "labelled as never steady" in reply.content.decode()
    assert owner.get(finished_training.get_absolute_url(), {"series": "nobody"}).status_code == 404


def test_who_has_yet_to_answer_a_series_sees_neither_its_windows_nor_the_figures(
    client: Client,
    ana: User,
    olga: User,
    study: Study,
    known_series: list[Series],
    campaign: Campaign,
    make_task: Any,
) -> None:
    address = finish_training(study, seeds=1).get_absolute_url()
    make_task(known_series[0])
    client.force_login(olga)
    assert known_series[0].public_id in client.get(address).content.decode()

    client.force_login(ana)
    page = client.get(address).content.decode()

    assert "Over seeds" not in page
    assert known_series[0].public_id not in page
    query = {"series": known_series[0].public_id}
    assert client.get(address, query).status_code == 404


def test_one_that_goes_on_is_not_removed(
    owner: Client, study: Study, known_series: list[Series]
) -> None:
    training = make_training(study)

    owner.post(reverse("training-removal", args=[study.slug, training.public_id]))

    assert Training.objects.filter(pk=training.pk).exists()


def test_a_class_of_aeon_is_trained_and_run_from_the_page(
    owner: Client,
    study: Study,
    known_series: list[Series],
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """A stand-in for it: installed under its name, and as strict about the form of windows."""
    target = channel_classifier.install(tmp_path, monkeypatch)

    post_form(owner, study, model=target, seeds="1")
    training = Training.objects.get()
    work.work_through(training, worker="test", tell_progress=lambda *_: None)
    training.refresh_from_db()
    page = owner.get(training.get_absolute_url()).content.decode()
    key = f"classifier?weights={training.weights}"
    answer = from_key(key).answer(known_series[0].array(), context_of_series(known_series[0]))

    assert training.state == Training.State.DONE
    assert key in page
    assert target in page
    assert 30 <= answer.steady_start <= 65
    assert answer.flags == ("unseen",)
