"""Starting a training and letting go of one; what else is done to jobs is the same for all."""

from __future__ import annotations

from typing import Final

from django.db import transaction

from analysis.training.models import Training, TrainingUnit
from analysis.training.plan import CannotTrain, TrainingPlan
from analysis.work import services as work
from detectors.learned.crossfit import FOLDS
from people.models import Study, User

AT_ONCE: Final = 3  # trainings of a study at the same time
KEPT: Final = 50  # trainings of a study that keep their models


@transaction.atomic
def start_training(
    study: Study, plan: TrainingPlan, *, user: User | None, queued: bool = True
) -> Training:
    """Store a training and queue its first models. Raises CannotTrain.

    queued: as in `analysis.work.services.queue_first_units`.
    """
    study_trainings = Training.objects.filter(
        study=Study.objects.select_for_update().get(pk=study.pk)
    )
    if study_trainings.open().count() >= AT_ONCE:
        raise CannotTrain(f"{AT_ONCE} trainings of this study go on. Start it when one has ended.")
    if study_trainings.count() >= KEPT:
        raise CannotTrain(f"This study has {KEPT} trainings. Remove one first.")
    query = plan.query
    model_title = query.model.rpartition(":")[2]
    training = Training.objects.create(
        study=study,
        name=(query.name or f"{model_title} from {plan.yardstick.title}")[:120],
        started_by=user,
        yardstick=plan.yardstick.code,
        yardstick_title=plan.yardstick.title[:300],
        dataset=query.dataset,
        labels=list(plan.labels.items()),
        series_count=len(plan.labels),
        model=query.model,
        window=query.window,
        benchmarks=query.size,
        seeds=query.seeds,
        unseen=query.unseen,
    )
    TrainingUnit.objects.bulk_create(
        TrainingUnit(job=training, seed=seed, fold=fold, size=1)
        for seed in range(query.seeds)
        for fold in range(FOLDS)
    )
    work.queue_first_units(training, queued=queued)
    return training
