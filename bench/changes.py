"""Change points of mean and variance: CP-SSD, Barrett et al., and PELT beside its peers.

`python -m bench.changes` prints Markdown tables: our PELT against `ruptures` and against plain
Python (same segmentation first), a CROPS path, and, where the published measurements lie beside
the checkout (or at PLATEAU_REPLICATION), every stage of CP-SSD with the published results.
Exit status 1: an answer differs that is not flagged as ambiguous, or the budget is missed.
"""

from __future__ import annotations

import csv
import json
import math
import os
import sys
import warnings
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np

from bench.parity import DEFAULT_FOLDER
from bench.timing import fastest, machine, timed
from detectors.classes import of_starts
from detectors.contract import NEVER, Detection, Values, door
from detectors.crops import MeanAndVariance, crops
from detectors.methods.barrett import Barrett
from detectors.methods.cp_ssd import CpSsd, Cut
from tests.detectors.kernels import pelt_oracle as oracle

BUDGET = 150  # milliseconds of one core for CP-SSD on 3,000 values, median of the series
PEER = 500  # our PELT is so many times faster than that of `ruptures`
LENGTHS = (300, 600, 1_000)  # `ruptures` takes a quarter of a minute for the last
TIMED = 4  # single stages are timed on every fourth series
WHOLE, COSTS, PATH = "CP-SSD, all stages", "costs of all segments", "CROPS path"
R_PATH = 0.6  # seconds of R's `changepoint` 2.2.2 for a path on 3,000 values, 44 searches, at least
LETTERS = {"steady": "S", "inconsistent": "I", "never": "N"}


def main() -> int:
    """Print every table; the exit status."""
    print(f"Machine: {machine()}\n")
    folder = Path(os.environ.get("PLATEAU_REPLICATION") or DEFAULT_FOLDER)
    missed = [against_peers(), on_published_series(folder)]
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
class Tally:
    """What agrees with the published results, and what it cost; milliseconds of one core."""

    forks: int = 0
    changes: int = 0
    starts: int = 0
    flagged: int = 0
    reachable: int = 0
    runs: list[int] = field(default_factory=list)
    stages: dict[str, list[float]] = field(default_factory=dict)
    unlike: list[str] = field(default_factory=list)

    def add(self, stage: str, taken: float) -> None:
        self.stages.setdefault(stage, []).append(taken)


def on_published_series(folder: Path) -> bool:
    """Fork 0 of every series, timed; then all forks of the benchmarks that have them."""
    if not (folder / "cp_published.json").is_file():
        print(f"No published series at {folder}: stages and parity are left out.")
        return False
    published = json.loads((folder / "cp_published.json").read_text(encoding="utf-8"))
    first, all_forks, starts = Tally(), Tally(), dict[str, list[int]]()
    _, _, some = next(first_forks(folder))
    judge(some, ([], NEVER), "compiling, which does not count", Tally())
    for name, number, values in first_forks(folder):
        judge(values, _result(published[name], number), f"{name}, fork {number}", first)
    for name, number, values in every_fork(folder):
        where = f"{name}, fork {number}"
        found = judge(values, _result(published[name], number), where, all_forks)
        starts.setdefault(name, []).append(found.steady_start)
    for title, tally in (("Fork 0", first), ("All forks of some benchmarks", all_forks)):
        _print_parity(title, tally)
    classes = [LETTERS[of_starts(each)] == published[name]["c"] for name, each in starts.items()]
    print(f"Classes of benchmarks: {sum(classes)} of {len(classes)} as published\n")
    median = _print_stages(first)
    print(f"\nUnder {BUDGET} ms: {'yes' if median < BUDGET else 'NO'}")
    return bool(first.unlike or all_forks.unlike or not all(classes) or median >= BUDGET)


def _index(folder: Path) -> list[dict[str, str]]:
    with (folder / "index.csv").open(encoding="utf-8") as lines:
        return list(csv.DictReader(lines))


