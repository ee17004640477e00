"""`python -m detectors forks`: one row a benchmark, its class in words, and what changed."""

from __future__ import annotations

import csv
import io
import json
from pathlib import Path

import numpy as np
import pytest

from detectors.__main__ import main
from detectors.command.fork_groups import COLUMNS
from detectors.contract import Values

BARRETT = "barrett?window=20&least_steady=20"


def levels(*pieces: tuple[int, float]) -> Values:
    """Steps of level, with a wave of half a percent that no two segments share."""
    return np.concatenate([level + 0.005 * np.sin(np.arange(n) ** 2.0) for n, level in pieces])


WARM = levels((25, 1.5), (55, 1.0))
WARM_TOO = levels((30, 1.5), (50, 1.0))
FLAT = levels((80, 1.0))
LATE = levels((70, 1.2), (10, 1.0))
QUICKER = levels((25, 1.2), (55, 0.7))


@pytest.fixture
def saved(tmp_path: Path) -> str:
    """Two benchmarks in a long table: one always warms up, one has a fork that never does."""
    lines = ["benchmark,fork,iteration,value"]
    for name, forks in (("warm", (WARM, WARM_TOO)), ("mixed", (WARM, LATE, FLAT))):
        for fork, values in enumerate(forks):
            lines += [f"{name},{fork},{i},{value!r}" for i, value in enumerate(values.tolist())]
    path = tmp_path / "forks.csv"
    path.write_text("\n".join(lines) + "\n")
    return str(path)


def rows(text: str) -> list[dict[str, str]]:
    return list(csv.DictReader(io.StringIO(text)))


def test_a_row_for_each_benchmark_with_its_class(
    saved: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["forks", BARRETT, saved, "--format", "csv"]) == 0
    text = capsys.readouterr().out
    warm_row, mixed_row = rows(text)

    assert text.splitlines()[0] == ",".join(COLUMNS)
    assert (warm_row["benchmark"], warm_row["forks"], warm_row["class"]) == ("warm", "2", "warm-up")
    assert (warm_row["start_median"], warm_row["start_low"], warm_row["start_high"]) == (
        "27.5",
        "25.25",
        "29.75",
    )
    assert (warm_row["warm_up"], warm_row["no_steady_state"]) == ("2", "0")
    assert float(warm_row["performance"]) == pytest.approx(1.0, abs=0.01)
    assert (mixed_row["class"], mixed_row["steady"], mixed_row["never"]) == (
        "bad-inconsistent",
        "2",
        "1",
    )
    assert mixed_row["start_median"] == mixed_row["performance"] == ""
    assert warm_row["iteration_change"] == ""


def test_any_method_gives_the_class_of_its_starts(
    saved: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["forks", "fixed?iteration=50", saved]) == 0
    table = capsys.readouterr().out
    assert main(["forks", "fixed?iteration=50", saved, "--format", "jsonl"]) == 0
    first = json.loads(capsys.readouterr().out.splitlines()[0])

    assert "warm       2      steady  every fork becomes steady (2 of 2 steady)  50" in table
    assert (first["class"], first["steady"], first["start_median"]) == ("steady", 2, 50)
    assert first["flat"] is None


