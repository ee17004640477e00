"""A training on workers: one model a unit, a set of weights at its end, and who may use it."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
from django.core.cache import cache
from django.test import Client
from django.urls import reverse
from django.utils import timezone

from analysis.methods.method_style import MethodStyles
from analysis.runs.forms import RunForm
from analysis.runs.models import Detection
from analysis.runs.plan import NothingToRun
from analysis.runs.selection import SeriesSelection
from analysis.runs.services import start_run
from analysis.series_page.evidence import read_evidence
from analysis.training import fit_unit, plan
from analysis.training.models import TOGETHER, Training
from analysis.training.plan import CannotTrain, TrainingQuery, plan_training
from analysis.training.segments import segments_of_series
from analysis.training.services import start_training
from analysis.work import services as work
from analysis.work.models import LEASE
from detectors.contract import NEVER, Context, NotAvailable, ParameterError
from detectors.learned import crossfit, fitted_classifiers
from detectors.methods.classifier import TrainedClassifier
from people.models import Study, User
from series.models import Benchmark, Series
from tests.analysis.runs.conftest import _in_this_process
from tests.replayed_rows import replayed

__all__ = ["_in_this_process"]

BAYES = "sklearn.naive_bayes:GaussianNB"
KIND = work.job_kind


@pytest.fixture(autouse=True)
def allowed(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv(fitted_classifiers.VARIABLE, f"{BAYES} aeon.nothing:Classifier")
    crossfit._load_set.cache_clear()


@pytest.fixture
@replayed
def known_series(make_series: Callable[..., Series]) -> list[Series]:
    """Six benchmarks that fall up to 60 and are level from there on; the last is never steady."""
    series_rows = []
    for number in range(6):
        noise = np.random.default_rng(number).standard_normal(120)
        level = np.where(np.arange(120) < 60, 300 - 3.0 * np.arange(120), 120.0)
        series = make_series(level + 0.1 * noise, name=f"org.example.B{number}")
        first = 60 if number < 5 else NEVER
        Series.objects.filter(pk=series.pk).update(known_start=first)
        Benchmark.objects.filter(pk=series.benchmark_id).update(system="one")
        series_rows.append(Series.objects.get(pk=series.pk))
    return series_rows


def training_query(**values: Any) -> TrainingQuery:
    defaults = {"yardstick": "known", "model": BAYES, "window": 30, "size": None, "seeds": 2}
    return TrainingQuery(**{**defaults, "unseen": "benchmarks", **values})


def make_training(study: Study, *, queued: bool = False, **values: Any) -> Training:
    return start_training(
        study, plan_training(study, training_query(**values)), user=None, queued=queued
    )


def finish_training(study: Study, **values: Any) -> Training:
    training = make_training(study, **values)
    work.work_through(training, worker="test", tell_progress=lambda *_: None)
    training.refresh_from_db()
    return training


# --- the job ------------------------------------------------------------------------------------
def test_it_ends_with_a_set_of_weights_and_the_spread_over_seeds(
    study: Study, known_series: list[Series]
) -> None:
    training = finish_training(study)

    assert training.state == Training.State.DONE
    assert training.weights.startswith("trained-")
    assert [len(folds) for folds in training.card["by_seed"]] == [5, 5]
    assert training.card["cross_validation"] == training.card["by_seed"][0]
    assert training.card["steady_series"] == 5
    contents = training.units.all().fitted().values_list("seed", "content")
    assert [bool(content) for seed, content in contents if seed == 0] == [True] * 5
    assert not any(content for seed, content in contents if seed)


def test_workers_do_it_when_it_is_queued(
    study: Study, known_series: list[Series], django_capture_on_commit_callbacks: Any
) -> None:
    with django_capture_on_commit_callbacks(execute=True):
        training = make_training(study, queued=True)

    training.refresh_from_db()
    assert training.weights


def test_what_a_dead_worker_left_is_fitted_again_and_nothing_twice(
    study: Study, known_series: list[Series], monkeypatch: pytest.MonkeyPatch
) -> None:
    training = make_training(study)
    first, second = training.units.order_by("pk")[:2]
    kind = KIND(training)
    work.take_and_work(kind, first.pk, worker="w-1")
    assert work.take_unit(kind, second.pk, worker="w-1")
    training.units.filter(pk=second.pk).update(lease=timezone.now() - LEASE)

    work.recover(kind, job=training)
    fitted_pks: list[int] = []
    monkeypatch.setattr(fit_unit, "_fit_model", _noting(fit_unit._fit_model, fitted_pks))
    work.work_through(training, worker="w-2", tell_progress=lambda *_: None)

    training.refresh_from_db()
    assert training.weights
    assert first.pk not in fitted_pks
    assert sorted(fitted_pks) == sorted(set(fitted_pks))
    assert len(fitted_pks) == 9


def _noting(fit: Callable[..., Any], fitted_pks: list[int]) -> Callable[..., Any]:
    def noting(claim: Any) -> Any:
        fitted_pks.append(claim.unit.pk)
        return fit(claim)

    return noting


def test_the_set_is_planned_once_and_only_when_every_model_is_there(
    study: Study, known_series: list[Series]
) -> None:
    training = make_training(study, seeds=1)
    kind = KIND(training)

    assert not kind.plan_more(training)
    for unit in training.units.all():
        work.take_and_work(kind, unit.pk)
    assert kind.plan_more(training)
    assert not kind.plan_more(training)
    assert training.units.filter(fold=TOGETHER).count() == 1


def test_a_stopped_one_goes_on_with_the_models_that_are_missing(
    study: Study, known_series: list[Series]
) -> None:
    training = make_training(study, seeds=1)
    work.take_and_work(KIND(training), training.units.order_by("pk")[0].pk)
    assert work.stop(training)
    training.refresh_from_db()
    assert training.finished
    assert not training.weights

    assert work.retry(training) == 4
    work.work_through(training, worker="test", tell_progress=lambda *_: None)

    training.refresh_from_db()
    assert training.weights


def test_a_class_that_fails_is_said_and_can_be_tried_again(
    study: Study, known_series: list[Series], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv(fitted_classifiers.VARIABLE, "sklearn.nothing:Nobody")
    training = finish_training(study, model="sklearn.nothing:Nobody", seeds=1)

    errors = set(training.units.values_list("error", flat=True))
    assert training.state == Training.State.DONE
    assert not training.weights
    assert errors == {"sklearn.nothing:Nobody: No module named 'sklearn.nothing'"}
    assert work.retry(training) == 5


def test_a_series_that_is_gone_ends_it_with_a_sentence(
    study: Study, known_series: list[Series]
) -> None:
    training = make_training(study, seeds=1)
    Series.objects.filter(pk=known_series[0].pk).delete()
    work.work_through(training, worker="test", tell_progress=lambda *_: None)

    assert training.units.first().error == "1 of its 6 series are gone: start another training"  # type: ignore[union-attr]


# --- bounds -------------------------------------------------------------------------------------
@pytest.mark.parametrize("count", [0, 1, 2])
def test_too_few_benchmarks_are_refused_before_anything_starts(
    study: Study, known_series: list[Series], count: int
) -> None:
    Series.objects.exclude(pk__in=[series_row.pk for series_row in known_series[:count]]).update(
        known_start=None
    )

    with pytest.raises(CannotTrain, match=r"expected 5 benchmarks or more|no yardstick|nothing to"):
        plan_training(study, training_query())


def test_more_than_fits_into_a_worker_is_refused(
    study: Study, known_series: list[Series], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(plan, "MOST_BYTES", 5 * 100 * 30 * 4 - 1)

    with pytest.raises(CannotTrain, match="5 steady series need 0 MB"):
        plan_training(study, training_query())


def test_windows_longer_than_a_series_leave_it_out(
    study: Study, known_series: list[Series]
) -> None:
    with pytest.raises(CannotTrain, match="answers for 0 benchmarks with 500 values"):
        plan_training(study, training_query(window=500))


def test_no_more_than_a_few_go_on_in_a_study(study: Study, known_series: list[Series]) -> None:
    for _ in range(3):
        make_training(study)

    with pytest.raises(CannotTrain, match="3 trainings of this study go on"):
        make_training(study)


# --- weights ------------------------------------------------------------------------------------
def test_a_run_chooses_them_and_what_was_trained_on_is_answered_by_who_has_not_seen_it(
    study: Study, known_series: list[Series]
) -> None:
    training = finish_training(study, seeds=1)
    form = RunForm(study)
    assert (training.weights, f"“{training.name}”") in form.fields["classifier.weights"].choices  # type: ignore[attr-defined]
    assert "classifier" in dict(form.fields["methods"].choices)  # type: ignore[attr-defined]

    key = f"classifier?weights={training.weights}"
    run = start_run(
        study, user=None, selection=SeriesSelection("nightly"), keys=[key], queued=False
    )
    work.work_through(run, worker="test", tell_progress=lambda *_: None)

    card = crossfit.card_of("classifier", training.weights)
    assert card["cross_validation"] == training.card["cross_validation"]  # for the tables of costs
    detections = Detection.objects.filter(slug="classifier")
    assert detections.count() == 6
    assert all("unseen" in detection.flags for detection in detections)


@pytest.fixture
def stranger_study(db: None) -> Study:
    return Study.objects.create(name="Elsewhere", slug="elsewhere")


def test_their_evidence_is_shown_and_says_who_answered(
    study: Study, known_series: list[Series]
) -> None:
    training = finish_training(study, seeds=1)
    key = TrainedClassifier(weights=training.weights).key
    detection = Detection.objects.create(
        series=known_series[0],
        detector_key=key,
        slug="classifier",
        steady_start=0,
        milliseconds=900,
    )
    name = MethodStyles(study)(key).name

    evidence = read_evidence(known_series[0], name)
    detection.milliseconds = 3000
    detection.save()
    cache.clear()
    slow_evidence = read_evidence(known_series[0], name)

    assert evidence
    assert evidence["items"]
    assert not evidence["problem"]
    assert slow_evidence
    assert "takes longer than 2 s" in slow_evidence["problem"]


def test_another_study_can_neither_choose_nor_run_them(
    study: Study, known_series: list[Series], stranger_study: Study
) -> None:
    training = finish_training(study, seeds=1)

    form = RunForm(stranger_study)
    assert training.weights not in str(form["classifier.weights"])
    weights_field = RunForm(study)["classifier.weights"]
    assert (
        weights_field.field.widget.attrs["data-default"] == training.weights
    )  # no parameter was changed
    assert "classifier" not in dict(form.fields["methods"].choices)  # type: ignore[attr-defined]
    with pytest.raises(ParameterError, match="this study has no weights trained-"):
        start_run(
            stranger_study,
            user=None,
            selection=SeriesSelection("nightly"),
            keys=[f"classifier?weights={training.weights}"],
        )
    with pytest.raises(NothingToRun):
        start_run(stranger_study, user=None, selection=SeriesSelection("nothing"), keys=["fixed"])


def test_removed_weights_are_not_available_any_more(
    study: Study, known_series: list[Series], client: Client, olga: User
) -> None:
    training = finish_training(study, seeds=1)
    method = TrainedClassifier(weights=training.weights)
    method.answer(known_series[0].array(), Context())
    client.force_login(olga)

    client.post(reverse("training-removal", args=[study.slug, training.public_id]))

    assert not Training.objects.exists()
    with pytest.raises(NotAvailable, match="weights not installed"):
        method.answer(known_series[0].array(), Context())


# --- segments -----------------------------------------------------------------------------------
def test_windows_of_a_series_have_labels_and_the_word_of_the_model_that_has_not_seen_it(
    study: Study, known_series: list[Series]
) -> None:
    segments_before = segments_of_series(make_training(study), known_series[0])
    segments_after = segments_of_series(finish_training(study, seeds=1), known_series[0])

    assert (segments_before.model, segments_before.scores) == (None, None)
    assert segments_after.starts[~segments_after.is_stable].max() == 59
    assert segments_after.starts[segments_after.is_stable].min() == 60
    assert segments_after.starts.max() == 90
    assert segments_after.model is not None
    assert segments_after.agreed_count > 0.8 * segments_after.starts.size


def test_a_series_that_is_never_steady_has_no_windows(
    study: Study, known_series: list[Series]
) -> None:
    segments = segments_of_series(finish_training(study, seeds=1), known_series[5])

    assert segments.starts.size == 0
    assert "never steady" in segments.sentence
