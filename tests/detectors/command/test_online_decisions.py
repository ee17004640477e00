"""`python -m detectors watch`: every online method, value by value, against its answer at once."""

from __future__ import annotations

import io
import json
import signal
import subprocess
import sys
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

from detectors.__main__ import main
from detectors.command.online_decisions import OnlineWatch
from detectors.contract import (
    NEVER,
    Context,
    Decision,
    Detection,
    Detector,
    DetectorError,
    OnlineDetector,
    Values,
    as_series,
)
from detectors.registry import registry
from detectors.simulated.synthetic import simulate

ONLINE = {
    slug: made
    for slug, made in registry().items()
    if issubclass(made, OnlineDetector) and "model" not in made.needs
}
LONG_DELAY = 2  # the rules of Laaber et al. answer once there is an iteration after the warm-up
N = 700
KINDS = ("step", "drift")
Watcher = Callable[..., tuple[int, list[dict[str, Any]]]]


@pytest.fixture
def watch_values(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> Watcher:
    """What `watch` says of values, as (status, records)."""

    def watch(values: Values, slug: str, *options: str) -> tuple[int, list[dict[str, Any]]]:
        lines = "\n".join(map(repr, values.tolist())).encode()
        monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(lines)))
        status = main(["watch", "--method", slug, "--format", "jsonl", *options])
        return status, [json.loads(line) for line in capsys.readouterr().out.splitlines()]

    return watch


def whole_answer(
    detector: Detector, values: Values
) -> tuple[int, int | None, int | None, str] | None:
    """The answer to all values, as `said` has it; None for an error."""
    try:
        detection = detector.answer(values)
    except DetectorError:
        return None
    return (
        detection.steady_start,
        detection.published_index,
        detection.decided_at,
        " ".join(detection.flags),
    )


def record_answer(record: dict[str, Any]) -> tuple[int, int | None, int | None, str]:
    names = ("steady_start", "published_index", "decided_at", "flags")
    return tuple(record[name] for name in names)


def test_the_methods_that_are_published_online_are() -> None:
    assert set(ONLINE) >= {
        "kb-kssd",
        "sdm",
        "t-test",
        "f-test",
        "r-test",
        "exact-bayes",
        "laaber-cov",
        "laaber-rciw",
        "laaber-kld",
    }


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("slug", ONLINE)
def test_decisions_are_the_answers_to_the_values_so_far(
    slug: str, kind: str, watch_values: Watcher
) -> None:
    values, detector = simulate(kind, n=N, seed=3).values, ONLINE[slug]()

    status, records = watch_values(values, slug)

    assert (status, record_answer(records[-1])) == (0, whole_answer(detector, values))
    assert [record["n"] for record in records] == sorted({record["n"] for record in records})
    assert not any(
        record["final"] for record in records[:-1]
    )  # nothing is said after a final answer
    for record in records[:50]:
        assert record_answer(record) == whole_answer(detector, values[: record["n"]])
        assert record["decided_at"] is None or record["n"] - record["decided_at"] in {1, LONG_DELAY}


# What learned from people is never as sure of a simulated series as it asks to be.
LESS_SURE = {"plateau-online": ("--param", "confidence=0.5")}


@pytest.mark.parametrize("slug", ONLINE)
def test_stops_at_the_first_steady_decision_or_at_the_cap(slug: str, watch_values: Watcher) -> None:
    values = simulate("step", n=3000).values[:1230]  # as early as the slowest is sure
    options = LESS_SURE.get(slug, ())
    _, records = watch_values(values, slug, *options)
    steady_index = next(
        index for index, record in enumerate(records) if record["steady_start"] != NEVER
    )
    n = records[steady_index]["n"]

    assert watch_values(values, slug, *options, "--stop") == (0, records[: steady_index + 1])
    assert watch_values(values, slug, *options, "--stop", "--cap", str(n)) == (
        0,
        records[: steady_index + 1],
    )
    status, capped_records = watch_values(values, slug, *options, "--stop", "--cap", str(n - 1))
    assert status == 3
    assert all(record["steady_start"] == NEVER for record in capped_records)


