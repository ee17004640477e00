"""`watch` on what harnesses print, and on a program that it runs."""

from __future__ import annotations

import io
import json
import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from detectors.__main__ import main
from detectors.command.printed_values import HARNESSES, values_and_unit
from detectors.simulated.synthetic import simulate
from evidence.bench.processes import ROOT

STEP = simulate("step", n=600).values.tolist()
JMH = """# JMH version: 1.37
# Fork: 1 of 2
# Warmup Iteration   1: 0.213 ms/op
[info] Iteration   2: ≈ 10⁻³ ms/op
Iteration   3: <failure>
Iteration   4: n = 120, mean = 0.2 ms/op, p{0.00, 0.50} = 0.1, 0.2 ms/op
Iteration   5: 0,215 ±(99.9%) 0.1 ms/op
Result "org.example.Sum.sum":
# Fork: 2 of 2
Iteration   1: 9.000 ms/op
"""
PYPERF = """Warmup 1: 1.20 sec (loops: 8, raw: 9.6 sec)
Value 1: 998 ms
Value 2: 14.2 us
"""
K6 = """{"type":"Metric","data":{"name":"http_req_duration","contains":"time"},"metric":"x"}
{"type":"Point","data":{"time":"2026-01-01T00:00:00Z","value":12.5},"metric":"http_req_duration"}
{"type":"Point","data":{"time":"2026-01-01T00:00:00Z","value":1},"metric":"http_reqs"}
{"type":"Point","data":{"value":null},"metric":"http_req_duration"}
"""
# As a Java program does, it goes on when nobody reads its output any more.
PRODUCER = """
import os, pathlib, sys, time
pathlib.Path(sys.argv[1]).write_text(str(os.getpid()))
for n, value in enumerate(sys.argv[2].split(), start=1):
    try:
        print(f"Iteration {n}: {value} ms/op", flush=True)
    except BrokenPipeError:
        pass
time.sleep(600)
"""


@pytest.mark.parametrize(
    ("harness", "text", "values", "unit"),
    [
        ("jmh", JMH, [0.213, 0.213, 0.213, 0.2, 0.215], "ms/op"),
        ("pyperf", PYPERF, [1.2, 0.998, 14.2e-6], "s"),
        ("k6", K6, [12.5, 12.5], "ms"),
        ("jmh", "no iteration\n", [], "s"),
    ],
)
def test_values_of_the_first_series_are_read_with_their_unit(
    harness: str, text: str, values: list[float], unit: str
) -> None:
    reports: list[str] = []
    lines = text.encode().splitlines(keepends=True)

    printed_values, printed_unit = values_and_unit(lines, HARNESSES[harness], reports.append)

    assert (list(printed_values), printed_unit) == (pytest.approx(values), unit)


def test_a_value_that_cannot_be_read_keeps_its_place(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    lines = [f"Iteration {n}: {value} ms/op" for n, value in enumerate(STEP, start=1)]
    lines[0] = "Iteration 1: ≈ 10⁻³ ms/op"
    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO("\n".join(lines).encode())))

    assert main(["watch", "--jmh", "--method", "kb-kssd", "--stop", "--format", "jsonl"]) == 0

    output = capsys.readouterr()
    assert json.loads(output.out.splitlines()[-1])["n"] % 15 == 0
    assert output.err == (
        "iteration 0: found '≈ 10⁻³ ms/op', expected a number; "
        "it counts with the first one that can be read\n"
    )


def test_the_program_ends_at_the_stop(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    pid_file = tmp_path / "pid"
    producer = [sys.executable, "-c", PRODUCER, str(pid_file), " ".join(map(str, STEP))]

    assert main(["watch", "--jmh", "--stop", "--method", "kb-kssd", "--", *producer]) == 0

    assert "steady from" in capsys.readouterr().out
    with pytest.raises(ProcessLookupError):
        os.kill(int(pid_file.read_text()), 0)


@pytest.mark.parametrize("options", [[], ["--stop", "--measure", "100"]])
def test_a_program_that_fails_is_no_success(
    options: list[str], capsys: pytest.CaptureFixture[str]
) -> None:
    program = "for n in range(300): print(f'Iteration {n}: 1.0 ms/op')\nraise SystemExit(7)"
    if options:
        program = program.replace("300", "60")

    assert main(["watch", "--jmh", *options, "--", sys.executable, "-c", program]) == 1

    assert capsys.readouterr().err.endswith(
        f"{sys.executable}: ended with status 7, so its values are not complete\n"
    )


def test_values_that_end_before_the_stop_are_status_1(monkeypatch: pytest.MonkeyPatch) -> None:
    data = "\n".join(map(str, STEP[:60])).encode()
    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(data)))

    assert main(["watch", "--stop"]) == 1


@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGHUP])
def test_the_program_ends_with_watch(tmp_path: Path, number: signal.Signals) -> None:
    pid_file = tmp_path / "pid"
    producer = [sys.executable, "-c", PRODUCER, str(pid_file), "1.0 1.0"]
    command = [sys.executable, "-m", "detectors", "watch", "--jmh", "--stop", "--", *producer]
    with subprocess.Popen(command, cwd=ROOT) as watch:
        while not pid_file.exists() or not pid_file.read_text():
            time.sleep(0.05)
        watch.send_signal(number)
        assert watch.wait(30) == 128 + number

    with pytest.raises(ProcessLookupError):
        os.kill(int(pid_file.read_text()), 0)


def test_the_default_reads_online(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    data = "\n".join(map(str, STEP)).encode()
    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(data)))

    assert main(["watch", "--stop"]) == 0
    default_output = capsys.readouterr().out
    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(data)))
    options = ["--method", "plateau-online", "--param", "soon=0.98"]
    assert main(["watch", "--stop", *options]) == 0
    assert capsys.readouterr().out == default_output
