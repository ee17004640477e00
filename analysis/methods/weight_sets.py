"""Sets of weights that a study has trained for itself, as the form of a run offers them."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from typing import Final

from detectors.contract import Detector, ParameterError
from detectors.learned.crossfit import installed_set_names
from people.late_registry import LateRegistry
from people.models import Study

TRAINED: Final = "trained"  # prefix of sets that belong to a study


@dataclass(frozen=True, slots=True)
class WeightSet:
    """One set. name: as the parameter `weights` takes it."""

    slug: str
    name: str
    title: str


Source = Callable[[Study], Iterable[WeightSet]]
_sources = LateRegistry[list[Source]]([])


def register_weight_sets(source: Source) -> None:
    """`source` names the sets of a study, the newest first."""
    _sources.present.append(source)


def sets_of(study: Study) -> list[WeightSet]:
    return [weight_set for source in _sources.entries for weight_set in source(study)]


def choices_of(slug: str, own_weight_sets: Iterable[WeightSet]) -> list[tuple[str, str]]:
    """Choices of a method's `weights`: installed sets, and a study's own sets."""
    installed_choices = [(name, name) for name in installed_set_names(slug)]
    return [
        *installed_choices,
        *(
            (weight_set.name, f"“{weight_set.title}”")
            for weight_set in own_weight_sets
            if weight_set.slug == slug
        ),
    ]


def is_trained(detector: Detector) -> bool:
    """True if the detector answers by a study's own set, which lies in the database and in no
    file.
    """
    return str(getattr(detector.params, "weights", "")).startswith(f"{TRAINED}-")


def refuse_foreign_sets(study: Study, detectors: Iterable[Detector]) -> None:
    """Raise ParameterError for a set that another study trained: it is not this one's to use."""
    trained_detectors = [detector for detector in detectors if is_trained(detector)]
    own_set_keys = (
        {(weight_set.slug, weight_set.name) for weight_set in sets_of(study)}
        if trained_detectors
        else set()
    )
    for detector in trained_detectors:
        name = str(detector.params.texts()["weights"])
        if (detector.slug, name) not in own_set_keys and name not in installed_set_names(
            detector.slug
        ):
            raise ParameterError(f"{detector.slug}: this study has no weights {name}")
