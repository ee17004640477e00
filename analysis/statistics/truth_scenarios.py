"""The ground truth in other scenarios, and the order of the methods in each of them.

A scenario is one way in which the ground truth could have come about: another recipe, other
parameters, one person fewer, or other marks drawn from those there are. What holds in all of them
does not hang on a choice that nobody had to make.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import product
from typing import Final, Literal

import numpy as np

from analysis.statistics.answers import Answers, Bools, Floats, Indices
from analysis.statistics.coverage import has_enough_series
from analysis.statistics.tuning_objectives import row_medians
from annotate.recipes import get, reliability
from annotate.recipes.resampling import resampled_starts
from annotate.recipes.vectorised import RULES, ground_truths_of

Family = Literal["settings", "without", "resampled"]
RankingFigure = Literal["median_abs", "mean_abs"]

EPS: Final = (20, 30, 50, 100)
MIN_SAMPLES: Final = (2, 3, 4)
TIMES: Final = 1000
LEAST_TIMES: Final = 50
CELLS: Final = 60_000_000  # most scenarios x series x methods, which take some seconds
RELIABILITY: Final = reliability.SLUG
UNSET: Final = {"median", RELIABILITY}  # recipes whose answer has no eps and no min_samples


@dataclass(frozen=True, slots=True)
class Scenario:
    """One scenario.

    without  the person left out, or empty
    draw     number of the resample from 0, or None
    """

    family: Family
    recipe: str
    eps: int | None = None
    min_samples: int | None = None
    without: str = ""
    draw: int | None = None


@dataclass(frozen=True, slots=True, eq=False)
class Scenarios:
    """Scenarios and their ground truth: `starts` float64 (scenarios, series), -1 never, NaN open.

    `own` is that of the campaign's own recipe and parameters, with everybody.
    """

    scenarios: tuple[Scenario, ...]
    starts: Floats
    own: Scenario
    own_starts: Floats

    def family_mask(self, family: Family | None) -> Bools:
        """bool (scenarios,): those of a family, all for None."""
        families = np.array([scenario.family for scenario in self.scenarios])
        family_mask: Bools = families == family if family else np.ones(families.shape, np.bool_)
        return family_mask


@dataclass(frozen=True, slots=True, eq=False)
class ScenarioRanking:
    """Methods in every scenario.

    figures  float64 (scenarios, methods): median or mean |error|; NaN without a series
    ranks    int64 (scenarios, methods): 1 + ranked methods that are better; 0 where it is not
             ranked: too few series (`coverage.enough_series`)
    n        int64 (scenarios, methods): series behind each figure
    """

    names: tuple[str, ...]
    figures: Floats
    ranks: Indices
    n: Indices


@dataclass(frozen=True, slots=True)
class ScenarioPlacing:
    """Ranks of one method in some scenarios: from 1, ties share the better one."""

    method: str
    scenarios: int
    first: int
    best: int | None
    median: float | None
    worst: int | None

    @property
    def first_share(self) -> float | None:
        return self.first / self.scenarios if self.scenarios else None


@dataclass(frozen=True, slots=True, eq=False)
class ScenarioDuels:
    """Pairs of methods in some scenarios: in `wins[i, j]` of them i has the lesser figure."""

    names: tuple[str, ...]
    wins: Indices
    ties: Indices

    def count_together(self, i: int, j: int) -> int:
        """Scenarios in which both have a figure."""
        return int(self.wins[i, j] + self.wins[j, i] + self.ties[i, j])

    def share(self, i: int, j: int) -> float | None:
        """Share of scenarios in which i beats j; a tie counts for neither."""
        duel_count = self.count_together(i, j)
        return int(self.wins[i, j]) / duel_count if duel_count else None


def resample_count(series_count: int, method_count: int, people_count: int) -> int:
    """Number of resamples one answer can take: TIMES, fewer for many series and methods."""
    cell_count = max(1, series_count * max(1, method_count))
    settings_count = len(list(recipe_settings(""))) * (people_count + 1)
    return max(LEAST_TIMES, min(TIMES, CELLS // cell_count - settings_count))


def recipe_settings(omitted_name: str) -> Iterator[Scenario]:
    """Every recipe with every eps and min_samples that can move it."""
    family: Family = "without" if omitted_name else "settings"
    for recipe in (*RULES, RELIABILITY):
        if recipe in UNSET:
            yield Scenario(family, recipe, without=omitted_name)
        else:
            for eps, min_samples in product(EPS, MIN_SAMPLES):
                yield Scenario(family, recipe, eps, min_samples, omitted_name)


def make_scenarios(
    voices: Mapping[str, Answers],
    recipe: str,
    params: Mapping[str, int],
    *,
    times: int,
    drawn_recipe: str = "",
    people: Collection[str] | None = None,
) -> Scenarios:
    """All scenarios of some series. `voices` in annotator order; an answer not given is no vote.

    `people` are the voices of which each is missing in scenarios of its own; all if None.
    `recipe` and `params` are the campaign's own; `drawn_recipe` is the recipe of the resamples, the
    campaign's own if empty.
    """
    names = list(voices)
    votes = vote_matrix(list(voices.values()))
    left_out_people = [name for name in names if people is None or name in people]
    own_scenario = _scenario("settings", recipe, params)
    all_scenarios = list(recipe_settings(""))
    if own_scenario not in all_scenarios:
        all_scenarios.insert(0, own_scenario)
    for name in left_out_people if len(left_out_people) > 1 else []:
        all_scenarios += recipe_settings(name)
    starts = [_scenario_starts(scenario, votes, names) for scenario in all_scenarios]
    resample_recipe = drawn_recipe or recipe
    recipe_params = get(resample_recipe).clean(params if drawn_recipe in {"", recipe} else {})
    drawn_starts = resampled_starts(resample_recipe, votes, recipe_params, times=times)
    all_scenarios += [
        replace(_scenario("resampled", resample_recipe, recipe_params), draw=draw)
        for draw in range(times)
    ]
    all_starts = np.vstack([np.array(starts), drawn_starts])
    return Scenarios(
        tuple(all_scenarios),
        all_starts,
        own_scenario,
        all_starts[all_scenarios.index(own_scenario)],
    )


def _scenario(family: Family, recipe: str, params: Mapping[str, int]) -> Scenario:
    if recipe in UNSET:
        return Scenario(family, recipe)
    return Scenario(family, recipe, params["eps"], params["min_samples"])


def vote_matrix(people: Sequence[Answers]) -> Floats:
    """float64 (series, people): an iteration, -1 never, NaN for no vote."""
    columns = [
        np.where(answers.steady, answers.index, np.where(answers.never, -1.0, np.nan))
        for answers in people
    ]
    return np.stack(columns, axis=1) if columns else np.empty((0, 0))


def without_each(
    voices: Mapping[str, Answers], recipe: str, params: Mapping[str, int], people: Collection[str]
) -> Iterator[tuple[str, Floats]]:
    """Each person, and the ground truth by one recipe without them."""
    votes, names = vote_matrix(list(voices.values())), list(voices)
    for name in people:
        yield name, ground_truths_of(recipe, _other_votes(votes, names, name), params).start


def _scenario_starts(scenario: Scenario, votes: Floats, names: Sequence[str]) -> Floats:
    remaining_votes = _other_votes(votes, names, scenario.without) if scenario.without else votes
    if scenario.recipe == RELIABILITY:
        return reliability.weighted_answers(remaining_votes).truths.start
    changed_params = {"eps": scenario.eps, "min_samples": scenario.min_samples}
    recipe_params = {name: value for name, value in changed_params.items() if value is not None}
    return ground_truths_of(
        scenario.recipe, remaining_votes, get(scenario.recipe).clean(recipe_params)
    ).start


def _other_votes(votes: Floats, names: Sequence[str], person: str) -> Floats:
    return np.delete(votes, names.index(person), axis=1)


# --- methods --------------------------------------------------------------------------------------
def scenario_ranking(
    methods: Mapping[str, Answers],
    starts: Floats,
    *,
    deciding_names: Collection[str] | None,
    figure: RankingFigure = "median_abs",
) -> ScenarioRanking:
    """Figures and ranks of every method in every scenario.

    With `deciding_names`, only series on which each of them says steady count, the same for all
    methods; with None each method is measured on its own series.
    """
    is_common = np.ones(starts.shape[1], np.bool_)
    for name in deciding_names or ():
        is_common &= methods[name].steady
    true_starts = np.where(starts >= 0, starts, np.nan)
    columns = [_figures(answers, true_starts, is_common, figure) for answers in methods.values()]
    figures = _stack_columns([f for f, _ in columns], len(starts), np.float64)
    n = _stack_columns([counts for _, counts in columns], len(starts), np.int64)
    return ScenarioRanking(tuple(methods), figures, _rank_figures(figures, n), n)


def _stack_columns(columns: Sequence[np.ndarray], n: int, dtype: type[np.generic]) -> np.ndarray:
    return np.stack(columns, axis=1) if columns else np.empty((n, 0), dtype)


def _figures(
    answers: Answers, true_starts: Floats, is_common: Bools, figure: RankingFigure
) -> tuple[Floats, Indices]:
    is_counted = is_common & answers.steady
    error_sizes = np.abs(true_starts[:, is_counted] - answers.index[is_counted])
    n = (~np.isnan(error_sizes)).sum(axis=1)
    if figure == "mean_abs":
        error_sums = np.nansum(error_sizes, axis=1)
        return np.divide(error_sums, n, out=np.full(len(n), np.nan), where=n > 0), n
    return row_medians(error_sizes, n), n


def _rank_figures(figures: Floats, n: Indices) -> Indices:
    ranked_figures = np.where(has_enough_series(n), figures, np.nan)
    ranks = np.zeros(figures.shape, dtype=np.int64)
    for method_index in range(figures.shape[1]):
        own_figures = ranked_figures[:, method_index]
        better_count = (ranked_figures < own_figures[:, None]).sum(axis=1)
        ranks[:, method_index] = np.where(np.isnan(own_figures), 0, better_count + 1)
    return ranks


def scenario_placings(ranking: ScenarioRanking, mask: Bools) -> tuple[ScenarioPlacing, ...]:
    """Each method's ranks in some scenarios, in the order of the methods."""
    return tuple(
        _placing(name, ranking.ranks[mask, method_index])
        for method_index, name in enumerate(ranking.names)
    )


def _placing(name: str, ranks: Indices) -> ScenarioPlacing:
    positive_ranks = ranks[ranks > 0]
    if not positive_ranks.size:
        return ScenarioPlacing(name, 0, 0, None, None, None)
    return ScenarioPlacing(
        name,
        positive_ranks.size,
        int((positive_ranks == 1).sum()),
        int(positive_ranks.min()),
        float(np.median(positive_ranks)),
        int(positive_ranks.max()),
    )


def scenario_duels(ranking: ScenarioRanking, mask: Bools) -> ScenarioDuels:
    """Wins of every method over every other in some scenarios."""
    figures = ranking.figures[mask]
    m = figures.shape[1]
    win_counts, tie_counts = np.zeros((m, m), np.int64), np.zeros((m, m), np.int64)
    for method_index in range(m):
        own_figures = figures[:, method_index, None]
        win_counts[method_index] = (own_figures < figures).sum(axis=0)
        tie_counts[method_index] = (own_figures == figures).sum(axis=0)
    return ScenarioDuels(ranking.names, win_counts, tie_counts)
