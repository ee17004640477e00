"""Sets of methods that a comparison offers with one press: all, the best, published, baselines."""

from __future__ import annotations

from typing import Final

from analysis.comparison.breakdown_table import FigureLink
from analysis.comparison.table import ComparisonResult
from detectors.registry import registry

BEST: Final = 8


def method_sets(compared: ComparisonResult) -> list[FigureLink]:
    """Sets with methods in them, each with its size. The best are those of all methods: the set
    is offered where all are shown."""
    looks, published = compared.inputs.looks, _published()
    sets = {
        "All": [look.name for look in looks],
        f"Best {BEST}": [] if compared.asked.methods else _best(compared),
        "Published": [each.name for each in looks if each.slug in published and not each.baseline],
        "Imported": [look.name for look in looks if look.source],
        "Baselines": [look.name for look in looks if look.baseline],
    }
    shown = set(compared.looks)
    return [
        FigureLink(
            words if words.startswith("Best") else f"{words} {len(names)}",
            compared.asked.changed(methods=() if words == "All" else tuple(names)),
            chosen=set(names) == shown,
        )
        for words, names in sets.items()
        if names
    ]


def _best(compared: ComparisonResult) -> list[str]:
    """The best ranked, where more are ranked than these."""
    ranked = sorted((e for e in compared.entries if e.rank), key=lambda e: (e.rank or 0, e.name))
    return [entry.name for entry in ranked[:BEST]] if len(ranked) > BEST else []


def _published() -> set[str]:
    """Slugs of methods whose source has a DOI or an address; those of this project have none."""
    return {slug for slug, method in registry().items() if method.source.doi or method.source.url}
