"""What every method answers beside what was published of it: so many equal, and why not the rest.

    python -m bench.parity [FOLDER] [--quick]

FOLDER (else PLATEAU_REPLICATION, else ../shared/replication) holds published measurements with the
answers of other programs for them: config_published.json, cp_published.json, vectors. What is not
there is left out. Takes about five minutes; --quick takes two benchmarks.
`python -m bench.replicate` prints the same table behind the published comparison.
"""

from __future__ import annotations

import csv
import json
import math
import os
import sys
from argparse import ArgumentParser
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Final

import numpy as np

from detectors.classes import counts, of_starts
from detectors.configured import Configured
from detectors.contract import NEVER, Context, Values, door
from detectors.enough import enough_forks
from detectors.forks import Spread, Summary, summarised
from detectors.kernels.pilot import edm
from detectors.methods.barrett import Barrett, Judged
from detectors.methods.cp_ssd import CpSsd
from detectors.methods.developer import Developer
from detectors.methods.georges import Georges
from detectors.methods.jmh_default import JmhDefault
from detectors.methods.laaber_cov import LaaberCov
from detectors.methods.laaber_kld import LaaberKld
from detectors.methods.laaber_rciw import LaaberRciw
from detectors.methods.pilot import Pilot, dominant
from detectors.stopping import StoppingRule
from tests.detectors.kernels import (
    test_exact_bayes as exact_bayes_cases,
    test_jumpavg as jumpavg_cases,
    test_pilot as pilot_cases,
)

DEFAULT_FOLDER: Final = Path(__file__).resolve().parents[2] / "shared" / "replication"
EVERY_QUICK: Final = 198
ONE_OPERATION: Final = 0.1  # s; iterations of 0.1 s whose values are all longer hold one each
LETTERS: Final = {"steady": "S", "inconsistent": "I", "never": "N"}
BARRETT: Final = {
    "warmup": "warm-up",
    "no steady state": "no-steady-state",
    "good inconsistent": "good-inconsistent",
    "bad inconsistent": "bad-inconsistent",
}
RULES: Final[tuple[tuple[str, type[StoppingRule]], ...]] = (
    ("cov", LaaberCov),
    ("rciw", LaaberRciw),
    ("kld", LaaberKld),
)
MEANS: Final = "a value is the mean of many operations; the published rule saw each"
CHANCE: Final = "published with other random numbers"
TWO: Final = "some of their iterations hold two operations, which means cannot show"


@dataclass(slots=True)
class Count:
    """How many answers of a method were compared, and are equal; `why` the rest may differ."""

    method: str
    what: str
    why: str = ""
    equal: int = 0
    of: int = 0
    unlike: list[str] = field(default_factory=list)

    def add(self, where: str, ours: object, theirs: object) -> None:
        self.of += 1
        self.equal += ours == theirs
        if ours != theirs:
            self.unlike.append(f"{where}: {ours}, published {theirs}")

    @property
    def unexplained(self) -> list[str]:
        return [] if self.why else self.unlike


@dataclass(frozen=True, slots=True)
class Benchmark:
    """The forks of a benchmark that are there; fork 0 is the first."""

    name: str
    forks: tuple[Values, ...]

    @property
    def single(self) -> bool:
        """Whether an iteration is one operation, so that means are the raw data."""
        return min(float(fork.min()) for fork in self.forks) >= ONE_OPERATION


def main(arguments: Sequence[str] | None = None) -> int:
    parser = ArgumentParser(prog="python -m bench.parity", description=__doc__.partition("\n")[0])
    default = Path(os.environ.get("PLATEAU_REPLICATION") or DEFAULT_FOLDER)
    parser.add_argument("folder", nargs="?", type=Path, default=default, metavar="FOLDER")
    parser.add_argument("--quick", action="store_true", help="two benchmarks only")
    options = parser.parse_args(arguments)
    unexplained = print_parity(options.folder, quick=options.quick)
    return int(bool(unexplained))


def print_parity(folder: Path, *, quick: bool) -> list[str]:
    """The table; lines that differ without a reason."""
    print("\nEvery method against what was published of it")
    print("| method | compared | equal | of | the rest |")
    print("|---|---|---|---|---|", flush=True)
    unexplained: list[str] = []
    for count in filter(lambda one: one.of, counted(folder, quick=quick)):
        rest = count.why if count.equal < count.of else ""
        row = f"| {count.method} | {count.what} | {count.equal} | {count.of} | {rest} |"
        print(row, flush=True)
        unexplained += [f"{count.method}, {count.what}: {line}" for line in count.unexplained]
    return unexplained


