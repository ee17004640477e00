"""Tables of the scenarios of What if."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from itertools import permutations
from typing import Final

from analysis.comparison.drilldown import UnknownCell
from analysis.comparison.inputs import UnknownMethod
from analysis.comparison.query import FAMILIES, ComparisonQuery, WhatIfQuery
from analysis.comparison.table import compare_stored
from analysis.comparison.what_if import WhatIf, what_if
from analysis.references.yardsticks import UnknownYardstick
from analysis.statistics.truth_scenarios import Scenario
from analysis.web.page_tables import (
    CAMPAIGN,
    PageTable,
    PageTables,
    Row,
    TableEmpty,
    TableRequest,
    TableScope,
)
from annotate.models import Campaign
from formats.tables import attribute_row
from people.access import study_for

_SCENARIO: Final = {
    "family": "kind of scenario: settings, without (an annotator) or resampled (marks)",
    "recipe": "recipe of the ground truth",
    "eps": "its parameter eps; empty: it has none",
    "min_samples": "its parameter min_samples; empty: it has none",
    "without": "annotator who is left out; empty: nobody",
    "draw": "number of the resample of marks, from 0; empty: none",
}
_TRUTH: Final = {
    **_SCENARIO,
    "steady": "series that are steady",
    "never": "series that are never steady",
    "undecided": "series that are undecided",
    "mean": "mean of the first steady iterations",
    "median": "median of the first steady iterations",
    "differs": "series whose ground truth differs from the campaign's own",
}
_RANKS: Final = {
    **_SCENARIO,
    "method": "name of the method",
    "n": "series that its figure rests on",
    "figure": "figure by which methods are ranked",
    "value": "that figure; empty: no rank",
    "rank": "place by that figure; empty: too few series",
}
_PAIRS: Final = {
    "family": "kind of scenarios; all: every kind",
    "first": "first of the two methods",
    "second": "second of the two methods",
    "scenarios": "scenarios in which both have a figure",
    "first_better": "scenarios in which the first is better",
    "ties": "scenarios in which both are equal",
    "share": "share of the scenarios in which the first is better; a tie counts for neither",
}


def _cells(columns: Iterable[str], scenario: Scenario, *sources: object) -> Row:
    return attribute_row(columns, scenario, *sources, without=scenario.without or None)


def _rank_rows(scenario_results: WhatIf) -> Iterator[Row]:
    ranking = scenario_results.ranking
    for scenario_index, scenario in enumerate(scenario_results.scenarios.scenarios):
        cells = _cells(_SCENARIO, scenario)
        for column, name in enumerate(ranking.names):
            n, rank = (
                int(ranking.n[scenario_index, column]),
                int(ranking.ranks[scenario_index, column]),
            )
            value = float(ranking.figures[scenario_index, column]) if rank else None
            yield *cells, name, n, scenario_results.figure, value, rank or None


def _pair_rows(scenario_results: WhatIf) -> Iterator[Row]:
    for family in (None, *FAMILIES):
        scenario_duels = scenario_results.duels(family)
        names = scenario_duels.names
        for i, j in permutations(range(len(names)), 2):
            counts = (
                scenario_duels.count_together(i, j),
                int(scenario_duels.wins[i, j]),
                int(scenario_duels.ties[i, j]),
            )
            yield family or "all", names[i], names[j], *counts, scenario_duels.share(i, j)


def _compute(request: TableRequest) -> WhatIf:
    """Scenarios of the campaign, or of the ground truth that the study is compared with."""
    study, (what_if_query, query) = request.scope, request.queries
    if isinstance(study, Campaign):
        query, study = query.changed(yardstick=f"campaign:{study.slug}"), study.study
    comparison = compare_stored(study, request.reader, query.alone)
    scenario_results = what_if(comparison, what_if_query) if comparison else None
    if scenario_results is None:
        raise TableEmpty("no ground truth yet; it needs answers")
    return scenario_results


WHAT_IF_TABLES: Final = PageTables(
    scope=TableScope(
        CAMPAIGN.argument,
        CAMPAIGN.metavar,
        CAMPAIGN.named,
        study_for,
        lambda study: (study.slug, "what-if"),
    ),
    queries={WhatIfQuery: (), ComparisonQuery: ("methods",)},
    compute=_compute,
    tables={
        "ranks": PageTable("Ranks in each scenario", _RANKS, _rank_rows),
        "truth": PageTable(
            "Ground truth in each scenario",
            _TRUTH,
            lambda results: (
                _cells(_TRUTH, truth.scenario, truth) for truth in results.scenario_truths
            ),
        ),
        "pairs": PageTable("Who beats whom", _PAIRS, _pair_rows),
    },
    refusals=(UnknownMethod, UnknownYardstick, UnknownCell),
)
