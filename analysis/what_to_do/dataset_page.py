"""Content of the page of a data set: one warm-up for all, the ways, and which benchmark to open."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import groupby
from typing import Any, Final

import numpy as np
from django.urls import reverse

from analysis.cost.sentences import error_text, length_text
from analysis.harness.reads import HarnessRuns, SteadySeries, judge_title, yardsticks_of
from analysis.harness.sentences import harness_note, harness_sentence
from analysis.harness.table import HarnessTable
from analysis.references.yardsticks import PARTS
from analysis.what_to_do.benchmark_ways import OWN_RULE, RULES
from analysis.what_to_do.dataset_ways import dataset_ways, read_harness_runs, replay_costs
from analysis.what_to_do.files import file_links, plan_query
from analysis.what_to_do.query import LIST, WhatToDoQuery
from analysis.what_to_do.recorded_harness import RecordedHarness, most_used_harness
from analysis.what_to_do.sentences import dataset_sentence
from analysis.what_to_do.table import table_context
from analysis.what_to_do.ways import Way, WaysTable
from annotate.blind import Reader
from people.query_form import FilledControl
from series.models import Dataset, Series

FEW_SERIES: Final = 500  # series up to which a page computes before it answers
AT_ONCE, AGAIN = 0.5, 1.0  # seconds for rules of harnesses: in the page, in parts loaded later
MOST_ROWS: Final = 8
MOST_FOUND: Final = 50  # most rows where words narrow the list


@dataclass(frozen=True, slots=True)
class BenchmarkError:
    """One benchmark as the harness by default measures it.

    last_seconds  seconds until all its steady forks are steady
    median_error  median error of its forks; NaN where unknown
    early_count   forks that are measured too early, of `n`
    """

    name: str
    public_id: str
    query: WhatToDoQuery
    fork_count: int
    last_seconds: float
    median_error: float
    early_count: int
    n: int

    @property
    def short_name(self) -> str:
        """Class and method, the last two parts of a dotted name, without parameters."""
        return ".".join(self.name.partition(" · ")[0].split(".")[-2:])

    @property
    def address(self) -> str:
        return self.query.changed(benchmark=self.public_id, words="").query()

    @property
    def last_text(self) -> str:
        return length_text(self.last_seconds, in_seconds=True)

    @property
    def off_text(self) -> str:
        return "–" if np.isnan(self.median_error) else error_text(self.median_error)


def dataset_context(
    dataset: Dataset, reader: Reader, query: WhatToDoQuery, *, is_follow_up: bool
) -> dict[str, Any]:
    """Context of the template; `is_follow_up`: of the part that a page asks for once it is there.

    Raises UnknownYardstick.
    """
    context: dict[str, Any] = {
        "part_query": query.changed(dataset=dataset.slug).query(),
        "files": file_links(dataset, query),
        "savings_url": reverse("plan-savings", args=[dataset.study.slug, dataset.slug])
        + plan_query(query).query(),
    }
    series = Series.objects.filter(benchmark__dataset=dataset)
    if not is_follow_up and series[FEW_SERIES : FEW_SERIES + 1].exists():
        return context | {"controls": _controls(dataset, query, judge_title(dataset))}
    runs = read_harness_runs(dataset, reader, query, AGAIN if is_follow_up else AT_ONCE)
    context |= {
        "runs": runs,
        "is_complete": is_follow_up and not runs.waiting_count,
        "controls": _controls(dataset, query, runs.judge),
    }
    if not runs.series:
        return context
    is_complete = is_follow_up and not runs.waiting_count
    costs = replay_costs(runs, reader) if is_complete else None
    recorded_harness = most_used_harness(dataset)
    harness = query.harness or recorded_harness.name
    table, harnesses = (
        dataset_ways(runs, costs, harness, is_complete=is_complete),
        HarnessTable(runs),
    )
    default_rule = RULES[harness] if query.harness or recorded_harness.naming else OWN_RULE
    rule = measuring_rule(table, default_rule)
    rows = benchmark_rows(runs, query, rule.name)
    return {
        **context,
        "sentence": dataset_sentence(table),
        "harness_sentence": harness_sentence(harnesses),
        "note": harness_note(harnesses),
        "rows": rows[: MOST_FOUND if query.words else MOST_ROWS],
        "row_count": len(rows),
        "rule": rule,
        "rule_words": rule_words(rule, default_rule, recorded_harness),
        "list_controls": query.controls(LIST),
        "hidden_fields": query.changed(dataset=dataset.slug).hidden_pairs(LIST),
        **table_context(table, query.changed(dataset=dataset.slug)),
    }


def measuring_rule(table: WaysTable, default_name: str) -> Way:
    """The rule `default_name`, or where it measures nothing that which measures most."""
    way = table.way_named(default_name)
    if way is not None and way.n:
        return way
    return max((way for way in table.ways if way.group == "harness"), key=lambda way: way.n)


def rule_words(rule: Way, default_name: str, recorded_harness: RecordedHarness) -> str:
    """Apposition to the name of a rule: why errors are those of this one."""
    if rule.name != default_name:
        return "which measures most of these series"
    if rule.name == RULES[recorded_harness.name]:
        return recorded_harness.words
    return rule.words if default_name == OWN_RULE else ""


def benchmark_rows(runs: HarnessRuns, query: WhatToDoQuery, rule: str) -> list[BenchmarkError]:
    """Benchmarks with steady series, that of the largest error first."""
    identity_rows = runs.dataset.benchmarks.values_list("system", "name", "params", "public_id")
    id_by_identity = {tuple(identity): public_id for *identity, public_id in identity_rows}
    words = query.words.lower().split()
    rows = [
        _benchmark_error(list(forks), rule, id_by_identity[identity], query)
        for identity, forks in _group_by_benchmark(runs.series)
        if all(word in " ".join(identity).lower() for word in words)
    ]
    rows.sort(key=lambda row: (np.isnan(row.median_error), -row.median_error, row.name))
    return rows


def _group_by_benchmark(
    series: Sequence[SteadySeries],
) -> Iterator[tuple[tuple[str, str, str], Iterator[SteadySeries]]]:
    def identity(steady_series: SteadySeries) -> tuple[str, str, str]:
        return steady_series.line.system, steady_series.line.benchmark, steady_series.line.params

    return groupby(sorted(series, key=identity), key=identity)


def _benchmark_error(
    forks: Sequence[SteadySeries], rule: str, public_id: str, query: WhatToDoQuery
) -> BenchmarkError:
    outcomes = [fork.outcomes[rule] for fork in forks]
    measured_outcomes = [outcome for outcome in outcomes if not outcome.reason]
    errors = [outcome.error for outcome in measured_outcomes if not np.isnan(outcome.error)]
    line = forks[0].line
    return BenchmarkError(
        name=" · ".join(word for word in (line.benchmark, line.spoken_params) if word),
        public_id=public_id,
        query=query,
        fork_count=len(forks),
        last_seconds=max(fork.seconds for fork in forks),
        median_error=float(np.median(errors)) if errors else np.nan,
        early_count=sum(outcome.early > 0 for outcome in measured_outcomes),
        n=len(measured_outcomes),
    )


def _controls(dataset: Dataset, query: WhatToDoQuery, default_title: str) -> list[FilledControl]:
    """Harness and yardstick; `default_title`: title of the yardstick without a choice."""
    yardstick_choices = [
        (yardstick.code, yardstick.title)
        for yardstick in yardsticks_of(dataset)
        if yardstick.kind not in PARTS
    ]
    other_yardsticks = [
        (code, title) for code, title in yardstick_choices if query.source or title != default_title
    ]
    shown_query = query.changed(source=query.yardstick_code)
    first_choices = [] if query.source else [("", default_title)]
    return shown_query.controls(
        choices={"source": [*first_choices, *other_yardsticks]}, omitted_fields=("target",)
    )
