"""Work on one unit of a training: fit one model, or make a set of all."""

from __future__ import annotations

import logging
from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import Any

from billiard.exceptions import SoftTimeLimitExceeded
from django.conf import settings

from analysis.methods.weight_sets import TRAINED
from analysis.training.labelled_series import SeriesGone, labelled_series_of_study
from analysis.training.models import TOGETHER, Training, TrainingUnit
from analysis.training.plan import CannotTrain
from analysis.work.leases import Claim, Outcome, Unwanted
from detectors.contract import NotAvailable
from detectors.learned.fitted_classifiers import allowed_classes
from detectors.training.fitting.classifiers import NoClassifier
from detectors.training.labels.labelled_windows import LabelledSeries
from detectors.training.panel import TooFewAnswers
from detectors.training.stopping import ModelTooLarge, StoppingSettings, StoppingTraining

log = logging.getLogger(__name__)
EPOCHS = 60  # epochs of a network that fit into the time of a unit


def compute(claim: Claim[TrainingUnit]) -> Callable[[], Outcome]:
    """Fit or put together, telling that it lives; what is returned stores it."""
    try:
        return _fit_set(claim) if claim.unit.fold == TOGETHER else _fit_model(claim)
    except Unwanted:
        return partial(claim.end, is_complete=False, done_count=0)
    except (TooFewAnswers, ModelTooLarge, NoClassifier, NotAvailable, CannotTrain) as error:
        return partial(claim.fail, str(error))
    except SoftTimeLimitExceeded:
        seconds = settings.CELERY_TASK_SOFT_TIME_LIMIT
        return partial(claim.fail, f"took longer than {seconds} s: learn from fewer benchmarks")
    except MemoryError:
        return partial(claim.fail, "took more memory than there is: learn from fewer benchmarks")
    except Exception as error:  # anybody's class: its fault must not take the worker with it
        log.exception("%s could not be fitted", claim.unit)
        return partial(claim.fail, f"{type(error).__name__}: {error}"[:500])


def _fit_model(claim: Claim[TrainingUnit]) -> Callable[[], Outcome]:
    unit = claim.unit
    content, figures = _stopping_training(unit.job, unit.seed, claim).fitted(unit.fold)
    stored_content = content if unit.seed == 0 else b""
    return partial(
        claim.end, done_count=1, failed_count=0, error="", said=figures, content=stored_content
    )


def _fit_set(claim: Claim[TrainingUnit]) -> Callable[[], Outcome]:
    """The set of the first seed, with the figures of all seeds on its card."""
    job = claim.unit.job
    units = list(job.units.all().fitted())
    first_seed_units = [unit for unit in units if unit.seed == 0]
    model_set = _stopping_training(job, 0, claim).together(
        [bytes(unit.content) for unit in first_seed_units],
        [unit.said for unit in first_seed_units],
        source=f"{job.study.slug}, {job.yardstick}",
        labels=job.yardstick_title,
    )
    figures_by_seed = [
        [unit.said["figures"] for unit in units if unit.seed == seed] for seed in range(job.seeds)
    ]
    return partial(
        _store, claim, model_set.name(TRAINED), model_set.card | {"by_seed": figures_by_seed}
    )


def _store(claim: Claim[TrainingUnit], name: str, card: dict[str, Any]) -> Outcome:
    outcome = claim.end(done_count=1, failed_count=0, error="")
    if outcome == "done":
        Training.objects.filter(pk=claim.unit.job_id).update(weights=name, card=card)
    return outcome


def _stopping_training(job: Training, seed: int, claim: Claim[TrainingUnit]) -> StoppingTraining:
    return StoppingTraining(
        series_of_training(job),
        job_settings(job, seed),
        folder=Path(settings.DATA_DIR) / "trainings",  # a network goes on from its last epoch
        progress=lambda _: claim.go_on(),
    )


def series_of_training(job: Training) -> list[LabelledSeries]:
    """Its series with the labels of when it began. Raises CannotTrain where some are gone."""
    try:
        return labelled_series_of_study(dict(job.labels), job.study)
    except SeriesGone as error:
        raise CannotTrain(f"{error}: start another training") from error


def job_settings(job: Training, seed: int) -> StoppingSettings:
    """Raises CannotTrain for a class that is not allowed any more."""
    target = job.model if job.slug == "classifier" else ""
    if target and target not in allowed_classes():
        raise CannotTrain(f"{target} is no longer among the classes that this site allows", "model")
    return StoppingSettings(
        slug=job.slug,
        seed=seed,
        unseen="systems" if job.unseen == "systems" else "benchmarks",
        target=target,
        window=job.window,
        size=job.benchmarks,
        epochs=EPOCHS,
        every=10,
    )
