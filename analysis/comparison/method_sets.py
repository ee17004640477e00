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

    every  the comparison of all of them in the usual order: the best are the best of all
    """

    every: ComparisonResult

    @cached_property
    def opening(self) -> Sequence[str]:
        """Methods of an address that names none: the set that the team puts first, else the best.

        None where all are meant.
        """
        return self._team(is_first=True)[0][1] if self._team(is_first=True) else self._best

    def canonical(self, query: ComparisonQuery) -> ComparisonQuery:
        """Query of an equal comparison in fewest words; methods that no address names are named
        there.
        """
        named_methods = tuple(name for name in query.methods if name != PEOPLE)
        return self._asked(query, named_methods or query.methods or self.opening)

    def bar(self, comparison: ComparisonResult) -> list[ComparisonLink]:
        """The sets that stand beside one another on the page."""
        first_sets = self._team(is_first=True)
        registered_methods = registry().items()
        slugs = {
            slug for slug, method in registered_methods if method.source.doi or method.source.url
        }
        sets = [
            *first_sets,
            (f"Best {BEST}", self._best),
            ("Published", self._where(lambda look: look.slug in slugs and not look.baseline)),
        ]
        return self._links(comparison, [*sets, *([] if first_sets else self._baselines), self._all])

    def menu(self, comparison: ComparisonResult) -> list[ComparisonLink]:
        """The further sets, and people alone."""
        harness_set = ("Harnesses", self._where(lambda look: look.slug in HARNESSES))
        imported_set = ("Imported", self._where(lambda look: bool(look.source)))
        people_set = ("People", [PEOPLE] if self.every.inputs.people else [])
        baselines = self._baselines if self._team(is_first=True) else []
        sets = [*baselines, harness_set, people_set, imported_set, *self._team(is_first=False)]
        return self._links(comparison, sets)

    def choice(self, comparison: ComparisonResult) -> str:
        """Name of the menu: a set that is not in the bar, or how many methods are shown."""
        if any(link.chosen for link in self.bar(comparison)):
            return ""
        labels = [f"{link.name} {link.size}" for link in self.menu(comparison) if link.chosen]
        n = len(comparison.looks)
        return labels[0] if labels else f"{n} method{'s' if n != 1 else ''}"

    def families(
        self, comparison: ComparisonResult
    ) -> list[tuple[ComparisonLink, Sequence[MethodStyle]]]:
        """Families of the catalogue with their methods, in the order of looks; a link shows one."""
        looks_by_family: dict[str, list[MethodStyle]] = {}
        for look in self.every.inputs.looks:
            looks_by_family.setdefault(_family(look), []).append(look)
        return [
            (self._link(comparison, family, [look.name for look in family_looks]), family_looks)
            for family, family_looks in looks_by_family.items()
        ]

    # --- the sets -----------------------------------------------------------------------------
    @property
    def _all(self) -> NamedSet:
        return "All", self._where(lambda _: True)

    @property
    def _baselines(self) -> list[NamedSet]:
        return [("Baselines", self._where(lambda look: look.baseline))]

    @cached_property
    def _best(self) -> list[str]:
        """The best ranked, where more are ranked than these, and baselines to hold them against."""
        ranks_and_names = sorted((e.rank, e.name) for e in self.every.entries if e.rank)
        best_names = (
            {name for _, name in ranks_and_names[:BEST]} if len(ranks_and_names) > BEST else set()
        )
        return (
            self._where(lambda look: look.name in best_names or look.baseline) if best_names else []
        )

    def _team(self, *, is_first: bool) -> list[NamedSet]:
        """Sets that the team has saved, as far as their methods have answers on these series."""
        answering_names = {look.name for look in self.every.inputs.looks}
        named_sets = [
            (saved_set.name, [name for name in saved_set.methods if name in answering_names])
            for saved_set in self._saved
            if saved_set.first == is_first
        ]
        return [named_set for named_set in named_sets if named_set[1]]

    @cached_property
    def _saved(self) -> list[MethodSet]:
        return list(self.every.yardstick.study.method_sets.all())

    def _where(self, is_meant: Callable[[MethodStyle], bool]) -> list[str]:
        return [look.name for look in self.every.inputs.looks if is_meant(look)]

    # --- links --------------------------------------------------------------------------------
    def _links(self, compared: ComparisonResult, sets: Sequence[NamedSet]) -> list[ComparisonLink]:
        return [self._link(compared, name, names) for name, names in sets if names]

    def _link(self, compared: ComparisonResult, name: str, names: Sequence[str]) -> ComparisonLink:
        people_count = len(self.every.inputs.people)
        size = people_count if names == [PEOPLE] else None if names is self._best else len(names)
        is_chosen = {*names} - {PEOPLE} == {*compared.looks}
        return ComparisonLink(name, self._asked(compared.asked, names), is_chosen, size)

    def _asked(self, query: ComparisonQuery, names: Sequence[str]) -> ComparisonQuery:
        """`names` in an address: all are the word for it where none would mean others."""
        if ALL in names or {*names} == {*self._where(lambda _: True)}:
            names = [ALL] if self.opening else []
        return query.changed(methods=tuple(names))


def _family(look: MethodStyle) -> str:
    if look.source:
        return "Imported"
    method = registry().get(look.slug)
    return method.family if method else "Not installed here"
