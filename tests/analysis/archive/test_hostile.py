"""Archives that do harm, or were damaged: one sentence, and nothing is stored."""

from __future__ import annotations

import csv
import hashlib
import io
import json
import re
import zipfile
from collections.abc import Callable, Mapping
from pathlib import Path

import numpy as np
import pytest
from django.conf import LazySettings

from analysis.archive import reading
from analysis.archive.reading import ArchiveError
from analysis.archive.restoring import import_archive
from analysis.runs.models import Detection
from analysis.trend.models import RegressionAlarm
from annotate.models import Campaign, Task
from people.models import Study, User
from series.importing.quota import stored_bytes
from series.models import Recording, Series, StoredEventLane
from tests.analysis.archive.conftest import contents

pytestmark = pytest.mark.django_db
Files = dict[str, bytes]
Change = Callable[[Files], None]


def zip_of(files: Mapping[str, bytes], path: Path, *, sums: bool = True) -> Path:
    """An archive of `files`; with digests that are right, unless it is about them."""
    if sums:
        content_by_name = {name: content for name, content in files.items() if name != "SHA256SUMS"}
        lines = [
            f"{hashlib.sha256(content).hexdigest()}  {name}\n"
            for name, content in content_by_name.items()
        ]
        files = {**content_by_name, "SHA256SUMS": "".join(lines).encode()}
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, content in files.items():
            archive.writestr(name, content)
    return path


_study_files: Files = {}


@pytest.fixture
def files(request: pytest.FixtureRequest, olga: User) -> Files:
    """Those of the full study, which is made for the first test of them alone."""
    if not _study_files:
        study = request.getfixturevalue("full_study")
        _study_files.update(contents(request.getfixturevalue("archived")(study)))
    return dict(_study_files)


def refusal_words(path: Path, by: User) -> str:
    counts_before = Study.every.count(), User.objects.count(), Series.objects.count()
    with pytest.raises(ArchiveError) as error_info:
        import_archive(path, owner=by)
    assert (Study.every.count(), User.objects.count(), Series.objects.count()) == counts_before
    return str(error_info.value)


def edit_of(name: str, before: bytes, after: bytes) -> Change:
    def change(files: Files) -> None:
        assert before in files[name]
        files[name] = files[name].replace(before, after, 1)

    return change


def removal_of(name: str) -> Change:
    def change(files: Files) -> None:
        del files[name]

    return change


def description_change(**fields: object) -> Change:
    def change(files: Files) -> None:
        document = json.loads(files["datapackage.json"])
        document["plateau"] |= fields
        files["datapackage.json"] = json.dumps(document).encode()

    return change


def array_change(
    change: Callable[[dict[str, np.ndarray]], None], arrays_name: str = "values.npz"
) -> Change:
    """With other arrays under the same names."""

    def change_arrays(files: Files) -> None:
        arrays = dict(np.load(io.BytesIO(files[arrays_name])))
        change(arrays)
        file = io.BytesIO()
        np.savez(file, **arrays)
        files[arrays_name] = file.getvalue()

    return change_arrays


def halve_arrays(arrays: dict[str, np.ndarray]) -> None:
    arrays.update({name: array[::2] for name, array in arrays.items()})


def shift_arrays(arrays: dict[str, np.ndarray]) -> None:
    arrays.update({name: array + 1 for name, array in arrays.items()})


def narrow_arrays(arrays: dict[str, np.ndarray]) -> None:
    arrays.update({name: array.astype("<f4") for name, array in arrays.items()})


def zero_counts(arrays: dict[str, np.ndarray]) -> None:
    arrays.update({name: array * 0 for name, array in arrays.items() if name.endswith("counts")})


def repeat_pair(arrays: dict[str, np.ndarray]) -> None:
    """The second iteration has the pairs of the third, too, which has none."""
    for name, array in arrays.items():
        if name.endswith("offsets"):
            arrays[name] = array[[0, 1, 3, 3]]


