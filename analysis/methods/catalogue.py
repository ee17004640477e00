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
from people.late_registry import LateRegistry
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
    """Stored results of one method in this person's studies.

    n_series      how many series have a result
    milliseconds  median over results on series of about 3,000 values; None without any
    n_timed       of how many results
    """

    n_series: int = 0
    milliseconds: float | None = None
    n_timed: int = 0


@dataclass(frozen=True, slots=True)
class CatalogueEntry:
    """One method in the catalogue."""

    detector: type[Detector]
    missing_reason: str  # why it cannot be run here, or nothing
    results: StoredResults

    @property
    def symbol(self) -> str:
        """Classes of its symbol."""
        return classes(method_slots().get(self.detector.slug))

    @property
    def year(self) -> str:
        """The year of the publication, where its citation has one."""
        match = YEAR.search(self.detector.source.citation)
        return match[0] if match else ""


_sources = LateRegistry[list[Callable[[User], Mapping[str, StoredResults]]]]([])


def register_results(source: Callable[[User], Mapping[str, StoredResults]]) -> None:
    """Register the source of stored results by slug: the package of runs, which imports this
    one.
    """
    _sources.present[:] = [source]


def catalogue(
    person: Person, *, family: str = "", is_online: bool = False, needs: Needs = ""
) -> dict[str, list[CatalogueEntry]]:
    """The methods that fit, by family."""
    fitting_methods = [
        detector
        for detector in registry().values()
        if (not family or detector.family == family)
        and (not is_online or detector.online)
        and (not needs or bool(detector.needs) == (needs == "more"))
    ]
    fitting_methods.sort(
        key=lambda method: (method.family, method.slot is None, method.slot or 0, method.slug)
    )
    results_by_slug = stored_results(person)
    entries = (
        CatalogueEntry(method, method.missing(), results_by_slug.get(method.slug, StoredResults()))
        for method in fitting_methods
    )
    return group_by_family(entries, lambda entry: entry.detector)


def group_by_family(
    entries: Iterable[Entry], detector: Callable[[Entry], type[Detector]]
) -> dict[str, list[Entry]]:
    """Entries under the headings of the catalogue, in their order."""
    entries_by_family: dict[str, list[Entry]] = {}
    for entry in entries:
        entries_by_family.setdefault(detector(entry).family, []).append(entry)
    return entries_by_family


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
    results_by_slug: dict[str, StoredResults] | None = cache.get(f"methods-{person.pk}")
    if results_by_slug is None:
        results_by_slug = dict(_sources.entries[0](person)) if _sources.entries else {}
        cache.set(f"methods-{person.pk}", results_by_slug, KEPT)
    return results_by_slug


def method_page_html(slug: str, *, is_summary: bool) -> SafeString:
    """The method's own page as HTML, or its summary; empty for a method that brought none.

    A drawing has the colour of its method's symbol.
    """
    path = PAGES / f"{slug}.md"
    html = documents.document_html(path, is_summary=is_summary) if path.is_file() else ""
    return mark_safe(DRAWN.sub(_draw_symbol, html))  # noqa: S308  # safe before; a class changed


def _draw_symbol(symbol_match: re.Match[str]) -> str:
    return f'{symbol_match[1]}{classes(int(symbol_match[2]))}"'
