"""A study holds so many bytes, and no more."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from django.test import Client
from django.urls import reverse

from analysis.removal import services as removal
from formats import TooLarge
from people.models import Study, User
from series.importing import quota, upload_files, uploads
from series.importing.services import import_file
from series.models import Dataset, Import, Series
from series.reading.file_readers import FileToRead
from tests.test_undo import click


@pytest.fixture(autouse=True)
def _own_folder(settings: Any, tmp_path: Path) -> None:
    """Other tests store uploads at the same time."""
    settings.DATA_DIR = tmp_path


def numbers(n: int) -> bytes:
    return "".join(f"{i + 1}.5\n" for i in range(n)).encode()


def test_values_count_eight_bytes_each(study: Study, series: Series) -> None:
    assert quota.stored_bytes(study) == 8 * series.n


def test_an_import_that_fits_just_so_is_stored_and_one_value_more_is_not(
    study: Study, dataset: Dataset, settings: Any
) -> None:
    settings.STUDY_MAX_BYTES = quota.stored_bytes(study) + 8 * 60

    with pytest.raises(TooLarge) as error:
        import_file(dataset, FileToRead("more.txt", data=numbers(61)))
    assert Series.objects.filter(n=61).count() == 0
    import_file(dataset, FileToRead("fits.txt", data=numbers(60)))

    assert Series.objects.filter(n=60).count() == 1
    assert str(error.value).startswith("more.txt, size: found 0.00 MB beside the ")


def test_an_upload_without_room_is_told_and_leaves_nothing(
    client: Client, study: Study, olga: User, settings: Any
) -> None:
    settings.STUDY_MAX_BYTES = quota.stored_bytes(study) + 100
    client.force_login(olga)
    address = reverse("import", args=[study.slug])
    paths_before = set(upload_files.folder().iterdir())

    answer = client.post(
        address, {"files": SimpleUploadedFile("big.txt", numbers(60))}, follow=True
    )

    assert "raise PLATEAU_STUDY_MB" in answer.content.decode()
    assert "No file arrived" not in answer.content.decode()
    assert set(upload_files.folder().iterdir()) == paths_before
    assert not Import.objects.filter(study=study).exists()


def test_uploads_that_wait_count(client: Client, study: Study, olga: User, settings: Any) -> None:
    client.force_login(olga)
    address = reverse("import", args=[study.slug])
    client.post(address, {"files": SimpleUploadedFile("one.txt", numbers(40))})
    settings.STUDY_MAX_BYTES = quota.stored_bytes(study) + quota.waiting_bytes(study) + 10

    client.post(address, {"files": SimpleUploadedFile("two.txt", numbers(41))})

    assert [upload.file_name for upload in Import.objects.filter(study=study)] == ["one.txt"]


def test_a_discarded_upload_waits_again_only_where_the_study_has_room(
    client: Client, study: Study, olga: User, ana: User, settings: Any
) -> None:
    settings.STUDY_MAX_BYTES = quota.stored_bytes(study) + 1000
    client.force_login(olga)
    first = uploads.store_upload(study, [b"1234567\n" * 100], "one.txt", by=olga)
    undo = click(client, reverse("import-removal", args=[study.slug, first.public_id]), {})
    uploads.store_upload(study, [b"7654321\n" * 100], "two.txt", by=ana)

    response = client.post(*undo, follow=True)

    assert "raise PLATEAU_STUDY_MB" in response.content.decode()
    assert quota.waiting_bytes(study) == 800
    first.refresh_from_db()
    assert first.state == Import.State.DISCARDED


# --- beside what is used --------------------------------------------------------------------------
def test_the_use_of_one_is_that_of_all(
    study: Study, series: Series, olga: User, settings: Any
) -> None:
    uploads.store_upload(study, [b"1.5\n1.4\n"], "two.txt", by=olga)
    empty_study = Study.objects.create(name="Empty", slug="empty")
    settings.STUDY_MAX_BYTES = 2 * (8 * series.n + 8)

    quotas = quota.all_quotas()

    assert quotas == [quota.study_quota(study), quota.study_quota(empty_study)]
    assert [(use.stored, use.waiting, use.share) for use in quotas] == [
        (8 * series.n, 8, 0.5),
        (0, 0, 0.0),
    ]


def test_what_was_removed_counts_where_it_came_from(
    study: Study, series: Series, olga: User
) -> None:
    removal.remove_from_study(series.benchmark.dataset, user=olga)

    assert quota.all_quotas() == [quota.study_quota(study)]
    assert quota.study_quota(study).stored == 8 * series.n


def test_owners_see_it_where_they_import(
    client: Client, study: Study, series: Series, olga: User, settings: Any
) -> None:
    settings.STUDY_MAX_BYTES = 20_000_000
    client.force_login(olga)

    page = client.get(reverse("import", args=[study.slug])).content.decode()

    assert "0.00 MB of 20 MB" in page
