"""Large imports: seen while they run, left, cancelled, broken off; nothing is ever half stored."""

from __future__ import annotations

import errno
import io
import json
import os
import socket
import threading
import time
from collections.abc import Callable
from datetime import UTC, datetime
from functools import partial
from pathlib import Path
from subprocess import CalledProcessError, CompletedProcess
from typing import Any
from unittest.mock import Mock

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from django.core.management import call_command
from django.db import OperationalError
from django.test import Client
from django.urls import reverse

from people.models import Study, User
from series.importing import import_process, jobs, services, upload_files, uploads
from series.importing.import_order import ImportOrder
from series.importing.import_plan import RecordingDetails
from series.importing.jobs import ImportProgress
from series.models import Dataset, Import, Recording, Series
from tests.series.page_parts import values

GONE = 2**22 + 1  # no process has this number: more than Linux gives out


@pytest.fixture(autouse=True)
def _own_folder(settings: Any, tmp_path: Path) -> None:
    settings.DATA_DIR = tmp_path


@pytest.fixture
def owner(client: Client, olga: User) -> Client:
    client.force_login(olga)
    return client


def file_of(forks: int, name: str = "org.example.Sort.merge") -> bytes:
    lines = [[3.0 + fork, 2.0, 1.0] for fork in range(forks)]
    metric = {"scoreUnit": "ms/op", "rawData": lines}
    return json.dumps([{"benchmark": name, "mode": "avgt", "primaryMetric": metric}]).encode()


@pytest.fixture
def keep_files(study: Study, olga: User) -> Callable[..., list[Import]]:
    """Files that were looked into."""

    def make(*files: bytes) -> list[Import]:
        return [
            uploads.store_upload(study, [data], f"file{number}.json", by=olga)
            for number, data in enumerate(files)
        ]

    return make


def order_for(dataset: Dataset) -> ImportOrder:
    return ImportOrder(dataset, RecordingDetails(label="nightly"), "stop")


def mark_running(upload: Import, **changed: Any) -> str:
    """The upload as if this process were importing it."""
    moment = time.time()
    times = {
        "pid": os.getpid(),
        "host": socket.gethostname(),
        "began": moment - 10,
        "noted": moment,
        "ticks": time.monotonic(),
        **changed,
    }
    jobs._write_progress("job", ImportProgress("file0.json", 1, 1, total=100, read=50, **times))
    Import.objects.filter(pk=upload.pk).update(state="running", job="job")
    return "job"


def address(name: str, upload: Import) -> str:
    return reverse(name, args=[upload.study.slug, upload.public_id])


@pytest.fixture
def started(monkeypatch: pytest.MonkeyPatch, settings: Any) -> list[tuple[list[str], str]]:
    """Commands that a web process started, with their input; `tests/stack` lets them run."""
    commands: list[tuple[list[str], str]] = []

    def run(command: list[str], *, input: str, **how: Any) -> CompletedProcess[str]:
        commands.append((command[2:], input))
        return CompletedProcess(command, 0)

    settings.IMPORT_AT_ONCE_POINTS = 5
    monkeypatch.setattr(import_process.subprocess, "run", run)
    return commands


def threads_end() -> None:
    for thread in threading.enumerate():
        if thread.name.startswith("import "):
            thread.join(30)


