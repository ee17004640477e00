"""An archive that is uploaded: checked, shown, imported when somebody says so; by nobody else."""

from __future__ import annotations

import resource
from collections.abc import Callable
from datetime import timedelta
from pathlib import Path
from subprocess import TimeoutExpired
from typing import Any
from unittest.mock import Mock

import pytest
from django.conf import LazySettings
from django.core.files.uploadedfile import SimpleUploadedFile
from django.core.management import call_command
from django.test import Client
from django.urls import reverse
from django.utils import timezone

from analysis.archive import uploading
from analysis.archive.models import ArchiveUpload
from people.models import AuditEvent, Study, User
from series.importing import import_process
from series.models import Series
from tests.analysis.archive.conftest import make_room

pytestmark = pytest.mark.django_db
PLACE = reverse("archive-uploads")
Started = list[str]


@pytest.fixture(autouse=True)
def uploads(monkeypatch: pytest.MonkeyPatch, settings: LazySettings, tmp_path: Path) -> Started:
    """Uploads that a process was started for; the command runs here when a test says so."""
    uploads: Started = []
    settings.DATA_DIR = tmp_path / "data"
    monkeypatch.setattr(
        import_process, "start_import_process", lambda job, *_, **__: uploads.append(job)
    )
    monkeypatch.setattr(resource, "setrlimit", Mock())
    return uploads


@pytest.fixture
def as_olga(client: Client, olga: User) -> Client:
    client.force_login(olga)
    return client


def uploaded(client: Client, content: bytes, name: str = "study.zip") -> Any:
    return client.post(PLACE, {"file": SimpleUploadedFile(name, content)})


def run_last_process(uploads: Started) -> None:
    """The process of the last upload has run."""
    call_command(uploading.COMMAND, uploads[-1])


def files() -> list[Path]:
    return sorted(uploading.archive_upload_path(ArchiveUpload()).parent.iterdir())


def test_an_archive_is_shown_and_then_is_the_same_study(
    series: Series, archived: Callable[..., Path], as_olga: Client, olga: User, uploads: Started
) -> None:
    first_study = series.benchmark.dataset.study
    content = archived(first_study).read_bytes()
    make_room(first_study)
    address = uploaded(as_olga, content)["Location"]
    assert "being checked" in as_olga.get(address).text
    run_last_process(uploads)
    memory_limit = resource.setrlimit.call_args.args[1][0]  # type: ignore[attr-defined]
    page_text = as_olga.get(address).text
    assert "confirmation/" in page_text
    assert '<th scope="row">Series</th><td>1</td>' in "".join(page_text.split("\n"))
    assert "Marks" not in page_text  # there are none
    assert not Series.objects.exists()

    as_olga.post(f"{address}confirmation/")
    as_olga.post(f"{address}confirmation/")  # a second click
    assert as_olga.get(address, headers={"HX-Request": "true"}).headers.get("HX-Redirect") is None
    run_last_process(uploads)

    study = Study.objects.get()
    assert as_olga.get(address)["Location"] == study.get_absolute_url()
    assert archived(study).read_bytes() == content
    assert memory_limit > 10**9
    assert len(uploads) == 2
    assert files() == []
    ArchiveUpload.objects.update(when=timezone.now() - timedelta(days=15))
    uploading.purge_archive_uploads()
    assert not ArchiveUpload.objects.exists()
    event = AuditEvent.objects.get(action="study-made", study=study)
    assert (event.person, event.what) == (olga, "from an archive")


def test_the_quota_of_a_study_holds_for_an_archive_too(
    series: Series,
    archived: Callable[..., Path],
    as_olga: Client,
    uploads: Started,
    settings: LazySettings,
) -> None:
    content = archived(series.benchmark.dataset.study).read_bytes()
    address = uploaded(as_olga, content)["Location"]
    run_last_process(uploads)
    settings.STUDY_MAX_BYTES = 1

    as_olga.post(f"{address}confirmation/")
    run_last_process(uploads)

    own_upload = ArchiveUpload.objects.get()
    assert (own_upload.state, Study.objects.count()) == ("refused", 1)
    assert "PLATEAU_STUDY_MB" in own_upload.error


