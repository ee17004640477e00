"""Writes published data of a subset in the layout of the two public packages, into a new folder.

    python -m tests.evidence.replication.public_layout SUBSET TARGET [ROWS]

Makes TARGET/old (as SEALABQualityGroup/steady-state: results in data) and TARGET/new (as
MartinBeseda/steady-state: series, marks, labels in analysis-v2), and links models,
which neither has. Both hold the first ROWS benchmarks. The folder is for a test or a comparison by
hand, and never part of the project: what is in it has no licence.
"""

from __future__ import annotations

import csv
import json
import sys
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any

from evidence.replication.published_files import (
    CLASSES,
    NO_STEADY_STATE,
    SETTINGS,
    STOPS,
    read_study,
)
from evidence.replication.published_study import PublishedBenchmark

MARKS = "analysis-v2/man_steady_comparison"
ANNOTATORS = ("a1", "a2", "a3", "a4", "a5")


def write_packages(source: Path, target: Path, rows: int | None = None) -> Path:
    """TARGET, with both packages."""
    benchmarks = read_study(source).benchmarks[:rows]
    for benchmark in benchmarks:
        forks = [fork.tolist() for fork in benchmark.forks]
        _write(target / f"new/{MARKS}/data_st/{benchmark.name}.json", forks)
        write_results(target / "old/data", benchmark)
    write_labels(target / "new/analysis-v2", benchmarks)
    write_subjects(target / "old/data/subjects.csv", benchmarks)
    if (source / "models").is_dir():
        (target / "models").symlink_to((source / "models").resolve())
    return target


def write_results(data: Path, benchmark: PublishedBenchmark) -> None:
    """What the package of 2023 computed from its series."""
    words = {letter: name for name, letter in CLASSES.items()}
    classification = {
        "run": words[benchmark.verdict],
        "forks": [NO_STEADY_STATE if start < 0 else "steady state" for start in benchmark.steady],
        "steady_state_starts": list(benchmark.steady),
    }
    _write(data / f"classification/{benchmark.name}.json", classification)
    _write(data / f"changepoints/{benchmark.name}.json", benchmark.changes)
    for technique, pairs in benchmark.stops.items():
        _write(data / f"{STOPS[technique]}/{benchmark.name}.json", pairs)


def write_labels(folder: Path, benchmarks: Iterable[PublishedBenchmark]) -> None:
    """Marks, labels and answers of KB-KSSD, in the lists of the package of 2025."""
    labels = {
        f"{benchmark.name}.json_0": benchmark.label
        for benchmark in benchmarks
        if benchmark.label is not None
    }
    _write(folder / "benchmark_database_binary.json", _entry_list(labels))
    for annotator in ANNOTATORS:
        marks = {
            f"{benchmark.name}.json_0_0": benchmark.marks[annotator]
            for benchmark in benchmarks
            if benchmark.marks
        }
        name = f"man_steady_comparison/benchmark_database_steady_indices_{annotator}.json"
        _write(folder / name, _entry_list(marks))
    answers = {
        f"{benchmark.name}.json_{fork}": {"cluster_idx": 0, "steadiness_idx_kbkssd": start}
        for benchmark in benchmarks
        for fork, start in enumerate(benchmark.answers["kb_kssd"])
    }
    _write(folder / "classes_detection/series_kbkssd.json", answers)


def write_subjects(path: Path, benchmarks: Iterable[PublishedBenchmark]) -> None:
    """The list of subjects, with the columns that are read."""
    with path.open("w", newline="", encoding="utf-8") as stream:
        rows = csv.writer(stream)
        columns = [column for _, column in SETTINGS.values()]
        rows.writerow(["project", "benchmark", "params", *columns, "forks"])
        for published_benchmark in benchmarks:
            system, benchmark, params = published_benchmark.name.split("#")
            settings = [published_benchmark.settings[name] for name in SETTINGS]
            project = system.replace("__", "/")
            rows.writerow([project, benchmark, params, *settings, published_benchmark.executed])


def _entry_list(values: Mapping[str, int]) -> dict[str, Any]:
    entries = [{"keyname": key, "value": n, "datatype": "int"} for key, n in values.items()]
    return {"main": entries}


def _write(path: Path, content: object) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(json.dumps(content), "utf-8")


if __name__ == "__main__":
    count = int(sys.argv[3]) if len(sys.argv) > 3 else None
    write_packages(Path(sys.argv[1]), Path(sys.argv[2]), count)