def test_a_large_import_goes_on_in_another_process(
    owner: Client,
    study: Study,
    keep_files: Callable[..., list[Import]],
    started: list[tuple[list[str], str]],
    settings: Any,
) -> None:
    settings.WEBHOOK = "http://127.0.0.1:9/"
    (upload,) = keep_files(file_of(4))
    form = {"uploads": upload.public_id, "dataset": "+", "name": "Sorting", "on_problems": "stop"}
    form |= {"label": "nightly", "measured_at": "2026-03-14T02:00"}

    answer = owner.post(reverse("import-confirmation", args=[study.slug]), form)
    threads_end()
    ((command, order),) = started
    first_reply = owner.get(address("import-progress", upload))
    call_command(*command, stdin=io.StringIO(order))
    last_reply = owner.get(address("import-progress", upload))

    assert answer.headers["Location"] == address("import-one", upload)
    assert 'value="0"' in first_reply.content.decode()
    assert last_reply.headers["HX-Redirect"] == address("import-one", upload)
    assert Series.objects.count() == 4
    assert Recording.objects.get().measured_at == datetime(2026, 3, 14, 2, tzinfo=UTC)
    assert Import.objects.get().state == "done"
    assert list(upload_files.folder().iterdir()) == []
    notice = study.outgoing_notices.get()
    assert (notice.event, notice.subject) == ("import-finished", "4 new series in Sorting")


def test_progress_is_shown_until_the_last_file_of_a_job_is_stored(
    owner: Client, dataset: Dataset, keep_files: Callable[..., list[Import]]
) -> None:
    first_upload, second_upload = keep_files(file_of(1), file_of(1, name="org.example.Sort.quick"))
    job = mark_running(first_upload)
    mark_running(second_upload)
    Import.objects.filter(pk=first_upload.pk).update(state="done", dataset=dataset, stored=1)

    replies = [owner.get(address(name, first_upload)) for name in ("import-progress", "import-one")]
    upload_files.progress_path(job).unlink()
    Import.objects.filter(pk=second_upload.pk).update(state="done", dataset=dataset, stored=1)
    last_reply = owner.get(address("import-progress", first_upload))
    page = owner.get(address("import-one", first_upload)).content.decode()

    assert all("data-import-progress" in answer.content.decode() for answer in replies)
    assert last_reply.headers["HX-Redirect"] == address("import-one", first_upload)
    assert page.count("data-imported") == 2


@pytest.mark.parametrize(("samples", "processes"), [(1, 0), (100, 1)])
def test_samples_make_an_import_large_too(
    dataset: Dataset,
    keep_files: Callable[..., list[Import]],
    started: list[tuple[list[str], str]],
    settings: Any,
    samples: int,
    processes: int,
) -> None:
    settings.IMPORT_AT_ONCE_POINTS = 50
    iterations = [[[1.0 + value, 1] for value in range(samples)], [[1.0, 2]]]
    metric = {"scoreUnit": "ms/op", "rawDataHistogram": [iterations]}
    entry = {"benchmark": "b", "mode": "sample", "primaryMetric": metric}

    jobs.begin_import(keep_files(json.dumps([entry]).encode()), order_for(dataset))
    threads_end()

    assert len(started) == processes
    assert Series.objects.count() == 1 - processes


@pytest.mark.parametrize("error", [CalledProcessError(-9, "import_uploads"), OSError("no room")])
@pytest.mark.django_db(transaction=True)
def test_files_of_a_process_that_failed_wait_again(
    owner: Client,
    dataset: Dataset,
    keep_files: Callable[..., list[Import]],
    started: list[tuple[list[str], str]],
    monkeypatch: pytest.MonkeyPatch,
    error: Exception,
) -> None:
    monkeypatch.setattr(import_process.subprocess, "run", Mock(side_effect=error))
    (upload,) = keep_files(file_of(4))

    assert jobs.begin_import([upload], order_for(dataset))
    threads_end()

    text = owner.get(address("import-one", upload)).content.decode()
    assert "broke off: its process" in text
    assert Import.objects.get().is_waiting


