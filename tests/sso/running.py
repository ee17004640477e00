"""Runs cases that need settings from a process's start, in a process of their own."""

from __future__ import annotations

import ast
import os
import re
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path

from evidence.bench.processes import ROOT

CLIENT = {"PLATEAU_OIDC_CLIENT_ID": "plateau", "PLATEAU_OIDC_CLIENT_SECRET": "a secret"}
# Settings of the process that runs this very test.
OWN = ("DATABASE_URL", "PLATEAU_DATA", "PLATEAU_TEST_TEMPLATE", "PYTEST_")


def run_cases(cases: Sequence[Path], expression: str = "", **settings: str) -> None:
    """Run tests of the files with sign-in by a provider and second factor; all must pass.

    words: expression of pytest's `-k` that chooses some; empty for all.
    """
    clean = {name: value for name, value in os.environ.items() if not name.startswith(OWN)}
    on = {"PLATEAU_OIDC_NAME": "Example", "PLATEAU_SECOND_FACTOR": "optional", **CLIENT}
    direct = dict.fromkeys(("NO_PROXY", "no_proxy"), "localhost,127.0.0.1")
    command = [sys.executable, "-m", "pytest", "-q", "--no-migrations", "-n", "0", "--tb=short"]
    process = subprocess.run(
        [*command, "--show-capture=no", "-k", expression, *cases],
        cwd=ROOT,
        env={**clean, **on, **direct, **settings},
        capture_output=True,
        text=True,
        check=False,
    )

    assert process.returncode == 0, process.stdout + process.stderr
    case_count = sum(
        isinstance(node, ast.FunctionDef) and node.name.startswith("test_")
        for path in cases
        for node in ast.parse(path.read_text(encoding="utf-8")).body
    )
    passed_match = re.search(r"^(\d+) passed", process.stdout, re.MULTILINE)
    assert passed_match
    assert int(passed_match[1]) >= (10 if expression else case_count) >= 10
