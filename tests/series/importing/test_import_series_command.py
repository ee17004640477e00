"""`manage.py import_series`, by the letter of its contract."""

from __future__ import annotations

import io
import json
from datetime import UTC, datetime
from pathlib import Path
from typing import Any
from unittest.mock import Mock

import numpy as np
import pytest
from django.core.management import CommandError, call_command

from people.models import Study, User
from series.importing.services import SeriesImportResult, import_file
from series.models import Dataset, Recording, Series
from series.reading import file_readers
from series.reading.file_readers import FileToRead
from tests.published_data import replication_folder


@pytest.fixture
def file(tmp_path: Path) -> Path:
    path = tmp_path / "sort.csv"
    path.write_text("fork 0,fork 1\n2.0,3.0\n1.0,1.5\n")
    return path


def run(*arguments: object, **options: Any) -> str:
    output = io.StringIO()
    words = [str(argument) for argument in arguments]
    call_command("import_series", *words, stdout=output, stderr=io.StringIO(), **options)
    return output.getvalue()


def test_makes_study_and_data_set_and_tells_what_it_stored(file: Path, stranger: User) -> None:
    printed_text = run("speed/nightly", file, "--owner", "stranger")

    assert printed_text == "sort.csv: 2 series stored, 0 known; 1 benchmark; recording “sort”\n"
    study = Study.objects.get()
    assert (study.slug, study.role_of(stranger)) == ("speed", "owner")
    assert Dataset.objects.get().slug == "nightly"


@pytest.mark.parametrize(
    ("limit", "most", "name"),
    [
        ("IMPORT_MAX_FILE_BYTES", 10, "PLATEAU_MAX_FILE_MB"),
        ("IMPORT_MAX_SERIES", 1, "PLATEAU_MAX_SERIES"),
        ("IMPORT_MAX_POINTS", 1, "PLATEAU_MAX_POINTS"),
    ],
)
def test_a_file_beyond_a_limit_names_the_setting(
    file: Path, dataset: Dataset, settings: Any, limit: str, most: int, name: str
) -> None:
    setattr(settings, limit, most)

    with pytest.raises(CommandError, match=f"raise {name}"):
        run("startup-times/nightly", file)


def test_may_be_repeated(file: Path, dataset: Dataset) -> None:
    run("startup-times/nightly", file)

    printed_text = run("startup-times/nightly", file)

    assert printed_text.startswith("sort.csv: 0 series stored, 2 known")


def test_takes_label_build_and_time(file: Path, dataset: Dataset) -> None:
    target = "startup-times/nightly"
    options = ("--recording", "n12", "--build", "abc", "--measured-at", "2026-03-14T02:00Z")

    run(target, file, *options)

    recording = Recording.objects.get()
    assert (recording.label, recording.build) == ("n12", "abc")
    assert recording.measured_at == datetime(2026, 3, 14, 2, tzinfo=UTC)


def test_takes_the_length_of_an_iteration(file: Path, dataset: Dataset) -> None:
    run("startup-times/nightly", file, "--iteration", "100 ms")

    assert set(Series.objects.values_list("seconds_per_iteration", flat=True)) == {0.1}
    with pytest.raises(CommandError, match="--iteration: found '3', expected a length such as"):
        run("startup-times/nightly", file, "--iteration", "3")


@pytest.mark.parametrize(
    ("said", "names"),
    [
        ([], ["Größe"]),
        (["--encoding", "windows-1252"], ["GrÃ¶ÃŸe"]),
        (["--encoding", "utf-8"], ["Größe"]),
    ],
)
def test_takes_the_encoding(
    tmp_path: Path, dataset: Dataset, said: list[str], names: list[str]
) -> None:
    path = tmp_path / "sizes.csv"
    path.write_text("benchmark,fork,iteration,value\nGröße,0,0,2.0\nGröße,0,1,1.0\n", "utf-8")

    run("startup-times/nightly", path, *said)

    assert list(Series.objects.values_list("benchmark__name", flat=True)) == names


def test_says_where_a_file_is_not_in_the_encoding(tmp_path: Path, dataset: Dataset) -> None:
    path = tmp_path / "sizes.csv"
    path.write_bytes("fork,Größe\n0,2.0\n0,1.0\n".encode("cp1252"))

    with pytest.raises(CommandError, match=r"sizes.csv, row 1, column 2: .* text in UTF-8"):
        run("startup-times/nightly", path, "--encoding", "utf-8")


def test_a_dry_run_leaves_nothing(file: Path, stranger: User) -> None:
    printed_text = run("speed/nightly", file, "--owner", "stranger", "--dry-run")

    assert printed_text.startswith("sort.csv: 2 series would be stored")
    assert (Study.objects.count(), Dataset.objects.count(), Series.objects.count()) == (0, 0, 0)