@pytest.mark.parametrize(
    "error",
    [
        OperationalError("canceling statement due to lock timeout"),
        OSError(errno.ENOSPC, "No space left on device"),
    ],
    ids=["busy", "full"],
)
def test_files_wait_again_where_the_database_is_busy_in_the_middle(
    owner: Client,
    study: Study,
    dataset: Dataset,
    keep_files: Callable[..., list[Import]],
    monkeypatch: pytest.MonkeyPatch,
    error: Exception,
) -> None:
    """Both files, though the second had not begun; the next click imports them."""
    chosen_uploads = keep_files(file_of(2), file_of(3, "other"))
    form = {"uploads": [upload.public_id for upload in chosen_uploads], "dataset": dataset.slug}
    form |= {"on_problems": "stop"}
    confirm = partial(owner.post, reverse("import-confirmation", args=[study.slug]), form)
    owner.raise_request_exception = False

    with monkeypatch.context() as patch:
        patch.setattr(services, "_write_blobs", Mock(side_effect=error))
        answer = confirm()
    states = set(Import.objects.values_list("state", "error"))
    page = owner.get(reverse("import", args=[study.slug]), follow=True).content.decode()
    confirm()

    assert (answer.status_code, answer.headers["Retry-After"]) == (503, "5")
    assert states == {("uploaded", jobs.BUSY)}
    assert "is being imported" not in page
    assert Series.objects.count() == 5
    assert set(Import.objects.values_list("state", "error")) == {("done", "")}


def test_what_a_busy_database_sent_back_is_no_cancellation(
    study: Study, keep_files: Callable[..., list[Import]]
) -> None:
    (upload,) = keep_files(file_of(2))
    Import.objects.update(job="job", error=jobs.BUSY)

    outcome = jobs.outcome(study, "job")

    assert [u.pk for u in outcome.refused] == [upload.pk]
    assert outcome.back == []


def test_what_is_running_is_shown_and_can_be_cancelled(
    owner: Client, study: Study, keep_files: Callable[..., list[Import]]
) -> None:
    (upload,) = keep_files(file_of(2))
    job = mark_running(upload)

    page = owner.get(address("import-one", upload)).content.decode()
    overview = owner.get(reverse("import", args=[study.slug]), follow=True).content.decode()
    cancelled_page = owner.post(
        address("import-cancellation", upload), follow=True
    ).content.decode()

    for html in (page, overview):
        assert 'value="40"' in html  # half is read, and storing takes a quarter of the time
        assert "about 15\u00a0s" in html
        assert "hx-get" in html
    assert "at its next series" in cancelled_page
    assert upload_files.cancel_path(job).exists()


def test_a_data_set_without_series_leads_to_the_import_that_is_at_work(
    owner: Client, study: Study, dataset: Dataset, keep_files: Callable[..., list[Import]]
) -> None:
    (upload,) = keep_files(file_of(2))
    page_before = owner.get(dataset.get_absolute_url()).content.decode()
    mark_running(upload)
    page_during = owner.get(dataset.get_absolute_url()).content.decode()

    assert address("import-one", upload) not in page_before
    assert "values are being imported" in page_during
    assert f'href="{address("import-one", upload)}">See how far it is' in page_during


def test_a_cancelled_import_leaves_nothing_and_keeps_the_files(
    study: Study, dataset: Dataset, keep_files: Callable[..., list[Import]]
) -> None:
    first_upload, second_upload = keep_files(file_of(2), file_of(2, "other"))
    job = mark_running(first_upload)
    Import.objects.update(state="running", job=job)
    upload_files.cancel_path(job).touch()

    jobs.import_files(job, order_for(dataset))

    assert Series.objects.count() == 0
    outcome = jobs.outcome(study, job)
    assert [u.pk for u in outcome.back] == [first_upload.pk, second_upload.pk]
    assert all(
        upload_files.upload_path(upload).is_file() for upload in (first_upload, second_upload)
    )
    assert jobs.progress(job) is None
    assert jobs.cancel(job) is False


