"""The recorder: a real process of each runtime that is there, and what it refuses."""

from __future__ import annotations

import signal
import subprocess
import sys
from pathlib import Path

import pytest

from demo import layout, record, runtimes
from demo.catalogue import CATALOGUE, HERE, RuntimeName, workload_named
from demo.runtimes import RecordingError

ONE_OF_EACH = {"java": "java-matrix-product", "node": "node-fourier", "pypy": "pypy-n-body"}


@pytest.fixture
def program_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The only folder on the path; a test puts programs there that stand in for a runtime."""
    folder = tmp_path / "bin"
    folder.mkdir()
    monkeypatch.setenv("PATH", str(folder))
    return folder


def program(folder: Path, name: str, script: str) -> None:
    path = folder / name
    path.write_text(f"#!/bin/sh\n{script}\n")
    path.chmod(0o755)


def run(folder: Path, *options: str) -> int:
    return record.main(["--only", "pypy-n-body", "--output", str(folder), *options])


FACTS = r"vmName=PyPy\nvmVersion=7\njdkVersion=3\n"


@pytest.mark.parametrize("runtime", ONE_OF_EACH)
def test_records_a_workload_of_each_runtime(runtime: RuntimeName, tmp_path: Path) -> None:
    if complaint := runtimes.missing_runtime(runtime):
        pytest.skip(complaint)
    workload = workload_named(ONE_OF_EACH[runtime])
    options = ["--forks", "2", "--iterations", "20", "--output", str(tmp_path)]

    status = record.main(["--only", workload.name, *options])

    recording = layout.read_recording(tmp_path / workload.file)
    assert status == 0
    assert {path.name for path in tmp_path.iterdir()} == {workload.file, "DATA-CARD.md"}
    assert [len(fork) for fork in recording["primaryMetric"]["rawData"]] == [20, 20]
    assert min(min(fork) for fork in recording["primaryMetric"]["rawData"]) > 0
    assert recording["vmName"]
    assert f"| `{workload.name}` |" in (tmp_path / "DATA-CARD.md").read_text()


def test_an_absent_runtime_is_named_with_its_package(
    program_folder: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    status = record.main(["--output", str(tmp_path / "out")])

    assert status == 2
    assert capsys.readouterr().err.splitlines() == [
        (
            "java: no program java and javac on the path; expected from the Debian package "
            "openjdk-17-jdk-headless: apt install openjdk-17-jdk-headless"
        ),
        (
            "node: no program node on the path; expected from the Debian package nodejs: "
            "apt install nodejs"
        ),
        (
            "pypy: no program pypy3 on the path; expected from the Debian package pypy3: "
            "apt install pypy3"
        ),
    ]
    assert not (tmp_path / "out").exists()


def test_a_dry_run_shows_all_and_writes_nothing(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    record.main(["--dry-run", "--forks", "4", "--output", str(tmp_path / "out")])

    lines = capsys.readouterr().out.splitlines()
    assert len(lines) == len(CATALOGUE)
    assert lines[0] == (
        "java-word-count: 4 forks of 3000 iterations, words=3000 vocabulary=500 "
        f"-> {tmp_path / 'out' / 'java-word-count.json.gz'}"
    )
    assert not (tmp_path / "out").exists()


def test_values_arrive_as_the_process_printed_them(program_folder: Path, tmp_path: Path) -> None:
    program(program_folder, "pypy3", rf"printf '{FACTS}check=5\n\n1500\n1000\n990\n'")

    status = run(tmp_path, "--iterations", "3", "--forks", "2")

    recording = layout.read_recording(tmp_path / "pypy-n-body.json.gz")
    assert status == 0
    assert recording["primaryMetric"]["rawData"] == [[1500, 1000, 990], [1500, 1000, 990]]
    assert recording["primaryMetric"]["score"] == 1163.3
    assert recording["primaryMetric"]["scoreUnit"] == "ns/op"
    assert (recording["vmName"], recording["vmVersion"], recording["jdkVersion"]) == (
        "PyPy",
        "7",
        "3",
    )
    assert recording["recording"]["check"] == "5"
    assert recording["recording"]["runtime"] == "PyPy 7"
    assert recording["recording"]["label"] == f"PyPy 7, {recording['recording']['measuredAt'][:10]}"


@pytest.mark.parametrize(
    ("script", "complaint"),
    [
        ("echo 'no such workload' >&2; exit 3", "ended with status 3 and said: no such workload"),
        (rf"printf '{FACTS}check=5\n\n1500\n'", "found 1 times, expected 3"),
        (
            rf"printf '{FACTS}check=5\n\n1500\n0\n990\n'",
            "found '0' as a time, expected nanoseconds above 0",
        ),
        (
            rf"printf '{FACTS}check=5\n\n1500\nnan\n990\n'",
            "found 'nan' as a time, expected nanoseconds above 0",
        ),
        (rf"""printf "{FACTS}check=$$\n\n1\n2\n3\n" """, "expected one and the same result"),
    ],
)
def test_a_failed_recording_leaves_the_former_file(
    program_folder: Path,
    tmp_path: Path,
    capsys: pytest.CaptureFixture[str],
    script: str,
    complaint: str,
) -> None:
    former_file = tmp_path / "pypy-n-body.json.gz"
    former_file.write_bytes(b"the former recording")
    program(program_folder, "pypy3", script)

    status = run(tmp_path, "--iterations", "3", "--forks", "2")

    assert status == 2
    assert complaint in capsys.readouterr().err
    assert former_file.read_bytes() == b"the former recording"
    assert {path.name for path in tmp_path.iterdir()} == {former_file.name, "bin"}


def test_ctrl_c_keeps_what_is_recorded(program_folder: Path, tmp_path: Path) -> None:
    answer = rf"printf '{FACTS}check=5\n\n3\n2\n1\n'"
    program(
        program_folder, "pypy3", f'case "$*" in *n_body*) {answer};; *) exec /bin/sleep 60;; esac'
    )
    chosen_options = ["--only", "pypy-n-body", "--only", "pypy-router"]
    small_options = ["--forks", "1", "--iterations", "3", "--output", str(tmp_path)]

    with subprocess.Popen(
        [sys.executable, "-m", "demo.record", *chosen_options, *small_options],
        cwd=HERE.parent,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    ) as process:
        first_line = process.stdout.readline() if process.stdout else ""
        process.send_signal(signal.SIGINT)
        _, complaint = process.communicate(timeout=60)

    assert first_line.startswith("pypy-n-body: ")
    assert process.returncode == record.INTERRUPTED
    assert complaint.startswith("Stopped. Files written so far are complete")
    assert {path.name for path in tmp_path.iterdir()} == {
        "bin",
        "pypy-n-body.json.gz",
        "DATA-CARD.md",
    }


def test_a_file_that_cannot_be_replaced_leaves_no_piece_behind(tmp_path: Path) -> None:
    (tmp_path / "taken").mkdir()

    with pytest.raises(IsADirectoryError):
        layout.replace(tmp_path / "taken", b"content")

    assert [path.name for path in tmp_path.iterdir()] == ["taken"]


def test_the_same_entries_give_the_same_bytes(tmp_path: Path) -> None:
    layout.write_recording(tmp_path / "a.json.gz", [{"benchmark": "x"}])
    layout.write_recording(tmp_path / "b.json.gz", [{"benchmark": "x"}])

    assert (tmp_path / "a.json.gz").read_bytes() == (tmp_path / "b.json.gz").read_bytes()


@pytest.mark.parametrize(
    ("options", "complaint"),
    [
        (["--forks", "0"], "argument --forks: found '0', expected a whole number from 1 on"),
        (["--iterations", "1"], "argument --iterations: found '1', expected a whole number from 2"),
        (["--forks", "many"], "argument --forks: found 'many', expected a whole number from 1 on"),
    ],
)
def test_a_number_that_makes_no_recording_is_refused(
    capsys: pytest.CaptureFixture[str], options: list[str], complaint: str
) -> None:
    with pytest.raises(SystemExit) as error_info:
        record.main(options)

    assert error_info.value.code == 2
    assert complaint in capsys.readouterr().err


def test_a_folder_that_cannot_be_made_is_refused(
    program_folder: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    program(program_folder, "pypy3", rf"printf '{FACTS}check=5\n\n3\n2\n1\n'")
    (tmp_path / "file").touch()

    status = run(tmp_path / "file" / "out", "--iterations", "3", "--forks", "1")

    assert status == 2
    assert "Not a directory" in capsys.readouterr().err


def test_an_unknown_workload_is_refused(capsys: pytest.CaptureFixture[str]) -> None:
    assert record.main(["--only", "java-nothing"]) == 2
    assert capsys.readouterr().err.startswith("no workload 'java-nothing'; there are: ")


def test_parsing_needs_no_process() -> None:
    fork = runtimes.parse_recording("vmName=V8\ncheck=1\n\n12\n7\n", "x", 2)

    assert fork.nanoseconds == [12, 7]
    assert fork.facts == {"vmName": "V8", "check": "1"}
    with pytest.raises(RecordingError, match="x: found 2 times, expected 3"):
        runtimes.parse_recording("vmName=V8\n\n12\n7\n", "x", 3)