def test_an_unknown_owner_is_refused_with_the_accounts_there_are(
    file: Path, stranger: User
) -> None:
    with pytest.raises(CommandError, match=r"--owner: found 'nobody', expected one of stranger$"):
        run("speed/nightly", file, "--owner", "nobody")


@pytest.mark.parametrize(
    ("arguments", "sentence"),
    [
        (["nightly", "FILE"], "data set: found 'nightly', expected STUDY/DATASET in small"),
        (["speed/nightly", "FILE"], "no account could own it: make one"),
        (["speed/nightly", "FILE", "--owner", "nobody"], "no account could own it: make one"),
        (["speed/nightly", "FILE", "--measured-at", "noon"], "--measured-at: found 'noon', expec"),
        (["speed/nightly", "nowhere.csv"], "nowhere.csv, path: found nothing there, expected a"),
        (["speed/nightly", "BROKEN"], "broken.csv, row 2, column 'a': found 'x', expected a fin"),
    ],
)
@pytest.mark.django_db
def test_mistakes_are_one_line_and_status_2(
    file: Path, arguments: list[str], sentence: str
) -> None:
    broken_path = file.with_name("broken.csv")
    broken_path.write_text("a,b\nx,1\n1,1\n")
    paths = {"FILE": str(file), "BROKEN": str(broken_path)}

    with pytest.raises(CommandError) as error:
        run(*[paths.get(argument, argument) for argument in arguments])

    assert str(error.value).startswith(sentence)
    assert "\n" not in str(error.value)
    assert error.value.returncode == 2
    assert not Dataset.objects.exists()  # nothing half made is left