TASKS, MARKS, SERIES = "tables/tasks.csv", "tables/marks.csv", "tables/series.csv"
WRONG: dict[str, tuple[Change, str]] = {
    "a missing table": (removal_of(TASKS), "tables/tasks.csv is missing"),
    "no description": (removal_of("datapackage.json"), "datapackage.json is missing"),
    "no values": (removal_of("values.npz"), "values.npz: .* is missing"),
    "invocations that were none": (array_change(zero_counts, "samples.npz"), "not all above 0"),
    "an iteration of none": (array_change(repeat_pair, "samples.npz"), "do not rise from 0"),
    "a later format": (description_change(format=6), "found format 6, expected 5 or earlier"),
    "no format": (description_change(format=None), "found format None"),
    "no name": (description_change(study="../up"), "found the study"),
    "no description at all": (
        lambda files: files.update({"datapackage.json": b"[" * 100_000}),
        "does not say which format",
    ),
    "other columns": (edit_of(TASKS, b"position", b"place"), "found the columns id, campaign"),
    "a row that is not there": (edit_of(TASKS, b"\n1,1,1,", b"\n1,9,1,"), "there is no row 9"),
    "a row of before": (edit_of(TASKS, b"\n1,1,1,", b"\n1,0,1,"), "there is no row 0"),
    "no number": (edit_of(TASKS, b"\n1,1,1,", b"\n1,1,one,"), "column series: found 'one'"),
    "numbers that jump": (edit_of(TASKS, b"\n2,", b"\n7,"), "found the number 7, expected 2"),
    "a cell too few": (edit_of(TASKS, b"\n1,1,1,1,2\n", b"\n1,1,1\n"), "found 3 cells"),
    "one series twice": (edit_of(TASKS, b"\n2,1,2,", b"\n2,1,1,"), "contradict one another"),
    "no person": (edit_of(MARKS, b"p1,", b"p77,"), "there is no person 'p77'"),
    "an answer of no kind": (edit_of(MARKS, b",steady,", b",often,"), "'often' is not a valid"),
    "an iteration too far": (edit_of(MARKS, b",steady,40,", b",steady,999,"), "0 to 199"),
    "a huge number": (edit_of(MARKS, b",steady,40,", b",steady,9999999999,"), "0 to 199"),
    "a mark less": (
        edit_of(MARKS, b",steady,60,", b",steady,61,"),
        "this version of Plateau makes",
    ),
    "NUL": (edit_of("tables/problems.csv", b"Cut off.", b"Cut\0off."), "character NUL"),
    "not UTF-8": (edit_of("tables/problems.csv", b"Cut off.", b"Cut\xffoff."), "not UTF-8"),
    "an open quote": (edit_of("tables/problems.csv", b"Cut off.", b'"Cut off.'), "cannot be read"),
    "a recipe of no name": (edit_of("tables/campaigns.csv", b",jagt,", b",jest,"), "no recipe"),
    "an address that is taken": (
        edit_of("tables/campaigns.csv", b",first-look,", b",marks,"),
        "no campaign can be called marks",
    ),
    "people among simulated ones": (
        edit_of("tables/annotators.csv", b",p1,a1,", b",p4,a1,"),
        "does not belong into",
    ),
    "somebody's account": (
        edit_of("tables/people.csv", b",1,simulated-1\n", b",1,olga\n"),
        "found 'olga', expected simulated-1",
    ),
    "a person called otherwise": (
        edit_of("tables/people.csv", b"p1,0,", b"olga,0,"),
        "found the person 'olga'",
    ),
    "a detection too far": (
        edit_of("tables/detections.csv", b"answer,50,", b"answer,500,"),
        "found the iteration 500, expected -1 to 199",
    ),
    "surer than sure": (
        edit_of("tables/detections.csv", b",0.75,1,4,0.125,", b",0.75,1,4,1.125,"),
        "expected chance and near from 0 to 1",
    ),
    "half a certainty": (
        edit_of("tables/detections.csv", b",0.75,1,4,0.125,", b",0.75,1,,0.125,"),
        "low to high within 200 iterations, or none of them",
    ),
    "an address of its own": (
        edit_of("tables/method-sets.csv", b"\n1,", b"\n1,../"),
        "column public_id",
    ),
    "settings that are no numbers": (
        edit_of(SERIES, b'""forks"": 2', b'""forks"": ""2""'),
        "found '2' for the setting forks",
    ),
    "a list for a dictionary": (
        edit_of(SERIES, b'"{""forks"": 2, ""jvm_args"": ""-Xmx1g""}"', b"[]"),
        "expected a JSON dict",
    ),
    "a commit that is a script": (
        edit_of("tables/alarms.csv", b"https://git", b"javascript://git"),
        "column commit: .* valid URL",
    ),
    "an alarm of another data set": (
        edit_of("tables/alarms.csv", b"\n1,1,1,", b"\n1,1,2,"),
        "benchmark and recording are of two data sets",
    ),
    "other values": (array_change(shift_arrays), "has other values than its name says"),
    "fewer values": (array_change(halve_arrays), "expected 200 numbers of type <f8"),
    "values of another type": (array_change(narrow_arrays), "expected 200 numbers of type <f8"),
    "values that are no .npz": (
        lambda files: files.update({"values.npz": b"nothing"}),
        "this .zip cannot be read",
    ),
}


