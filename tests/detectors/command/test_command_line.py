"""`python -m detectors`: what people script against."""

from __future__ import annotations

import csv
import io
import json
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest

from detectors.__main__ import main
from detectors.methods.kb_kssd import KbKssd
from detectors.registry import registry
from detectors.simulated.synthetic import KINDS, simulate

COLUMNS = (
    "file,series,n,method,version,params,steady_start,published_index,decided_at,flags,"
    "milliseconds,error,reason,mean,mean_low,mean_high"
)
STEP = simulate("step", n=600)


@pytest.fixture
def step_file(tmp_path: Path) -> str:
    path = tmp_path / "step.npy"
    np.save(path, STEP.values)
    return str(path)


def steady_start() -> int:
    """Of the step; asked when a test runs, since it takes the kernels."""
    return KbKssd().answer(STEP.values).steady_start


def rows(text: str) -> list[dict[str, str]]:
    return list(csv.DictReader(io.StringIO(text)))


def feed_input(monkeypatch: pytest.MonkeyPatch, data: bytes) -> None:
    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(data)))


def lines_of(values: object) -> bytes:
    return "\n".join(str(value) for value in values).encode()  # type: ignore[attr-defined]


def test_list_names_every_detector(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["list"]) == 0
    table = capsys.readouterr().out
    assert main(["list", "--format", "json"]) == 0
    document = json.loads(capsys.readouterr().out)

    assert [entry["slug"] for entry in document] == list(registry())
    assert all(slug in table for slug in registry())


def test_describe_shows_parameters_with_bounds(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["describe", "kb-kssd"]) == 0
    text = capsys.readouterr().out
    assert main(["describe", "kb-kssd", "--format", "json"]) == 0
    description = json.loads(capsys.readouterr().out)

    assert "prob_window        500      3 to 100000" in text
    assert description["code"] == "KB"
    assert description["key"].startswith("kb-kssd@1?outlier_window=100&pct_low=2&")
    assert description["parameters"][0] == {
        "name": "outlier_window",
        "kind": "integer",
        "default": 100,
        "low": 1,
        "high": 100000,
        "choices": [],
        "unit": "iterations",
        "help": "Target length of the sections in which outliers are looked for.",
    }


def test_csv_has_exactly_its_columns(step_file: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["detect", step_file, "--method", "fixed", "--format", "csv"]) == 0
    text = capsys.readouterr().out

    head, line = text.splitlines()
    assert head == COLUMNS
    assert line.startswith(f"{step_file},step,600,fixed,1,iteration=500,500,499,499,,")
    assert line.split(",")[11:13] == ["", ""]  # neither an error nor a reason


