"""`make replicate`: the published comparison, recomputed and set beside the published figures."""

from __future__ import annotations

import json
import shutil
from pathlib import Path

import numpy as np
import pytest

from evidence.replication import published_figures
from evidence.replication.__main__ import Replication, main
from evidence.replication.comparison_tally import ComparisonTally
from evidence.replication.published_files import read_study
from evidence.replication.stopping_figures import StoppingFigures
from tests.evidence.replication import public_layout
from tests.published_data import replication_folder

pytestmark = pytest.mark.slow

ROWS = 30  # of which row 28 has ten forks


def subset(folder: Path, rows: int | None = None) -> Path:
    """The published subset without models, which take most of the time; or its first rows."""
    source = replication_folder()
    for path in source.iterdir():
        if path.name not in {"models", "expected.json", "expected_totals.json", "series.npz"}:
            (folder / path.name).symlink_to(path)
    records = json.loads((source / "expected.json").read_text())
    (folder / "expected.json").write_text(json.dumps(records[:rows]))
    with np.load(source / "series.npz") as arrays:
        np.savez(folder / "series.npz", fork0=arrays["fork0"][:rows])
    if rows is None:
        (folder / "expected_totals.json").symlink_to(source / "expected_totals.json")
    return folder


@pytest.fixture(scope="module")
def few_rows(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The first rows of the published subset, without totals."""
    return subset(tmp_path_factory.mktemp("few"), ROWS)


@pytest.fixture(scope="module")
def packages(few_rows: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The same rows in the layout of the two public packages, side by side."""
    return public_layout.write_packages(few_rows, tmp_path_factory.mktemp("packages"))


@pytest.fixture
def package_copy(packages: Path, tmp_path: Path) -> Path:
    """The packages again, for a test that changes them."""
    return shutil.copytree(packages, tmp_path / "own", symlinks=True)


def test_every_figure_of_the_published_subset_is_equal(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    status = main([str(subset(tmp_path)), "--quick"])

    output = capsys.readouterr().out
    assert status == 3  # published values of 586 series do not apply to 396 of them
    assert "DIFFERS" not in output
    assert "396 of 396 equal" in output
    assert output.endswith(
        "2,882 of 2,883 comparisons equal, 1 others explained, 0 differ; 4,291 not made; "
        "4 only put beside\n"
    )
    for group in published_figures.GROUPS:
        assert f"\n{group.title}\n{group.publication}\nNot compared: " in output
        assert f"not computed  {group.slug} (" in output


def test_a_figure_that_differs_is_named(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    folder = subset(tmp_path, ROWS)
    totals = {
        "steady_rows": 0,
        "clustered": 0,
        "scattered": 0,
        "yes_no": {"f_test": {"agreements": 99}},
    }
    (folder / "expected_totals.json").write_text(json.dumps(totals))

    status = main([str(folder), "--quick"])

    output = capsys.readouterr().out
    assert status == 1
    assert "DIFFERS  yes/no, f-test: agreements: " in output
    assert ", published 99\n" in output


# --- the public layout ----------------------------------------------------------------------------


def test_both_layouts_are_one_study(few_rows: Path, packages: Path) -> None:
    benchmarks, package_benchmarks = (
        read_study(few_rows).benchmarks,
        read_study(packages).benchmarks,
    )

    assert len(benchmarks) == len(package_benchmarks) == ROWS
    for benchmark, package_benchmark in zip(benchmarks, package_benchmarks, strict=True):
        for field in ("name", "marks", "label", "verdict", "stops", "settings", "executed"):
            assert getattr(benchmark, field) == getattr(package_benchmark, field)
        assert [*map(list, benchmark.changes)] == [*map(list, package_benchmark.changes)]
        assert list(benchmark.steady) == list(package_benchmark.steady)
        assert benchmark.answers["kb_kssd"] == package_benchmark.answers["kb_kssd"]
        np.testing.assert_array_equal(benchmark.forks, package_benchmark.forks)


def test_every_table_is_the_same_from_both_layouts(
    few_rows: Path, packages: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    statuses, tables = [], []
    for folder in (few_rows, packages):
        statuses.append(main([str(folder), "--quick"]))
        lines = capsys.readouterr().out.splitlines()
        table_start = next(i for i, line in enumerate(lines) if line.startswith("Errors, truth"))
        tables.append(lines[table_start:-1])

    assert statuses == [3, 3]
    assert tables[0] == tables[1]
    assert any(
        line.startswith("| cp-ssd | change points of a fork | 1 | 1 |") for line in tables[1]
    )
    assert any(line.startswith("| laaber-kld | ") for line in tables[1])


def test_a_file_of_measurements_is_read_once(package_copy: Path) -> None:
    study = read_study(package_copy)
    forks_before = [benchmark.forks for benchmark in study.benchmarks]
    shutil.rmtree(package_copy / "new/analysis-v2/man_steady_comparison/data_st")

    forks_after = [benchmark.forks for benchmark in study.benchmarks]

    assert all(
        forks is later_forks for forks, later_forks in zip(forks_before, forks_after, strict=True)
    )


# --- exit status ----------------------------------------------------------------------------------


def test_results_without_series_say_what_they_lack(
    packages: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    status = main([str(packages / "old"), "--quick"])

    output = capsys.readouterr().out
    assert status == 3
    assert "| figure | published | ours | verdict |" in output
    for line in (
        "not computed  sums-377 (13): no series (MartinBeseda/steady-state: ",
        f"not computed  figure-4 (16): the folder holds {ROWS} of 586 benchmarks\n",
        "not computed  cp-ssd (1): no series (",
    ):
        assert line in output
    assert "kb-kssd         not computed: no series" in output
    assert f"forks with published answers ({10 * ROWS}): no series of them\n" in output


def test_series_without_results_say_what_they_lack(
    packages: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    status = main([str(packages / "new"), "--quick"])

    output = capsys.readouterr().out
    assert status == 3
    assert "  left out: no answers of cp-ssd\n" in output
    assert "no answers of CP-SSD (SEALABQualityGroup/steady-state: data/classification)" in output
    assert "| kb-kssd | published index of a fork | 1 | 1 |" in output
    assert "DIFFERS" not in output


def test_marks_and_results_without_series(
    package_copy: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    shutil.rmtree(package_copy / "new/analysis-v2/man_steady_comparison/data_st")

    status = main([str(package_copy), "--quick"])

    output = capsys.readouterr().out
    assert status == 3
    assert f"{ROWS} benchmarks, " in output
    assert "kb-kssd         as published" in output
    assert "not computed  table-5 (40): no series (" in output


def test_another_folder_is_refused_with_what_was_looked_for(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    status = main([str(tmp_path)])

    complaint = capsys.readouterr().err
    assert status == 2
    assert complaint.startswith(
        f"{tmp_path}: found no published series, marks or answers, expected"
    )
    assert "PLATEAU_REPLICATION" in complaint


def test_a_broken_file_is_named(package_copy: Path, capsys: pytest.CaptureFixture[str]) -> None:
    broken_path = min((package_copy / "old/data/classification").iterdir())
    broken_path.write_text('{"run": "steady state"}')

    status = main([str(package_copy)])

    complaint = capsys.readouterr().err
    assert status == 2
    assert complaint.startswith(f"{broken_path}, contents: found KeyError: 'forks'")


@pytest.mark.parametrize(
    "series",
    ["measurements/data/timeseries/all", "marks/analysis-v2/man_steady_comparison/data_st"],
)
def test_two_checkouts_side_by_side_are_read(tmp_path: Path, series: str) -> None:
    package = replication_folder() / "package"
    shutil.copytree(package / "data", tmp_path / "measurements" / "data")
    shutil.copytree(package / "analysis-v2", tmp_path / "marks" / "analysis-v2")
    (tmp_path / "measurements/data/timeseries").rename(tmp_path / "kept")
    (tmp_path / series).parent.mkdir(exist_ok=True)
    (tmp_path / "kept/all").rename(tmp_path / series)

    study = read_study(tmp_path)

    assert (len(study.rows), sum(bool(marks) for marks in study.marks)) == (396, 264)
    assert [len(benchmark.forks) for benchmark in study.measured] == [10, 10, 10]
    assert [benchmark.verdict for benchmark in study.stopped] == ["S", "S", "I"]


# --- groups ---------------------------------------------------------------------------------------


def test_one_group_of_published_figures(few_rows: Path, capsys: pytest.CaptureFixture[str]) -> None:
    status = main([str(few_rows), "--only", "yes-no"])

    output = capsys.readouterr().out
    assert status == 3
    assert "| KB-KSSD, agreements | 405 |" in output
    assert "Table 5" not in output


def test_a_group_that_needs_more_than_the_packages_says_so(
    few_rows: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    status = main([str(few_rows), "--only", "table-2"])

    output = capsys.readouterr().out
    assert status == 3
    assert "not computed  table-2 (8): no weights as arrays (models/rocket_fold0.npz" in output


def test_on_all_series_a_figure_that_differs_without_a_reason_is_named(
    few_rows: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("evidence.replication.available_comparisons.SERIES", ROWS)
    tally = ComparisonTally()
    figures = StoppingFigures({"five.sdm.manhattan": 98_958.0, "five.sdm.clustered": 50_438.0})

    Replication(read_study(few_rows), tally).print_groups({"sums-202"}, figures)

    output = capsys.readouterr().out
    assert "| SDM, sum of absolute errors, all | 95,958 | 98,958 | misprint: " in output
    assert "Not compared" not in output
    assert tally.differing == [
        "sums-202, SDM, sum of absolute errors, clustered: 50,438, published 50,437"
    ]
