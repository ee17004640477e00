"""Every check and every test, one after the other, with plain totals: what `make test` runs.

All of it runs, also after something has failed. Ends with status 0 only if
every check passed, every test passed, and there were tests.
"""

from __future__ import annotations

import argparse
import os
import subprocess
import sys
import tempfile
import time
import xml.etree.ElementTree as ET  # reads what pytest has just written
from dataclasses import dataclass
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
BIN = Path(sys.executable).parent
PYTHON = sys.executable
SCRIPTS = sorted(str(path) for path in (ROOT / "tests" / "js").rglob("*.test.js"))
CHECKS: dict[str, list[str]] = {
    "ruff": [str(BIN / "ruff"), "check", "."],
    "format": [str(BIN / "ruff"), "format", "--check", "."],
    "mypy": [str(BIN / "mypy"), "."],
    "rooms": [str(BIN / "lint-imports")],
    "migrations": [PYTHON, "manage.py", "makemigrations", "--check", "--dry-run"],
    "documentation": [PYTHON, "-m", "detectors.reference", "--check"],
    "pictures": [PYTHON, "-m", "docs.pictures", "--check"],
    "scripts": ["node", "--test", "--test-reporter=dot", *SCRIPTS],
}
# Methods whose kernels take minutes of plain Python: compiled and uncompiled, they are compared by
# the tests of their kernels on short series, which run both ways.
SLOW_UNCOMPILED = ("barrett", "bayes", "ensemble", "jumpavg", "laaber", "pilot", "ruptures", "ssd")
# In three parts: what needs nothing, the same kernels uncompiled, then what starts servers and
# browsers. Files keep their order, so that the longest of the last part, the audit, begins early.
# Random order would hide nothing here and cost repeatability.
TESTS: dict[str, list[str]] = {
    "tests": ["-n", "2", "--dist", "loadfile", "-m", "not browser and not stack"],
    "uncompiled": [
        *("-n", "2", "-m", "not browser and not stack"),
        *("-k", " and ".join(f"not {each}" for each in SLOW_UNCOMPILED) + " or kernels"),
        *("tests/detectors/kernels", "tests/contract"),
    ],
    "servers and browser": [
        *("-n", "2", "--dist", "loadfile", "--no-loadscope-reorder"),
        *("-m", "browser or stack"),
    ],
}
# Compiled once for all parts, while one core checks; or each of their processes would do it again.
KERNELS = ROOT / "data" / "numba-tests"
WARM = [PYTHON, "-c", "from detectors.warm import warm; warm()"]
SETTINGS: dict[str, dict[str, str]] = {"uncompiled": {"NUMBA_DISABLE_JIT": "1"}}


@dataclass(frozen=True, slots=True)
class Result:
    """How one part ended."""

    name: str
    passed: bool
    seconds: float
    counts: dict[str, int]

    def __str__(self) -> str:
        word = "ok" if self.passed else "FAILED"
        counts = ", ".join(f"{count} {what}" for what, count in self.counts.items() if count)
        return f"  {self.name:<22} {word:<7} {self.seconds:6.1f} s  {counts}"


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--checks-only", action="store_true", help="no Python tests")
    options = parser.parse_args()
    if options.checks_only:
        return tell([check(name, command) for name, command in CHECKS.items()], [], expected=False)
    began = time.monotonic()
    with subprocess.Popen(WARM, cwd=ROOT, env=environment()) as warming:
        results = [check(name, command) for name, command in CHECKS.items()]
    results.append(Result("kernels", warming.returncode == 0, time.monotonic() - began, {}))
    tests = [test(name, given) for name, given in TESTS.items()]
    return tell([*results, *tests], tests, expected=True, seconds=time.monotonic() - began)


def check(name: str, command: list[str]) -> Result:
    began = time.monotonic()
    print(f"\n== {name}", flush=True)
    status = subprocess.run(command, cwd=ROOT, env=environment(), check=False).returncode
    return Result(name, status == 0, time.monotonic() - began, {})


def test(name: str, given: list[str]) -> Result:
    began = time.monotonic()
    print(f"\n== {name}", flush=True)
    with tempfile.TemporaryDirectory() as folder:
        report = Path(folder) / "report.xml"
        command = [PYTHON, "-m", "pytest", "-q", "-rs", f"--junit-xml={report}", *given]
        env = environment() | SETTINGS.get(name, {})
        status = subprocess.run(command, cwd=ROOT, env=env, check=False).returncode
        counts = counted(report)
    return Result(name, status == 0, time.monotonic() - began, counts)


def environment() -> dict[str, str]:
    """The caller's settings, in development mode unless it says otherwise."""
    ours = {
        "PLATEAU_MODE": "development",
        "PLATEAU_DATA": str(ROOT / "data" / "tests"),
        "NUMBA_CACHE_DIR": str(KERNELS),
    }
    return ours | {name: value for name, value in os.environ.items() if name != "DATABASE_URL"}


def counted(report: Path) -> dict[str, int]:
    if not report.is_file():
        return {"passed": 0}
    suites = ET.parse(report).getroot().iter("testsuite")  # noqa: S314
    total = {"tests": 0, "failures": 0, "errors": 0, "skipped": 0}
    for suite in suites:
        for what in total:
            total[what] += int(suite.get(what, 0))
    failed = total["failures"] + total["errors"]
    passed = total["tests"] - failed - total["skipped"]
    return {"passed": passed, "failed": failed, "skipped": total["skipped"]}


def tell(
    results: list[Result], tests: list[Result], *, expected: bool, seconds: float = 0.0
) -> int:
    print("\nTotals")
    for result in results:
        print(result)
    sums = {
        what: sum(each.counts.get(what, 0) for each in tests)
        for what in ("passed", "failed", "skipped")
    }
    if expected:
        words = ", ".join(f"{count} {what}" for what, count in sums.items())
        print(f"  tests together: {words}; everything took {seconds:.0f} s")
    failures = [each.name for each in results if not each.passed]
    if failures:
        print(f"FAILED: {', '.join(failures)}")
        return 1
    if expected and not sums["passed"]:
        print("FAILED: no test ran")
        return 1
    print("All passed.")
    return 0


if __name__ == "__main__":
    sys.exit(main())