def test_results_of_a_package_are_refused_in_one_line(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    for name in ("changepoints", "classification"):
        (tmp_path / "data" / name).mkdir(parents=True)
        (tmp_path / "data" / name / "a__b#c#.json").write_text("[[1, 540, 2999]]")

    assert main(["detect", str(tmp_path)]) == 2

    output = capsys.readouterr().err
    assert "found change points and" in output
    assert output.count("\n") == 1


def test_param_binds_to_the_method_before_it(
    step_file: str, capsys: pytest.CaptureFixture[str]
) -> None:
    command = [
        "detect",
        step_file,
        "--format",
        "csv",
        "--method",
        "fixed",
        "--param",
        "iteration=3",
    ]
    command += ["--method", "kb-kssd", "--param", "prob_window=100", "--method", "fixed"]

    assert main(command) == 0

    printed_rows = rows(capsys.readouterr().out)
    assert [row["steady_start"] for row in printed_rows] == ["3", str(steady_start()), "500"]
    assert "prob_window=100&" in printed_rows[1]["params"]
    assert printed_rows[2]["params"] == "iteration=500"


def test_never_is_minus_one_and_no_answer_is_empty(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = tmp_path / "short.csv"
    path.write_text("a,b\n1,2\n1,2\n1,2\n")

    status = main(
        ["detect", str(path), "--method", "fixed", "--method", "kb-kssd", "--format", "csv"]
    )

    printed_rows = rows(capsys.readouterr().out)
    assert status == 1
    assert [(row["series"], row["method"]) for row in printed_rows] == [
        ("a", "fixed"),
        ("a", "kb-kssd"),
        ("b", "fixed"),
        ("b", "kb-kssd"),
    ]
    assert [row["steady_start"] for row in printed_rows] == ["-1", "", "-1", ""]
    assert printed_rows[1]["error"] == "too short: needs at least 101 values; got 3"
    assert printed_rows[1]["milliseconds"] == ""


def test_jsonl_has_the_columns_and_evidence_when_asked(
    step_file: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["detect", step_file, "--method", "kb-kssd", "--format", "jsonl"]) == 0
    plain_row = json.loads(capsys.readouterr().out)
    assert (
        main(["detect", step_file, "--method", "kb-kssd", "--format", "jsonl", "--evidence"]) == 0
    )
    explained_row = json.loads(capsys.readouterr().out)

    assert list(plain_row) == COLUMNS.split(",")
    assert list(explained_row) == [*COLUMNS.split(","), "evidence"]
    assert plain_row["decided_at"] is None
    assert explained_row["evidence"][0]["kind"] == "curve"


def test_all_is_every_method_that_needs_nothing_more(
    step_file: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["detect", step_file, "--all", "--format", "csv"]) in {0, 1}

    expected = [
        slug
        for slug, detector in registry().items()
        if not detector.needs and not detector.missing()
    ]
    assert [row["method"] for row in rows(capsys.readouterr().out)] == expected


def test_rows_of_arrays_have_their_names(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    np.savez(tmp_path / "many.npz", two=np.ones((2, 200)), one=np.ones(200))

    assert main(["detect", str(tmp_path), "--method", "fixed", "--format", "csv"]) == 0

    assert [row["series"] for row in rows(capsys.readouterr().out)] == ["two[0]", "two[1]", "one"]


def test_workers_give_the_same_rows_in_the_same_order(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path, command = tmp_path / "all.npz", ["--format", "csv", "--method", "kb-kssd"]
    assert main(["synth", "--n", "300", "--output", str(path)]) == 0
    capsys.readouterr()

    assert main(["detect", str(path), *command]) == 0
    single_rows = rows(capsys.readouterr().out)
    assert main(["detect", str(path), *command, "--workers", "2"]) == 0
    shared_rows = rows(capsys.readouterr().out)

    for row in single_rows + shared_rows:
        row.pop("milliseconds")
    assert [row["series"] for row in single_rows] == [f"{kind}-0" for kind in KINDS]
    assert single_rows == shared_rows


def test_standard_input_is_a_file_too(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    feed_input(monkeypatch, lines_of(STEP.values))

    assert main(["detect", "-", "--method", "kb-kssd", "--format", "csv"]) == 0

    (row,) = rows(capsys.readouterr().out)
    assert (row["file"], row["n"], row["steady_start"]) == ("-", "600", str(steady_start()))


def test_output_goes_to_a_file(
    step_file: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    output_path = tmp_path / "answers.csv"

    assert main(["detect", step_file, "--format", "csv", "--output", str(output_path)]) == 0

    assert capsys.readouterr().out == ""
    assert output_path.read_text().startswith(COLUMNS + "\n")


def test_what_cannot_be_read_is_said_and_the_rest_is_written(
    step_file: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    bad_path = tmp_path / "bad.txt"
    bad_path.write_text("1.5\nabc\n")

    status = main(
        ["detect", str(tmp_path / "none.csv"), str(bad_path), step_file, "--format", "csv"]
    )

    output = capsys.readouterr()
    assert status == 2
    assert len(rows(output.out)) == 1
    first, second = output.err.splitlines()
    assert first == f"{tmp_path / 'none.csv'}: No such file or directory"
    assert str(bad_path) in second
    assert "abc" in second


def test_a_series_that_is_none_leaves_the_others_of_its_file(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    values = np.ones((2, 200))
    values[0, 7] = np.nan
    path = tmp_path / "two.npy"
    np.save(path, values)

    assert main(["detect", str(path), "--method", "fixed", "--format", "csv"]) == 2

    output = capsys.readouterr()
    assert [row["series"] for row in rows(output.out)] == ["two[1]"]
    assert len(output.err.splitlines()) == 1
    assert "two.npy, two[0], iteration 7" in output.err


@pytest.mark.parametrize(
    ("command", "sentence"),
    [
        (["detect", "x.csv", "--method", "kbkssd"], "no detector 'kbkssd'; there are: "),
        (["detect", "x.csv", "--param", "k=3"], "--param k=3: there is no --method before it"),
        (
            ["detect", "x.csv", "--method", "fixed", "--param", "k"],
            "--param k: expected NAME=VALUE",
        ),
        (
            ["detect", "x.csv", "--method", "fixed", "--param", "iteration=-1"],
            "fixed: iteration must be from 0 to 100000000; got -1",
        ),
        (
            ["detect", "x.csv", "--method", "fixed", "--param", "k=1"],
            "fixed: there is no parameter 'k'; there are: iteration",
        ),
        (["detect", "x.csv", "--evidence"], "--evidence: it needs --format jsonl"),
        (["detect", "x.csv", "--workers", "0"], "argument --workers: must be 1 or more; got 0"),
        (["detect"], "the following arguments are required: FILE"),
        (["describe", "nothing"], "no detector 'nothing'; there are: "),
        (["watch", "--method", "fixed"], "--method fixed: it does not read online; these do: "),
        (["watch", "--method", "kb-kssd", "sdm"], "--method: expected one; got 2"),
        (["watch", "--jmh", "--unit", "s"], "--unit: found it beside a harness, expected one of"),
        (["watch", "--", "no-such-program"], "no-such-program: No such file or directory"),
        (["watch", "--method", "kb-kssd", "--measure", "3"], "--measure: found no --stop, expect"),
        (["watch", "--method", "kb-kssd", "--measured", "m"], "--measured: found no --measure"),
        (["check", "nothing"], "nothing: expected package.module:Class"),
        (["check", "no.such:Thing"], "no.such:Thing: No module named 'no'"),
        (["check", "json:JSONDecoder"], "expected a subclass of detectors.contract.Detector"),
        (["synth", "--output", "x.txt"], "--output x.txt: expected a name ending in .npz"),
        (["synth", "--n", "5", "--output", "x.npz"], "synth: n must be 100 or more; got 5"),
        (["dance"], "invalid choice: 'dance'"),
    ],
)
def test_a_mistake_is_one_line_and_status_2(
    command: list[str], sentence: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(command) == 2

    output = capsys.readouterr()
    assert output.out == ""
    assert len(output.err.splitlines()) == 1
    assert sentence in output.err


def test_watch_says_a_line_for_each_decision(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    feed_input(monkeypatch, lines_of(STEP.values[:140]))

    assert main(["watch", "--method", "kb-kssd"]) == 0

    lines = capsys.readouterr().out.splitlines()
    assert [line.partition(":")[0] for line in lines] == [
        "after 105",
        "after 120",
        "after 135",
        "after 140",
    ]


RISING = 1.0 + np.arange(130) ** 2  # no window of it is steady
MEASURE = ["watch", "--method", "kb-kssd", "--stop", "--measure", "30"]


def test_watch_hands_over_what_is_measured_after_the_stop(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    feed_input(monkeypatch, lines_of(STEP.values))

    assert main([*MEASURE, "--format", "jsonl", "--measured", str(tmp_path / "m.txt")]) == 0

    *_, decision_line, measured_line = capsys.readouterr().out.splitlines()
    measured_set, n = json.loads(measured_line)["measured"], json.loads(decision_line)["n"]
    values_after = STEP.values[n : n + 30]
    assert measured_set["values"] == values_after.tolist()
    assert [
        float(line) for line in (tmp_path / "m.txt").read_text().split()
    ] == values_after.tolist()
    assert (measured_set["first"], measured_set["n"], measured_set["at_cap"]) == (n, 30, False)
    assert measured_set["mean"] == pytest.approx(values_after.mean())
    assert measured_set["low"] < measured_set["mean"] < measured_set["high"]


def test_watch_measures_at_the_cap_too(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    feed_input(monkeypatch, lines_of(RISING))

    assert main([*MEASURE, "--param", "t_crit=1", "--cap", "120"]) == 3

    last_line = capsys.readouterr().out.splitlines()[-1]
    assert last_line.startswith(
        f"measured 10 values from 120 (the cap): mean {RISING[120:].mean():.6g}"
    )


@pytest.mark.parametrize(
    ("values", "line"),
    [
        (STEP.values[:105], "measured 0 values from 105"),
        (STEP.values[:106], f"measured 1 values from 105: mean {STEP.values[105]:.6g}"),
    ],
)
def test_watch_measures_what_there_is(
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
    values: np.ndarray,
    line: str,
) -> None:
    feed_input(monkeypatch, lines_of(values))

    assert main(MEASURE) == 0
    assert capsys.readouterr().out.splitlines()[-1] == line


def test_watch_reads_rates_as_durations(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    decisions = []
    for values, unit in ((STEP.values, "s"), (1 / STEP.values, "ops/s")):
        feed_input(monkeypatch, lines_of(values))
        assert main(["watch", "--method", "kb-kssd", "--unit", unit, "--stop"]) == 0
        decisions.append(capsys.readouterr().out)

    assert decisions[0] == decisions[1]


def test_watch_as_json_lines(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    feed_input(monkeypatch, lines_of(STEP.values[:105]))

    assert main(["watch", "--method", "kb-kssd", "--format", "jsonl"]) == 0

    record = json.loads(capsys.readouterr().out)
    assert record["n"] == 105
    assert {"steady_start", "published_index", "decided_at", "flags", "final"} <= set(record)


def test_watch_stops_at_the_first_steady_decision(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    feed_input(monkeypatch, lines_of(STEP.values))

    assert main(["watch", "--method", "kb-kssd", "--stop"]) == 0
    assert "steady from" in capsys.readouterr().out.splitlines()[-1]


@pytest.mark.parametrize(("options", "status"), [([], 0), (["--stop"], 1), (["--cap", "120"], 3)])
def test_watch_without_a_steady_decision(
    monkeypatch: pytest.MonkeyPatch, options: list[str], status: int
) -> None:
    feed_input(monkeypatch, lines_of(RISING))

    assert main(["watch", "--method", "kb-kssd", "--param", "t_crit=1", *options]) == status


def test_watch_too_short_is_an_error_not_a_crash(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    feed_input(monkeypatch, b"1\n2\n\n# a note\n3\n")

    assert main(["watch", "--method", "kb-kssd"]) == 1
    assert capsys.readouterr().err == "too short: needs at least 101 values; got 3\n"


@pytest.mark.parametrize(("data", "found_text"), [(b"1\nx\n", "'x'"), (b"1\nnan\n", "'nan'")])
def test_watch_names_the_line_that_is_no_number(
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
    data: bytes,
    found_text: str,
) -> None:
    feed_input(monkeypatch, data)

    assert main(["watch", "--method", "kb-kssd"]) == 2
    expected = f"standard input, line 2: found {found_text}, expected a finite number\n"
    assert capsys.readouterr().err == expected


def test_check_runs_the_contract_on_anyones_class(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["check", "detectors.methods.fixed:Fixed"]) == 0
    assert "keeps the contract" in capsys.readouterr().out

    assert main(["check", "tests.contract.test_detectors:BeyondTheEnd"]) == 1
    assert "steady_start is 600 for a series of 600 values" in capsys.readouterr().out


@pytest.mark.parametrize("ending", [".npz", ".npy", ".csv"])
def test_simulated_series_come_back_under_the_printed_names(
    tmp_path: Path, ending: str, capsys: pytest.CaptureFixture[str]
) -> None:
    path = str(tmp_path / f"made{ending}")

    assert main(["synth", "--kind", "step", "--n", "300", "--count", "2", "--output", path]) == 0
    truth = rows(capsys.readouterr().out)
    assert main(["detect", path, "--method", "fixed", "--format", "csv"]) == 0
    printed_rows = rows(capsys.readouterr().out)

    assert [row["series"] for row in printed_rows] == [row["series"] for row in truth]
    expected = [simulate("step", n=300, seed=seed).steady_start for seed in (0, 1)]
    assert [int(row["steady_start"]) for row in truth] == expected


def test_a_reader_who_has_seen_enough_is_no_error(step_file: str) -> None:
    program = f"{sys.executable} -m detectors list | head -c 5; echo ${{PIPESTATUS[0]}}"

    process = subprocess.run(["bash", "-c", program], capture_output=True, text=True, check=True)

    assert process.stdout == "metho0\n"
    assert process.stderr == ""
