"""A comparison in other scenarios: the ground truth under every setting, and who is first there."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from typing import Final

import numpy as np

from analysis.comparison.inputs import ComparisonInputs
from analysis.comparison.kept_results import keep_results
from analysis.comparison.query import WhatIfQuery
from analysis.comparison.table import ComparisonResult
from analysis.methods.method_style import MethodStyle
from analysis.statistics.annotator_agreement import AnnotatorAbsence, absence, changed_mask
from analysis.statistics.leaderboard_figures import mean_sd_median
from analysis.statistics.multiple_comparisons import LEAST_SERIES
from analysis.statistics.truth_scenarios import (
    Family,
    RankingFigure,
    Scenario,
    ScenarioDuels,
    ScenarioPlacing,
    ScenarioRanking,
    Scenarios,
    make_scenarios,
    resample_count,
    scenario_duels,
    scenario_placings,
    scenario_ranking,
)
from annotate import recipes

LEAST_METHODS: Final = 2


@dataclass(frozen=True, slots=True)
class ScenarioTruth:
    """The ground truth of one scenario, counted, against the campaign's own."""

    scenario: Scenario
    own: bool
    steady: int
    never: int
    undecided: int
    mean: float | None
    median: float | None
    differs: int


@dataclass(frozen=True, slots=True, eq=False)
class WhatIf:
    """Everything that page and files show.

    n                series whose ground truth is complete, and that the reader may see
    scenario_truths  the scenarios of settings
    """

    n: int
    figure: RankingFigure
    scenarios: Scenarios
    resample_count: int
    scenario_truths: tuple[ScenarioTruth, ...]
    absences: tuple[AnnotatorAbsence, ...]
    ranking: ScenarioRanking

    def placings(self, family: Family | None) -> tuple[ScenarioPlacing, ...]:
        return scenario_placings(self.ranking, self.scenarios.family_mask(family))

    def duels(self, family: Family | None) -> ScenarioDuels:
        return scenario_duels(self.ranking, self.scenarios.family_mask(family))

    def count(self, family: Family | None) -> int:
        return int(self.scenarios.family_mask(family).sum())

    @property
    def unranked_count(self) -> int:
        """Scenarios in which nobody has series enough for a rank."""
        return int((self.ranking.ranks.max(axis=1, initial=0) == 0).sum())

    @property
    def own_ranks(self) -> Mapping[str, int]:
        """Ranks in the scenario as it is; 0 without a figure."""
        own_index = self.scenarios.scenarios.index(self.scenarios.own)
        ranks = self.ranking.ranks[own_index].tolist()
        return dict(zip(self.ranking.names, ranks, strict=True))


def what_if(comparison: ComparisonResult, query: WhatIfQuery) -> WhatIf | None:
    """Scenarios of a comparison; None unless its yardstick is ground truth with answers of
    people.
    """
    campaign = comparison.yardstick.campaign
    if comparison.yardstick.kind != "campaign" or campaign is None:
        return None
    params = tuple(recipes.get(campaign.recipe).clean(campaign.params).items())
    return _scenarios_result(comparison.inputs, campaign.recipe, params, query.figure, query.drawn)


@keep_results
def _scenarios_result(
    inputs: ComparisonInputs,
    recipe: str,
    params: tuple[tuple[str, int], ...],
    figure: RankingFigure,
    resample_recipe: str,
) -> WhatIf | None:
    """Compute and cache the scenarios of inputs; their digest holds every answer, not the
    recipe.
    """
    is_complete = np.array([bool(word) for word in inputs.truth.words], dtype=np.bool_)
    if not is_complete.any() or not inputs.people:
        return None
    voices = {name: answers.take(is_complete) for name, answers in inputs.voices.items()}
    methods = {name: answers.take(is_complete) for name, answers in inputs.ranked.items()}
    n = int(is_complete.sum())
    people = list(inputs.people)
    times = resample_count(n, len(methods), len(people))
    scenarios = make_scenarios(
        voices, recipe, dict(params), times=times, drawn_recipe=resample_recipe, people=people
    )
    deciding_methods = (
        [name for name in inputs.deciding if name in methods] if inputs.common else None
    )
    return WhatIf(
        n=n,
        figure=figure,
        scenarios=scenarios,
        resample_count=times,
        scenario_truths=tuple(_scenario_truths(scenarios)),
        absences=tuple(_absences(scenarios)),
        ranking=scenario_ranking(
            methods, scenarios.starts, deciding_names=deciding_methods, figure=figure
        ),
    )


def _scenario_truths(scenarios: Scenarios) -> Iterator[ScenarioTruth]:
    for scenario_index in np.flatnonzero(scenarios.family_mask("settings")).tolist():
        starts = scenarios.starts[scenario_index]
        steady_starts = starts[starts >= 0]
        mean, _, median = mean_sd_median(steady_starts)
        yield ScenarioTruth(
            scenario=scenarios.scenarios[scenario_index],
            own=scenarios.scenarios[scenario_index] == scenarios.own,
            steady=steady_starts.size,
            never=int((starts == recipes.NEVER).sum()),
            undecided=int(np.isnan(starts).sum()),
            mean=mean,
            median=median,
            differs=int(changed_mask(scenarios.own_starts, starts).sum()),
        )


def _absences(scenarios: Scenarios) -> Iterator[AnnotatorAbsence]:
    own_scenario = scenarios.own
    for scenario_index, scenario in enumerate(scenarios.scenarios):
        everybody_scenario = replace(scenario, family=own_scenario.family, without="")
        if scenario.without and everybody_scenario == own_scenario:
            yield absence(scenario.without, scenarios.own_starts, scenarios.starts[scenario_index])


# --- words ----------------------------------------------------------------------------------------
def what_if_sentence(scenario_results: WhatIf, looks: Mapping[str, MethodStyle]) -> str:
    """Sentence of the first method, and of the number of scenarios in which it is first."""
    first_placings = [placing for placing in scenario_results.placings(None) if placing.first]
    if not first_placings:
        return f"In no scenario has a method {LEAST_SERIES} series or more: nobody is ranked."
    best_placings = sorted(first_placings, key=lambda placing: (-placing.first, placing.method))
    total = best_placings[0].scenarios
    parts = [
        f"{looks[placing.method].label} in {placing.first} of {total}"
        for placing in best_placings[:3]
    ]
    if len(best_placings) == 1:
        return f"{looks[best_placings[0].method].label} comes first in all {total} scenarios."
    further_count = len(best_placings) - len(parts)
    others_words = f", {further_count} more in others" if further_count else ""
    return f"The first place depends on the scenario: {'; '.join(parts)}{others_words}."
