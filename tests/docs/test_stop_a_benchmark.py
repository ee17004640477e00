"""The guide's pipe, typed as it stands there."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from pathlib import Path

from evidence.bench.processes import ROOT

PAGE = ROOT / "docs" / "guide" / "stop-a-benchmark.md"


def run_script(script: str, folder: Path) -> subprocess.CompletedProcess[str]:
    path = f"{Path(sys.executable).parent}:{os.environ['PATH']}"
    places = {**os.environ, "PATH": path, "PYTHONPATH": str(ROOT)}
    return subprocess.run(
        ["bash", "-c", script],
        cwd=folder,
        env=places,
        capture_output=True,
        text=True,
        timeout=120,
        check=False,
    )


def test_the_pipe_ends_a_benchmark_that_never_ends(tmp_path: Path) -> None:
    loop = PAGE.read_text(encoding="utf-8").split("\n\n    ")[1].split("\n\n")[0]

    process = run_script(loop, tmp_path)

    *_, last_line = process.stdout.splitlines()
    match = re.fullmatch(r"after (\d+): steady from \d+ \(.*\)", last_line)
    assert (process.returncode, process.stderr) == (0, "")
    assert match is not None
    assert len((tmp_path / "values.txt").read_text().split()) >= int(match[1])
