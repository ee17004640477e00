"""Known answers of simulated series, by a file; the corpus comes in by one line."""

from __future__ import annotations

import csv
import io
from pathlib import Path

import pytest
from django.core.management import CommandError, call_command

from evidence.corpus import folder
from evidence.corpus.noise import recorded_noise
from evidence.corpus.series import CorpusSeries, planned_series, planted_series
from people.models import User
from series.models import Dataset, Series

TARGET = "speed/corpus"


@pytest.fixture(scope="module")
def few_series() -> list[CorpusSeries]:
    """Three short series, a never among them."""
    noises = recorded_noise()
    short = [plan for plan in planned_series(noises) if plan.n == 400]
    shapes = ("step-down", "drift-up", "flat")
    return [planted_series(next(e for e in short if e.shape == shape), noises) for shape in shapes]


@pytest.fixture
def values_path(tmp_path: Path, few_series: list[CorpusSeries]) -> Path:
    path = tmp_path / folder.VALUES
    path.write_bytes(folder.archive(few_series))
    return path


@pytest.fixture
def manifest(tmp_path: Path, few_series: list[CorpusSeries]) -> Path:
    path = tmp_path / folder.MANIFEST
    path.write_text(folder.manifest(few_series))
    return path


def run(values_path: Path, answers: Path, *more: str) -> str:
    output = io.StringIO()
    words = (TARGET, str(values_path), "--unit", "ns/op", "--known-answers", str(answers), *more)
    call_command("import_series", *words, stdout=output, stderr=io.StringIO())
    return output.getvalue()


def change_cells(path: Path, row: int, **cells: str) -> Path:
    """The file with other cells in a row, counted from 1 with the header."""
    lines = list(csv.reader(path.read_text().splitlines()))
    for column, cell in cells.items():
        lines[row - 1][lines[0].index(column)] = cell
    with path.open("w", newline="") as stream:
        csv.writer(stream).writerows(lines)
    return path


def test_a_part_of_the_corpus_is_a_data_set_with_its_answers_as_a_yardstick(
    values_path: Path, manifest: Path, few_series: list[CorpusSeries], stranger: User
) -> None:
    output = run(values_path, manifest, "--owner", "stranger")

    assert output.splitlines()[1:] == ["manifest.csv: the answers of 3 series are known"]
    assert Dataset.objects.get().simulated
    for known_series in few_series:
        stored_series = Series.objects.get(benchmark__name=known_series.plan.name)
        assert (stored_series.known_start, stored_series.digest) == (
            known_series.known.middle,
            known_series.digest,
        )
        assert stored_series.benchmark.unit == "s/op"


def test_the_answers_are_what_a_comparison_finds(
    values_path: Path, manifest: Path, few_series: list[CorpusSeries], stranger: User
) -> None:
    run(values_path, manifest, "--owner", "stranger")
    output = io.StringIO()
    call_command("run", TARGET, "--method", "kb-kssd", "--wait", stdout=output)

    call_command("comparison", "speed", "--yardstick", "known", stdout=output)

    assert "1 left out of distances: The yardstick says never" in output.getvalue()


def test_twice_is_once(values_path: Path, manifest: Path, stranger: User) -> None:
    first = run(values_path, manifest, "--owner", "stranger").splitlines()[1]

    assert run(values_path, manifest).splitlines()[1] == first
    assert Series.objects.filter(known_start__isnull=False).count() == 3


def test_a_dry_run_states_nothing(values_path: Path, manifest: Path, stranger: User) -> None:
    output = run(values_path, manifest, "--owner", "stranger", "--dry-run")

    assert "would be stored" in output
    assert not Series.objects.exists()


@pytest.mark.parametrize(
    ("cells", "problem"),
    [
        ({"benchmark": "other"}, "found other · fork 0, expected a series of this data set"),
        ({"fork": "1"}, "· fork 1, expected a series of this data set"),
        ({"series_digest": "0" * 64}, "expected the values that the answer is of"),
        ({"steady_start": "400"}, "expected less than 400, its length"),
        ({"steady_start": "-2"}, "expected a whole number from 0, -1 for never"),
    ],
)
def test_a_row_that_fits_no_series_is_refused_and_nothing_is_known(
    values_path: Path, manifest: Path, stranger: User, cells: dict[str, str], problem: str
) -> None:
    with pytest.raises(CommandError, match=problem) as error:
        run(values_path, change_cells(manifest, 3, **cells), "--owner", "stranger")

    assert str(error.value).startswith("manifest.csv, row 3")
    assert error.value.returncode == 2
    assert not Series.objects.filter(known_start__isnull=False).exists()


def test_a_row_without_an_answer_leaves_its_series_as_it_is(
    values_path: Path, manifest: Path, stranger: User
) -> None:
    output = run(values_path, change_cells(manifest, 2, steady_start=""), "--owner", "stranger")

    assert "the answers of 2 series are known" in output


def test_measured_series_have_no_known_answer(
    values_path: Path, manifest: Path, stranger: User
) -> None:
    options = (TARGET, str(values_path), "--unit", "ns/op", "--owner", "stranger")
    call_command("import_series", *options, stdout=io.StringIO())

    with pytest.raises(CommandError, match="the data set corpus, which was measured"):
        run(values_path, manifest)

    assert not Series.objects.filter(known_start__isnull=False).exists()


def test_a_file_that_is_not_there_is_named(
    values_path: Path, tmp_path: Path, stranger: User
) -> None:
    with pytest.raises(CommandError, match=r"nowhere\.csv: No such file"):
        run(values_path, tmp_path / "nowhere.csv", "--owner", "stranger")

    assert not Dataset.objects.exists()
