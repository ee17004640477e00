"""Preselections of methods: the buttons of the page that starts a run."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Final

from analysis.methods.models import MethodSet
from analysis.runs.method_prices import MethodPrice
from detectors.registry import DEFAULT_METHOD, KeyParts, method_slots, registry
from people.late_registry import LateRegistry
from people.models import Study, User

PUBLISHED: Final = "Published detectors"  # family of methods that papers proposed
BEST: Final = 8  # methods; a chart tells as many lines apart


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
    sentence: str

    @property
    def words(self) -> str:
        """Label with the number of methods."""
        return f"{self.label} {len(self.slugs)}" if self.slugs else self.label


_rankings = LateRegistry[list[Callable[[User, Study], StudyRanking | None]]]([])


def register_ranking(read_ranking: Callable[[User, Study], StudyRanking | None]) -> None:
    """Register who knows a ranking of methods: the comparison, which stands above this package."""
    _rankings.present[:] = [read_ranking]


def preselections(
    prices: Mapping[str, MethodPrice], study: Study, person: User
) -> dict[str, Preselection]:
    """The buttons by code, in their order."""
    slots = method_slots()
    all_slugs = tuple(sorted(prices, key=lambda slug: slots[slug]))
    quick_slugs = tuple(slug for slug in all_slugs if not prices[slug].is_slow)
    published_slugs = tuple(slug for slug in all_slugs if prices[slug].detector.family == PUBLISHED)
    best_slugs, best_sentence = _best_slugs(
        prices, [slug for slug in quick_slugs if slug in published_slugs], study, person
    )
    default_title = registry()[DEFAULT_METHOD].title
    fixed_preselections = (
        Preselection("none", "None", (), "No method"),
        Preselection("default", "Default", (DEFAULT_METHOD,), f"{default_title} is the default."),
        Preselection("best", "Best", best_slugs, best_sentence),
        Preselection("quick", "Quick", quick_slugs, "All methods but the slow ones"),
        Preselection("published", "Published", published_slugs, "Methods that a paper proposed"),
        Preselection("all", "All", all_slugs, "All methods that can run here, slow ones too"),
    )
    saved_preselections = (
        Preselection(
            method_set.public_id, method_set.name, _slugs(method_set, prices), "Saved in Compare"
        )
        for method_set in study.method_sets.all()
    )
    return {
        preselection.code: preselection
        for preselection in (*fixed_preselections, *saved_preselections)
        if preselection.slugs or preselection.code == "none"
    }


def _slugs(method_set: MethodSet, prices: Mapping[str, MethodPrice]) -> tuple[str, ...]:
    """Slugs of the methods of a preset that can run here."""
    slugs = (KeyParts.from_key(key).slug for key in method_set.methods)
    return tuple(dict.fromkeys(slug for slug in slugs if slug in prices))


def _best_slugs(
    prices: Mapping[str, MethodPrice], fallback_slugs: Sequence[str], study: Study, person: User
) -> tuple[tuple[str, ...], str]:
    """Slugs of the best methods, and a sentence that says where they come from."""
    ranking = _rankings.entries[0](person, study) if _rankings.entries else None
    ranked_slugs = [name for name in ranking.names if name in prices] if ranking else []
    if ranking and ranked_slugs:
        best_slugs = tuple(ranked_slugs[:BEST])
        return (
            best_slugs,
            f"Best {len(best_slugs)} are the first in Compare with {ranking.yardstick}.",
        )
    best_slugs = tuple(fallback_slugs[:BEST])
    return (
        best_slugs,
        f"Best {len(best_slugs)} are quick published methods until you have opened Compare.",
    )
