"""`make replicate`: the published comparison, recomputed and set beside the published figures."""

from __future__ import annotations

import json
import shutil
from pathlib import Path

import numpy as np
import pytest

from bench import facts
from bench.replicate import main, print_groups
from tests.replication import replication_folder

ROWS = 12


@pytest.fixture
def few_rows(tmp_path: Path) -> Path:
    """The first rows of the published subset, without totals."""
    source = replication_folder()
    records = json.loads((source / "expected.json").read_text())[:ROWS]
    (tmp_path / "expected.json").write_text(json.dumps(records))
    with np.load(source / "series.npz") as arrays:
        np.savez(tmp_path / "series.npz", fork0=arrays["fork0"][:ROWS])
    return tmp_path


def test_every_figure_of_the_published_subset_is_equal(capsys: pytest.CaptureFixture[str]) -> None:
    status = main([str(replication_folder()), "--quick"])

    printed = capsys.readouterr().out
    assert status == 0
    assert "DIFFERS" not in printed
    assert "396 of 396 equal" in printed
    compared = printed.splitlines()[-1].split()
    assert (compared[0], compared[3:]) == (compared[2], ["figures", "equal"])
    assert int(compared[0]) > 1000
    for group in facts.GROUPS:
        assert f"\n{group.title}\n{group.publication}\nThis folder holds a part" in printed


def test_a_figure_that_differs_is_named(few_rows: Path, capsys: pytest.CaptureFixture[str]) -> None:
    totals = {
        "steady_rows": 0,
        "clustered": 0,
        "scattered": 0,
        "yes_no": {"f_test": {"agreements": 99}},
    }
    (few_rows / "expected_totals.json").write_text(json.dumps(totals))

    status = main([str(few_rows)])

    printed = capsys.readouterr().out
    assert status == 1
    assert "DIFFERS  yes/no, f-test: agreements " in printed
    assert ", published 99\n" in printed


def test_without_totals_recipes_and_detectors_are_still_compared(
    few_rows: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    status = main([str(few_rows)])

    printed = capsys.readouterr().out
    assert status == 0
    assert f"{ROWS} of {ROWS} equal" in printed
    assert "nothing published" in printed


@pytest.mark.parametrize(
    "series",
    ["measurements/data/timeseries/all", "marks/analysis-v2/man_steady_comparison/data_st"],
)
def test_two_checkouts_side_by_side_are_read(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], series: str
) -> None:
    package = replication_folder() / "package"
    shutil.copytree(package / "data", tmp_path / "measurements" / "data")
    shutil.copytree(package / "analysis-v2", tmp_path / "marks" / "analysis-v2")
    (tmp_path / "measurements/data/timeseries").rename(tmp_path / "kept")
    (tmp_path / series).parent.mkdir(exist_ok=True)
    (tmp_path / "kept/all").rename(tmp_path / series)

    status = main([str(tmp_path)])

    printed = capsys.readouterr().out
    assert status == 0
    assert "396 series, 264 with marks, 396 with a yes/no label" in printed
    assert "136 clustered, 128 scattered; mean 494.864" in printed
    assert "kb-kssd@1" in printed
    assert printed.endswith(
        "No figure was compared: nothing is published for this selection of series.\n"
    )


def test_one_group_of_published_figures(few_rows: Path, capsys: pytest.CaptureFixture[str]) -> None:
    status = main([str(few_rows), "--only", "yes-no"])

    printed = capsys.readouterr().out
    assert status == 0
    assert "| KB-KSSD, agreements | 405 |" in printed
    assert "Table 5" not in printed


def test_on_all_series_a_figure_that_differs_without_a_reason_is_named(
    capsys: pytest.CaptureFixture[str],
) -> None:
    ours = {"five.sdm.manhattan": 98_958.0, "five.sdm.clustered": 50_438.0}

    unexplained = print_groups({"sums-202"}, ours, complete=True)

    printed = capsys.readouterr().out
    assert "| SDM, sum of absolute errors, all | 95,958 | 98,958 | misprint: " in printed
    assert "part of the series" not in printed
    assert unexplained == [
        "sums-202, SDM, sum of absolute errors, clustered: 50,438, published 50,437"
    ]


def test_another_folder_is_refused_with_what_was_looked_for(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    status = main([str(tmp_path)])

    complaint = capsys.readouterr().err
    assert status == 2
    assert complaint.startswith(f"{tmp_path}: found no series and no marks, expected a checkout")
    assert "PLATEAU_REPLICATION" in complaint
