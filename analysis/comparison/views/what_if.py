"""The part What if of the comparison, and its files."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, Final

from django.http import StreamingHttpResponse
from django.views.decorators.http import require_GET

from analysis.comparison import what_if as scenarios
from analysis.comparison.query import FAMILIES, ComparisonQuery, WhatIfQuery
from analysis.comparison.table import ComparisonResult
from analysis.comparison.views.requested import compared_or_none
from analysis.comparison.what_if import FILES, WhatIf
from analysis.methods.method_style import MethodStyle
from analysis.statistics.scenarios import ScenarioDuels, ScenarioPlacing
from analysis.web.figures import WebFigure
from analysis.web.heat_map import HeatCell, HeatSource, heat_map
from analysis.web.table_files import wanted_table
from formats import tables
from people import downloads
from people.access import SignedInRequest, study_for


def what_if_context(compared: ComparisonResult, wanted: WhatIfQuery) -> dict[str, Any]:
    """What the part's template takes; without complete ground truth `found` is None."""
    asked = compared.asked
    found = scenarios.what_if(compared, wanted)
    context: dict[str, Any] = {
        "wanted": wanted,
        "found": found,
        "kept": asked.pairs(),
        "query": asked.query(wanted),
        "files": TITLES,
    }
    if found:
        looks = compared.looks
        context |= {
            "sentence": scenarios.what_if_sentence(found, looks),
            "placed": _placed(found, looks),
            "duels": _duels(found.duels(wanted.family), looks),
            "pair_scenarios": found.count(wanted.family),
            "total": found.count(None),
            "families": FAMILIES,
            "counts": {name: found.count(name) for name in FAMILIES},
        }
    return context


@require_GET
def file(request: SignedInRequest, study: str) -> StreamingHttpResponse:
    here = study_for(request, study)
    asked, wanted = ComparisonQuery.of(request.GET), WhatIfQuery.of(request.GET)
    what = wanted_table(request, FILES)
    compared = compared_or_none(request, here, asked.alone)
    found = scenarios.what_if(compared, wanted) if compared else None
    columns, rows_of = FILES[what]
    pieces = tables.write(columns, rows_of(found) if found else ())  # no ground truth, no row
    return downloads.csv(pieces, f"{downloads.named(here.slug, 'what-if', what)}.csv")


TITLES: Final = {
    "truth": "Ground truth in each scenario",
    "ranks": "Ranks in each scenario",
    "pairs": "Who beats whom",
}
"""What the page calls the files."""
PlacedMethod = tuple[MethodStyle, int, float | None, tuple[ScenarioPlacing, ...]]
"""A method: its rank as things are, how often it is first, its ranks in each family."""


def _placed(found: WhatIf, looks: Mapping[str, MethodStyle]) -> list[PlacedMethod]:
    by_family = zip(*(found.placings(name) for name in FAMILIES), strict=True)
    lines = [
        (looks[each.method], found.own_ranks[each.method], each.first_share, families)
        for each, families in zip(found.placings(None), by_family, strict=True)
    ]
    return sorted(lines, key=lambda line: (line[1] or len(lines) + 1, line[0].label))


def _duels(against: ScenarioDuels, looks: Mapping[str, MethodStyle]) -> WebFigure:
    """Share of scenarios in which the row beats the column."""
    there = [looks[name] for name in against.names]
    return heat_map(
        "duels",
        "Who beats whom",
        {look.name: HeatSource(look.code, look.label) for look in there},
        [[_cell(against, there, i, j) for j in range(len(there))] for i in range(len(there))],
    )


def _cell(against: ScenarioDuels, there: Sequence[MethodStyle], i: int, j: int) -> HeatCell:
    if i == j:
        return HeatCell(None)
    wins, of = int(against.wins[i, j]), against.of(i, j)
    words = f"{there[i].label} beats {there[j].label} in {wins} of {of} scenarios"
    return HeatCell(against.share(i, j), words)
