"""KB-KSSD under thousands of parameter sets: stages that sets share against sets one by one.

`python -m evidence.bench.parameter_sets [--series N] [--threads N]` prints a Markdown table: the
sample of the published Sobol' indices (24,576 sets) and the published search (15,000 sets) over 407
simulated series. A sample of the answers is also asked one by one, and must be the same. Exit
status 1: answers differ, or a budget is missed.
"""

from __future__ import annotations

import os
import sys
import time
from collections.abc import Sequence
from itertools import chain, count, islice
from typing import Final

import numpy as np

from analysis.statistics.parameter_space import (
    PUBLISHED_BASE,
    PUBLISHED_GRID,
    PUBLISHED_SOBOL,
    grid,
)
from analysis.statistics.sensitivity import parameter_sample
from detectors.contract import Context, Values
from detectors.methods.kb_kssd import KbKssd
from detectors.parameter_sets.evaluation import answers, single_answerer
from detectors.simulated.synthetic import simulate_all
from evidence.bench.timing import machine, parser_of
from formats.markdown import head, row

SERIES: Final = 407  # as many as in the published analyses
N: Final = 3000
SAMPLE_SETS, SAMPLE_SERIES = 24, 12  # asked one by one
MINUTES: Final = {"Sobol' sample": 8.0, "parameter search": 3.0}


def main() -> int:
    parser = parser_of("evidence.bench.parameter_sets", __doc__)
    parser.add_argument("--series", type=int, default=SERIES)
    parser.add_argument("--threads", type=int, default=os.cpu_count() or 1)
    options = parser.parse_args()
    all_series = chain.from_iterable(simulate_all(n=N, seed=seed) for seed in count())
    series = [simulated_series.values for simulated_series in islice(all_series, options.series)]
    print(f"Machine: {machine()}\n\n{len(series)} simulated series of {N} values\n")
    figures = ("answers", "wall s", "core s", "one by one, core h", "ratio", "budget")
    print(head("analysis", "sets", *figures))
    sampled_sets = PUBLISHED_SOBOL.parameters(
        KbKssd.Params, parameter_sample(PUBLISHED_SOBOL, PUBLISHED_BASE)
    )
    rows = (dict(zip(PUBLISHED_GRID, row, strict=True)) for row in grid(PUBLISHED_GRID).tolist())
    searched_sets = [KbKssd.Params.from_values({**PUBLISHED_SOBOL.fixed, **row}) for row in rows]
    is_late = time_analysis("Sobol' sample", sampled_sets, series, options.threads)
    return int(time_analysis("parameter search", searched_sets, series, options.threads) or is_late)


def time_analysis(
    name: str, sets: Sequence[KbKssd.Params], series: list[Values], threads: int
) -> bool:
    """Print a row; whether it came late. Ends the bench if an answer differs."""
    answers(KbKssd, sets[:2], series[:1])  # what is compiled is not what is measured
    began_at, began_cores = time.perf_counter(), time.process_time()
    table = answers(KbKssd, sets, series, threads=threads)
    wall, cores = time.perf_counter() - began_at, time.process_time() - began_cores
    draw = np.random.default_rng(0)
    rows = draw.choice(len(sets), min(SAMPLE_SETS, len(sets)), replace=False)
    columns = draw.choice(len(series), min(SAMPLE_SERIES, len(series)), replace=False)
    plain_answers, seconds = single_answers(
        [sets[row] for row in rows], [series[column] for column in columns]
    )
    if not np.array_equal(plain_answers, table[np.ix_(rows, columns)]):
        sys.exit(f"{name}: the stages and the sets one by one disagree")
    single_seconds, is_late = table.size * seconds, wall > 60 * MINUTES[name]
    counts, times = (f"{len(sets):,}", f"{table.size:,}"), (f"{wall:.1f}", f"{cores:.1f}")
    saved_words = (f"{single_seconds / 3600:.2f}", f"{single_seconds / cores:,.0f}")
    budget = f"under {MINUTES[name]:.0f} min on two cores: {'NO' if is_late else 'yes'}"
    print(row(name, *counts, *times, *saved_words, budget), flush=True)
    return is_late


def single_answers(
    sets: Sequence[KbKssd.Params], series: Sequence[Values]
) -> tuple[np.ndarray, float]:
    """Answers asked one by one, and seconds of one core for one of them."""
    judge = single_answerer(KbKssd, sets)
    judge(series[0], Context())
    began_at = time.process_time()
    starts = np.column_stack([judge(values, Context()) for values in series])
    return starts, (time.process_time() - began_at) / starts.size


if __name__ == "__main__":
    sys.exit(main())
