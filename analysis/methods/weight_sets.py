"""Sets of weights that a study has trained for itself, as the form of a run offers them."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from typing import Final

from detectors.contract import Detector, ParameterError
from detectors.learned.crossfit import names
from people.models import Study

TRAINED: Final = "trained"  # names of sets that belong to a study begin so


@dataclass(frozen=True, slots=True)
class WeightSet:
    """One set. name: as the parameter `weights` takes it."""

    slug: str
    name: str
    title: str


Source = Callable[[Study], Iterable[WeightSet]]
_sources: list[Source] = []


def register(source: Source) -> None:
    """`source` names the sets of a study, the newest first."""
    _sources.append(source)


def sets_of(study: Study) -> list[WeightSet]:
    return [each for source in _sources for each in source(study)]


def choices_of(slug: str, own: Iterable[WeightSet]) -> list[tuple[str, str]]:
    """What `weights` of a method can be: what is installed, and a study's own sets."""
    installed = [(name, name) for name in names(slug)]
    return [*installed, *((each.name, f"“{each.title}”") for each in own if each.slug == slug)]


def is_trained(detector: Detector) -> bool:
    """Whether it answers by a set of a study, which lies in the database and in no file."""
    return str(getattr(detector.params, "weights", "")).startswith(f"{TRAINED}-")


def refuse_others(study: Study, detectors: Iterable[Detector]) -> None:
    """Raise ParameterError for a set that another study trained: it is not this one's to use."""
    asked = [each for each in detectors if is_trained(each)]
    mine = {(each.slug, each.name) for each in sets_of(study)} if asked else set()
    for each in asked:
        name = str(each.params.texts()["weights"])
        if (each.slug, name) not in mine and name not in names(each.slug):
            raise ParameterError(f"{each.slug}: this study has no weights {name}")
