"""Reading in a process of its own: bounded, kept for the next file, and never a traceback."""

from __future__ import annotations

import gc
import io
import json
import os
import sys
import tracemalloc
from collections.abc import Callable, Iterator
from pathlib import Path
from subprocess import PIPE, Popen
from typing import Any
from unittest.mock import Mock

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from django.core.management import call_command
from django.db import DataError
from django.db.models import Sum
from django.test import Client
from django.urls import reverse

from evidence.bench.processes import stop_process
from formats import FormatError, ReadLimits, ReadOptions
from formats.names import flaw, normal
from people.models import Study, User
from series.importing import jobs, upload_files, uploads
from series.management.commands import import_uploads
from series.models import Import, Series
from series.reading import file_reader_process, file_readers
from tests.every_case import EVERY_CASE
from tests.formats import hostile
from tests.series.import_pages.upload_pages import page_alone

pytestmark = pytest.mark.slow

GOOD = hostile.jmh()
SPAN = 20_000_000  # bytes by which a process that asks may grow


@pytest.fixture(autouse=True)
def _own_folder(settings: Any, tmp_path: Path) -> None:
    settings.DATA_DIR = tmp_path


@pytest.fixture
def upload(client: Client, olga: User, study: Study) -> Callable[[str, bytes], Any]:
    client.force_login(olga)

    def send(name: str, data: bytes) -> Any:
        files = {"files": [SimpleUploadedFile(name, data)]}
        return client.post(reverse("import", args=[study.slug]), files, follow=True)

    return send


def text_of(answer: Any) -> str:
    return " ".join(answer.content.decode().split())


def program_lines(question_fields: dict[str, Any], data: bytes = b"") -> list[Any]:
    """What the program answers here, in this process."""
    lines: list[Any] = []
    file_reader_process.respond(
        {**question_fields, "bytes": len(data)}, io.BytesIO(data), lines.append
    )
    return lines


def question(task: str, data: bytes = GOOD, **more: Any) -> dict[str, Any]:
    return file_readers.FileToRead("x.json", data=data, **more).question(task)


# --- the program ------------------------------------------------------------------------------
def test_a_series_crosses_with_its_values_and_settings() -> None:
    (measurement,) = file_readers.read_measurements(file_readers.FileToRead("x.json", data=GOOD))

    assert (measurement.benchmark, measurement.label, measurement.unit, measurement.mode) == (
        "b",
        "b||0",
        "s/op",
        "avgt",
    )
    assert measurement.values.tolist() == [0.003, 0.002, 0.001]


def test_a_child_is_kept_for_the_next_file() -> None:
    file_readers.readers.stop()
    file_readers.read_measurements(file_readers.FileToRead("x.json", data=GOOD))
    (first,) = file_readers.readers._idle
    file_readers.read_measurements(file_readers.FileToRead("x.json", data=GOOD))

    assert list(file_readers.readers._idle) == [first]
    assert first.poll() is None


def test_a_refusal_crosses_with_its_place() -> None:
    with pytest.raises(FormatError) as error:
        file_readers.read_measurements(file_readers.FileToRead("x.txt", data=b"1\nfive\n"))

    assert str(error.value) == (
        "x.txt, line 2: found 'five', expected a finite number; "
        "a line of words is left out if it begins with #"
    )