def test_what_is_no_archive_is_refused_in_a_sentence(as_olga: Client, uploads: Started) -> None:
    address = uploaded(as_olga, b"PK\5\6" + bytes(18), "<b>.zip")["Location"]
    run_last_process(uploads)

    page_text = as_olga.get(address).text
    error = ArchiveUpload.objects.get().error
    assert error.startswith("SHA256SUMS is missing, which every archive of Plateau has. Nothing")
    assert error in page_text
    assert "confirmation/" not in page_text
    assert "&lt;b&gt;" in page_text
    as_olga.post(f"{address}confirmation/")
    assert Study.objects.count() == 1
    as_olga.post(f"{address}removal/")
    assert (files(), ArchiveUpload.objects.count()) == ([], 0)


@pytest.mark.parametrize(("before", "after"), [("checking", "refused"), ("importing", "ready")])
def test_a_process_that_ended_leaves_an_upload_that_can_be_discarded(
    before: str, after: str, as_olga: Client, olga: User
) -> None:
    own_upload = ArchiveUpload.objects.create(by=olga, state=before, host="", pid=0)
    uploading._store_process(own_upload)
    assert "data-going" in as_olga.get(own_upload.get_absolute_url()).text
    ArchiveUpload.objects.update(pid=2**22 + 1)  # more than Linux gives

    assert "data-going" not in as_olga.get(own_upload.get_absolute_url()).text
    own_upload.refresh_from_db()
    assert (own_upload.state, own_upload.error) == (after, uploading.BROKE_OFF)


def test_a_process_that_takes_too_long_is_told(olga: User, monkeypatch: pytest.MonkeyPatch) -> None:
    own_upload = ArchiveUpload.objects.create(by=olga)
    monkeypatch.setattr(import_process, "_run", Mock(side_effect=TimeoutExpired("x", 1)))
    monkeypatch.setattr(import_process, "connections", Mock())  # of a thread that ends

    import_process._watch(["x"], "", 1, lambda: uploading.mark_broken_off(own_upload.public_id))

    own_upload.refresh_from_db()
    assert (own_upload.state, own_upload.error) == ("refused", uploading.BROKE_OFF)


@pytest.mark.parametrize(
    ("raised_exception", "state"),
    [(OSError(28, "no space"), "ready"), (RuntimeError("a"), "refused")],
)
def test_a_fault_while_importing_stores_nothing_and_says_so(
    raised_exception: Exception,
    state: str,
    olga: User,
    monkeypatch: pytest.MonkeyPatch,
    caplog: Any,
) -> None:
    own_upload = ArchiveUpload.objects.create(by=olga, state="importing", contents={"title": "a"})
    monkeypatch.setattr(uploading, "import_archive", Mock(side_effect=raised_exception))

    uploading.process_archive_upload(own_upload)

    own_upload.refresh_from_db()
    assert (own_upload.state, bool(own_upload.error), own_upload.study) == (state, True, None)


def test_too_large_and_too_many_are_refused_before_they_are_kept(
    as_olga: Client, olga: User, settings: LazySettings
) -> None:
    settings.IMPORT_MAX_FILE_BYTES = 1000
    assert "PLATEAU_MAX_FILE_MB" in uploaded(as_olga, bytes(1001)).text
    assert uploaded(as_olga, bytes(5000)).status_code == 413
    assert files() == []
    for _ in range(uploading.MOST):
        assert uploaded(as_olga, bytes(10)).status_code == 302

    assert "3 archives of yours wait" in uploaded(as_olga, bytes(10)).text
    assert len(files()) == 3


def test_nobody_sees_what_another_uploaded_and_staff_alone_where_the_setting_says_so(
    as_olga: Client, vic: User, settings: LazySettings
) -> None:
    url = uploaded(as_olga, b"PK")["Location"]
    client = Client()
    client.force_login(vic)

    assert [client.get(url).status_code, client.post(f"{url}removal/").status_code] == [404, 404]
    settings.STUDY_CREATORS = "staff"
    assert [as_olga.get(address).status_code for address in (PLACE, url)] == [403, 403]
    assert uploaded(as_olga, b"PK").status_code == 403
