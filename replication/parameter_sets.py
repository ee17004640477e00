"""KB-KSSD under thousands of parameter sets: the published analyses, their cost, their figures.

`python -m replication.parameter_sets [--series N] [--threads N]` prints Markdown tables: the
sample of the Sobol' indices (24,576 sets) and the search (15,000 sets) over 407 series, each
against the sets asked one by one: a sample of the answers is, which must be the same.
With published data (PLATEAU_REPLICATION, of either layout) the series are measured ones, and the
indices are printed beside the published, and what a set chosen by the search is worth on systems
that the choice has not seen; else the series are simulated. Exit status 1: answers differ, or a
budget is missed.
"""

from __future__ import annotations

import os
import sys
import time
from argparse import ArgumentParser
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Final

import numpy as np

from analysis.statistics.answers import Answers
from analysis.statistics.objectives import Objective, cross_validated, figures, held_out
from analysis.statistics.sensitivity import Converging, converging, sample, squared_sum
from analysis.statistics.varied import PUBLISHED_BASE, PUBLISHED_GRID, PUBLISHED_SOBOL, grid
from annotate import recipes
from bench.timing import machine
from detectors.contract import Context, Values, door
from detectors.methods.kb_kssd import KbKssd
from detectors.parameter_sets import Table, answers, one_by_one
from detectors.synthetic import simulate_all
from replication.published_figures import SOBOL
from replication.published_files import NotPublishedData, published_folder, read

SERIES: Final = 407  # in the published analyses
N: Final = 3000
SAMPLE_SETS, SAMPLE_SERIES = 24, 12  # asked one by one
MINUTES: Final = {"Sobol' sample": 8.0, "parameter search": 3.0}

GOALS: Final[tuple[Mapping[Objective, float], ...]] = (
    {"mean_abs": 1.0},
    {"median_abs": 1.0},
    {"mean_abs": 1.0, "fn": 1.0},
)


@dataclass(frozen=True, slots=True)
class Known:
    """Series, and where they are measured ones their yardstick (of the first of them)."""

    name: str
    series: list[Values]
    truth: Answers | None
    systems: tuple[str, ...] = ()


def main() -> int:
    """Print every table; 1 if answers differ or a budget is missed."""
    parser = ArgumentParser(prog="python -m replication.parameter_sets")
    parser.add_argument("--series", type=int, default=SERIES)
    parser.add_argument("--threads", type=int, default=os.cpu_count() or 1)
    asked = parser.parse_args()
    known = measured(asked.series) or simulated(asked.series)
    print(f"Machine: {machine()}\n\n{asked.series} series of {N} values ({known.name})\n")
    print("| analysis | sets | answers | wall s | core s | one by one, core h | ratio | budget |")
    print("|---" * 8 + "|")
    sampled = PUBLISHED_SOBOL.parameters(KbKssd.Params, sample(PUBLISHED_SOBOL, PUBLISHED_BASE))
    table, late = timed("Sobol' sample", sampled, known, asked.threads)
    found, late_too = timed("parameter search", searched(), known, asked.threads)
    if known.truth is not None:
        outputs = squared_sum(table[:, : known.truth.n], known.truth)
        show(converging(PUBLISHED_SOBOL, outputs), known.truth.n)
        show_unseen(found[:, : known.truth.n], known, known.truth)
    return int(late or late_too)


def searched() -> list[KbKssd.Params]:
    """The published search, with the fixed values of the indices' program."""
    return [
        KbKssd.Params.of({**PUBLISHED_SOBOL.fixed, **named(row)})
        for row in grid(PUBLISHED_GRID).tolist()
    ]


def named(row: Sequence[float]) -> dict[str, float]:
    return dict(zip(PUBLISHED_GRID, row, strict=True))


def measured(count: int) -> Known | None:
    """Published series with marks; where that is a part of them, others make up the number."""
    folder = published_folder()
    try:
        published = read(folder)
    except NotPublishedData:
        return None
    values = {row: door(each) for row, each in published.series()}
    marked = [row for row in values if published.marks[row]]
    others = [each for row, each in values.items() if row not in set(marked)]
    series = [*(values[row] for row in marked), *others, *shown_forks(folder)]
    truth = Answers.of(jagt(published.marks[row]) for row in marked[:count])
    systems = tuple(published.systems[row] for row in marked[:count])
    return Known("published measurements", series[:count], truth, systems)


def jagt(marks: Mapping[str, int]) -> int | None:
    """The ground truth of a marked series, as published."""
    steady = [recipes.Mark(name, "steady", index) for name, index in marks.items()]
    return recipes.aggregate("jagt-published", steady, complete=True).value


