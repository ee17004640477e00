"""Sets of methods that a comparison offers with one press: built in, of the team, by family."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from analysis.comparison.breakdown_table import FigureLink
from analysis.comparison.table import ComparisonResult
from analysis.methods.method_style import MethodStyle
from detectors.registry import registry

BEST: Final = 8
HARNESSES: Final = frozenset({"developer", "jmh-default", "pilot"})
"""Rules that benchmark harnesses and their users follow by themselves."""


def method_sets(compared: ComparisonResult) -> list[FigureLink]:
    """Sets with methods in them, each with its size. The best are those of all methods: the set
    is offered where all are shown."""
    looks, published = compared.inputs.looks, _published()
    sets = {
        "All": [look.name for look in looks],
        f"Best {BEST}": [] if compared.asked.methods else _best(compared),
        "Published": [each.name for each in looks if each.slug in published and not each.baseline],
        "Imported": [look.name for look in looks if look.source],
        "Harnesses": [look.name for look in looks if look.slug in HARNESSES],
        "Baselines": [look.name for look in looks if look.baseline],
    }
    return [
        _link(compared, words if words.startswith("Best") else f"{words} {len(names)}", names)
        for words, names in sets.items()
        if names
    ]


def saved_sets(compared: ComparisonResult) -> list[FigureLink]:
    """Sets that the team has saved, as far as their methods have answers on these series."""
    there = {look.name for look in compared.inputs.looks}
    found = [
        (each.name, [name for name in each.methods if name in there])
        for each in compared.yardstick.study.method_sets.all()
    ]
    return [_link(compared, f"{words} {len(names)}", names) for words, names in found if names]


@dataclass(frozen=True, slots=True)
class MethodChoices:
    """Methods of one family, and the link that shows them alone."""

    family: str
    only: FigureLink
    looks: Sequence[MethodStyle]


def by_family(compared: ComparisonResult) -> list[MethodChoices]:
    """Every method of the comparison in the families of the catalogue, in the order of looks."""
    found: dict[str, list[MethodStyle]] = {}
    for look in compared.inputs.looks:
        found.setdefault(_family(look), []).append(look)
    return [
        MethodChoices(family, _link(compared, "only", [each.name for each in looks]), looks)
        for family, looks in found.items()
    ]


def _family(look: MethodStyle) -> str:
    if look.source:
        return "Imported"
    method = registry().get(look.slug)
    return method.family if method else "Not installed here"


def _link(compared: ComparisonResult, words: str, names: Sequence[str]) -> FigureLink:
    everything = len(names) == len(compared.inputs.looks)
    asked = compared.asked.changed(methods=() if everything else tuple(names))
    return FigureLink(words, asked, chosen=set(names) == set(compared.looks))


def _best(compared: ComparisonResult) -> list[str]:
    """The best ranked, where more are ranked than these."""
    ranked = sorted((e for e in compared.entries if e.rank), key=lambda e: (e.rank or 0, e.name))
    return [entry.name for entry in ranked[:BEST]] if len(ranked) > BEST else []


def _published() -> set[str]:
    """Slugs of methods whose source has a DOI or an address; those of this project have none."""
    return {slug for slug, method in registry().items() if method.source.doi or method.source.url}