def test_what_no_reader_expected_is_a_sentence_and_in_the_log(
    monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    def breaks(*args: Any, **how: Any) -> Any:
        raise ZeroDivisionError("in a reader")

    monkeypatch.setattr(file_reader_process.formats, "preview", breaks)

    (end,) = program_lines(question("look"), GOOD)

    assert (end["ended"], end["fault"]) == (True, "ZeroDivisionError")
    assert "in a reader" in caplog.text
    with pytest.raises(FormatError, match=r"server failed \(ZeroDivisionError\).*log says why"):
        file_readers._check_end("x.json", end)


def test_a_file_that_takes_more_memory_than_there_is_is_refused() -> None:
    """Lists in one list, which take thirty times their bytes; the estimate that says so is off."""
    small = file_readers.FileReaders(max_count=1, seconds=60, memory=300_000_000, queueing=0)
    data = b"[[" + b"[]," * 4_000_000
    options = ReadOptions(limits=ReadLimits(memory=10**12))
    file = file_readers.FileToRead("x.json", data=data, format="jmh", options=options)

    with pytest.raises(FormatError, match="takes more than 300 MB to read"):
        file_readers.read_measurements(file, small)

    small.stop()


class Full(io.BytesIO):
    """An inbox whose bytes find no room in memory at once."""

    def read(self, size: int | None = -1, /) -> bytes:
        if size is not None and size > 100_000:
            raise MemoryError
        return super().read(size)


def test_bytes_that_find_no_room_are_told_and_the_next_question_is_found() -> None:
    lines: list[Any] = []
    inbox = Full(bytes(200_000) + b"the next question")

    file_reader_process.respond({**question("measurements"), "bytes": 200_000}, inbox, lines.append)

    (end,) = lines
    assert (end["ended"], end["memory"]) == (True, True)
    assert inbox.read() == b"the next question"


def test_a_file_that_takes_too_long_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(file_readers.readers, "seconds", 0.05)
    data = b"1\n" * 4_000_000

    with pytest.raises(FormatError) as error:
        file_readers.read_measurements(file_readers.FileToRead("x.txt", data=data))

    assert "takes more than 0.05 s of processor time to read" in str(error.value)
    assert str(error.value).endswith(
        "split it, or ask whoever runs Plateau to raise PLATEAU_READ_SECONDS"
    )


def test_seconds_in_which_a_reader_cannot_compute_do_not_count(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """On a busy machine a file takes longer, and no more processor time."""
    readers = file_readers.readers
    monkeypatch.setattr(readers, "seconds", 0.5)
    file_readers.read_measurements(file_readers.FileToRead("x.json", data=GOOD))
    (child,) = readers._idle
    with stop_process(child.pid, most_seconds=1.0):  # longer than the file may take
        measurements = file_readers.read_measurements(file_readers.FileToRead("x.json", data=GOOD))

    assert len(measurements) == 1


def test_a_reader_that_stands_still_is_ended(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(file_readers, "IDLE", 0.5)
    file_readers.read_measurements(file_readers.FileToRead("x.json", data=GOOD))
    (child,) = file_readers.readers._idle

    with stop_process(child.pid), pytest.raises(FormatError, match="neither read nor computed for"):
        file_readers.read_measurements(file_readers.FileToRead("x.json", data=GOOD))


def test_a_child_that_was_killed_is_a_sentence_and_the_next_file_is_read() -> None:
    file_readers.read_measurements(file_readers.FileToRead("x.json", data=GOOD))
    (child,) = file_readers.readers._idle
    os.kill(child.pid, 9)
    child.wait()

    assert len(file_readers.read_measurements(file_readers.FileToRead("x.json", data=GOOD))) == 1


def test_a_reader_whose_asker_was_killed_ends_without_a_word(settings: Any) -> None:
    command = [sys.executable, "-m", "series.reading.file_reader_process", "2000000000"]
    pipes: Any = {"stdin": PIPE, "stdout": PIPE, "stderr": PIPE}
    child: Any
    with Popen(command, cwd=settings.BASE_DIR, **pipes) as child:
        child.stdout.readline()  # it is ready
        child.stdout.close()
        child.stdin.write(json.dumps(question("measurements")).encode() + b"\n" + GOOD)
        child.stdin.close()
        complaint = child.stderr.read()

    assert (child.returncode, complaint) == (0, b"")


def test_others_wait_for_their_turn_and_are_told(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(file_readers.readers, "_queueing", 0.0)
    free_slots = file_readers.readers._free
    with (
        free_slots,
        free_slots,
        pytest.raises(file_readers.ReadersBusy, match=r"being read.*again in a moment"),
    ):
        file_readers.read_measurements(file_readers.FileToRead("x.json", data=GOOD))


def test_a_page_waits_less_than_an_import_in_the_background(settings: Any) -> None:
    assert file_readers.readers.seconds == settings.READ_SECONDS <= 30
    assert file_readers.readers._queueing <= 5
    with file_readers.import_patience():
        assert file_readers.readers.seconds == settings.IMPORT_READ_SECONDS == 300
    assert file_readers.readers.seconds == settings.READ_SECONDS


@pytest.fixture
def busy(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    monkeypatch.setattr(file_readers.readers, "_queueing", 0.0)
    with file_readers.readers._free, file_readers.readers._free:
        yield


def test_an_upload_is_kept_while_readers_are_busy_and_can_be_looked_at_again(
    upload: Callable[[str, bytes], Any], client: Client, busy: None
) -> None:
    answer = upload("first.json", GOOD)

    waiting_import = Import.objects.get()
    assert "data-unread" in text_of(answer)
    assert "No series could be" not in text_of(answer)
    assert "Read again" in text_of(answer)
    assert upload_files.upload_path(waiting_import).read_bytes() == GOOD
    file_readers.readers._free.release()
    client.post(waiting_import.get_absolute_url(), {"format": "auto"})
    file_readers.readers._free.acquire()
    waiting_import.refresh_from_db()
    assert waiting_import.preview["series"] == 1
    assert "unread" not in waiting_import.preview


def test_what_was_found_stays_where_readers_are_busy_at_the_next_look(
    upload: Callable[[str, bytes], Any], client: Client, request: Any
) -> None:
    upload("first.json", GOOD)
    fields_before = Import.objects.values("options", "preview").get()
    request.getfixturevalue("busy")

    answer = client.post(
        Import.objects.get().get_absolute_url(), {"format": "auto", "benchmark": "other"}
    )

    assert answer.status_code == 503
    assert "files are being read" in text_of(answer)
    assert Import.objects.values("options", "preview").get() == fields_before


def test_the_process_of_an_import_is_patient(
    monkeypatch: pytest.MonkeyPatch, settings: Any, db: None
) -> None:
    seconds: list[float] = []
    monkeypatch.setattr(
        jobs, "import_files", lambda *_: seconds.append(file_readers.readers.seconds)
    )
    monkeypatch.setattr(import_uploads.ImportOrder, "of_text", Mock())

    call_command("import_uploads", "job", stdin=io.StringIO())

    assert seconds == [settings.IMPORT_READ_SECONDS]


def test_a_file_that_nobody_could_look_into_is_imported_in_the_background() -> None:
    unread_import = Import(preview={"unread": True, "stored_bytes": 0})

    assert jobs._may_be_large([Import(preview={"stored_bytes": 0}), unread_import])
    assert not jobs._may_be_large([Import(preview={"stored_bytes": 0})])


# --- through an upload ------------------------------------------------------------------------
HOSTILE = {
    "rows.npz": hostile.many_rows(5_000_000),
    "lines.txt.gz": hostile.MEASUREMENTS["bomb.txt.gz"],
    "lists.json": b"[" + b"[]," * 25_000_000,
}


@pytest.mark.parametrize("name", HOSTILE)
def test_a_hostile_upload_takes_no_memory_of_the_process(
    upload: Callable[[str, bytes], Any], name: str
) -> None:
    upload("first.json", GOOD)  # what the first upload loads is not counted
    sent_bytes = 2 * len(HOSTILE[name])  # the client holds the file, and the request made of it
    gc.collect()

    # What is allocated: resident pages also tell of libraries that were paged out, and of tests
    # before this one.
    tracemalloc.start()
    try:
        answer = upload(name, HOSTILE[name])
        gc.collect()
        held_bytes, peak_bytes = tracemalloc.get_traced_memory()
    finally:
        tracemalloc.stop()

    assert answer.status_code == 200
    assert "problem" in text_of(answer)
    assert peak_bytes - sent_bytes < SPAN
    assert held_bytes < SPAN


def test_hostile_files_are_pages_and_are_imported_or_refused(
    client: Client, olga: User, study: Study
) -> None:
    """In `make test` every second, and the others on PostgreSQL (tests/stack)."""
    client.force_login(olga)
    contents = list(hostile.MEASUREMENTS.items())[:: 1 if EVERY_CASE else 2]
    files = [SimpleUploadedFile(normal(name), data) for name, data in contents]

    preview_response = client.post(
        reverse("import", args=[study.slug]), {"files": files}, follow=True
    )
    pages = [page_alone(client, upload) for upload in Import.objects.all()]
    form = {
        "uploads": list(Import.objects.values_list("public_id", flat=True)),
        "dataset": "+",
        "name": "New",
        "on_problems": "leave-out",
    }
    confirmation_response = client.post(
        reverse("import-confirmation", args=[study.slug]), form, follow=True
    )

    assert {
        response.status_code for response in (preview_response, *pages, confirmation_response)
    } == {200}
    assert Import.objects.count() == len(files)
    assert not Import.objects.filter(error=jobs.FAULT).exists()
    assert Series.objects.count() == Import.objects.aggregate(n=Sum("stored"))["n"] > 5
    remaining_names = {path.name for path in upload_files.folder().iterdir()}
    assert remaining_names == set().union(*map(on_disk, Import.objects.exclude(state="done")))


def on_disk(upload: Import) -> set[str]:
    return {
        path.name
        for path in (upload_files.upload_path(upload), upload_files.list_path(upload))
        if path.exists()
    }


def test_a_file_whose_row_cannot_be_stored_does_not_stay(
    study: Study, olga: User, monkeypatch: pytest.MonkeyPatch
) -> None:
    def fails(upload: Import, **how: Any) -> None:
        raise DataError("a full disk, say")

    monkeypatch.setattr(Import, "save", fails)

    with pytest.raises(DataError):
        uploads.store_upload(study, [GOOD], "x.json", by=olga)

    assert list(upload_files.folder().iterdir()) == []


def test_problems_of_a_file_with_half_characters_can_be_downloaded(
    upload: Callable[[str, bytes], Any], client: Client, study: Study
) -> None:
    upload("half.json", hostile.MEASUREMENTS["half-name.json"])
    waiting_import = Import.objects.get()

    response = client.get(reverse("import-problems", args=[study.slug, waiting_import.public_id]))

    assert "b\\ud800" in response.content.decode()


def test_a_summary_is_json_that_every_database_takes() -> None:
    for name, data in hostile.MEASUREMENTS.items():
        lines = program_lines(
            {**file_readers.FileToRead(name, data=data).question("look"), "list": os.devnull}, data
        )
        json.dumps(lines, allow_nan=False)
        texts = [text.replace("\ufffd", "?") for text in strings(lines)]
        assert [flaw(text) for text in texts] == [None] * len(texts), name


def strings(value: Any) -> Iterator[str]:
    if isinstance(value, str):
        yield value
    elif isinstance(value, dict | list):
        for part in [*value, *value.values()] if isinstance(value, dict) else value:
            yield from strings(part)
