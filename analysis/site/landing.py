"""Parts of the first page: pictures and lines of a file by docs/landing_chart.py, and the demo's
present comparison where there is a demo."""

from __future__ import annotations

from collections.abc import Iterable
from functools import cache
from pathlib import Path
from typing import Any, Final

from django.conf import settings
from django.utils.safestring import SafeString, mark_safe

from analysis.comparison import row_drawings
from analysis.comparison.table import LeaderboardRow
from analysis.site.landing_ranking import RankedMethod, ranking_drawing
from analysis.site.study_parts import top_methods
from detectors.registry import registry
from people.models import Study, User

FOLDER: Final = Path(settings.BASE_DIR) / "docs" / "landing"
PARTS: Final = ("chart", "annotating", "comparing", "lines")


def landing(demo: Study | None = None, person: User | None = None) -> dict[str, Any]:
    """Context of `analysis/site/_landing.html`; `methods` is how many detectors there are.

    demo, person: whose comparison is drawn; without one the drawing is that of the shipped series.
    """
    html_by_part = {name: _shipped_html(name) for name in PARTS}
    top_ranking = top_methods(demo, person) if demo and person else None
    ranked_methods = _ranked_methods(top_ranking.entries) if top_ranking else []
    if top_ranking and ranked_methods:
        drawing = ranking_drawing(ranked_methods, top_ranking.compared.yardstick.title)
        html_by_part["comparing"] = mark_safe(drawing)  # noqa: S308  # our own; titles are escaped
    yardstick_title = top_ranking.compared.yardstick.title if top_ranking and ranked_methods else ""
    return {"methods": len(registry()), "compared_with": yardstick_title, **html_by_part}


def _ranked_methods(entries: Iterable[LeaderboardRow]) -> list[RankedMethod]:
    return [
        RankedMethod(entry.look.title, entry.look.slot, bounds)
        for entry in entries
        if entry.look and (bounds := row_drawings.median_interval(entry))
    ]


@cache
def _shipped_html(name: str) -> SafeString:
    return mark_safe((FOLDER / f"{name}.html").read_text("utf-8"))  # noqa: S308  # our own file