@pytest.mark.parametrize(
    "stop_counts", [(2, 0), (2, 2)], ids=["while it is read", "while it is stored"]
)
def test_an_import_that_is_stopped_has_stored_nothing(
    dataset: Dataset, keep_files: Callable[..., list[Import]], stop_counts: tuple[int, int]
) -> None:
    (upload,) = keep_files(file_of(2))

    def step(*, read_count: int, stored_count: int) -> None:
        if (read_count, stored_count) == stop_counts:
            raise jobs.ImportCancelled

    with pytest.raises(jobs.ImportCancelled):
        uploads.confirm(upload, dataset, occasion=RecordingDetails(), on_problems="stop", step=step)

    assert Series.objects.count() == 0
    expected_paths = {upload_files.upload_path(upload), upload_files.list_path(upload)}
    assert set(upload_files.folder().iterdir()) == expected_paths
    assert not dataset.benchmarks.exists()
    assert not dataset.recordings.exists()


@pytest.mark.parametrize(
    "how",
    [
        {"pid": GONE},
        {"ticks": -jobs.SILENT_AFTER},
        {"ticks": 1e12},
        {"host": "elsewhere", "noted": 1.0},
    ],
    ids=["killed", "silent", "before a restart", "silent elsewhere"],
)
def test_a_file_whose_server_stopped_waits_again(
    owner: Client, keep_files: Callable[..., list[Import]], how: dict[str, Any]
) -> None:
    (upload,) = keep_files(file_of(2))
    mark_running(upload, **how)

    text = owner.get(address("import-one", upload)).content.decode()

    assert "broke off: its process" in text
    assert Import.objects.get().is_waiting


def test_a_clock_that_is_set_ends_no_import(
    owner: Client, keep_files: Callable[..., list[Import]]
) -> None:
    (upload,) = keep_files(file_of(2))
    mark_running(upload, noted=time.time() - 10 * jobs.SILENT_AFTER)

    assert jobs.progress("job") is not None


def test_two_clicks_import_once(dataset: Dataset, keep_files: Callable[..., list[Import]]) -> None:
    chosen_uploads = keep_files(file_of(2))

    first = jobs.begin_import(chosen_uploads, order_for(dataset))
    second = jobs.begin_import(chosen_uploads, order_for(dataset))

    assert first
    assert second == ""
    assert Import.objects.get().stored == 2


def test_what_is_running_cannot_be_discarded(
    owner: Client, keep_files: Callable[..., list[Import]]
) -> None:
    (upload,) = keep_files(file_of(2))
    mark_running(upload)

    text = owner.post(address("import-removal", upload), follow=True).content.decode()

    assert "file0.json no longer" in text
    assert upload_files.upload_path(upload).exists()


# --- what an import would do ------------------------------------------------------------------
def forecast(owner: Client, study: Study, **form: Any) -> str:
    answer = owner.post(reverse("import-forecast", args=[study.slug]), form)
    return " ".join(answer.content.decode().split())


def test_the_preview_counts_what_is_stored_already(
    owner: Client, study: Study, dataset: Dataset, keep_files: Callable[..., list[Import]]
) -> None:
    jobs.begin_import(keep_files(file_of(5)), order_for(dataset))
    (upload,) = keep_files(file_of(17))
    form = {"uploads": upload.public_id, "dataset": dataset.slug}

    same_recording_text, other_recording_text = (
        forecast(owner, study, label=label, **form) for label in ("nightly", "tuesday")
    )
    new_dataset_text = forecast(
        owner, study, uploads=upload.public_id, dataset="+", label="nightly"
    )

    assert "<b>12 new</b>, 5 already stored" in same_recording_text
    assert "17 series, all new" in other_recording_text
    assert "17 series, all new" in new_dataset_text
    assert Series.objects.count() == 5


def test_the_very_same_file_again_is_nothing_new(
    owner: Client, dataset: Dataset, keep_files: Callable[..., list[Import]]
) -> None:
    jobs.begin_import(keep_files(file_of(5)), order_for(dataset))
    (second_upload,) = keep_files(file_of(5))

    text = owner.get(address("import-one", second_upload)).content.decode()

    assert "<b>Nothing new</b>: all 5 series" in text
    assert 'value="nightly"' in text