@pytest.mark.parametrize(("change", "sentence"), WRONG.values(), ids=WRONG)
def test_what_is_wrong_is_said_and_nothing_is_stored(
    change: Change, sentence: str, files: Files, tmp_path: Path, olga: User
) -> None:
    change(files)

    assert re.search(sentence, refusal_words(zip_of(files, tmp_path / "bad.zip"), olga))


def test_unchanged_it_is_stored(files: Files, tmp_path: Path, olga: User) -> None:
    """Packed again by another program it is the same archive."""
    assert (
        import_archive(zip_of(files, tmp_path / "again.zip"), owner=olga).slug == "startup-times-2"
    )


@pytest.mark.parametrize(("version", "alarms"), [(1, 0), (2, 1), (3, 1), (4, 1)])
def test_what_earlier_archives_do_not_have_is_empty(
    version: int, alarms: int, files: Files, tmp_path: Path, olga: User
) -> None:
    """Alarms came with format 2, turns and how sure methods are with 3, events and all changes of
    level with 4, instances and duets with 5.
    """
    for name in ("regression-notices", "alarms", "alarm-entries") if version == 1 else ():
        del files[f"tables/{name}.csv"]
    if version < 4:
        del files["tables/event-lanes.csv"]
    columns_of_four = (("campaigns", 1), ("marks", 1), ("detections", 1)) if version < 4 else ()
    columns_of_three = (("tasks", 1), ("detections", 5)) if version < 3 else ()
    for name, dropped_columns in (("recordings", 2), *columns_of_four, *columns_of_three):
        rows = csv.reader(io.StringIO(files[f"tables/{name}.csv"].decode()))
        output = io.StringIO()
        csv.writer(output, lineterminator="\n").writerows(row[:-dropped_columns] for row in rows)
        files[f"tables/{name}.csv"] = output.getvalue().encode()
    description_change(format=version)(files)

    study = import_archive(zip_of(files, tmp_path / "earlier.zip"), owner=olga)

    restored_alarms = RegressionAlarm.objects.filter(benchmark__dataset__study=study)
    detections = Detection.objects.filter(series__benchmark__dataset__study=study)
    assert (study.slug, restored_alarms.count()) == ("startup-times-2", alarms)
    assert ({detection.certainty for detection in detections} == {None}) is (version < 3)
    turns = set(Task.objects.filter(campaign__study=study).values_list("turn", flat=True))
    assert (turns == {0}) is (version < 3)
    assert not Campaign.objects.filter(study=study, show_events=True).exists()
    stated_recordings = Recording.objects.filter(dataset__study=study).exclude(instance="", duet="")
    assert not stated_recordings.exists()


@pytest.mark.parametrize(
    ("change", "sentence"),
    [
        (edit_of("README.md", b"Startup", b"Stopped"), "README.md is not the file that"),
        (lambda files: files.update({"more.txt": b""}), "more.txt is not in SHA256SUMS"),
        (removal_of("README.md"), "README.md is missing; SHA256SUMS names it"),
        (removal_of("SHA256SUMS"), "SHA256SUMS is missing, which every archive of Plateau has"),
        (
            lambda files: files.update(SHA256SUMS=b"nonsense\n"),
            "SHA256SUMS, line 1: found 'nonsense', expected",
        ),
    ],
)
def test_digests_are_believed_before_anything_else(
    change: Change, sentence: str, files: Files, tmp_path: Path, olga: User
) -> None:
    change(files)

    assert sentence in refusal_words(zip_of(files, tmp_path / "bad.zip", sums=False), olga)


