"""`plateau trend`: the trends of files, as text, for a build server, and as a status."""

from __future__ import annotations

import csv
import io
import json
import os
import subprocess
import sys
import xml.etree.ElementTree as ET
from collections.abc import Callable, Sequence
from pathlib import Path

import pytest

from plateau_perf import command

SLOWER, LEVEL = [1.0] * 9 + [1.2] * 3, [1.0] * 12
Run = Callable[..., int]


@pytest.fixture
def run(monkeypatch: pytest.MonkeyPatch) -> Run:
    def ran(*arguments: object) -> int:
        monkeypatch.setattr(sys, "argv", ["plateau", *map(str, arguments)])
        return command.main()

    return ran


def write_nights(path: Path, unit: str = "s/op", **levels: Sequence[float]) -> Path:
    """A long CSV: every benchmark in every build, a warm-up of 10 values, then the level."""
    rows = ["recording,measured_at,benchmark,fork,unit,iteration,value"]
    for name, nightly_levels in levels.items():
        for night, level in enumerate(nightly_levels, start=1):
            night_time = f"2026-03-{night:02}T02:00Z"
            values = [5 * level] * 10 + [
                level * (1 + 1e-4 * (iteration % 3)) for iteration in range(20)
            ]
            rows += [
                f"b{night},{night_time},{name},0,{unit},{iteration},{v}"
                for iteration, v in enumerate(values)
            ]
    path.write_text("\n".join(rows) + "\n")
    return path