def test_other_values_are_announced_as_a_contradiction(
    owner: Client, study: Study, dataset: Dataset, keep_files: Callable[..., list[Import]]
) -> None:
    jobs.begin_import(keep_files(file_of(1)), order_for(dataset))
    (upload,) = keep_files(file_of(1).replace(b"3.0", b"4.0"))

    text = forecast(owner, study, uploads=upload.public_id, dataset=dataset.slug, label="nightly")

    assert "▲ 1 contradicts what is stored" in text
    assert "found other values than" in text


def test_files_are_counted_one_after_the_other(
    owner: Client, study: Study, keep_files: Callable[..., list[Import]]
) -> None:
    first_upload, second_upload = keep_files(file_of(2), file_of(5))
    names = [first_upload.public_id, second_upload.public_id]

    text = forecast(owner, study, uploads=names, dataset="+", label="both")

    assert "<b>5 new</b>, 2 already stored" in text


# --- what nobody confirms ---------------------------------------------------------------------
def age(path: Path, days: float) -> None:
    moment = time.time() - days * 86_400
    os.utime(path, (moment, moment))


def test_abandoned_files_are_removed_and_no_others(
    owner: Client, study: Study, keep_files: Callable[..., list[Import]], settings: Any
) -> None:
    settings.IMPORT_KEEP_DAYS = 3
    old_upload, young_upload, running_upload = keep_files(file_of(1), file_of(2), file_of(3))
    mark_running(running_upload)
    for upload, days in ((old_upload, 3.1), (young_upload, 2.9), (running_upload, 30)):
        age(upload_files.upload_path(upload), days)
        age(upload_files.list_path(upload), days)
    left_path, arriving_path = (
        upload_files.folder() / "left",
        upload_files.folder() / "tmpx.arriving",
    )
    for path, days in ((left_path, 1.1), (arriving_path, 0.9)):
        path.touch()
        age(path, days)

    text = owner.get(reverse("import", args=[study.slug]), follow=True).content.decode()

    states = dict(Import.objects.values_list("public_id", "state"))
    assert states[old_upload.public_id] == "discarded"
    assert (states[young_upload.public_id], states[running_upload.public_id]) == (
        "uploaded",
        "running",
    )
    assert not upload_files.upload_path(old_upload).exists()
    assert not upload_files.list_path(old_upload).exists()
    assert not left_path.exists()
    assert arriving_path.exists()
    for kept_upload in (young_upload, running_upload):
        assert upload_files.upload_path(kept_upload).exists()
        assert upload_files.list_path(kept_upload).exists()
    assert "removed 3 days after you" in text


def test_looking_again_begins_the_time_anew(keep_files: Callable[..., list[Import]]) -> None:
    (upload,) = keep_files(file_of(1))
    age(upload_files.upload_path(upload), 30)

    uploads.reread_upload(upload)

    assert upload_files.purge_uploads() == 0
    assert upload_files.upload_path(upload).exists()


# --- many files -------------------------------------------------------------------------------
def send(owner: Client, study: Study, count: int) -> Any:
    files = [
        SimpleUploadedFile(f"{number}.txt", f"{number}\n2\n".encode()) for number in range(count)
    ]
    return owner.post(reverse("import", args=[study.slug]), {"files": files}, follow=True)


def test_more_than_a_hundred_files_come_at_once(owner: Client, study: Study) -> None:
    answer = send(owner, study, 120)

    assert values(answer, "data-file") == ["doubt"] * 120
    assert not list(upload_files.folder().glob("*.arriving"))


def test_more_files_than_fit_are_refused_with_the_number(
    owner: Client, study: Study, settings: Any
) -> None:
    settings.DATA_UPLOAD_MAX_NUMBER_FILES = 3

    answer = send(owner, study, 4)

    assert answer.status_code == 413
    assert "at most 3 fit into" in (answer.content.decode())
    assert Import.objects.count() == 0
    assert list(upload_files.folder().iterdir()) == []