def test_the_cap_gives_up_without_stop_too(watch_values: Watcher) -> None:
    values = simulate("step", n=300).values

    status, records = watch_values(values, "kb-kssd", "--cap", "120")

    assert (status, [record["n"] for record in records]) == (3, [105, 120])


@pytest.mark.parametrize("slug", ONLINE)
def test_no_value_at_all_is_too_short(
    slug: str, watch_values: Watcher, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert watch_values(np.empty(0), slug) == (1, [])


def test_values_that_a_method_cannot_read_end_it_with_a_sentence(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(b"1\n-1\n2\n")))

    assert main(["watch", "--method", "laaber-cov"]) == 1

    output = capsys.readouterr()
    assert output.out == ""
    assert output.err == (
        "values must be positive, because their spread is judged by their mean; value 1 is -1\n"
    )


def test_a_file_of_another_kind_is_one_line(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(b"1\n2\n\xff\xfe\x00\n")))

    assert main(["watch", "--method", "sdm"]) == 2
    assert capsys.readouterr().err == (
        "standard input, line 3: found '\ufffd\ufffd\\x00', expected a finite number\n"
    )


class Unsure(OnlineDetector[list[float]]):
    """Says a probability that is no number, and changes its mind at every third value."""

    slug, version = "unsure", "1"

    def start(self, context: Context) -> list[float]:
        return []

    def update(self, state: list[float], batch: Values) -> Decision:
        state.extend(batch.tolist())
        decided_length = len(state) // 3 * 3
        detection = (
            Detection(decided_length - 1 if decided_length % 2 else NEVER)
            if decided_length
            else None
        )
        return Decision(decided_length, detection, figures={"probability": float("nan")})

    def finish(self, state: list[float]) -> Decision:
        return Decision(len(state), Detection(NEVER), figures={"probability": float("nan")})


def test_says_what_is_new_and_nothing_twice() -> None:
    watch = OnlineWatch(Unsure(), Context())
    decisions = [watch.read(as_series([1.0])) for _ in range(6)]

    assert [decision and decision.n for decision in decisions] == [None, None, 3, None, None, 6]
    assert watch.end() is None
    assert (watch.start, watch.steady) == (NEVER, False)


def run(script: str) -> subprocess.CompletedProcess[str]:
    program = script.replace("WATCH", f"{sys.executable} -m detectors watch")
    return subprocess.run(
        ["bash", "-c", program], capture_output=True, text=True, check=False, timeout=60
    )


def test_a_shell_learns_that_it_is_steady_and_the_benchmark_ends() -> None:
    """`yes` never ends by itself; the pipe that closes ends it."""
    process = run("yes 5 | WATCH --method kb-kssd --stop; echo ${PIPESTATUS[@]}")

    assert process.stdout == "after 105: steady from 15 (step 14, probability 1)\n141 0\n"
    assert process.stderr == ""


def test_a_closed_pipe_is_no_decision() -> None:
    growing_loop = "for i in {1..400}; do echo $((i * i)); done"
    never_command = "WATCH --method kb-kssd --param t_crit=0.5 --stop"
    process = run(f"{growing_loop} | {never_command} | head -1; echo ${{PIPESTATUS[1]}}")

    assert process.stdout.splitlines()[1:] == ["1"]
    assert process.stderr == ""


def test_ctrl_c_ends_it_without_a_trace() -> None:
    command = [sys.executable, "-m", "detectors", "watch", "--method", "kb-kssd"]
    pipes = {"stdin": subprocess.PIPE, "stdout": subprocess.PIPE, "stderr": subprocess.PIPE}

    with subprocess.Popen(command, text=True, bufsize=1, **pipes) as process:  # type: ignore[call-overload]
        process.stdin.write("5\n" * 110)
        process.stdin.flush()
        first_line = process.stdout.readline()
        process.send_signal(signal.SIGINT)
        output, complaint = process.communicate(timeout=60)

    assert first_line.startswith("after 105: steady from 15")
    assert (process.returncode, output, complaint) == (130, "", "")