def shown_forks(folder: Path) -> list[Values]:
    """The forks that were shown in the first stage, where they are stored by themselves."""
    if not (folder / "stage1.npz").is_file():
        return []
    with np.load(folder / "stage1.npz") as stored:
        return [door(each) for each in stored["shown"]]


def simulated(count: int) -> Known:
    """Every kind in turn, seed after seed."""
    kinds = len(list(simulate_all(n=N)))
    found = [
        each.values for seed in range(-(-count // kinds)) for each in simulate_all(n=N, seed=seed)
    ]
    return Known("simulated", found[:count], None)


def timed(
    name: str, sets: Sequence[KbKssd.Params], known: Known, threads: int
) -> tuple[Table, bool]:
    """The table of answers, and whether it came late; ends the bench if an answer differs."""
    answers(KbKssd, sets[:2], known.series[:1])  # what is compiled is not what is measured
    began, began_cores = time.perf_counter(), time.process_time()
    table = answers(KbKssd, sets, known.series, threads=threads)
    wall, cores = time.perf_counter() - began, time.process_time() - began_cores
    singly = table.size * seconds_one_by_one(name, sets, known, table)
    limit = MINUTES[name]
    late = len(known.series) >= SERIES and wall > 60 * limit
    print(
        f"| {name} | {len(sets):,} | {table.size:,} | {wall:.1f} | {cores:.1f} "
        f"| {singly / 3600:.2f} | {singly / cores:,.0f} "
        f"| under {limit:.0f} min on two cores: {'NO' if late else 'yes'} |",
        flush=True,
    )
    return table, late


def seconds_one_by_one(
    name: str, sets: Sequence[KbKssd.Params], known: Known, table: Table
) -> float:
    """Seconds of one core for one answer, of sets and series drawn with a fixed seed."""
    draw = np.random.default_rng(0)
    rows = draw.choice(len(sets), min(SAMPLE_SETS, len(sets)), replace=False)
    columns = draw.choice(len(known.series), min(SAMPLE_SERIES, len(known.series)), replace=False)
    judge = one_by_one(KbKssd, [sets[row] for row in rows.tolist()])
    judge(known.series[0], Context())
    began = time.process_time()
    singly = np.column_stack([judge(known.series[column], Context()) for column in columns])
    taken = time.process_time() - began
    if not np.array_equal(singly, table[np.ix_(rows, columns)]):
        sys.exit(f"{name}: the stages and the sets one by one disagree")
    return taken / singly.size


def show(found: Converging, count: int) -> None:
    """The indices beside the published ones, and those of a quarter of the samples."""
    if found.quarter is None:
        raise ValueError("the published sample has a quarter")
    print(f"\nIndices of the sum of squared errors, {count} of the 407 published series.\n")
    print("| parameter | S1 | published | ST | published | ST, 6,144 sets | published |")
    print("|---" * 7 + "|")
    rows = zip(found.whole.first, found.whole.total, found.quarter.total, strict=True)
    for first, total, few in rows:
        name = total.names[0]
        s1, st, st_few = SOBOL[name]
        print(
            f"| {name} | {first.value:.3f} ± {first.half_width:.3f} | {s1:.3f} "
            f"| {total.value:.3f} ± {total.half_width:.3f} | {st:.3f} "
            f"| {few.value:.3f} ± {few.half_width:.3f} | {st_few:.3f} |"
        )
    published = sorted(SOBOL, key=lambda name: -SOBOL[name][1])
    print(f"\nOrder by ST: {', '.join(found.whole.order)}\nPublished:   {', '.join(published)}\n")


def show_unseen(table: Table, known: Known, truth: Answers) -> None:
    """The search with each of a few goals: on its own data, on unseen systems, the defaults."""
    defaults = answers(KbKssd, [KbKssd.Params()], known.series[: truth.n])
    tried = np.vstack([defaults, table])
    print("The search, judged on systems that the choice has not seen (6 folds). Mean, median of")
    print("|error| in iterations, and false negatives.\n")
    print("| made small | on its own data | on unseen systems | defaults |")
    print("|---" * 4 + "|")
    everything, parts = figures(tried, truth), held_out(tried, truth, known.systems)
    for goal in GOALS:
        found = cross_validated(tried, truth, everything, parts, goal, baseline=0)
        named_goal = " + ".join(f"{weight:g} {name}" for name, weight in goal.items())
        cells = (found.optimistic_figures, found.figures, found.baseline_figures or {})
        print(f"| {named_goal} | {' | '.join(map(in_short, cells))} |")
    print()


def in_short(figures: Mapping[str, float]) -> str:
    return f"{figures['mean_abs']:.0f}, {figures['median_abs']:.1f}, {figures['fn']:.0f}"


if __name__ == "__main__":
    sys.exit(main())
