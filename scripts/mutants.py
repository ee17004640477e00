"""Mutants of the code whose faults nobody sees, and whether its tests kill them: `make mutants`.

Cosmic Ray's operators change one place of one file in memory; a process of its own runs the narrow
tests of `mutant_subjects` on the changed file. A mutant that no test notices survives, and is
listed: a test is missing, or the change makes no difference.
"""

from __future__ import annotations

import argparse
import csv
import os
import resource
import sys
import tempfile
import time
from collections import Counter, defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import asdict, dataclass, fields
from pathlib import Path
from typing import Final

from scripts.mutant_changes import Mutant, mutant_sample, mutants_of
from scripts.mutant_processes import SURVIVED, TestsEnded, load_libraries, run_group
from scripts.mutant_subjects import ROOT, mutant_subjects

COUNT: Final = 500
RESULTS: Final = ROOT / "build" / "mutants.csv"


@dataclass(frozen=True, slots=True)
class MutantResult:
    """Result of the tests on one mutant: a row of the file of results."""

    area: str
    path: str
    line: int
    operator: str
    outcome: str
    cpu_seconds: float
    test: str  # the first that failed
    change: str


def result_of(mutant: Mutant, tests_ended: TestsEnded) -> MutantResult:
    return MutantResult(
        mutant.subject.area,
        mutant.subject.path,
        mutant.line,
        mutant.operator.removeprefix("core/"),
        tests_ended.outcome,
        tests_ended.cpu_seconds,
        tests_ended.test,
        mutant.change(),
    )


def mutant_results(mutants: Sequence[Mutant], folder: Path) -> Iterator[MutantResult]:
    """Results of `mutants`, those with the same tests one after the other."""
    groups = defaultdict(list)
    for mutant in mutants:
        groups[mutant.subject.tests, mutant.subject.area].append(mutant)
    for group in groups.values():
        for number, tests_ended in run_group(group, folder):
            yield result_of(group[number], tests_ended)


def survivors_in(path: Path) -> set[tuple[str, str, str]]:
    """Path, operator and change of what survived when `path` was written."""
    with path.open(newline="") as file:
        rows = [row for row in csv.DictReader(file) if row["outcome"] == SURVIVED]
    return {(row["path"], row["operator"], row["change"]) for row in rows}


def is_among(mutant: Mutant, survivors: set[tuple[str, str, str]]) -> bool:
    """True if `mutant` is among `survivors`, on whichever line it stands by now."""
    path, operator = mutant.subject.path, mutant.operator.removeprefix("core/")
    changed_line = f"-{mutant.text}\n"
    is_candidate = any(
        survivor[:2] == (path, operator) and survivor[2].startswith(changed_line)
        for survivor in survivors
    )  # to write a change takes a while
    return is_candidate and (path, operator, mutant.change()) in survivors


def print_result(result: MutantResult, number: int, count: int) -> None:
    position = f"{result.path}:{result.line}"
    print(f"{number:4} of {count}  {result.outcome:<8}  {position}  {result.operator}", flush=True)


def print_summary(results: Sequence[MutantResult], cpu_seconds: float) -> None:
    survivors = [result for result in results if result.outcome == SURVIVED]
    print("\nSurvivors")
    for result in survivors:
        print(f"{result.path}:{result.line}  {result.operator}\n{result.change}\n")
    total_by_area, survived_by_area = (
        Counter(mutant_result.area for mutant_result in counted_results)
        for counted_results in (results, survivors)
    )
    print("Killed")
    for area, count in total_by_area.items():
        print(f"  {area:<11} {count - survived_by_area[area]:4} of {count}")
    killed_count = len(results) - len(survivors)
    share = 100 * killed_count / max(len(results), 1)
    print(f"  {'all':<11} {killed_count:4} of {len(results)}: {share:.0f} %")
    print(f"{cpu_seconds:.0f} CPU seconds")


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--count", type=int, default=COUNT, help="how many mutants of the sample")
    parser.add_argument("--seed", type=int, default=1, help="which sample")
    parser.add_argument("--area", action="append", help="of these areas alone")
    parser.add_argument("--skip", type=int, default=0, help="how many of the sample to leave out")
    parser.add_argument("--only", metavar="PATH[:LINE]", help="of this file, or line of it, alone")
    parser.add_argument("--again", type=Path, metavar="CSV", help="survivors in this file alone")
    parser.add_argument("--results", type=Path, default=RESULTS, help="CSV file, a row a mutant")
    options = parser.parse_args()
    areas: dict[str, list[Mutant]] = {}
    path, _, line = (options.only or "").partition(":")
    earlier_survivors = survivors_in(options.again) if options.again else set()
    for subject in mutant_subjects():
        if (options.area and subject.area not in options.area) or path not in {"", subject.path}:
            continue
        mutants = (mutant for mutant in mutants_of(subject) if line in {"", str(mutant.line)})
        areas.setdefault(subject.area, []).extend(
            mutant for mutant in mutants if not options.again or is_among(mutant, earlier_survivors)
        )
    sampled_mutants = mutant_sample(areas, options.skip + options.count, options.seed)[
        options.skip :
    ]
    print(f"{len(sampled_mutants)} of {sum(map(len, areas.values()))} mutants, seed {options.seed}")
    load_libraries()
    results = []
    options.results.parent.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory() as folder, options.results.open("w", newline="") as file:
        os.environ.setdefault("PLATEAU_MODE", "development")
        os.environ["PLATEAU_DATA"] = f"{folder}/data"
        os.environ["PLATEAU_TEST_TEMPLATE"] = f"{folder}/migrated.sqlite3"
        rows = csv.DictWriter(file, [field.name for field in fields(MutantResult)])
        rows.writeheader()
        for result in mutant_results(sampled_mutants, Path(folder)):
            results.append(result)
            rows.writerow(asdict(result))
            file.flush()
            print_result(result, len(results), len(sampled_mutants))
    child_usage = resource.getrusage(resource.RUSAGE_CHILDREN)
    print_summary(results, child_usage.ru_utime + child_usage.ru_stime + time.process_time())
    print(f"Results: {options.results}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