def test_a_long_csv_has_many_builds(
    run: Run, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = write_nights(tmp_path / "nights.csv", level=LEVEL, slower=SLOWER)

    assert run("trend", path) == 0
    head, columns, slower_line, level_line, sentence = capsys.readouterr().out.splitlines()

    assert head == "nights · 12 recordings by date · steady from: plateau"
    assert columns.split()[:2] == ["benchmark", "recordings"]
    assert " ".join(slower_line.split()) == "slower 12 1.2 s/op 3 +20.0% ordinary +20.0% regression"
    assert level_line.split()[0] == "level"
    assert sentence == "regression: slower, +20.0% since b10"


def test_a_folder_of_criterion_has_a_trend_for_each_benchmark(
    run: Run, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    for night in ("n1", "n2"):
        for name, time in (("fib", 1e9), ("sort", 5e9)):
            folder = tmp_path / night / name / "new"
            folder.mkdir(parents=True)
            sample = {"sampling_mode": "Flat", "iters": [1] * 20, "times": [time] * 20}
            (folder / "sample.json").write_text(json.dumps(sample))
            (folder / "benchmark.json").write_text(json.dumps({"group_id": "g", "full_id": name}))

    run("trend", tmp_path)
    lines = capsys.readouterr().out.splitlines()

    assert {"fib", "sort"} <= {line.split()[0] for line in lines if line}


def test_series_too_short_for_the_default_method_count_from_their_middle(
    run: Run, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = tmp_path / "short.csv"
    rows = [
        f"b{build},x,0,s/op,{iteration},{value}"
        for build in (1, 2)
        for iteration, value in enumerate("9915")
    ]
    path.write_text("recording,benchmark,fork,unit,iteration,value\n" + "\n".join(rows) + "\n")

    assert run("trend", path, "--format", "json") == 0

    (row,) = json.loads(capsys.readouterr().out)["rows"]
    assert row["trend"] == 3.0  # mean of the last two of four values


@pytest.mark.parametrize("unit", ["s/op", "ops/s"])
def test_csv_and_json_have_the_same_figures(
    run: Run, tmp_path: Path, capsys: pytest.CaptureFixture[str], unit: str
) -> None:
    path = write_nights(tmp_path / "nights.csv", unit, moved=SLOWER, single=[1.0])
    outputs = [
        (run("trend", path, "--format", format_name), capsys.readouterr().out)
        for format_name in ("json", "csv")
    ]

    assert [status for status, _ in outputs] == [0, 0]
    document = json.loads(outputs[0][1])
    rows = list(csv.DictReader(io.StringIO(outputs[1][1])))
    is_slower = unit == "s/op"
    facts = [document[name] for name in ("name", "start", "order", "recordings", "failing")]
    assert facts == ["nights", "plateau", "date", 12, int(is_slower)]
    plain = [{name: "" if c is None else c for name, c in row.items()} for row in document["rows"]]
    assert [{name: str(c) for name, c in row.items()} for row in plain] == rows
    moved, single = sorted(document["rows"], key=lambda row: row["benchmark"])
    assert (single["recordings"], single["state"], single["change"]) == (1, "single", None)
    assert (moved["state"], moved["kind"], moved["better"]) == (
        ("regression", "regression", "less")
        if is_slower
        else ("progression", "progression", "more")
    )
    assert (moved["last_group"], moved["last_group_since"]) == (3, "b10")
    assert moved["change"] == pytest.approx(0.2)


@pytest.mark.parametrize(
    ("unit", "levels", "status"),
    [
        ("s/op", SLOWER, 1),
        ("ops/s", SLOWER, 0),
        ("ops/s", [1.0] * 9 + [0.8] * 3, 1),
        ("s/op", LEVEL, 0),
        ("s/op", [1.0], 0),
        ("s/op", [1.0, 1.0, 1.2], 0),  # two results say too little of how they differ
        ("s/op", [1.0, 1.0, 1.0, 1.2], 1),
    ],
)
def test_a_new_regression_of_a_time_or_a_rate_ends_with_status_1(
    run: Run, tmp_path: Path, unit: str, levels: list[float], status: int
) -> None:
    path = write_nights(tmp_path / "nights.csv", unit, b=levels)

    assert run("trend", path, "--fail-on-regression") == status
    assert run("trend", path) == 0


def test_a_level_of_fewer_recordings_than_asked_fails_nothing(run: Run, tmp_path: Path) -> None:
    path = write_nights(tmp_path / "nights.csv", b=SLOWER)
    trend_words = ("trend", path, "--fail-on-regression", "--min-group")

    assert [run(*trend_words, group_size) for group_size in (1, 3, 4)] == [1, 1, 0]
    assert run(*trend_words, 0) == 2


def test_a_file_a_build_is_called_like_its_file(
    run: Run, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    for night, level in enumerate(SLOWER, start=1):
        result = {
            "benchmark": "org.B.run",
            "mode": "avgt",
            "primaryMetric": {"scoreUnit": "ms/op", "rawData": [[9 * level, level, level]]},
        }
        (tmp_path / f"b{night}.json").write_text(json.dumps([result]))

    assert run("trend", tmp_path, "--order", "build", "--start", "fixed:1") == 0
    printed_text = capsys.readouterr().out

    assert "12 recordings by build" in printed_text
    assert "regression: org.B.run, +20.0% since b10" in printed_text
    assert run("trend", tmp_path, "--start", "fixed:3") == 4
    output = capsys.readouterr()
    assert "no result" in output.out
    assert output.err.startswith("No result in b9 for 1 of 1 benchmarks: org.B.run. ")


@pytest.mark.parametrize("newest", [[0.0], [1.0, 0.0]])
def test_a_newest_build_without_a_result_is_no_success(
    run: Run, tmp_path: Path, capsys: pytest.CaptureFixture[str], newest: list[float]
) -> None:
    """Builds before it have results, and nothing of tonight was compared with them."""
    path = write_nights(tmp_path / "nights.csv", b=[*LEVEL, *newest], only_before=LEVEL)
    report, comment = tmp_path / "trend.xml", tmp_path / "trend.md"

    status = run("trend", path, "--junit", report, "--markdown", comment)

    sentence = f"No result in b{12 + len(newest)} for 1 of 1 benchmarks: b. "
    assert status == 4
    assert capsys.readouterr().err.startswith(sentence)
    (error,) = ET.parse(report).getroot().iter("error")  # noqa: S314  # written here
    assert str(error.get("message")).startswith(sentence)
    assert sentence in comment.read_text()


def test_some_benchmarks_without_a_result_are_named_and_end_well(
    run: Run, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = write_nights(tmp_path / "nights.csv", b=LEVEL, lost=[*LEVEL[1:], 0.0])

    assert run("trend", path, "--fail-on-regression") == 0
    assert "No result in b12 for 1 of 2 benchmarks: lost. " in capsys.readouterr().err


@pytest.mark.parametrize("closed", ["stdout", "stderr"])
def test_a_reader_who_leaves_early_changes_neither_files_nor_status(
    tmp_path: Path, closed: str
) -> None:
    """As `plateau trend ... | head` does, and `... 2>&1 | head`."""
    path, report = write_nights(tmp_path / "nights.csv", b=SLOWER, c=LEVEL), tmp_path / "trend.xml"
    reading, writing = os.pipe()
    os.close(reading)
    nowhere = subprocess.DEVNULL
    output, err = (writing, nowhere) if closed == "stdout" else (nowhere, writing)
    program = "import sys; from plateau_perf.command import main; sys.exit(main())"
    words = ("trend", str(path), "--fail-on-regression", "--junit", str(report))

    command = [sys.executable, "-c", program, *words]
    process = subprocess.run(command, check=False, stdout=output, stderr=err)
    os.close(writing)

    assert process.returncode == 1
    assert "<failure" in report.read_text()


def test_reports_for_a_build_server(run: Run, tmp_path: Path) -> None:
    path = write_nights(tmp_path / "nights.csv", level=LEVEL, slower=SLOWER)
    report, comment = tmp_path / "trend.xml", tmp_path / "trend.md"

    assert run("trend", path, "--junit", report, "--markdown", comment) == 0

    suites = ET.parse(report).getroot()  # noqa: S314  # written here
    (failure,) = suites.iter("failure")
    assert failure.get("message") == "+20.0% since b10"
    assert (suites.get("tests"), suites.get("failures")) == ("2", "1")
    heading = comment.read_text().partition("\n")[0]
    assert heading == (
        "**nights**: 1 new regression in 2 benchmarks over 12 recordings (steady from: plateau)"
    )


def test_the_start_may_be_a_method_s(run: Run, tmp_path: Path) -> None:
    path = write_nights(tmp_path / "nights.csv", b=SLOWER)

    assert run("trend", path, "--start", "fixed?iteration=10", "--fail-on-regression") == 1


@pytest.mark.parametrize(
    ("more", "said"),
    [
        (("--start", "fixed:x"), "--start: found 'fixed:x'"),
        (("--start", "nobody"), "nobody"),
        (("--precision", "x"), "--precision: found 'x'"),
        (("--junit", "/nowhere/at/all.xml"), "/nowhere/at/all.xml: "),
    ],
)
def test_a_mistake_is_said_in_one_line(
    run: Run, tmp_path: Path, capsys: pytest.CaptureFixture[str], more: tuple[str, str], said: str
) -> None:
    path = write_nights(tmp_path / "nights.csv", b=LEVEL)

    assert run("trend", path, *more) == 2
    assert said in capsys.readouterr().err


def test_what_cannot_be_read_is_no_success(
    run: Run, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    write_nights(tmp_path / "nights.csv", b=LEVEL)
    (tmp_path / "other.json").write_text("[{]")

    assert run("trend", tmp_path, "--fail-on-regression") == 2
    output = capsys.readouterr()

    assert "other.json" in output.err
    assert "no regression appeared" in output.out
