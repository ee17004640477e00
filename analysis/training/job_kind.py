"""Trainings as a kind of job: a model a unit, and at last the set that is made of them."""

from __future__ import annotations

from collections.abc import Callable

from analysis.methods.method_style import style_of
from analysis.training.models import TOGETHER, Training, TrainingUnit
from analysis.work.kinds import JobKind
from analysis.work.leases import Claim, Outcome


class TrainingKind(JobKind[Training, TrainingUnit]):
    """A model left behind begins again; those that are stored are not fitted twice."""

    name, unit_noun = "training", "model"
    at_once = False  # a run that begins meanwhile shall not wait for all models
    job_model, unit_model = Training, TrainingUnit

    def compute(self, claim: Claim[TrainingUnit]) -> Callable[[], Outcome]:
        # scikit-learn takes more than a second to load, and only a worker that fits needs it.
        from analysis.training import fit_unit  # noqa: PLC0415

        return fit_unit.compute(claim)

    def code_of(self, unit: TrainingUnit) -> str:
        return style_of(unit.job.slug).code

    def plan_more(self, job: Training) -> bool:
        """The set, once every model is there and nobody has planned it."""
        models = job.units.exclude(fold=TOGETHER)
        if models.count() > job.units.all().fitted().count():
            return False
        _, is_new = TrainingUnit.objects.get_or_create(job=job, seed=0, fold=TOGETHER, size=1)
        return is_new
