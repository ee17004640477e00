"""The JMH profiler: compiled, and run on forks, with JMH's jar or with types of the same names.

`jmh_types.txt` declares what the profiler uses of JMH 1.37 (openjdk/jmh: jmh-core/src/main/java).
"""

from __future__ import annotations

import shutil
import subprocess
from collections.abc import Iterable
from pathlib import Path

import numpy as np
import pytest

from evidence.bench.processes import ROOT
from tests.every_case import EVERY_CASE
from tests.programs import PLATEAU, write_program

SOURCE = ROOT / "integrations/jmh/PlateauProfiler.java"
TYPES = Path(__file__).with_name("jmh_types.txt")

every_case = pytest.mark.skipif(not EVERY_CASE, reason="starts a JVM: make test-every")
pytestmark = [
    pytest.mark.slow,
    pytest.mark.skipif(not shutil.which("javac"), reason="no javac: apt install default-jdk"),
]


@pytest.fixture(scope="module")
def classes(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Folder of the compiled profiler, and of the command that it calls."""
    folder = tmp_path_factory.mktemp("jmh")
    for section in TYPES.read_text("utf-8").split("----\n"):
        name, text = section.split("\n", 1)
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_text(text, "utf-8")
    write_program(folder, "plateau", PLATEAU)
    command = [
        "javac",
        "-cp",
        str(folder),
        "-d",
        str(folder),
        str(SOURCE),
        str(folder / "Trial.java"),
    ]
    compile_process = subprocess.run(command, capture_output=True, text=True, check=False)
    assert compile_process.returncode == 0, compile_process.stderr
    return folder


def run_trial(folder: Path, scores: Iterable[float], command: str = "") -> list[str]:
    """What the profiler prints and returns for a fork of these scores, a line each."""
    program = ["java", "-Xshare:auto", "-XX:TieredStopAtLevel=1", "-cp", str(folder), "Trial"]
    arguments = [command or str(folder / "plateau"), *map(repr, map(float, scores))]
    return subprocess.run(
        [*program, *arguments], capture_output=True, text=True, check=False
    ).stdout.splitlines()


def test_a_fork_gets_its_steady_start_and_the_mean_from_there(classes: Path) -> None:
    noise = np.random.default_rng(1).normal(0, 0.01, 60)
    scores = np.where(np.arange(60) < 20, 3.0, 5.0) + noise

    start, score = run_trial(classes, scores)

    assert start == "plateau.start 20.0"
    assert float(score.removeprefix("plateau.score ")) == pytest.approx(scores[20:].mean())


@every_case
def test_a_fork_that_is_never_steady_has_no_result(classes: Path) -> None:
    drift = np.linspace(5, 9, 60) + np.random.default_rng(1).normal(0, 0.01, 60)

    assert run_trial(classes, drift) == ["Plateau: never steady"]


@every_case
def test_a_fork_that_is_too_short_says_so(classes: Path) -> None:
    assert run_trial(classes, [1.0, 2.0]) == ["Plateau: too short: needs at least 10 values; got 2"]


@every_case
def test_without_the_command_the_profiler_names_what_to_install(classes: Path) -> None:
    program = ["java", "-cp", str(classes), "Trial", "/nowhere/plateau", "1"]
    process = subprocess.run(program, capture_output=True, text=True, check=False)

    assert process.returncode == 1
    assert "pip install plateau-perf" in process.stderr
