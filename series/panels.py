"""Parts of a series' page that rooms add which this one does not know.

A provider is called for each view of the page and says which templates stand where::

    def overlay(request, series):
        if blind.is_open(request.user, series):
            return [Panel("notice", "annotate/_yet_to_answer.html", {...})]
        return [
            Panel("actions", "analysis/_yardstick.html", {...}),   # right of the title
            Panel("under", "analysis/_overlay.html", {...}),       # full width, below the chart
            Panel("side", "annotate/_marks_panel.html", {...}),    # narrow column
        ]

    panels.register("series", overlay)     # in AppConfig.register()

Places, from top to bottom: `actions` and `menu` (right of the title), `notice` and `forks` (above
the chart), `chips` (right above it), `under` (left column), `side` (right column, above the facts),
`folds` (closed lines below both, `series.folds`), `data` (JSON for scripts), `scripts`.
The pages of an import, before and after it (`imported`, their subject an `import_page.NewSeries`),
have the places `run` and `people`, in what comes next.
A template takes `panel` (its panel's context), `request` and `csrf_token`, and nothing else, so
that rooms cannot lean on one another.

The page's chart is made by js/series/page.js, which dispatches `plateau:chart` on the figure
(`[data-chart]`, detail: the `Chart` of js/chart/chart.js) before the values are asked for;
scripts of panels listen for it, or find it later as `figure.chart`, and call `setLines`, `tint`
and so on.

Blindness is the provider's duty: a person who has yet to answer the series sees its values only.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Literal

from django.http import HttpRequest

from people.late_registry import LateRegistry

Page = Literal["series", "imported"]
Place = Literal[
    "actions",
    "menu",
    "notice",
    "forks",
    "chips",
    "under",
    "side",
    "folds",
    "data",
    "scripts",
    "run",
    "people",
]


@dataclass(frozen=True, slots=True)
class PagePanel:
    """A template, where it stands, and all that it is given."""

    place: Place
    template: str
    context: Mapping[str, Any] = field(default_factory=dict)


Provider = Callable[[HttpRequest, Any], Iterable[PagePanel]]
_providers = LateRegistry[dict[Page, list[Provider]]]({"series": [], "imported": []})


def register_panel(page: Page, provider: Provider) -> None:
    """Ask `provider` for every view of `page`, after those that are registered already."""
    if provider not in _providers.present[page]:
        _providers.present[page].append(provider)


def panels_of(page: Page, request: HttpRequest, subject: object) -> dict[str, Sequence[PagePanel]]:
    """The panels of all providers, by place; `subject` is what the page is about."""
    panels_by_place: dict[str, list[PagePanel]] = {}
    for provider in _providers.entries[page]:
        for panel in provider(request, subject):
            panels_by_place.setdefault(panel.place, []).append(panel)
    return dict(panels_by_place)
