"""Sets of methods that a comparison offers with one press: built in, of the team, by family."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Final

from analysis.comparison.method_names import ALL, PEOPLE
from analysis.comparison.query import ComparisonLink, ComparisonQuery
from analysis.comparison.table import ComparisonResult
from analysis.methods.method_style import MethodStyle
from analysis.methods.models import MethodSet
from detectors.registry import registry

BEST: Final = 8
HARNESSES: Final = frozenset({"developer", "jmh-default", "pilot"})
"""Rules that benchmark harnesses and their users follow by themselves."""
NamedSet = tuple[str, Sequence[str]]


@dataclass(frozen=True)
class MethodSets:
    """Sets of the methods with answers on the series of a comparison.

    full_comparison  the comparison of all of them in the usual order: the best are the best of all
    """

    full_comparison: ComparisonResult

    @cached_property
    def opening_names(self) -> Sequence[str]:
        """Methods of an address that names none: the set that the team puts first, else the best.

        None where all are meant.
        """
        first_sets = self._team_sets(is_first=True)
        return first_sets[0][1] if first_sets else self._best_names

    def canonical(self, query: ComparisonQuery) -> ComparisonQuery:
        """Query of an equal comparison in fewest words; methods that no address names are named
        there.
        """
        named_methods = tuple(name for name in query.methods if name != PEOPLE)
        return self._query_for(query, named_methods or query.methods or self.opening_names)

    def bar_links(self, comparison: ComparisonResult) -> list[ComparisonLink]:
        """The sets that stand beside one another on the page."""
        first_sets = self._team_sets(is_first=True)
        registered_methods = registry().items()
        slugs = {
            slug for slug, method in registered_methods if method.source.doi or method.source.url
        }
        sets = [
            *first_sets,
            (f"Best {BEST}", self._best_names),
            ("Published", self._names_of(lambda look: look.slug in slugs and not look.baseline)),
        ]
        return self._links(
            comparison, [*sets, *([] if first_sets else self._baseline_sets), self._all_set]
        )

    def menu_links(self, comparison: ComparisonResult) -> list[ComparisonLink]:
        """The further sets, and people alone."""
        harness_set = ("Harnesses", self._names_of(lambda look: look.slug in HARNESSES))
        imported_set = ("Imported", self._names_of(lambda look: bool(look.source)))
        people_set = ("People", [PEOPLE] if self.full_comparison.inputs.people else [])
        baselines = self._baseline_sets if self._team_sets(is_first=True) else []
        sets = [*baselines, harness_set, people_set, imported_set, *self._team_sets(is_first=False)]
        return self._links(comparison, sets)

    def menu_label(self, comparison: ComparisonResult) -> str:
        """Name of the menu: a set that is not in the bar, or how many methods are shown."""
        if any(link.is_chosen for link in self.bar_links(comparison)):
            return ""
        labels = [
            f"{link.name} {link.size}" for link in self.menu_links(comparison) if link.is_chosen
        ]
        n = len(comparison.looks)
        return labels[0] if labels else f"{n} method{'s' if n != 1 else ''}"

    def families(
        self, comparison: ComparisonResult
    ) -> list[tuple[ComparisonLink, Sequence[MethodStyle]]]:
        """Families of the catalogue with their methods, in the order of looks; a link shows one."""
        looks_by_family: dict[str, list[MethodStyle]] = {}
        for look in self.full_comparison.inputs.looks:
            looks_by_family.setdefault(_family(look), []).append(look)
        return [
            (self._link(comparison, family, [look.name for look in family_looks]), family_looks)
            for family, family_looks in looks_by_family.items()
        ]

    # --- the sets -----------------------------------------------------------------------------
    @property
    def _all_set(self) -> NamedSet:
        return "All", self._names_of(lambda _: True)

    @property
    def _baseline_sets(self) -> list[NamedSet]:
        return [("Baselines", self._names_of(lambda look: look.baseline))]

    @cached_property
    def _best_names(self) -> list[str]:
        """The best ranked, where more are ranked than these, and baselines to hold them against."""
        ranks_and_names = sorted((e.rank, e.name) for e in self.full_comparison.entries if e.rank)
        best_names = (
            {name for _, name in ranks_and_names[:BEST]} if len(ranks_and_names) > BEST else set()
        )
        return (
            self._names_of(lambda look: look.name in best_names or look.baseline)
            if best_names
            else []
        )

    def _team_sets(self, *, is_first: bool) -> list[NamedSet]:
        """Sets that the team has saved, as far as their methods have answers on these series."""
        answering_names = {look.name for look in self.full_comparison.inputs.looks}
        named_sets = [
            (saved_set.name, [name for name in saved_set.methods if name in answering_names])
            for saved_set in self._saved_sets
            if saved_set.first == is_first
        ]
        return [named_set for named_set in named_sets if named_set[1]]

    @cached_property
    def _saved_sets(self) -> list[MethodSet]:
        return list(self.full_comparison.yardstick.study.method_sets.all())

    def _names_of(self, is_meant: Callable[[MethodStyle], bool]) -> list[str]:
        return [look.name for look in self.full_comparison.inputs.looks if is_meant(look)]

    # --- links --------------------------------------------------------------------------------
    def _links(
        self, comparison: ComparisonResult, sets: Sequence[NamedSet]
    ) -> list[ComparisonLink]:
        return [self._link(comparison, name, names) for name, names in sets if names]

    def _link(
        self, comparison: ComparisonResult, name: str, names: Sequence[str]
    ) -> ComparisonLink:
        people_count = len(self.full_comparison.inputs.people)
        size = (
            people_count if names == [PEOPLE] else None if names is self._best_names else len(names)
        )
        is_chosen = {*names} - {PEOPLE} == {*comparison.looks}
        return ComparisonLink(name, self._query_for(comparison.asked, names), is_chosen, size)

    def _query_for(self, query: ComparisonQuery, names: Sequence[str]) -> ComparisonQuery:
        """`names` in an address: all are the word for it where none would mean others."""
        if ALL in names or {*names} == {*self._names_of(lambda _: True)}:
            names = [ALL] if self.opening_names else []
        return query.changed(methods=tuple(names))


def _family(look: MethodStyle) -> str:
    if look.source:
        return "Imported"
    method = registry().get(look.slug)
    return method.family if method else "Not installed here"
