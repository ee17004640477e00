"""The methods there are, as the catalogue shows them."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from typing import Final, Literal, TypeVar

from django.conf import settings
from django.contrib.auth.models import AnonymousUser
from django.core.cache import cache
from django.utils.safestring import SafeString, mark_safe

from analysis.methods.symbols import classes
from analysis.web import documents
from detectors.contract import Detector
from detectors.registry import method_slots, registry
from people.models import User

PAGES = settings.BASE_DIR / "docs" / "detectors"
KEPT: Final = 120  # seconds that figures of stored results stay as they were
YEAR: Final = re.compile(r"\b(?:19|20)\d\d\b")
DRAWN: Final = re.compile(r'(<svg data-picture [^>]*class=")slot-(\d+)"')
Needs = Literal["", "values", "more"]
Person = User | AnonymousUser
Entry = TypeVar("Entry")


@dataclass(frozen=True, slots=True)
class StoredResults:
    """What this person's studies hold of one method.

    series        how many series have a result
    milliseconds  median over results on series of about 3,000 values; None without any
    timed         of how many results
    """

    series: int = 0
    milliseconds: float | None = None
    timed: int = 0


@dataclass(frozen=True, slots=True)
class CatalogueEntry:
    """One method in the catalogue."""

    detector: type[Detector]
    missing: str  # why it cannot be run here, or nothing
    stored: StoredResults

    @property
    def symbol(self) -> str:
        """Classes of its symbol."""
        return classes(method_slots().get(self.detector.slug))

    @property
    def year(self) -> str:
        """The year of the publication, where its citation has one."""
        found = YEAR.search(self.detector.source.citation)
        return found[0] if found else ""


_sources: list[Callable[[User], Mapping[str, StoredResults]]] = []


def register_results(source: Callable[[User], Mapping[str, StoredResults]]) -> None:
    """Who knows stored results, by slug: the package of runs, which this one stands below."""
    _sources[:] = [source]


def catalogue(
    person: Person, *, family: str = "", online: bool = False, needs: Needs = ""
) -> dict[str, list[CatalogueEntry]]:
    """The methods that fit, by family."""
    chosen = [
        detector
        for detector in registry().values()
        if (not family or detector.family == family)
        and (not online or detector.online)
        and (not needs or bool(detector.needs) == (needs == "more"))
    ]
    chosen.sort(key=lambda each: (each.family, each.slot is None, each.slot or 0, each.slug))
    known = stored_results(person)
    entries = (
        CatalogueEntry(each, each.missing(), known.get(each.slug, StoredResults()))
        for each in chosen
    )
    return by_family(entries, lambda entry: entry.detector)


def by_family(
    entries: Iterable[Entry], detector: Callable[[Entry], type[Detector]]
) -> dict[str, list[Entry]]:
    """Entries under the headings of the catalogue, in their order."""
    found: dict[str, list[Entry]] = {}
    for each in entries:
        found.setdefault(detector(each).family, []).append(each)
    return found


def available_methods() -> list[str]:
    """List the slugs of all methods that can run on this machine."""
    return [slug for slug, method in registry().items() if not method.missing()]


def unavailable_methods() -> dict[str, str]:
    """Map each method that cannot run on this machine to the reason."""
    return {slug: reason for slug, method in registry().items() if (reason := method.missing())}


def families() -> list[str]:
    """The headings of the catalogue."""
    return sorted({detector.family for detector in registry().values()})


def stored_results(person: Person) -> Mapping[str, StoredResults]:
    """Figures of stored results by slug, over the series that this person may see answers of."""
    if not person.is_authenticated:
        return {}
    found: dict[str, StoredResults] | None = cache.get(f"methods-{person.pk}")
    if found is None:
        found = dict(_sources[0](person)) if _sources else {}
        cache.set(f"methods-{person.pk}", found, KEPT)
    return found


def page_of(slug: str) -> SafeString:
    """The method's own page as HTML; empty for a method from elsewhere that brought none.

    A drawing has the colour of its method's symbol.
    """
    path = PAGES / f"{slug}.md"
    html = documents.document_html(path) if path.is_file() else ""
    return mark_safe(DRAWN.sub(_with_symbol, html))  # noqa: S308  # safe before; a class changed


def _with_symbol(drawn: re.Match[str]) -> str:
    return f'{drawn[1]}{classes(int(drawn[2]))}"'
