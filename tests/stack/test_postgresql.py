"""What PostgreSQL does in another way than SQLite: what it refuses, its rows, its own tools."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

from bench.processes import ROOT
from tests.formats import hostile
from tests.stack.conftest import SERIES
from tests.stack.installation import StackInstallation

FEW = "2 people, 2 series"


def test_nothing_hostile_is_a_fault(on_postgres: StackInstallation) -> None:
    """Files are pages and imports, tables sentences, NUL in requests 400; never a 500."""
    assert on_postgres.do("hostile_uploads") == {
        "files": len(hostile.MEASUREMENTS),
        "pages": {},
        "stored": 1,
        "faults": [],
        "nul": {},
        "tables": [],
    }


def test_a_backup_comes_back_whole_or_not_at_all(
    on_postgres: StackInstallation, tmp_path: Path
) -> None:
    found = on_postgres.do("back_up_and_restore", str(tmp_path))

    cut = tmp_path / "cut.backup"
    assert found["said"].startswith(f"{cut} was not restored, nothing is changed: ")
    assert "Traceback" not in found["said"]
    assert found["after the cut one"] == ["later", "stack"]
    assert found["after the whole one"] == ["stack"]
    before, after = found["series"]
    assert before == after >= SERIES


BACK_AND_GONE = ("test_restoring_brings_back_every_row", "test_purging_leaves_nothing_of_it")


def test_every_page_and_command_of_few_people(postgres: str) -> None:
    """Of the walk of `tests/test_few.py`, whose tests are else on SQLite, the fullest state.

    And that everything removed comes back, or goes: some of it is SQL of our own; and that notices
    are sent, tried again and told once.
    """
    tests = [
        f"tests/test_few.py::{walk}[{FEW}]" for walk in ("test_every_page", "test_every_command")
    ]
    tests += [f"tests/analysis/removal/test_removal.py::{each}" for each in BACK_AND_GONE]
    tests += ["tests/people/test_notices.py"]
    command = [sys.executable, "-m", "pytest", "-q", *tests]
    environment = os.environ | {"DATABASE_URL": postgres}
    done = subprocess.run(
        command, cwd=ROOT, env=environment, capture_output=True, text=True, check=False
    )

    assert "43 passed" in done.stdout, done.stdout[-4000:]
    assert done.returncode == 0
