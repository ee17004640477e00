"""Weights of trainings, as methods find them and as the form of a run offers them."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from analysis.methods.weight_sets import TRAINED, WeightSet
from analysis.training.models import Training
from detectors.contract import NotAvailable
from detectors.learned.crossfit import StoredSet
from people.models import Study


class TrainedWeights:
    """The database as a store of sets; a name ends in the digest of its content."""

    def has(self, slug: str, name: str) -> bool:
        return _find_training(slug, name) is not None

    def card(self, slug: str, name: str) -> dict[str, Any]:
        training = _find_training(slug, name)
        return training.card if training else {}

    def load(self, slug: str, name: str) -> StoredSet:
        """Raises NotAvailable where it was removed a moment ago."""
        training = _find_training(slug, name)
        if training is None:
            raise NotAvailable(f"weights {name} of {slug} were removed: choose others")
        contents = training.units.all().fitted().filter(seed=0).values_list("content", flat=True)
        return StoredSet(training.card["answers"], tuple(bytes(content) for content in contents))


def _find_training(slug: str, name: str) -> Training | None:
    """Its card and labels are read only where somebody asks; another's name asks nothing."""
    if not name.startswith(f"{TRAINED}-"):
        return None
    rows = Training.objects.with_weights().filter(weights=name).light()
    return next((training for training in rows if training.slug == slug), None)


def weight_sets_of_study(study: Study) -> Iterator[WeightSet]:
    rows = Training.objects.filter(study=study).with_weights().light()
    return (WeightSet(training.slug, training.weights, training.name) for training in rows)
