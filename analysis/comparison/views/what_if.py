"""The part What if of the comparison."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from analysis.comparison import what_if as scenarios
from analysis.comparison.query import FAMILIES, WhatIfQuery
from analysis.comparison.table import ComparisonResult
from analysis.comparison.what_if import WhatIf
from analysis.comparison.what_if_tables import WHAT_IF_TABLES
from analysis.methods.method_style import MethodStyle
from analysis.statistics.truth_scenarios import ScenarioDuels, ScenarioPlacing
from analysis.web.figures import WebFigure
from analysis.web.heat_map import HeatCell, HeatSource, heat_map


def what_if_context(comparison: ComparisonResult, what_if_query: WhatIfQuery) -> dict[str, Any]:
    """Context of the part's template; `scenarios` in it is None without complete ground truth."""
    query = comparison.asked
    scenario_results = scenarios.what_if(comparison, what_if_query)
    context: dict[str, Any] = {
        "what_if_query": what_if_query,
        "scenarios": scenario_results,
        "hidden_fields": query.pairs(),
        "query_string": query.query(what_if_query),
        "files": WHAT_IF_TABLES.titles,
    }
    if scenario_results:
        looks = comparison.looks
        context |= {
            "sentence": scenarios.what_if_sentence(scenario_results, looks),
            "placed": _placings(scenario_results, looks),
            "duels": _duels(scenario_results.duels(what_if_query.family), looks),
            "pair_scenarios": scenario_results.count(what_if_query.family),
            "total": scenario_results.count(None),
            "families": FAMILIES,
            "counts": {name: scenario_results.count(name) for name in FAMILIES},
        }
    return context


PlacedMethod = tuple[MethodStyle, int, float | None, tuple[ScenarioPlacing, ...]]
"""A method: its rank as things are, how often it is first, its ranks in each family."""


def _placings(scenario_results: WhatIf, looks: Mapping[str, MethodStyle]) -> list[PlacedMethod]:
    family_placings = zip(*(scenario_results.placings(name) for name in FAMILIES), strict=True)
    placed_methods = [
        (
            looks[placing.method],
            scenario_results.own_ranks[placing.method],
            placing.first_share,
            families,
        )
        for placing, families in zip(scenario_results.placings(None), family_placings, strict=True)
    ]
    return sorted(placed_methods, key=lambda m: (m[1] or len(placed_methods) + 1, m[0].label))


def _duels(scenario_duels: ScenarioDuels, looks: Mapping[str, MethodStyle]) -> WebFigure:
    """Share of scenarios in which the row beats the column."""
    row_looks = [looks[name] for name in scenario_duels.names]
    return heat_map(
        "duels",
        "Who beats whom",
        {look.name: HeatSource(look.code, look.label) for look in row_looks},
        [
            [_cell(scenario_duels, row_looks, i, j) for j in range(len(row_looks))]
            for i in range(len(row_looks))
        ],
    )


def _cell(scenario_duels: ScenarioDuels, looks: Sequence[MethodStyle], i: int, j: int) -> HeatCell:
    if i == j:
        return HeatCell(None)
    win_count, scenario_count = int(scenario_duels.wins[i, j]), scenario_duels.count_together(i, j)
    words = f"{looks[i].label} beats {looks[j].label} in {win_count} of {scenario_count} scenarios"
    return HeatCell(scenario_duels.share(i, j), words)