def counted(folder: Path, *, quick: bool) -> Iterator[Count]:
    """One count after the other, of whatever the folder has answers for."""
    for file, of_published in OF_PUBLISHED.items():
        if (folder / file).is_file() and (folder / "forks.npz").is_file():
            known = json.loads((folder / file).read_text(encoding="utf-8"))
            step = EVERY_QUICK if quick else 1
            yield from of_published(list(benchmarks(folder, step)), known)
    if (folder / "series.npz").is_file() and (folder / "forks.npz").is_file():
        yield from of_the_package(list(benchmarks(folder, EVERY_QUICK if quick else 4)))
    for file, of_vectors in OF_VECTORS.items():
        if (folder / "vectors" / file).is_file():
            yield from of_vectors(json.loads((folder / "vectors" / file).read_text("utf-8")))
    yield from of_exact_bayes()


def benchmarks(folder: Path, step: int) -> Iterator[Benchmark]:
    rows = csv.DictReader((folder / "index.csv").read_text("utf-8").splitlines())
    with np.load(folder / "series.npz") as zero, np.load(folder / "forks.npz") as ten:
        first = zero["fork0"]
        for at, row in enumerate(rows):
            if at % step:
                continue
            several = row["has_forks"] == "1"
            forks = ten[f"b{at:03d}"] if several else first[at : at + 1]
            name = f"{row['system']}#{row['benchmark']}#{row['params']}"
            yield Benchmark(name, tuple(door(fork) for fork in forks))


# --- CP-SSD ---------------------------------------------------------------------------------------


def of_cp_ssd(known: Sequence[Benchmark], published: Mapping[str, Any]) -> Iterator[Count]:
    changes = Count("cp-ssd", "change points of a fork")
    starts = Count("cp-ssd", "published index of a fork")
    ambiguous = Count("cp-ssd", "published index, or one that another seed may give")
    classes = Count("cp-ssd", "class of a benchmark of ten forks")
    detector = CpSsd()
    for each in known:
        theirs, found = published[each.name], []
        for number, values in enumerate(each.forks):
            where = f"{each.name}, fork {number}"
            cut = detector.cut(values)
            walked = list(detector.walk(values, cut.ends))
            answer = detector.concluded(cut, walked, values.size)
            found.append(answer.steady_start)
            changes.add(where, list(cut.ends), theirs["cp"][number])
            starts.add(where, answer.published_index, theirs["s"][number])
            possible = answer.published_index
            if "ambiguous" in answer.flags and theirs["s"][number] in detector.possible(
                values, cut.ends
            ):
                possible = theirs["s"][number]
            ambiguous.add(where, possible, theirs["s"][number])
        if len(found) > 1:
            classes.add(each.name, LETTERS[of_starts(found)], theirs["c"])
    starts.why = "flagged `ambiguous`: the published resampling has no seed"
    yield from (changes, starts, ambiguous, classes)


# --- rules of practice ----------------------------------------------------------------------------


def of_practice(known: Sequence[Benchmark], published: Mapping[str, Any]) -> Iterator[Count]:
    records = published["benchmarks"]
    yield from (pairs(detector, key, known, records) for detector, key in CONFIGURED)
    yield from of_georges(known, records)
    for key, rule in RULES:
        yield from of_rule(rule(), key, known, records)


CONFIGURED: Final[tuple[tuple[Configured, str], ...]] = (
    (Developer(), "dev"),
    (JmhDefault(), "default"),
)


def pairs(
    detector: Configured, key: str, known: Sequence[Benchmark], records: Mapping[str, Any]
) -> Count:
    count = Count(detector.slug, "last warm-up and last measurement iteration of a fork")
    for each in known:
        s = records[each.name]["settings"]
        context = Context(
            settings={
                "warmup_seconds": s["warmup_time_s"],
                "warmup_iterations": s["warmup_iterations"],
                "measurement_seconds": s["measurement_time_s"],
                "measurement_iterations": s["measurement_iterations"],
            }
        )
        for number, values in enumerate(each.forks):
            warmup, measurement = detector.windows(values, context)
            found = [warmup - 1, warmup + measurement - 1]
            count.add(f"{each.name}, fork {number}", found, records[each.name][key][number])
    return count


