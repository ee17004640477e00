"""`pytest --plateau` and `python -m plateau_perf.pyperf`, each in a process of its own."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections.abc import Iterable
from pathlib import Path

import pytest

import plateau_perf as pp
from detectors.simulated.synthetic import simulate
from evidence.bench.processes import ROOT
from plateau_perf.pytest_plugin import measure_until_steady

STEP = simulate("step", n=600)
DRIFT = simulate("drift", n=400)
# A clock of its own makes the rounds: slow for the first 30, then quick.
BENCHMARKS = """
import itertools, pytest
rounds = itertools.count()
readings = itertools.count()

class Clock:
    now = 0.0

def read_clock():
    Clock.now += 1e-7
    return Clock.now

def work():
    index = next(rounds)
    Clock.now += (0.003 if index < 30 else 0.001) + 0.00001 * (index * 7 % 11)

@pytest.mark.benchmark(timer=read_clock, min_time=0.0005)
def test_work(benchmark):
    benchmark(work)
"""
# Its values are simulated: slow for the first 30 calls of a process, then quick.
SCRIPT = """
import itertools, pyperf
calls = itertools.count()

def simulated_seconds(loops):
    index = next(calls)
    never = {never!r}
    level = 1 + 0.01 * index if never else (3 if index < 30 else 1)
    return loops * (0.1 * level + 0.0005 * (index * 7 % 11))

runner = pyperf.Runner(values=3, processes=1)
runner.bench_time_func("work", simulated_seconds)
"""


def _run_module(command: list[str], folder: Path) -> subprocess.CompletedProcess[str]:
    # Workers of the tests around would switch benchmarks off.
    inherited = {name: text for name, text in os.environ.items() if not name.startswith("PYTEST_")}
    own = {"PYTHONPATH": f"{folder}{os.pathsep}{ROOT}", "PYTEST_DISABLE_PLUGIN_AUTOLOAD": "1"}
    return subprocess.run(
        [sys.executable, *command],
        cwd=folder,
        env=inherited | own,
        capture_output=True,
        text=True,
        check=False,
    )


def _rounds(seconds: Iterable[float], most_rounds: int) -> tuple[int, int | None, str]:
    remaining_seconds = iter(seconds)
    rounds = measure_until_steady(lambda: next(remaining_seconds), most_rounds, steady_count=5)
    return len(rounds.seconds), rounds.start, rounds.sentence


def test_rounds_end_when_they_are_steady() -> None:
    count, start, sentence = _rounds(STEP.values.tolist(), most_rounds=600)

    assert count < 600
    assert start is not None
    assert start == pp.detect(STEP.values[:count], "plateau-online").start
    assert sentence == (
        f"steady from round {start} of {count}; {start} warm-up rounds are left out"
    )


def test_rounds_without_a_steady_one_are_all_measured() -> None:
    count, start, sentence = _rounds(DRIFT.values.tolist(), most_rounds=400)

    assert (count, start) == (400, None)
    assert sentence.startswith("never steady in 400 rounds, and the statistics are of all of them")


def test_few_rounds_are_too_few_to_tell() -> None:
    assert _rounds([1.0] * 9, most_rounds=9) == (
        9,
        None,
        "9 rounds are too few, 10 are needed: raise --benchmark-max-time",
    )


def test_pytest_leaves_warm_up_rounds_out_of_its_statistics(tmp_path: Path) -> None:
    (tmp_path / "test_work.py").write_text(BENCHMARKS)
    plugins = ["-p", "pytest_benchmark.plugin", "-p", "plateau_perf.pytest_plugin"]

    process = _run_module(
        ["-m", "pytest", *plugins, "--plateau", "--benchmark-json=rounds.json", "-q"], tmp_path
    )

    assert process.returncode == 0, process.stdout
    (benchmark,) = json.loads((tmp_path / "rounds.json").read_text())["benchmarks"]
    plateau = benchmark["extra_info"]["plateau"]
    measured_seconds = benchmark["stats"]["data"]
    assert 25 <= plateau["steady_from"] <= 30  # calibration took the first ones
    assert len(measured_seconds) == plateau["rounds"] - plateau["steady_from"]
    assert max(measured_seconds) < 0.0015
    assert f"test_work: {plateau['sentence']}" in process.stdout


def test_pytest_without_the_option_is_as_it_was(tmp_path: Path) -> None:
    (tmp_path / "test_nothing.py").write_text("def test_nothing(): pass\n")
    plugin = ["-p", "plateau_perf.pytest_plugin", "-q"]

    assert "plateau" not in _run_module(["-m", "pytest", *plugin], tmp_path).stdout

    (tmp_path / "pytest_benchmark").mkdir()
    (tmp_path / "pytest_benchmark" / "__init__.py").touch()  # stands before an installed one
    refused_process = _run_module(["-m", "pytest", *plugin, "--plateau"], tmp_path)
    assert refused_process.returncode == pytest.ExitCode.USAGE_ERROR
    assert "`pip install plateau-perf[pytest]`" in refused_process.stderr


@pytest.mark.parametrize(
    ("script", "options", "status", "sentence"),
    [
        ("raise SystemExit(3)", [], 3, "bench.py: ended with status 3\n"),
        ("", ["--first-look", "5"], 2, "argument --first-look: must be 10 or more; got 5\n"),
    ],
)
def test_a_mistake_is_one_sentence(
    tmp_path: Path, script: str, options: list[str], status: int, sentence: str
) -> None:
    (tmp_path / "bench.py").write_text(script)

    process = _run_module(["-m", "plateau_perf.pyperf", *options, "bench.py"], tmp_path)

    assert process.returncode == status
    assert process.stderr.endswith(sentence)
    assert "Traceback" not in process.stderr


@pytest.mark.parametrize(("never", "status"), [(False, 0), (True, 1)])
def test_pyperf_runs_with_the_warm_up_of_its_first_look(
    tmp_path: Path, *, never: bool, status: int
) -> None:
    (tmp_path / "bench.py").write_text(SCRIPT.format(never=never))

    process = _run_module(["-m", "plateau_perf.pyperf", "bench.py", "-o", "results.json"], tmp_path)

    assert process.returncode == status, process.stderr
    assert (tmp_path / "results.json").exists() is not never
    if never:
        assert process.stderr.startswith("not run: work found no steady value in the first look")
    else:
        results = json.loads((tmp_path / "results.json").read_text())
        assert "--warmups=2" in process.stdout or "--warmups=30" in process.stdout
        (benchmark,) = results["benchmarks"]
        assert all(value < 0.15 for value in benchmark["runs"][-1]["values"])
