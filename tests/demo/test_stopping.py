"""Forks that end when they are steady: from lines alone, and with a program that never ends."""

from __future__ import annotations

from pathlib import Path

import pytest

from demo import layout, record, runtimes, stopping
from demo.catalogue import RECORDINGS, STOPPED, RuntimeName, workload_named
from demo.runtimes import RecordedFork, RecordingError
from detectors.contract import Context, Decision, Detection, OnlineDetector, Values
from detectors.registry import get
from formats.reading import read_series_of_file
from tests.demo.test_recorder import FACTS, ONE_OF_EACH, program, program_folder

__all__ = ["program_folder"]  # a fixture
FLAT = ["1000 7\n"] * 4000
HEAD = ["vmName=V8\n", "jdkVersion=20\n", "\n"]


def fork_of_lines(
    lines: list[str], most: int = 3000, further_count: int = 50, method: str = "kb-kssd"
) -> RecordedFork:
    fork = stopping.fork_of_lines([*HEAD, *lines], "x", most, stopping.rule(method, further_count))
    assert fork is not None
    return fork


def test_a_steady_fork_ends_so_many_iterations_later() -> None:
    fork = fork_of_lines(FLAT)

    assert (fork.decided, fork.start, len(fork.nanoseconds)) == (105, 15, 155)
    assert fork.facts == {"vmName": "V8", "jdkVersion": "20", "check": "7"}


def test_the_cap_ends_a_fork_that_is_never_steady() -> None:
    fork = fork_of_lines([f"{1 + i * i} {i}\n" for i in range(400)], most=300, method="sdm")

    assert (fork.decided, fork.start, len(fork.nanoseconds)) == (None, None, 300)
    assert fork.check_after(3) == "2"


def test_the_cap_may_come_before_all_further_iterations() -> None:
    assert len(fork_of_lines(FLAT, most=120).nanoseconds) == 120


def test_what_is_measured_follows_the_decision() -> None:
    measured_set = layout.measured_set(fork_of_lines(FLAT, further_count=50), 50)

    assert (measured_set.first, len(measured_set.values), measured_set.at_cap) == (105, 50, False)


@pytest.mark.parametrize(
    ("further_count", "first", "n"), [(50, 250, 50), (300, 0, 300), (400, 0, 300)]
)
def test_at_the_cap_the_last_values_are_measured(further_count: int, first: int, n: int) -> None:
    fork = fork_of_lines([f"{1 + i * i} {i}\n" for i in range(400)], most=300, method="sdm")

    measured_set = layout.measured_set(fork, further_count)

    assert (measured_set.first, len(measured_set.values), measured_set.at_cap) == (first, n, True)


def test_a_fork_that_never_was_steady_is_measured_at_the_cap_on_the_card(
    program_folder: Path, tmp_path: Path
) -> None:
    rising_loop = "i=1; while :; do echo $((i * i)) 5; i=$((i + 1)); done"
    program(program_folder, "pypy3", rf"printf '{FACTS}\n'; {rising_loop}")

    assert run(tmp_path, "--stop", "sdm", "--iterations", "30") == 0

    assert "never, never | never, never | 0.0" in (tmp_path / "DATA-CARD.md").read_text()
    assert "at the cap |" in (tmp_path / "DATA-CARD.md").read_text()


def test_a_fork_that_ends_before_is_no_fork() -> None:
    assert stopping.fork_of_lines([*HEAD, "5 1\n"], "x", 3000, stopping.rule("sdm", 5)) is None


class Fickle(OnlineDetector[list[int]]):
    """Steady from 2 at 3 values, never at 6, from 7 at 9, from 8 at 12, from 14 at 15."""

    slug, version = "fickle", "1"

    def start(self, context: Context) -> list[int]:
        return []

    def update(self, state: list[int], batch: Values) -> Decision:
        state.append(1)
        decided_length = len(state) // 3 * 3
        start = {3: 2, 6: -1, 9: 7, 12: 8, 15: 14}.get(min(decided_length, 15))
        return Decision(decided_length, None if start is None else Detection(start))

    def finish(self, state: list[int]) -> Decision:
        return Decision(len(state), Detection(14))


@pytest.mark.parametrize(
    ("further_count", "decided_length", "start"), [(2, 3, 2), (4, 9, 8), (6, 15, 14)]
)
def test_what_is_taken_back_is_counted_anew(
    further_count: int, decided_length: int, start: int
) -> None:
    rule = stopping.ForkStopRule(Fickle(), further_count)

    fork = stopping.fork_of_lines([*HEAD, *FLAT], "x", 3000, rule)

    assert fork is not None
    assert (fork.decided, fork.start) == (decided_length, start)
    assert len(fork.nanoseconds) == decided_length + further_count


