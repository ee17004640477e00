"""Change points of mean and variance: CP-SSD, Barrett et al., and PELT beside its peers.

`python -m bench.changes` prints Markdown tables: our PELT against `ruptures` and against plain
Python (same segmentation first), a CROPS path, and every stage of CP-SSD on published measurements
with their published results (PLATEAU_REPLICATION, else ../shared/replication).
Exit status 1: an answer differs that is not flagged as ambiguous, the budget is missed, or the
measurements are not there.
"""

from __future__ import annotations

import math
import sys
import warnings
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path

import numpy as np

from bench.timing import fastest, machine, timed
from detectors.contract import Values, door
from detectors.crops import MeanAndVariance, crops
from detectors.methods.barrett import Barrett
from detectors.methods.cp_ssd import CpSsd, Cut
from replication.available_comparisons import lacking
from replication.comparison_tally import ComparisonTally
from replication.parity import of_cp_ssd, print_counts
from replication.published_files import NotPublishedData, published_folder, read
from tests.detectors.kernels import pelt_oracle as oracle

BUDGET = 150  # milliseconds of one core for CP-SSD on 3,000 values, median of the series
PEER = 500  # our PELT is so many times faster than that of `ruptures`
LENGTHS = (300, 600, 1_000)  # `ruptures` takes a quarter of a minute for the last
TIMED = 4  # single stages are timed on every fourth series
WHOLE, COSTS, PATH = "CP-SSD, all stages", "costs of all segments", "CROPS path"
R_PATH = 0.6  # seconds of R's `changepoint` 2.2.2 for a path on 3,000 values, 44 searches, at least


def main() -> int:
    """Print every table; the exit status."""
    print(f"Machine: {machine()}\n")
    missed = [against_peers(), on_published_series(published_folder())]
    return int(any(missed))


# --- PELT beside its peers ------------------------------------------------------------------------


def levels(n: int) -> Values:
    """Levels and noises that change every 100 values or so."""
    random = np.random.default_rng(1)
    piece = np.arange(n) // 97
    level, noise = random.uniform(1, 3, piece[-1] + 1), random.uniform(0.05, 0.5, piece[-1] + 1)
    return door(level[piece] + noise[piece] * random.standard_normal(n))


def against_peers() -> bool:
    """PELT for one penalty, 15 ln n, segments of two values or more, every border possible."""
    print("PELT, mean and variance, penalty 15 ln n\n")
    print("| n | segments | ours ms | plain Python ms | ratio | `ruptures`, jump 1, ms | ratio |")
    print("|---|---|---|---|---|---|---|")
    ratio = math.inf
    for n in LENGTHS:
        y, penalty = levels(n), 15 * math.log(n)
        ends = our_pelt(y, penalty)
        ours = fastest(partial(our_pelt, y, penalty))
        plain, (found, _) = timed(partial(oracle.pelt, y, penalty))
        theirs, peer = timed(partial(ruptures_pelt, y, penalty))
        if not ends == found == peer:
            print(f"n = {n}: ours {ends}, plain {found}, ruptures {peer}")
            return True
        ratio = theirs / ours
        print(
            f"| {n} | {len(ends)} | {ours:.2f} | {plain:.0f} | {plain / ours:.0f} "
            f"| {theirs:.0f} | {ratio:.0f} |"
        )
    print(f"\nAt least {PEER} times: {'yes' if ratio >= PEER else 'NO'}\n")
    return ratio < PEER


def our_pelt(y: Values, penalty: float) -> list[int]:
    return list(MeanAndVariance(y).best(penalty).ends)


def ruptures_pelt(y: Values, penalty: float) -> list[int]:
    """The package's search on the same cost: without the term that it adds to variances."""
    import ruptures  # noqa: PLC0415  # half a second that only this table needs

    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        cost = ruptures.costs.CostNormal(add_small_diag=False)
        search = ruptures.Pelt(custom_cost=cost, min_size=2, jump=1)
        return [int(each) for each in search.fit(y).predict(penalty)]


# --- published series -----------------------------------------------------------------------------


@dataclass(slots=True)
class Stages:
    """Milliseconds of one core by stage, and searches on a path."""

    runs: list[int] = field(default_factory=list)
    taken: dict[str, list[float]] = field(default_factory=dict)

    def add(self, stage: str, taken: float) -> None:
        self.taken.setdefault(stage, []).append(taken)


def on_published_series(folder: Path) -> bool:
    """All forks beside the published results; then fork 0 of every series, timed."""
    try:
        study = read(folder)
    except NotPublishedData as complaint:
        print(f"Not computed: stages, and answers beside the published ones.\n{complaint}")
        return True
    if why := lacking(study, ("series", "answers", "changes")):
        print(f"Not computed: stages, and answers beside the published ones: {why}.")
        return True
    tally = ComparisonTally()
    print("| method | compared | equal | of | the rest |\n|---|---|---|---|---|")
    print_counts(of_cp_ssd(study.measured), tally)
    print("", *tally.summary(), "", sep="\n")
    time_stages(study.measured[0].forks[0], Stages())  # compiles, which does not count
    found = Stages()
    for each in study.measured:
        time_stages(each.forks[0], found)
    median = _print_stages(found)
    print(f"\nUnder {BUDGET} ms: {'yes' if median < BUDGET else 'NO'}")
    return bool(tally.status or median >= BUDGET)


def time_stages(values: Values, found: Stages) -> None:
    """The whole of CP-SSD, and its stages one by one on every fourth series."""
    detector = CpSsd()
    cutting, cut = timed(lambda: detector.cut(values))
    walking, _ = timed(lambda: list(detector.walk(values, cut.ends)))
    found.add(WHOLE, cutting + walking)
    found.add("comparisons", walking)
    if len(found.runs) % TIMED == 0:
        _time_stages(detector, values, cut, found)
    found.runs.append(cut.path.runs)


def _time_stages(detector: CpSsd, values: Values, cut: Cut, found: Stages) -> None:
    log = math.log(cut.kept.size)
    y = np.array(values[cut.kept])
    taken, search = timed(lambda: MeanAndVariance(y, keep=True))
    found.add(COSTS, taken)
    found.add(PATH, timed(lambda: crops(search, 4 * log, 100_000 * log))[0])
    found.add("last search", timed(lambda: search.best(cut.penalty))[0])
    found.add("outliers", timed(lambda: detector.kept(values))[0])
    found.add("Barrett et al., all stages", timed(lambda: Barrett().answer(values))[0])


def _print_stages(found: Stages) -> float:
    n = 3000
    print(f"CP-SSD, {len(found.runs)} series of {n} values, milliseconds of one core;")
    print(f"single stages on every {TIMED}th\n")
    print("| stage | median | mean | 95 % | most |")
    print("|---|---|---|---|---|")
    for stage, each in sorted(found.taken.items(), key=lambda item: -float(np.median(item[1]))):
        figures = np.median(each), np.mean(each), np.quantile(each, 0.95), np.max(each)
        print(f"| {stage} | " + " | ".join(f"{figure:.1f}" for figure in figures) + " |")
    path = float(np.median(found.taken[COSTS]) + np.median(found.taken[PATH]))
    ratio = 1e3 * R_PATH / path
    print(f"\nA whole path, with its costs: {path:.0f} ms; R's `changepoint` took ", end="")
    print(f"{R_PATH:g} s or more on a machine like this: {ratio:.1f} times")
    print(f"\nSearches on a path: median {np.median(found.runs):g}, most {max(found.runs)}")
    return float(np.median(found.taken[WHOLE]))


if __name__ == "__main__":
    sys.exit(main())
