"""Every figure of the published comparison of stopping techniques, from their published stops.

A stop is a pair, [last warm-up iteration, last measurement iteration], both 0-based; the published
steady index is the last iteration that is not steady (0 also where all are), -1 for never. SOP is
the developers' configuration; CV, RCIW and KLD are the rules of Laaber et al.
"""

from __future__ import annotations

import csv
import json
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path
from typing import Any, Final

import numpy as np

from analysis.statistics.answers import Floats
from analysis.statistics.bootstrap import Bootstrap
from analysis.statistics.measurement_deviation import RatioInterval, steady_part
from analysis.statistics.quality import Outcome, better, deviations, quartiles, tally
from analysis.statistics.seconds import elapsed
from bench.facts import PAIRS, TECHNIQUES
from bench.published import inside, with_series
from detectors.folded import FOLDS
from detectors.training.dealing import dealt
from detectors.training.segments import window_starts
from formats import ReadOptions, replication
from formats.source import open_source

FOLDERS: Final = {
    "SOP": "devconfig",
    "CV": "dynconfig/Cov",
    "RCIW": "dynconfig/Ci",
    "KLD": "dynconfig/Divergence",
}
SUBSET_KEYS: Final = {"SOP": "dev", "CV": "cov", "RCIW": "rciw", "KLD": "kld"}
N: Final = 3000
"""Iterations of a published fork: segments of forks without measurements are counted with it."""

QUICK: Final = 300  # draws

Pair = tuple[int, int]


@dataclass(frozen=True, slots=True, eq=False)
class Stops:
    """One benchmark.

    name      `system#benchmark#params`, the name of its file
    pairs     by technique, a pair a fork; the developers' for all forks
    executed  forks of the developers' test; None if not known
    steady    published steady index, a number a fork
    forks     reads the measurements of all forks; nothing where they are not there
    """

    name: str
    pairs: Mapping[str, Sequence[Pair]]
    executed: int | None
    steady: Sequence[int]
    forks: Callable[[], Sequence[Floats]]

    def run(self, technique: str) -> Sequence[Pair]:
        """The pairs of the forks that a test would execute; none where that is not known."""
        if technique != "SOP":
            return self.pairs[technique]
        return () if self.executed is None else self.pairs[technique][: self.executed]


# --- both layouts ---------------------------------------------------------------------------------


def read(folder: Path) -> list[Stops]:
    """What the folder has, in order of names: a checkout in `data`, or a subset; else nothing."""
    if (folder / "config_published.json").is_file():
        return list(_subset(folder))
    configured = inside(folder, "data/devconfig")
    root = with_series(folder)
    series = root and replication.series_folder(root)
    return [] if configured is None else list(_package(configured.parent, series))


def _subset(folder: Path) -> Iterator[Stops]:
    known = json.loads((folder / "config_published.json").read_text("utf-8"))["benchmarks"]
    rows = csv.DictReader((folder / "index.csv").read_text("utf-8").splitlines())
    measured = np.load(folder / "forks.npz")
    for row in rows:
        name = "#".join(row[each] for each in ("system", "benchmark", "params"))
        one, key = known[name], f"b{int(row['row']):03d}"
        yield Stops(
            name,
            {each: _pairs(one[SUBSET_KEYS[each]]) for each in TECHNIQUES},
            int(one["settings"]["forks"]),
            one["cpssd"],
            partial(_stored, measured, key) if row["has_forks"] == "1" else list,
        )


def _package(data: Path, series: Path | None) -> Iterator[Stops]:
    executed = dict(_executed(data / "subjects.csv"))
    for path in sorted((data / "classification").glob("*.json")):
        files = {each: data / folder / path.name for each, folder in FOLDERS.items()}
        name = path.name.removesuffix(".json")
        yield Stops(
            name,
            {each: _pairs(_json(file)) if file.is_file() else () for each, file in files.items()},
            executed.get(name),
            [int(each) for each in _json(path)["steady_state_starts"]],
            partial(_forks, series / path.name) if series else list,
        )


def _json(path: Path) -> Any:
    return json.loads(path.read_text("utf-8"))


def _pairs(listed: Iterable[Sequence[int]]) -> tuple[Pair, ...]:
    return tuple((int(warmup), int(end)) for warmup, end in listed)


def _executed(path: Path) -> Iterator[tuple[str, int]]:
    """Forks of the developers' test by benchmark."""
    if path.is_file():
        for row in csv.DictReader(path.read_text("utf-8-sig").splitlines()):
            system = row["project"].replace("/", "__")
            yield f"{system}#{row['benchmark']}#{row['params'] or ''}", int(float(row["forks"]))


def _stored(arrays: Mapping[str, Floats], key: str) -> list[Floats]:
    return list(arrays[key])


def _forks(path: Path) -> list[Floats]:
    if not path.is_file():
        return []
    with path.open("rb") as stream:
        source = open_source(stream, path.name, ReadOptions(), None)
        return [fork.values for fork in replication.read(source)]


# --- one benchmark --------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Measured:
    """One technique on one benchmark with measurements.

    errors   signed warm-up estimation error in seconds, by fork that is steady
    outcome  whether the result differs, and the testing time; None where no interval is to be had
    """

    errors: Mapping[int, float]
    outcome: Outcome
    interval: RatioInterval | None


