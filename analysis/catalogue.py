"""The methods there are, as the catalogue shows them."""

from __future__ import annotations

from dataclasses import dataclass

from django.conf import settings

from analysis import documents
from detectors.contract import Detector
from detectors.registry import registry

PAGES = settings.BASE_DIR / "docs" / "detectors"


@dataclass(frozen=True, slots=True)
class Entry:
    """One method in the catalogue."""

    detector: type[Detector]
    default_key: str
    missing: str  # why it cannot be run here, or nothing


def entries(*, family: str = "", online: bool = False) -> list[Entry]:
    """Methods in the order of their slots, filtered."""
    chosen = [
        detector
        for detector in registry().values()
        if (not family or detector.family == family) and (not online or detector.online)
    ]
    chosen.sort(key=lambda each: (each.slot is None, each.slot or 0, each.slug))
    return [Entry(each, each().key, each.missing()) for each in chosen]


def families() -> list[str]:
    """The headings of the catalogue."""
    return sorted({detector.family for detector in registry().values()})


def page_of(slug: str) -> str:
    """The method's own page as HTML; empty for a method from elsewhere that brought none."""
    path = PAGES / f"{slug}.md"
    return documents.shown(path) if path.is_file() else ""
