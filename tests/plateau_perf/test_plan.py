"""`plateau plan` and `pp.plan`: from files of forks to a command line."""

from __future__ import annotations

import csv
import io
import json
import sys
from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest

import plateau_perf as pp
from detectors.planning.harness_commands import HARNESSES
from plateau_perf import command

Run = Callable[..., int]
METHOD = ("--method", "fixed?iteration=30")


@pytest.fixture
def run(monkeypatch: pytest.MonkeyPatch) -> Run:
    def ran(*arguments: object) -> int:
        monkeypatch.setattr(sys, "argv", ["plateau", "plan", *map(str, arguments)])
        return command.main()

    return ran


def record_file(path: Path, *, unit: str = "s", forks: int = 6, noise: float = 0.02) -> Path:
    rng = np.random.default_rng(0)
    rows = ["benchmark,fork,unit,iteration,value"]
    for name in ("read", "write"):
        for fork in range(forks):
            values = 10 + 10 * noise * rng.normal(size=200)
            values[:30] += 5
            rows += [
                f"{name},{fork},{unit},{iteration},{value}"
                for iteration, value in enumerate(values)
            ]
    path.write_text("\n".join(rows) + "\n")
    return path


def test_every_benchmark_has_an_answer_and_a_command(
    run: Run, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = record_file(tmp_path / "forks.csv")

    assert run(path, *METHOD, "--target", 2) == 0
    plan_text, _ = capsys.readouterr().out.split("\n\n")

    name, answer_line, command, note, trials = plan_text.splitlines()
    assert name == "read (6 forks, steady by Fixed iteration)"
    assert answer_line.startswith("  Leave out 30 iterations, measure ")
    assert command.startswith("    java -jar benchmarks.jar 'read$' -bm ss -wi 30 -i ")
    assert note.startswith("  All 6 forks are steady by then")
    assert "of such plans for ±2 % were kept" in trials


def test_the_row_of_a_file_is_what_the_library_says(
    run: Run, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = record_file(tmp_path / "forks.csv")
    forks = [s.values for s in pp.read(path) if s.benchmark == "read"]
    recommendation = pp.plan(forks, target=0.02, method="fixed?iteration=30").recommended
    assert recommendation is not None

    run(path, *METHOD, "--target", 2, "--format", "csv")
    row = next(csv.DictReader(io.StringIO(capsys.readouterr().out)))
    run(path, *METHOD, "--target", 2, "--format", "jsonl")
    record = json.loads(capsys.readouterr().out.splitlines()[0])

    assert (record["iterations"], record["forks"]) == (
        recommendation.iterations,
        recommendation.forks,
    )
    assert float(row["half_width"]) == record["half_width"] == recommendation.half_width
    assert record["seconds"] == pytest.approx(recommendation.seconds)
    assert (row["lacking"], row["forks_never_steady"]) == ("", "0")


@pytest.mark.parametrize("harness", HARNESSES)
def test_every_harness_has_its_command(
    run: Run, tmp_path: Path, capsys: pytest.CaptureFixture[str], harness: str
) -> None:
    path = record_file(tmp_path / "forks.csv")

    run(path, *METHOD, "--target", 5, "--harness", harness, "--format", "jsonl")

    assert json.loads(capsys.readouterr().out.splitlines()[0])["command"]


@pytest.mark.parametrize(
    ("unit", "forks", "options", "status", "said"),
    [
        ("s", 2, (), 1, "takes 3 steady forks or more"),
        ("s", 6, ("--target", 0.001), 1, "out of reach"),
        ("s", 6, ("--most-seconds", 1), 1, "±1 % is out of reach in 1 s"),
        ("ns/op", 6, (), 1, "--iteration '100 ms' tells it"),
        ("ns/op", 6, ("--iteration", "100 ms", "--target", 2), 0, "-w 100ms"),
        ("ops/s", 6, ("--iteration", "1 s", "--target", 2), 0, "-r 1s"),
        ("s", 6, ("--target", 0), 2, "more than 0"),
        ("s", 6, ("--confidence", 100), 2, "0 to 100"),
        ("s", 6, ("--iteration", "soon"), 2, "expected a length"),
        ("s", 6, ("--fork-seconds", -1), 2, "0 or more"),
        ("s", 6, ("--method", "nobody"), 2, "nobody"),
    ],
)
def test_what_is_lacking_is_said_and_told_by_the_status(
    run: Run,
    tmp_path: Path,
    capsys: pytest.CaptureFixture[str],
    unit: str,
    forks: int,
    options: tuple[object, ...],
    status: int,
    said: str,
) -> None:
    path = record_file(tmp_path / "forks.csv", unit=unit, forks=forks)

    assert run(path, *(() if "--method" in options else METHOD), *options) == status

    output = capsys.readouterr()
    assert said in output.out + output.err


def test_a_file_that_cannot_be_read_is_named(
    run: Run, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "broken.json").write_text("[")
    record_file(tmp_path / "forks.csv")

    assert run(tmp_path, *METHOD, "--target", 5) == 2

    output = capsys.readouterr()
    assert "broken.json" in output.err
    assert "read (6 forks, " in output.out