def test_a_file_is_found_from_the_folder_of_the_person(
    file: Path, dataset: Dataset, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(file.parent)

    assert run("startup-times/nightly", file.name).startswith("sort.csv: 2 series stored")


def test_reading_is_bounded_in_seconds(tmp_path: Path, dataset: Dataset, settings: Any) -> None:
    settings.IMPORT_READ_SECONDS = 0.05
    long_path = tmp_path / "long.txt"
    long_path.write_bytes(b"1\n" * 2_000_000)

    with pytest.raises(CommandError, match=r"takes more than 0\.05 s of processor time to read"):
        run("startup-times/nightly", long_path)


def test_what_no_reader_expected_is_one_line(
    file: Path, dataset: Dataset, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(file_readers, "as_question", Mock(return_value={"limits": {}}))

    with pytest.raises(CommandError) as error:
        run("startup-times/nightly", file)

    assert str(error.value) == (
        "sort.csv, the whole file: found something on which the server failed (KeyError), "
        "expected measurements; its log says why: tell whoever runs the server"
    )
    assert error.value.returncode == 2


def test_of_several_files_the_good_ones_are_stored_and_the_bad_ones_named(
    file: Path, tmp_path: Path, dataset: Dataset
) -> None:
    (tmp_path / "broken.json").write_text("{")
    (tmp_path / "later.csv").write_text("quick\n2.0\n1.0\n")
    output, err = io.StringIO(), io.StringIO()
    paths = [str(file), str(tmp_path / "broken.json"), str(tmp_path / "later.csv")]

    with pytest.raises(CommandError) as error:
        call_command("import_series", "startup-times/nightly", *paths, stdout=output, stderr=err)

    assert str(error.value) == "1 of 3 files was refused: broken.json"
    assert error.value.returncode == 1
    assert Series.objects.count() == 3
    assert f"2 of 3 · {tmp_path}/broken.json: refused: broken.json, end of file: " in err.getvalue()
    assert output.getvalue().splitlines()[-1] == "2 files: 3 series stored, 0 known."


def test_takes_the_column_of_the_values(tmp_path: Path, dataset: Dataset) -> None:
    path = tmp_path / "load.csv"
    path.write_text("stamp,elapsed,bytes,label\n1,20,7,GET a\n2,10,7,GET a\n3,40,7,GET b\n")
    options = ("--value", "elapsed", "--column", "benchmark=label", "--unit", "ms")

    run("startup-times/nightly", path, *options)

    names = Series.objects.order_by("pk").values_list("benchmark__name", "n", "benchmark__unit")
    assert list(names) == [("GET a", 2, "s"), ("GET b", 1, "s")]
    with pytest.raises(CommandError, match="--column: found 'x', expected ROLE=COLUMN"):
        run("startup-times/nightly", path, "--column", "x")
    with pytest.raises(CommandError, match="expected a column 'time'"):
        run("startup-times/nightly", path, "--value", "time")


def test_other_columns_than_the_one_chosen_are_as_detected(
    tmp_path: Path, dataset: Dataset
) -> None:
    path = tmp_path / "own.csv"
    path.write_text("test,elapsed,cpu\nx,12,11\nx,13,12\ny,9,8\n")

    run("startup-times/nightly", path, "--value", "cpu", "--unit", "ms")
    run("startup-times/nightly", path, "--value", "elapsed", "--column", "benchmark=")

    names = Series.objects.order_by("pk").values_list("benchmark__name", "n", "benchmark__unit")
    assert list(names) == [("x", 2, "s"), ("y", 1, "s"), ("own", 3, "")]


def test_a_folder_of_asv_is_a_recording_for_each_commit(tmp_path: Path, dataset: Dataset) -> None:
    machine = tmp_path / "results" / "cheetah"
    machine.mkdir(parents=True)
    document = {"time_b": {"param_names": ["size"], "params": [["1"]], "code": ""}}
    (machine.parent / "benchmarks.json").write_text(json.dumps(document))
    for number, commit in enumerate(("aaaaaaaaaa", "bbbbbbbbbb"), start=1):
        results = {"time_b": [[number / 2], [["1"]]]}
        fields = {"commit_hash": commit, "env_name": "py3", "date": number * 1_000_000}
        fields |= {"result_columns": ["result", "params"], "results": results}
        (machine / f"{commit[:8]}-py3.json").write_text(json.dumps(fields))

    err = io.StringIO()

    call_command(
        "import_series", "startup-times/nightly", str(tmp_path), stdout=io.StringIO(), stderr=err
    )

    figure = "the file holds one figure a run, which goes to the trend over recordings"
    assert err.getvalue().splitlines()[1] == f"2 files: {figure} (2 series)"
    labels = Recording.objects.order_by("pk").values_list("label", "build")
    assert list(labels) == [("aaaaaaaa py3", "aaaaaaaaaa"), ("bbbbbbbb py3", "bbbbbbbbbb")]
    assert set(Series.objects.values_list("benchmark__params", flat=True)) == {"size=1"}


def test_a_break_tells_what_is_stored(
    file: Path, dataset: Dataset, monkeypatch: pytest.MonkeyPatch
) -> None:
    second = file.with_name("second.csv")
    second.write_text(file.read_text())
    real_import = import_file

    def broken(dataset: Dataset, file: FileToRead, **said: Any) -> SeriesImportResult:
        if file.name == "second.csv":
            raise KeyboardInterrupt
        return real_import(dataset, file, **said)

    monkeypatch.setattr("series.importing.services.import_file", broken)

    with pytest.raises(CommandError) as error:
        run("startup-times/nightly", file, second)

    assert str(error.value) == (
        "Interrupted after 1 of 2. 1 file: 2 series stored, 0 known; nothing of second.csv. "
        "The same command goes on from here"
    )
    assert error.value.returncode == 130
    assert Series.objects.count() == 2


def test_says_which_of_two_checkouts_it_took(tmp_path: Path, dataset: Dataset) -> None:
    series = tmp_path / "one" / "data" / "timeseries" / "all"
    series.mkdir(parents=True)
    (series / "a__b#c#.json").write_text("[[3.0, 2.0]]")
    (tmp_path / "two" / "data" / "changepoints").mkdir(parents=True)
    err = io.StringIO()

    call_command(
        "import_series", "startup-times/nightly", str(tmp_path), stdout=io.StringIO(), stderr=err
    )

    assert err.getvalue() == (
        f"{tmp_path}: 1 file in {series}, the series of the replication package one\n"
    )
    assert [recording.label for recording in Recording.objects.all()] == ["one"]


def test_files_of_one_folder_are_one_recording(tmp_path: Path, dataset: Dataset) -> None:
    folder = tmp_path / "run 7"
    folder.mkdir()
    for name in ("a", "b"):
        np.save(folder / f"{name}.npy", np.array([2.0, 1.0, 1.0]))

    run("startup-times/nightly", folder)

    assert [recording.label for recording in Recording.objects.all()] == ["run 7"]
    assert Series.objects.count() == 2


def test_notes_go_to_standard_error(tmp_path: Path, dataset: Dataset) -> None:
    file = tmp_path / "warm.json"
    metric = {"scoreUnit": "s/op", "rawData": [[2.0, 1.0]]}
    warm = {"benchmark": "a.B.c", "mode": "avgt", "warmupIterations": 5, "primaryMetric": metric}
    file.write_text(json.dumps([warm]))
    err = io.StringIO()

    call_command(
        "import_series", "startup-times/nightly", str(file), stdout=io.StringIO(), stderr=err
    )

    assert err.getvalue().startswith("warm.json: 5 warm-up iterations")


def test_reads_a_published_package(dataset: Dataset) -> None:
    package = replication_folder() / "package"

    printed_text = run("startup-times/nightly", package, "--format", "replication")

    *files, total = printed_text.splitlines()
    assert all("10 series stored" in line for line in files)
    assert files[0].startswith(f"1 of {len(files)} · ")
    assert total == f"{len(files)} files: {10 * len(files)} series stored, 0 known."
    assert {series_row.recording.label for series_row in Series.objects.all()} == {"package"}
    assert set(Series.objects.values_list("n", flat=True)) == {3000}
