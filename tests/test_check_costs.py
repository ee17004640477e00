"""Costs of the checks: what mypy keeps for other checkouts, and CPU seconds of a part."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest

from scripts import typecheck
from scripts.test import PartResult, file_costs, is_installed, print_results, run_part

BUSY = "import time\nwhile time.process_time() < 0.3: pass"


def test_another_checkout_begins_with_what_mypy_kept(tmp_path: Path) -> None:
    first_folder, second_folder, kept_path = (
        tmp_path / "first",
        tmp_path / "second",
        tmp_path / "user" / "mypy.tar",
    )
    (first_folder / "3.11").mkdir(parents=True)
    (first_folder / "3.11" / "cache.0.db").write_bytes(b"old")
    typecheck.keep_cache(first_folder, kept_path)
    (first_folder / "3.11" / "cache.0.db").write_bytes(b"new")
    typecheck.keep_cache(first_folder, kept_path)

    typecheck.take_cache(kept_path, second_folder)

    assert (second_folder / "3.11" / "cache.0.db").read_bytes() == b"new"
    assert list(kept_path.parent.iterdir()) == [kept_path]


def test_a_part_tells_the_cpu_seconds_of_its_process_and_not_the_time_that_it_slept(
    capfdbinary: pytest.CaptureFixture[bytes],
) -> None:
    busy_result = run_part("busy", [sys.executable, "-S", "-c", f"print('said')\n{BUSY}"])
    idle_result = run_part(
        "idle", [sys.executable, "-S", "-c", "import sys, time; time.sleep(.3); sys.exit(3)"]
    )

    assert busy_result.passed
    assert not idle_result.passed
    assert busy_result.cpu_seconds >= 0.3
    assert idle_result.cpu_seconds < idle_result.seconds
    assert b"== busy\nsaid\n" in capfdbinary.readouterr().out


def test_a_check_that_npm_did_not_install_is_skipped_and_named(
    capsys: pytest.CaptureFixture[str],
) -> None:
    assert is_installed(["node", "--version"])
    assert not is_installed(["node", "node_modules/no-such-package/bin/check"])

    status = print_results([PartResult("no check", None, 0.0, 0.0, {})], [], expected=False)

    lines = capsys.readouterr().out.splitlines()
    assert status == 0
    assert "no check" in lines[-1]
    assert "All passed." not in lines


REPORT = """<testsuites><testsuite>
<testcase classname="tests.a" name="one">
<properties><property name="cpu_seconds" value="0.5"/></properties></testcase>
<testcase classname="tests.a" name="two">
<properties><property name="cpu_seconds" value="1.25"/></properties></testcase>
<testcase classname="tests.b" name="skipped"/>
</testsuite></testsuites>"""


def test_cpu_seconds_are_summed_by_file(tmp_path: Path) -> None:
    report = tmp_path / "report.xml"
    report.write_text(REPORT)

    assert file_costs(report) == {"tests.a": 1.75}
    assert file_costs(tmp_path / "none.xml") == {}


def test_every_test_notes_its_cpu_seconds(tmp_path: Path) -> None:
    report = tmp_path / "report.xml"
    tests = ["tests/test_check_costs.py", "-k", "cpu_seconds_of_its_process"]

    run_part("noted", [sys.executable, "-m", "pytest", "-q", f"--junit-xml={report}", *tests])

    assert file_costs(report)["tests.test_check_costs"] >= 0.3