@pytest.mark.parametrize("name", ["../up.csv", "/etc/passwd", "a/../../b", "..\\up", "C:up"])
def test_no_name_leads_out(name: str, tmp_path: Path, olga: User) -> None:
    assert "names inside the archive" in refusal_words(
        zip_of({name: b""}, tmp_path / "bad.zip"), olga
    )


def test_one_name_twice(files: Files, tmp_path: Path, olga: User) -> None:
    path = zip_of(files, tmp_path / "bad.zip")
    with pytest.warns(UserWarning, match="Duplicate"), zipfile.ZipFile(path, "a") as archive:
        archive.writestr("README.md", "another one")

    assert refusal_words(path, olga) == "found two files 'README.md', expected one of a name"


def test_what_would_fill_the_disk(tmp_path: Path, olga: User, settings: LazySettings) -> None:
    """Its list says so: nothing is unpacked to find out."""
    settings.ARCHIVE_MAX_BYTES = 1_000_000
    path = zip_of({"zeros": bytes(2_000_000)}, tmp_path / "bomb.zip")

    assert path.stat().st_size < 5_000
    assert "bytes when unpacked, expected at most 1,000,000" in refusal_words(path, olga)


def test_what_lies_about_its_size(tmp_path: Path, olga: User) -> None:
    """No more is read than the list says."""
    path = zip_of({"zeros": bytes(1_000_000)}, tmp_path / "bomb.zip")
    content = path.read_bytes()
    size = (1_000_000).to_bytes(4, "little")
    path.write_bytes(content.replace(size, (10).to_bytes(4, "little")))

    assert "Bad CRC-32" in refusal_words(path, olga)


def test_a_list_of_too_many_files(
    tmp_path: Path, olga: User, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Its length is known before it is read into memory."""
    monkeypatch.setattr(reading, "MOST_FILES", 2)
    archive_path = zip_of({f"{number:0200}": b"" for number in range(9)}, tmp_path / "many.zip")

    assert "a list of more files than the 2" in refusal_words(archive_path, olga)


@pytest.mark.parametrize("content", [b"", b"PK\x05\x06", b"no archive at all", bytes(100)])
def test_what_is_no_archive(content: bytes, tmp_path: Path, olga: User) -> None:
    path = tmp_path / "no.zip"
    path.write_bytes(content)

    assert "this .zip cannot be read" in refusal_words(path, olga)


def test_a_damaged_one(files: Files, tmp_path: Path, olga: User) -> None:
    path = zip_of(files, tmp_path / "bad.zip")
    content = bytearray(path.read_bytes())
    for place in range(200, len(content) // 2, 1_000):
        content[place] ^= 0xFF
    path.write_bytes(content)

    assert refusal_words(path, olga)


def test_too_many_rows(
    files: Files, tmp_path: Path, olga: User, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(reading, "MOST_ROWS", 3)

    assert "found more than 3 rows" in refusal_words(zip_of(files, tmp_path / "bad.zip"), olga)


def test_a_study_is_no_larger_than_others(
    files: Files, tmp_path: Path, olga: User, settings: LazySettings
) -> None:
    settings.STUDY_MAX_BYTES = 100

    assert "PLATEAU_STUDY_MB" in refusal_words(zip_of(files, tmp_path / "large.zip"), olga)


def test_events_count_against_the_quota(
    files: Files, full_study: Study, tmp_path: Path, olga: User, settings: LazySettings
) -> None:
    lanes = StoredEventLane.objects.filter(series__benchmark__dataset__study=full_study)
    settings.STUDY_MAX_BYTES = stored_bytes(full_study) - sum(lane.size for lane in lanes)

    assert "PLATEAU_STUDY_MB" in refusal_words(zip_of(files, tmp_path / "large.zip"), olga)
