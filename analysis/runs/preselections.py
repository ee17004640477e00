"""Preselections of methods: the buttons of the page that starts a run."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Final

from analysis.methods.models import MethodSet
from analysis.runs.method_prices import MethodPrice
from detectors.registry import KeyParts, method_slots
from people.models import Study, User

PUBLISHED: Final = "Published detectors"  # the family of methods that a paper proposed
BEST: Final = 8  # as many lines as a chart tells apart


@dataclass(frozen=True, slots=True)
class StudyRanking:
    """Names of methods, the best first, and what they were compared with."""

    yardstick: str
    names: Sequence[str]


@dataclass(frozen=True, slots=True)
class Preselection:
    """One button: a name, the slugs that it chooses, and what they are."""

    code: str
    label: str
    slugs: tuple[str, ...]
    about: str

    @property
    def words(self) -> str:
        """Label with the number of methods."""
        return f"{self.label} {len(self.slugs)}" if self.slugs else self.label


_rankings: list[Callable[[User, Study], StudyRanking | None]] = []


def register_ranking(source: Callable[[User, Study], StudyRanking | None]) -> None:
    """Register who knows a ranking of methods: the comparison, which stands above this package."""
    _rankings[:] = [source]


def preselections(
    prices: Mapping[str, MethodPrice], study: Study, person: User
) -> dict[str, Preselection]:
    """The buttons by code, in their order."""
    slots = method_slots()
    all_slugs = tuple(sorted(prices, key=lambda slug: slots[slug]))
    quick = tuple(slug for slug in all_slugs if not prices[slug].slow)
    published = tuple(slug for slug in all_slugs if prices[slug].detector.family == PUBLISHED)
    best, about = _best(prices, [slug for slug in quick if slug in published], study, person)
    listed = (
        Preselection("none", "None", (), "No method"),
        Preselection("best", "Best", best, about),
        Preselection("quick", "Quick", quick, "All methods but the slow ones"),
        Preselection("published", "Published", published, "Methods that a paper proposed"),
        Preselection("all", "All", all_slugs, "All methods that can run here, slow ones too"),
    )
    saved = (
        Preselection(
            method_set.public_id, method_set.name, _slugs_of(method_set, prices), "Saved in Compare"
        )
        for method_set in study.method_sets.all()
    )
    return {
        preselection.code: preselection
        for preselection in (*listed, *saved)
        if preselection.slugs or preselection.code == "none"
    }


def _slugs_of(saved: MethodSet, prices: Mapping[str, MethodPrice]) -> tuple[str, ...]:
    """Slugs of the methods of a preset that can run here."""
    slugs = (KeyParts.from_key(key).slug for key in saved.methods)
    return tuple(dict.fromkeys(slug for slug in slugs if slug in prices))


def _best(
    prices: Mapping[str, MethodPrice], otherwise: Sequence[str], study: Study, person: User
) -> tuple[tuple[str, ...], str]:
    """Slugs of the best methods, and a sentence that says where they come from."""
    ranking = _rankings[0](person, study) if _rankings else None
    ranked = [name for name in ranking.names if name in prices] if ranking else []
    if ranking and ranked:
        best = tuple(ranked[:BEST])
        return best, f"Best {len(best)} are the first in Compare with {ranking.yardstick}."
    best = tuple(otherwise[:BEST])
    return best, f"Best {len(best)} are quick published methods until you have opened Compare."