def of_georges(known: Sequence[Benchmark], records: Mapping[str, Any]) -> Iterator[Count]:
    detector, k = Georges(window="blocks"), 30
    single = Count("georges", "blocks, forks of one operation an iteration", TWO)
    means = Count("georges", "blocks, other forks (`adapted`)", MEANS)
    for each in known:
        for number, values in enumerate(each.forks):
            found = detector.answer(values)
            first = found.published_index
            never = found.steady_start == NEVER
            pair = [-1, -1] if never or first is None else [first, first + k]
            count = single if values.min() >= ONE_OPERATION else means
            count.add(f"{each.name}, fork {number}", pair, records[each.name]["georges"][number])
    yield from (single, means)


def of_rule(
    rule: StoppingRule, key: str, known: Sequence[Benchmark], records: Mapping[str, Any]
) -> Iterator[Count]:
    why = "two stop where the statistic is within 2 % of the limit" if key == "cov" else CHANCE
    single = Count(rule.slug, "last warm-up iteration, forks of one operation an iteration", why)
    means = Count(rule.slug, "the same of other forks (`adapted`)", MEANS)
    numbers = Count(rule.slug, "number of forks, one operation an iteration", CHANCE)
    adapted = Count(rule.slug, "number of forks of others (`adapted`)", MEANS)
    for each in known:
        theirs = records[each.name][key]
        for number, values in enumerate(each.forks[: len(theirs)]):
            count = single if values.min() >= ONE_OPERATION else means
            where = f"{each.name}, fork {number}"
            count.add(where, rule.answer(values).published_index, theirs[number][0])
        if len(each.forks) > 1:
            count = numbers if each.single else adapted
            count.add(each.name, enough_forks(rule, each.forks).forks, len(theirs))
    yield from (single, means, numbers, adapted)


# --- vectors --------------------------------------------------------------------------------------


def of_barrett(vectors: Mapping[str, Any]) -> Iterator[Count]:
    sizes: dict[str, Any] = {"window": 20, "least_steady": 20}
    percent = Barrett(**sizes, delta=5.0, delta_unit="percent", raw_deltas=True)
    segments = Count("barrett", "outliers, change points, means, variances of a vector")
    classes = Count("barrett", "class of a vector, 1 ms and 5 %")
    summaries = Count("barrett", "classes, iterations and times of benchmarks")
    intervals = Count("barrett", "bootstrap of benchmarks: median to 0.1 %, width to 10 %")
    known: dict[str, tuple[Values, Judged]] = {}
    for case in vectors["cases"]:
        values, name = door(case["series"]), case["name"]
        known[name] = values, (found := Barrett(**sizes).judge(values))
        cut = found.segments
        outside = np.setdiff1d(np.arange(values.size), cut.kept).tolist()
        ours = [outside, list(cut.ends[:-1]), list(cut.means), list(cut.variances)]
        theirs = [case[key] for key in ("outliers", "changepoints", "means", "variances")]
        segments.add(name, ours, theirs)
        judged = [found.fork_class, percent.judge(values).fork_class]
        both = [case["classification"], case["classification_delta_5pct_raw"]]
        classes.add(name, judged, [BARRETT.get(one, one) for one in both])
    for group in vectors["groups"]:
        found_summary = summarised([known[name] for name in group["members"]], draws=10_000)
        summaries.add(group["name"], _summary(found_summary), _published_summary(group))
        near = _is_near(found_summary, group["steady_state_time"], group["steady_state_time_ci"])
        intervals.add(group["name"], near, True)  # noqa: FBT003  # the published answer
    yield from (segments, classes, summaries, intervals)


def _summary(found: Summary) -> list[Any]:
    def spread(one: Spread | None) -> list[Any]:
        return [None, None] if one is None else [one.median, [one.low, one.high]]

    return [
        found.benchmark_class,
        dict(found.counts),
        list(found.iterations),
        list(found.times),
        list(found.means),
        *spread(found.iteration),
        *spread(found.time),
    ]


