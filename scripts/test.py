"""Every check and every test, on two cores, with plain totals: what `make test` runs.

All of it runs, also after something has failed. Ends with status 0 only if
every check passed, every test passed, and there were tests.
"""

from __future__ import annotations

import argparse
import json
import os
import subprocess
import sys
import tempfile
import threading
import time
import xml.etree.ElementTree as ET  # reads what pytest has just written
from collections import Counter, defaultdict
from collections.abc import Mapping
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field, replace
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
BIN = Path(sys.executable).parent
PYTHON = sys.executable
SCRIPTS = sorted(str(path) for path in (ROOT / "tests" / "js").rglob("*.test.js"))
# `node --test` starts a process for each file, which takes four times what the tests take.
IN_ONE_PROCESS = "\n".join(f"import {json.dumps(path)}" for path in SCRIPTS)
CHECKS: dict[str, list[str]] = {
    "ruff": [str(BIN / "ruff"), "check", "."],
    "format": [str(BIN / "ruff"), "format", "--check", "."],
    "mypy": [PYTHON, "scripts/typecheck.py", "."],
    "rooms": [str(BIN / "lint-imports")],
    "structure": [PYTHON, "scripts/structure.py"],
    "migrations": [PYTHON, "manage.py", "makemigrations", "--check", "--dry-run"],
    "documentation": [PYTHON, "-m", "detectors.reference", "--check"],
    "pictures": [PYTHON, "-m", "docs.pictures", "--check"],
    "reproduction": [PYTHON, "-m", "evidence.replication.reproduction_page", "--check"],
    "figures": [PYTHON, "-m", "docs.panel_figures", "--check"],
    "map": [PYTHON, "-m", "docs.where_is", "--check"],
    "script types": ["node", "node_modules/typescript/bin/tsc", "--project", "."],
    "scripts": ["node", "--test-reporter=dot", "--input-type=module", "--eval", IN_ONE_PROCESS],
}
# Methods whose kernels take minutes of plain Python: compiled and uncompiled, they are compared by
# the tests of their kernels on short series, which run both ways.
SLOW_UNCOMPILED = (
    *("barrett", "bayes", "ensemble", "jumpavg", "laaber", "pilot", "plateau", "rocket"),
    *("ruptures", "ssd"),
)
# Also what says nothing of a kernel, or compares compiled with uncompiled in the other part.
LEFT_OUT = (*SLOW_UNCOMPILED, "test_rates", "test_properties", "another_process")
# Thousands of draws, whose distribution says nothing of how a kernel was compiled.
DRAWN = ("distribution", "drawn_alike", "131075")
SERVERS = ("tests/stack", "tests/browser")
METHODS = (
    *("tests/detectors", "tests/contract", "tests/formats", "tests/evidence", "tests/plateau_perf"),
    *("tests/docs", "tests/demo", "tests/harnesses"),
)
# In five parts of one process each: several of one part load every test, and another one hands
# them out. What starts servers waits for them half of the time, as what starts browsers does: these
# two run beside each other, and what needs nothing takes what time they leave.
# Random order would hide nothing here and cost repeatability.
TESTS: dict[str, list[str]] = {
    "uncompiled": [
        *("-k", f"(not ({' or '.join(LEFT_OUT)}) or kernels) and not ({' or '.join(DRAWN)})"),
        *("tests/detectors/kernels", "tests/contract"),
    ],
    "methods": [*METHODS],
    "tests": [*(f"--ignore={folder}" for folder in (*SERVERS, *METHODS)), "tests"],
    "servers": ["tests/stack"],
    "browser": ["tests/browser"],
}
# Compiled once for all parts, while one core checks; or each of their processes would do it again.
# Its stamp keeps every installation that a test starts from looking at each kernel again.
# Beside all checkouts: the next clone with the same kernels compiles none.
CACHE = Path(os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache")
KERNELS = CACHE / "plateau" / "numba-tests"
WARM = [PYTHON, "-m", "detectors.compile_kernels"]
PRINTING = threading.Lock()
SLOWEST = 10  # tests that are named at the end
COSTLIEST = 20  # files of tests that are named at the end
UNCOMPILED = {"NUMBA_DISABLE_JIT": "1"}
# A browser that waits for its turn would be a slow one.
FIRST = dict.fromkeys(("tests", "uncompiled", "methods"), ("nice", "-n", "5"))


@dataclass(frozen=True, slots=True)
class PartResult:
    """Result of one part."""

    name: str
    passed: bool | None  # None: it did not run
    seconds: float
    cpu_seconds: float  # of its process and of all that it started and waited for
    counts: dict[str, int]
    tests: tuple[tuple[float, str], ...] = ()  # seconds and name of each
    file_costs: Mapping[str, float] = field(default_factory=dict)  # CPU seconds by file of tests

    def __str__(self) -> str:
        word = {True: "ok", False: "FAILED", None: "SKIPPED"}[self.passed]
        counts = ", ".join(f"{count} {outcome}" for outcome, count in self.counts.items() if count)
        times = f"{self.seconds:6.1f} s {self.cpu_seconds:6.1f} CPU s"
        return f"  {self.name:<22} {word:<7} {times}  {counts}"


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--checks-only", action="store_true", help="no Python tests")
    options = parser.parse_args()
    if options.checks_only:
        return print_results(checks(), [], expected=False)
    start_time = time.monotonic()
    # Servers start when the kernels are there: one could wait longer for a kernel than its test
    # does. What needs no server does not wait: a kernel that is being compiled has a lock.
    with ThreadPoolExecutor(2) as executor, tempfile.TemporaryDirectory() as folder:
        os.environ["PLATEAU_TEST_TEMPLATE"] = f"{folder}/migrated.sqlite3"
        kernels = executor.submit(run_part, "kernels", WARM)
        executor.submit(kernels.result)  # the other thread waits, too
        settings_by_part = {"uncompiled": UNCOMPILED}
        part_runs = [
            executor.submit(run_tests, name, settings_by_part.get(name))
            for name in ("servers", "browser", "uncompiled", "methods")
        ]
        results = checks()
        tests = [run_tests("tests"), *(part.result() for part in part_runs)]
        results += [kernels.result()]
    return print_results(
        [*results, *tests], tests, expected=True, seconds=time.monotonic() - start_time
    )


def checks() -> list[PartResult]:
    return [
        run_part(name, command) if is_installed(command) else PartResult(name, None, 0.0, 0.0, {})
        for name, command in CHECKS.items()
    ]


def is_installed(command: list[str]) -> bool:
    """Check that npm has installed what the command starts; `make setup` goes on without npm."""
    return all((ROOT / word).exists() for word in command if word.startswith("node_modules/"))


def run_part(
    name: str, command: list[str], settings: Mapping[str, str] | None = None
) -> PartResult:
    """Run one command; what it says is printed in one piece when it has ended."""
    start_time = time.monotonic()
    with tempfile.TemporaryFile() as output:
        process = subprocess.Popen(
            command,
            cwd=ROOT,
            env=environment(name) | dict(settings or {}),
            stdout=output,
            stderr=subprocess.STDOUT,
        )
        # `wait4` alone tells what this process used: other parts run at the same time.
        _, status, usage = os.wait4(process.pid, 0)
        process.returncode = os.waitstatus_to_exitcode(status)
        output.seek(0)
        with PRINTING:
            print(f"\n== {name}", flush=True)
            sys.stdout.buffer.write(output.read())
            sys.stdout.flush()
    cpu_seconds = usage.ru_utime + usage.ru_stime
    return PartResult(name, process.returncode == 0, time.monotonic() - start_time, cpu_seconds, {})


def run_tests(name: str, settings: Mapping[str, str] | None = None) -> PartResult:
    with tempfile.TemporaryDirectory() as folder:
        report = Path(folder) / "report.xml"
        pytest = [PYTHON, "-m", "pytest", "-q", "-rs", f"--junit-xml={report}", *TESTS[name]]
        result = run_part(name, [*FIRST.get(name, ()), *pytest], settings)
        costs = file_costs(report)
        return replace(
            result, counts=test_counts(report), tests=test_times(report), file_costs=costs
        )


def environment(name: str) -> dict[str, str]:
    """The caller's settings, in development mode unless it says otherwise; a data folder each."""
    own_settings = {
        "PLATEAU_MODE": "development",
        "PLATEAU_DATA": str(ROOT / "data" / "tests" / name.replace(" ", "-")),
        "NUMBA_CACHE_DIR": str(KERNELS),
        "OMP_NUM_THREADS": "1",  # both cores have work: threads that wait for one only spin
    }
    inherited_settings = {
        name: value for name, value in os.environ.items() if name != "DATABASE_URL"
    }
    # Compiled modules are kept, or each of a hundred processes would compile all of them again.
    return own_settings | inherited_settings | {"PYTHONDONTWRITEBYTECODE": ""}


def test_counts(report: Path) -> dict[str, int]:
    if not report.is_file():
        return {"passed": 0}
    suites = ET.parse(report).getroot().iter("testsuite")  # noqa: S314
    total = {"tests": 0, "failures": 0, "errors": 0, "skipped": 0}
    for suite in suites:
        for outcome in total:
            total[outcome] += int(suite.get(outcome, 0))
    failed_count = total["failures"] + total["errors"]
    passed_count = total["tests"] - failed_count - total["skipped"]
    return {"passed": passed_count, "failed": failed_count, "skipped": total["skipped"]}


def test_times(report: Path) -> tuple[tuple[float, str], ...]:
    """Seconds and name of each test, with its setup and teardown."""
    if not report.is_file():
        return ()
    cases = ET.parse(report).getroot().iter("testcase")  # noqa: S314
    return tuple(
        (float(case.get("time", 0)), f"{case.get('classname')}::{case.get('name')}")
        for case in cases
    )


def file_costs(report: Path) -> dict[str, float]:
    """CPU seconds by file, of its tests with their fixtures and the children that they ended."""
    costs: dict[str, float] = defaultdict(float)
    if report.is_file():
        for case in ET.parse(report).getroot().iter("testcase"):  # noqa: S314
            for cost_property in case.iterfind("properties/property[@name='cpu_seconds']"):
                costs[str(case.get("classname"))] += float(cost_property.get("value", 0))
    return costs


def print_costliest_files(results: list[PartResult]) -> None:
    costs = [
        (seconds, f"{name} ({result.name})")
        for result in results
        for name, seconds in result.file_costs.items()
    ]
    print(f"\nThe {COSTLIEST} costliest files of tests")
    for seconds, name in sorted(costs, reverse=True)[:COSTLIEST]:
        print(f"  {seconds:6.1f} CPU s  {name}")


def tell_slowest(results: list[PartResult]) -> None:
    slowest_tests = sorted(
        (timed_test for result in results for timed_test in result.tests), reverse=True
    )
    print(f"\nThe {SLOWEST} slowest tests")
    for seconds, name in slowest_tests[:SLOWEST]:
        print(f"  {seconds:6.1f} s  {name}")


def tell_second_tries(results: list[PartResult]) -> None:
    """A test that failed, and did not when it was tried again, is in the report of its part twice.

    Tests of pages alone are tried again: tests/browser/conftest.py.
    """
    for result in results:
        runs = Counter(name for _, name in result.tests)
        for name in (name for name, count in runs.items() if count > 1):
            print(f"SECOND TRY: {name}; why the first failed stands above, at RERUN")


def print_results(
    results: list[PartResult], tests: list[PartResult], *, expected: bool, seconds: float = 0.0
) -> int:
    if tests:
        tell_slowest(tests)
        print_costliest_files(tests)
    print("\nTotals")
    for result in results:
        print(result)
    sums = {
        outcome: sum(part_result.counts.get(outcome, 0) for part_result in tests)
        for outcome in ("passed", "failed", "skipped")
    }
    if expected:
        words = ", ".join(f"{count} {outcome}" for outcome, count in sums.items())
        cpu_seconds = sum(result.cpu_seconds for result in results)
        print(f"  tests together: {words}")
        print(f"  everything took {seconds:.0f} s and {cpu_seconds:.0f} CPU seconds")
    tell_second_tries(tests)
    failures = [part_result.name for part_result in results if part_result.passed is False]
    if failures:
        print(f"FAILED: {', '.join(failures)}")
        return 1
    if expected and not sums["passed"]:
        print("FAILED: no test ran")
        return 1
    skipped_parts = [part_result.name for part_result in results if part_result.passed is None]
    print(
        f"SKIPPED, not installed (npm ci): {', '.join(skipped_parts)}"
        if skipped_parts
        else "All passed."
    )
    return 0


if __name__ == "__main__":
    sys.exit(main())