def test_forks_that_are_too_short_are_said_and_left_out(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    np.savez(tmp_path / "short.npz", bench=np.stack([FLAT, WARM]))

    assert main(["forks", "barrett", str(tmp_path / "short.npz"), "--format", "csv"]) == 1

    (row,) = rows(capsys.readouterr().out)
    assert (row["class"], row["steady"], row["no_answer"]) == ("", "0", "2")
    assert row["problem"].startswith("bench[0]: too short: needs at least 501 values; got 80")


def test_what_changed_stands_beside_the_benchmark_of_the_same_name(
    saved: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    new_path = tmp_path / "now.csv"
    stacked = np.stack([QUICKER, QUICKER], axis=1).tolist()
    lines = [f"warm,{fork},{i},{v[fork]!r}" for fork in (0, 1) for i, v in enumerate(stacked)]
    new_path.write_text("\n".join(["benchmark,fork,iteration,value", *lines]) + "\n")

    assert main(["forks", BARRETT, str(new_path), "--against", saved]) == 0
    table = capsys.readouterr().out
    assert main(["forks", BARRETT, str(new_path), "--against", saved, "--format", "csv"]) == 0
    (row,) = rows(capsys.readouterr().out)

    assert "iteration better, performance better, variation same; overall better" in table
    assert (row["iteration_change"], row["performance_change"]) == ("better", "better")


def test_a_stopping_rule_says_how_many_forks_are_enough(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    steady_forks = np.full((3, 700), 1.0) + 0.001 * np.sin(np.arange(700))
    np.savez(tmp_path / "steady.npz", bench=steady_forks)

    assert main(["forks", "laaber-cov", str(tmp_path / "steady.npz"), "--format", "csv"]) == 0

    (row,) = rows(capsys.readouterr().out)
    assert (row["class"], row["enough_forks"]) == ("steady", "2")


def test_runs_are_enough_where_their_means_are_alike(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    levels_of_forks = np.array([1, 1, 1, 1, 1, 2, 3, 1, 2, 3, 1.5, 2.5, 2, 1, 3])
    np.savez(tmp_path / "runs.npz", bench=np.repeat(levels_of_forks[:, None], 100, axis=1))
    command = ["forks", "fixed?iteration=0", str(tmp_path / "runs.npz")]

    assert main([*command, "--format", "csv"]) == 0
    (row,) = rows(capsys.readouterr().out)

    assert (row["enough_forks"], row["enough_runs"]) == ("", "15")


@pytest.mark.parametrize(
    ("arguments", "line"),
    [
        (["nobody", "x.npy"], "no detector 'nobody'"),
        (
            ["fixed", "x.npy", "--against", "y.npy"],
            "--against: it compares the intervals of barrett; got fixed",
        ),
        (["fixed", "nowhere.npy"], "nowhere.npy: No such file or directory"),
    ],
)
def test_a_mistake_is_one_line(
    arguments: list[str], line: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["forks", *arguments]) == 2

    assert line in capsys.readouterr().err


def test_welch_also_answers_for_the_mean_of_the_forks(
    saved: str, capsys: pytest.CaptureFixture[str]
) -> None:
    """A window of one, 2 %: the mean of 1.5 up to 25 and to 30 leaves the band at 30."""
    assert main(["forks", "welch?window=1&tolerance=0.02", saved, "--format", "csv"]) == 0
    warm_row, mixed_row = rows(capsys.readouterr().out)

    assert (warm_row["start_low"], warm_row["start_high"], warm_row["start_of_all"]) == (
        "26",
        "31",
        "31",
    )
    assert (mixed_row["never"], mixed_row["start_of_all"]) == ("1", "-1")
    assert main(["forks", "welch?window=1&tolerance=0.02", saved]) == 0
    head, *lines = capsys.readouterr().out.splitlines()
    places = [line[head.index("all forks") :].split()[0] for line in lines if "steady" in line]
    assert places == ["31", "never"]


def test_split_rhat_also_answers_for_all_forks_at_once(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """Forks of two levels agree nowhere, however steady each of them is."""
    noise = np.random.default_rng(1).standard_normal((2, 300))
    np.save(tmp_path / "alike.npy", noise + 9)
    np.save(tmp_path / "apart.npy", noise + np.array([[9.0], [19.0]]))

    for name, common_start in (("alike", "0"), ("apart", "-1")):
        file = str(tmp_path / f"{name}.npy")
        assert main(["forks", "split-rhat?most=1.05", file, "--format", "csv"]) == 0
        (row,) = rows(capsys.readouterr().out)
        assert (row["start_low"], row["start_of_all"]) == ("0", common_start)