def _published_summary(group: Mapping[str, Any]) -> list[Any]:
    named = {BARRETT.get(name, name): n for name, n in group["detailed_classification"].items()}
    iterations, times = "steady_state_iteration", "steady_state_time_to_reach_secs"
    return [
        BARRETT.get(group["classification"], group["classification"]),
        {name: named.get(name, 0) for name in counts([])},
        group[f"{iterations}_list"],
        group[f"{times}_list"],
        group["steady_state_time_list"],
        *(group[iterations], group[f"{iterations}_iqr"]),
        *(group[times], group[f"{times}_iqr"]),
    ]


def _is_near(found: Summary, median: float | None, width: float | None) -> bool:
    if found.performance is None or median is None or width is None:
        return found.performance is None and median is None
    off = abs(found.performance.median - median) / median
    return off < 1e-3 and abs(found.performance.half_width - width) / width < 0.1


def of_pilot(vectors: Mapping[str, Any]) -> Iterator[Count]:
    points = Count("pilot", "changepoints and stable phase of a vector")
    figures = Count("pilot", "figures of a vector: widths, sizes, required values")
    for case in vectors["edm"]:
        z = pilot_cases.series(case)
        found = edm(z, case["min_size"], case["percent"], case["degree"]).tolist()
        stable = dominant(tuple(found), z.size)
        theirs = [case["changepoints"], case["dominant"]]
        points.add(str(case)[:60], [found, None if stable is None else list(stable)], theirs)
    ferrari, binomial = vectors["ferrari48"], vectors["binomial20"]
    widths = (
        ("response times", Pilot(), ferrari["values"], ferrari["ci_width_95_q4"]),
        (
            "proportion",
            Pilot(mean_method="proportion"),
            binomial["values"],
            binomial["ci_width_95"],
        ),
    )
    for name, detector, listed, width in widths:
        ours = detector.quality(np.array(listed, dtype=np.float64)).width
        figures.add(name, round(ours, 12), round(width, 12))
    yield from (points, figures)


def of_jumpavg(vectors: Mapping[str, Any]) -> Iterator[Count]:
    groups = Count("jumpavg", "groups and bits of a vector, to the last bit")
    for case in vectors["cases"]:
        found = jumpavg_cases.ours(np.array(case["values"], dtype=np.float64), **case["params"])
        theirs = (
            [group["start"] for group in case["groups"]],
            [group["avg"] for group in case["groups"]],
            case["bits"],
        )
        groups.add(str(case["values"])[:60], found, theirs)
    yield groups


def of_the_package(known: Sequence[Benchmark]) -> Iterator[Count]:
    """The package takes seconds for long series: prefixes, and medians of tens."""
    count = Count("jumpavg", "groups of its package: 100 values, and 100 medians of ten")
    for each in known:
        values = each.forks[0]
        for part in (values[:100], np.median(values[:1000].reshape(-1, 10), axis=1)):
            count.add(each.name, jumpavg_cases.ours(part), jumpavg_cases.theirs(part))
    yield count


def of_exact_bayes() -> Iterator[Count]:
    """Worked out by hand; no program is published."""
    count = Count("exact-bayes", "probabilities of worked series, to 5 digits")
    for y, s_0, expected in EXACT_BAYES:
        found, _weights = exact_bayes_cases.run(y, s_0)
        for place, probability in expected.items():
            near = math.isclose(found[place], probability, rel_tol=1e-5)
            count.add(f"s_0 {s_0}, iteration {place}", near, True)  # noqa: FBT003
    yield count


EXACT_BAYES: Final = (
    (
        exact_bayes_cases.FALLING,
        0.003,
        exact_bayes_cases.by_place(exact_bayes_cases.CURVE_OF_FALLING),
    ),
    (exact_bayes_cases.STEP, 0.1, exact_bayes_cases.by_place(exact_bayes_cases.CURVE_OF_STEP)),
)


OF_PUBLISHED: Final[
    Mapping[str, Callable[[Sequence[Benchmark], Mapping[str, Any]], Iterator[Count]]]
] = {
    "cp_published.json": of_cp_ssd,
    "config_published.json": of_practice,
}
OF_VECTORS: Final[Mapping[str, Callable[[Mapping[str, Any]], Iterator[Count]]]] = {
    "barrett.json": of_barrett,
    "pilot.json": of_pilot,
    "jumpavg.json": of_jumpavg,
}


if __name__ == "__main__":
    sys.exit(main())