def measured(one: Stops, bootstrap: Bootstrap) -> dict[str, Measured]:
    """Every technique with forks to execute; nothing where a fork has no measurements."""
    forks = one.forks()
    if len(forks) < len(one.steady):
        return {}
    totals = [elapsed(fork) for fork in forks]
    steady = [fork[s + 1 :] for fork, s in zip(forks, one.steady, strict=True) if s >= 0]
    part = steady_part(steady, bootstrap)
    found = {}
    for technique in [each for each in TECHNIQUES if one.run(each)]:
        run = list(enumerate(one.run(technique)))
        pieces = [forks[fork][w + 1 : e + 1] for fork, (w, e) in run]
        interval = None if part is None else part.interval(pieces)
        seconds = sum(float(totals[fork][e + 1]) for fork, (_, e) in run)
        differs = None if interval is None else interval.differs
        errors = _seconds_off(one, technique, totals)
        found[technique] = Measured(errors, Outcome(differs, seconds), interval)
    return found


def _seconds_off(one: Stops, technique: str, totals: Sequence[Floats]) -> dict[int, float]:
    return {
        fork: float(totals[fork][w + 1] - totals[fork][one.steady[fork] + 1])
        for fork, (w, _) in enumerate(one.pairs[technique])
        if one.steady[fork] >= 0
    }


# --- all of them ----------------------------------------------------------------------------------


@dataclass(slots=True)
class Gathered:
    """What is known of the benchmarks so far, in their order."""

    measured: list[dict[str, Measured]] = field(default_factory=list)

    def of(self, technique: str) -> list[Measured]:
        return [each[technique] for each in self.measured if technique in each]


def figures(
    benchmarks: Sequence[Stops], *, quick: bool = False, only: str | None = None
) -> dict[str, float]:
    """All that can be computed, by name. `quick` draws less; `only`: one group of figures."""
    found = dict(_counted(benchmarks)) | dict(_over_under(benchmarks))
    if only in {"segments", "figure-4"}:
        return found
    bootstrap = Bootstrap(repeats=QUICK) if quick else Bootstrap(repeats=10_000)
    gathered = Gathered()
    for each in benchmarks:
        if values := measured(each, bootstrap):
            gathered.measured.append(values)
    return found | dict(_quality(gathered)) | dict(_compared(gathered))


Found = Iterator[tuple[str, float]]


def _counted(benchmarks: Sequence[Stops]) -> Found:
    """Segments and folds, which need no measurement."""
    yield "benchmarks", len(benchmarks)
    stable = unstable = 0
    for each in benchmarks:
        for steady in each.steady:
            if steady >= 0:
                starts = window_starts(N, steady + 1)
                unstable, stable = unstable + starts[0].size, stable + starts[1].size
    yield from (("segments.stable", stable), ("segments.unstable", unstable))
    yield "segments.training", (stable + unstable) * (1 - 1 / FOLDS)
    yield "steady", sum(steady >= 0 for each in benchmarks for steady in each.steady)
    if len(benchmarks) >= FOLDS:
        folds = list(dealt([each.name for each in benchmarks]).values())
        yield from ((f"fold.{fold}", folds.count(fold)) for fold in range(FOLDS))


def _over_under(benchmarks: Sequence[Stops]) -> Found:
    """In whole iterations, of the forks that are steady."""
    for technique in TECHNIQUES:
        off = np.array(
            [
                w - s
                for each in benchmarks
                for (w, _), s in zip(each.pairs[technique], each.steady, strict=False)
                if s >= 0
            ]
        )
        if off.size:
            yield f"{technique}.n", off.size
            for word, which in (("over", off > 0), ("under", off < 0), ("exact", off == 0)):
                yield f"{technique}.{word}", 100 * float(which.mean())


def _quality(gathered: Gathered) -> Found:
    for technique in TECHNIQUES:
        known = gathered.of(technique)
        if not known:
            continue
        deviation = deviations(each.interval for each in known)
        yield f"{technique}.differs", deviation.differs
        sizes = {
            "deviation": (deviation.sizes, 100.0),
            "seconds": (quartiles(each.outcome.seconds for each in known), 1.0),
            "error": (quartiles(abs(s) for each in known for s in each.errors.values()), 1.0),
        }
        for figure, (of, factor) in sizes.items():
            for name, value in (("q25", of.q25), ("q50", of.q50), ("q75", of.q75)):
                if value is not None:
                    yield f"{technique}.{figure}.{name}", factor * value


def _compared(gathered: Gathered) -> Found:
    # SciPy's statistics take seconds to load, and this is the only place that needs them.
    from analysis.statistics.paired_tests import vargha_delaney, wilcoxon  # noqa: PLC0415

    for model, baseline in PAIRS:
        both = [
            (one[model], one[baseline])
            for one in gathered.measured
            if {model, baseline} <= one.keys()
        ]
        sizes = np.array([pair for one in both for pair in _sizes(*one)]).reshape(-1, 2)
        better_by = sizes[:, 1] - sizes[:, 0]
        name = f"{model}/{baseline}"
        if not sizes.size:
            continue
        ranked, all_pairs = wilcoxon(better_by), vargha_delaney(sizes[:, 1], sizes[:, 0])
        yield f"{name}.n", better_by.size
        yield f"{name}.a12", float((better_by > 0).mean() + (better_by == 0).mean() / 2)
        figures = {"p": ranked.p, "r": ranked.rank_biserial, "a12_all": all_pairs}
        yield from ((f"{name}.{key}", value) for key, value in figures.items() if value is not None)
        verdicts = tally([better(one.outcome, other.outcome) for one, other in both])
        yield from (
            (f"{name}.qi", verdicts.quality_improvement),
            (f"{name}.ti", verdicts.time_improvement),
            (f"{name}.qr", verdicts.quality_regression),
            (f"{name}.tr", verdicts.time_regression),
        )


def _sizes(model: Measured, baseline: Measured) -> Iterator[tuple[float, float]]:
    """Sizes of both errors on the forks that both stopped on."""
    for fork in model.errors.keys() & baseline.errors.keys():
        yield abs(model.errors[fork]), abs(baseline.errors[fork])
