"""Weights of trainings, as methods find them and as the form of a run offers them."""

from __future__ import annotations

from collections.abc import Iterator

from analysis.methods.weight_sets import WeightSet
from analysis.training.models import Training
from detectors.crossfit import StoredSet
from people.models import Study


class TrainedWeights:
    """The database as a store of sets; a name ends in the digest of its content."""

    def has(self, slug: str, name: str) -> bool:
        return any(each.slug == slug for each in _named(name))

    def load(self, slug: str, name: str) -> StoredSet:
        training = next(each for each in _named(name) if each.slug == slug)
        models = training.units.all().fitted().filter(seed=0).values_list("content", flat=True)
        return StoredSet(training.card["answers"], tuple(bytes(each) for each in models))


def _named(name: str) -> Iterator[Training]:
    if not name:
        return iter(())
    return Training.objects.filter(weights=name).defer("labels").iterator()


def sets_of(study: Study) -> Iterator[WeightSet]:
    rows = Training.objects.filter(study=study).with_weights().light()
    return (WeightSet(each.slug, each.weights, each.name) for each in rows)
