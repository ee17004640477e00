"""The published Sobol' indices of KB-KSSD and its published parameter search, recomputed.

    python -m evidence.replication.sobol_indices [FOLDER] [--threads N]

Indices of the sum of squared errors (24,576 sets of parameters) over the series with marks, beside
the published ones; then what sets that a search (15,000 sets) chooses are worth on systems that the
choice has not seen.
"""

from __future__ import annotations

import os
import sys
from argparse import Namespace
from collections.abc import Mapping, Sequence
from itertools import chain
from typing import Final

from analysis.statistics.answers import Answers
from analysis.statistics.parameter_space import (
    PUBLISHED_BASE,
    PUBLISHED_GRID,
    PUBLISHED_SOBOL,
    grid,
)
from analysis.statistics.sensitivity import (
    IndexConvergence,
    index_convergence,
    parameter_sample,
    squared_sum,
)
from analysis.statistics.tuning_objectives import (
    Objective,
    cross_validated,
    figures,
    held_out_systems,
)
from detectors.methods.kb_kssd import KbKssd
from detectors.parameter_sets.evaluation import Table, answers
from evidence.replication.comparison_tally import NO_DATA
from evidence.replication.published_files import option, study_command
from evidence.replication.published_study import PublishedBenchmark, PublishedStudy
from formats.markdown import head, row

PUBLISHED: Final = {
    "prob_window": (0.19718534, 0.46349316, 0.31653608),
    "step_window": (0.00631332, 0.01394031, 0.01159328),
    "t_crit": (0.15670927, 0.46206506, 0.39023183),
    "prob_threshold": (0.1107751, 0.35747568, 0.2987368),
    "outlier_window": (0.15383209, 0.26101527, 0.19648237),
}
"""Beseda et al. 2025, 407 series: first and total order, and total order of 6,144 sets."""

TOTAL_ORDER: Final = {
    "t_crit": (0.468, 0.053),
    "prob_window": (0.446, 0.048),
    "prob_threshold": (0.367, 0.042),
    "outlier_window": (0.262, 0.025),
    "step_window": (0.013, 0.002),
}
"""Ours on all 407 series, half widths of 95 %: computed once, on the complete packages."""

SEARCHED, DEFAULTS = 395, 379
"""Mean absolute error on unseen systems, in iterations: the published search, and the defaults."""

GOALS: Final[tuple[Mapping[Objective, float], ...]] = (
    {"mean_abs": 1.0},
    {"median_abs": 1.0},
    {"mean_abs": 1.0, "fn": 1.0},
)


def print_analyses(study: PublishedStudy, options: Namespace) -> int:
    """Print both analyses; the exit status."""
    benchmarks = marked_benchmarks(study)
    if not benchmarks:
        print(f"{study.folder}: no series with marks", file=sys.stderr)
        return NO_DATA
    series = [benchmark.forks[0] for benchmark in benchmarks]
    truth = Answers.from_list(benchmark.agreed("jagt-published") for benchmark in benchmarks)
    sampled_sets = PUBLISHED_SOBOL.parameters(
        KbKssd.Params, parameter_sample(PUBLISHED_SOBOL, PUBLISHED_BASE)
    )
    table = answers(KbKssd, sampled_sets, series, threads=options.threads)
    print_indices(index_convergence(PUBLISHED_SOBOL, squared_sum(table, truth)), len(benchmarks))
    tried_sets = answers(
        KbKssd, [KbKssd.Params(), *searched_sets()], series, threads=options.threads
    )
    print_unseen(tried_sets, truth, [benchmark.system for benchmark in benchmarks])
    return 0


def marked_benchmarks(study: PublishedStudy) -> list[PublishedBenchmark]:
    """The benchmarks with marks and measurements."""
    return [benchmark for benchmark in study.measured if benchmark.marks]


def searched_sets() -> list[KbKssd.Params]:
    """The published search, with the fixed values of the indices' program."""
    rows = (dict(zip(PUBLISHED_GRID, row, strict=True)) for row in grid(PUBLISHED_GRID).tolist())
    return [KbKssd.Params.from_values({**PUBLISHED_SOBOL.fixed, **row}) for row in rows]


def print_indices(computed_indices: IndexConvergence, count: int) -> None:
    """The indices beside the published ones, and those of a quarter of the samples."""
    if computed_indices.quarter is None:
        raise ValueError("the published sample has a quarter")
    print(f"Indices of the sum of squared errors, {count} of the 407 published series.\n")
    print(head("parameter", *("S1", "published", "ST", "published", "ST, 6,144 sets", "published")))
    for indices in zip(
        computed_indices.whole.first,
        computed_indices.whole.total,
        computed_indices.quarter.total,
        strict=True,
    ):
        name = indices[1].names[0]
        cells = (
            (f"{own_index.value:.3f} ± {own_index.half_width:.3f}", f"{published_index:.3f}")
            for own_index, published_index in zip(indices, PUBLISHED[name], strict=True)
        )
        print(row(name, *chain.from_iterable(cells)))
    published_names = sorted(PUBLISHED, key=lambda name: -PUBLISHED[name][1])
    print(
        f"\nOrder by ST: {', '.join(computed_indices.whole.order)}\n"
        f"Published:   {', '.join(published_names)}\n"
    )


def print_unseen(answers: Table, truth: Answers, systems: Sequence[str]) -> None:
    """The search with each of a few goals: on its own data, on unseen systems, the defaults.

    answers  answers of the defaults in the first row, of the searched sets in the others
    """
    print("The search, judged on systems that the choice has not seen (6 folds). Mean, median of")
    print("|error| in iterations, and false negatives.\n")
    print(head("made small", "on its own data", "on unseen systems", "defaults"))
    all_figures, parts = figures(answers, truth), held_out_systems(answers, truth, systems)
    for goal in GOALS:
        validation = cross_validated(answers, truth, all_figures, parts, goal, baseline=0)
        goal_words = " + ".join(f"{weight:g} {name}" for name, weight in goal.items())
        cells = (
            validation.optimistic_figures,
            validation.figures,
            validation.baseline_figures or {},
        )
        print(row(goal_words, *map(figures_text, cells)))


def figures_text(figures: Mapping[str, float]) -> str:
    return f"{figures['mean_abs']:.0f}, {figures['median_abs']:.1f}, {figures['fn']:.0f}"


main = study_command(print_analyses, option("--threads", type=int, default=os.cpu_count() or 1))

if __name__ == "__main__":
    sys.exit(main())
