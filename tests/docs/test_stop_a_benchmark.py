"""The guide's pipe, typed as it stands there."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from pathlib import Path

from evidence.bench.processes import ROOT

PAGE = ROOT / "docs" / "guide" / "stop-a-benchmark.md"
JMH = """\
# Fork: 1 of 1
Iteration   1: 0.213 ms/op
Iteration  17: 12.5 ms/op
"""


def typed(script: str, folder: Path, **more: str) -> subprocess.CompletedProcess[str]:
    path = f"{Path(sys.executable).parent}:{os.environ['PATH']}"
    places = {**os.environ, "PATH": path, "PYTHONPATH": str(ROOT), **more}
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

    done = typed(loop, tmp_path)

    *_, last = done.stdout.splitlines()
    found = re.fullmatch(r"after (\d+): steady from \d+ \(.*\)", last)
    assert (done.returncode, done.stderr) == (0, "")
    assert found is not None
    assert len((tmp_path / "values.txt").read_text().split()) >= int(found[1])


def test_the_filter_takes_the_numbers_out_of_what_jmh_prints(tmp_path: Path) -> None:
    found = re.search(r"sed -un '.*?'", PAGE.read_text(encoding="utf-8"))
    assert found is not None

    done = typed(f"printf '%s' \"$SAID\" | {found[0]}", tmp_path, SAID=JMH)

    assert done.stdout.split() == ["0.213", "12.5"]