@pytest.mark.parametrize("line", ["0 5\n", "12\n", "nan 5\n", "Exception in thread\n"])
def test_a_line_that_is_no_iteration_is_refused(line: str) -> None:
    with pytest.raises(RecordingError, match=r"x: found .*, expected nanoseconds above 0 and a ch"):
        fork_of_lines([*FLAT[:3], line])


def run(folder: Path, *options: str) -> int:
    chosen_options = [
        "--only",
        "pypy-n-body",
        "--forks",
        "2",
        "--stop",
        "kb-kssd",
        "--further",
        "20",
    ]
    return record.main([*chosen_options, "--output", str(folder), *options])


def test_an_endless_benchmark_is_ended_and_the_card_says_so(
    program_folder: Path, tmp_path: Path
) -> None:
    program(program_folder, "pypy3", rf"printf '{FACTS}\n'; while :; do echo 1000 5; done")

    status = run(tmp_path)

    recording = layout.read_recording(tmp_path / "pypy-n-body.json.gz")
    card = (tmp_path / "DATA-CARD.md").read_text()
    assert status == 0
    assert recording["primaryMetric"]["rawData"] == [[1000] * 125] * 2
    assert recording["recording"]["stop"] == {
        "method": get("kb-kssd")().key,
        "further": 20,
        "decidedAfter": [105, 105],
        "steadyStart": [15, 15],
        "measured": [
            {"first": 105, "n": 20, "at_cap": False, "mean": 1000, "low": 1000, "high": 1000}
        ]
        * 2,
    }
    means = "0.001 (0.001 to 0.001), 0.001 (0.001 to 0.001)"
    assert f"| `pypy-n-body` | `kb-kssd@1` | 20 | 105, 105 | 15, 15 | {means} |" in card
    assert "Nothing is printed before the last iteration" not in card
    with (tmp_path / "pypy-n-body.json.gz").open("rb") as stream:
        assert [len(series.values) for series in read_series_of_file(stream, "x")] == [125, 125]


@pytest.mark.parametrize(
    ("script", "complaint"),
    [
        ("echo 'no such workload' >&2; exit 3", "ended with status 3 before it was stopped; said:"),
        (rf"printf '{FACTS}\n1 1\n'", "ended with status 0 before it was stopped; said: nothing"),
        (
            rf"printf '{FACTS}\n'; while :; do echo 1000 $$; done",
            "expected one and the same result",
        ),
    ],
)
def test_a_fork_that_fails_leaves_nothing(
    program_folder: Path,
    tmp_path: Path,
    capsys: pytest.CaptureFixture[str],
    script: str,
    complaint: str,
) -> None:
    program(program_folder, "pypy3", script)

    assert run(tmp_path) == 2
    assert complaint in capsys.readouterr().err
    assert {path.name for path in tmp_path.iterdir()} == {"bin"}


@pytest.mark.parametrize("runtime", ONE_OF_EACH)
def test_every_runtime_tells_its_iterations_as_they_end(
    runtime: RuntimeName, tmp_path: Path
) -> None:
    """Both ways of printing do the same work, and name the same facts."""
    if complaint := runtimes.missing_runtime(runtime):
        pytest.skip(complaint)
    workload = workload_named(ONE_OF_EACH[runtime])
    runtimes.prepare_runtime(runtime, tmp_path)

    live_fork = stopping.fork(workload, 20, tmp_path, stopping.rule("sdm", 5))
    silent_fork = runtimes.fork(workload, 20, tmp_path)

    assert len(live_fork.nanoseconds) == 20
    assert live_fork.facts == silent_fork.facts
    assert live_fork.check_after(20) == silent_fork.facts["check"]


@pytest.mark.parametrize(
    ("name", "complaint"),
    [
        ("fixed", "--stop fixed: it does not read online; these do: "),
        ("nothing", "--stop nothing: no detector 'nothing'; there are: "),
        ("kb-kssd@1?t_crit=-1", "--stop kb-kssd@1?t_crit=-1: "),
    ],
)
def test_a_method_that_cannot_read_along_is_refused(
    name: str, complaint: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert record.main(["--stop", name]) == 2
    assert complaint in capsys.readouterr().err


def test_stopped_recordings_never_replace_those_of_the_project(
    capsys: pytest.CaptureFixture[str],
) -> None:
    record.main(["--dry-run", "--stop", "sdm", "--only", "node-fourier"])

    output = capsys.readouterr().out
    assert output.startswith("node-fourier: 5 forks of 3000 iterations, ended 500 iterations after")
    assert str(STOPPED) in output
    assert RECORDINGS != STOPPED