def first_forks(folder: Path) -> Iterator[tuple[str, int, Values]]:
    with np.load(folder / "series.npz") as stored:
        values = stored["fork0"]
    for row in _index(folder):
        yield _name(row), 0, door(values[int(row["row"])])


def every_fork(folder: Path) -> Iterator[tuple[str, int, Values]]:
    with np.load(folder / "forks.npz") as stored:
        for row in _index(folder):
            if row["has_forks"] == "1":
                forks = stored[f"b{int(row['row']):03d}"]
                yield from ((_name(row), i, door(values)) for i, values in enumerate(forks))


def _name(row: Mapping[str, str]) -> str:
    return f"{row['system']}#{row['benchmark']}#{row['params']}"


def _result(found: Mapping[str, Any], number: int) -> tuple[Sequence[int], int]:
    return found["cp"][number], found["s"][number]


def judge(
    values: Values, published: tuple[Sequence[int], int], where: str, tally: Tally
) -> Detection:
    """Compare one fork's change points and start, and time its stages."""
    detector, (changes, start) = CpSsd(), published
    cutting, cut = timed(lambda: detector.cut(values))
    walking, walked = timed(lambda: list(detector.walk(values, cut.ends)))
    found = detector.concluded(cut, walked, values.size)
    tally.add(WHOLE, cutting + walking)
    tally.add("comparisons", walking)
    tally.runs.append(cut.path.runs)
    if tally.forks % TIMED == 0:
        _time_stages(detector, values, cut, tally)
    tally.forks += 1
    tally.changes += list(cut.ends) == changes
    tally.starts += found.published_index == start
    tally.flagged += "ambiguous" in found.flags
    if found.published_index != start and start in detector.possible(values, cut.ends):
        tally.reachable += 1
    elif found.published_index != start or list(cut.ends) != changes:
        tally.unlike.append(f"{where}: {found.published_index}, published {start}")
    return found


def _time_stages(detector: CpSsd, values: Values, cut: Cut, tally: Tally) -> None:
    log = math.log(cut.kept.size)
    y = np.array(values[cut.kept])
    taken, search = timed(lambda: MeanAndVariance(y, keep=True))
    tally.add(COSTS, taken)
    tally.add(PATH, timed(lambda: crops(search, 4 * log, 100_000 * log))[0])
    tally.add("last search", timed(lambda: search.best(cut.penalty))[0])
    tally.add("outliers", timed(lambda: detector.kept(values))[0])
    tally.add("Barrett et al., all stages", timed(lambda: Barrett().answer(values))[0])


def _print_parity(title: str, tally: Tally) -> None:
    print(
        f"{title}: {tally.changes} of {tally.forks} lists of change points as published, "
        f"{tally.starts} starts; {tally.reachable} others are ambiguous and the published one "
        f"is possible; {tally.flagged} flagged ambiguous\n"
    )
    for each in tally.unlike:
        print(f"DIFFERS  {each}")


def _print_stages(tally: Tally) -> float:
    n = 3000
    print(f"CP-SSD, {tally.forks} series of {n} values, milliseconds of one core;")
    print(f"single stages on every {TIMED}th\n")
    print("| stage | median | mean | 95 % | most |")
    print("|---|---|---|---|---|")
    for stage, each in sorted(tally.stages.items(), key=lambda item: -float(np.median(item[1]))):
        figures = np.median(each), np.mean(each), np.quantile(each, 0.95), np.max(each)
        print(f"| {stage} | " + " | ".join(f"{figure:.1f}" for figure in figures) + " |")
    path = float(np.median(tally.stages[COSTS]) + np.median(tally.stages[PATH]))
    ratio = 1e3 * R_PATH / path
    print(f"\nA whole path, with its costs: {path:.0f} ms; R's `changepoint` took ", end="")
    print(f"{R_PATH:g} s or more on a machine like this: {ratio:.1f} times")
    print(f"\nSearches on a path: median {np.median(tally.runs):g}, most {max(tally.runs)}")
    return float(np.median(tally.stages[WHOLE]))


if __name__ == "__main__":
    sys.exit(main())
