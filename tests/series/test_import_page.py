"""Importing by hand: nothing is written before it is confirmed, and every complaint says what."""

from __future__ import annotations

import json
from collections.abc import Callable
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from django.test import Client
from django.urls import reverse

from people.models import Study, User
from series import upload_storage, uploads
from series.models import Dataset, Import, Recording, Series

RUN = {
    "benchmark": "org.example.Sort.merge",
    "mode": "avgt",
    "warmupIterations": 5,
    "warmupTime": "10 s",
    "measurementIterations": 3,
    "measurementTime": "1 s",
    "primaryMetric": {"scoreUnit": "ms/op", "rawData": [[3.0, 2.0, 1.0], [3.0, 1.0, 1.0]]},
}
GOOD = json.dumps([RUN]).encode()
BROKEN = b"fork 0,fork 1\n1.0,1.0\n2.0,abc\n3.0,1.0\n"


@pytest.fixture(autouse=True)
def _own_folder(settings: Any, tmp_path: Path) -> None:
    settings.DATA_DIR = tmp_path


@pytest.fixture
def owner(client: Client, olga: User) -> Client:
    client.force_login(olga)
    return client


@pytest.fixture
def upload(owner: Client, study: Study) -> Callable[..., Any]:
    def send(*files: tuple[str, bytes], **more: str) -> Any:
        found = [SimpleUploadedFile(name, data) for name, data in files]
        address = reverse("import", args=[study.slug])
        return owner.post(address, {"files": found, **more}, follow=True)

    return send


@pytest.fixture
def confirm(owner: Client, study: Study) -> Callable[..., Any]:
    """Confirms everything that waits, into a new data set unless another is named."""

    def send(**more: str) -> Any:
        names = list(Import.objects.filter(uploads.WAITING).values_list("public_id", flat=True))
        form = {"uploads": names, "dataset": "+", "name": "Sorting", "on_problems": "stop", **more}
        return owner.post(reverse("import-confirmation", args=[study.slug]), form, follow=True)

    return send


def text_of(answer: Any) -> str:
    return " ".join(answer.content.decode().split())


def test_a_file_is_shown_and_nothing_is_written(upload: Callable[..., Any]) -> None:
    text = text_of(upload(("sort.json", GOOD)))

    assert "1 benchmark · 2 series · 3 iterations each" in text
    assert "&quot;primaryMetric&quot; found: JMH JSON" in text
    assert "5 warm-up iterations of 10 s were run before the first value" in text
    assert text.count('class="outline outline-wide"') == 2
    assert (Series.objects.count(), Dataset.objects.count()) == (0, 0)


def test_confirming_stores_it_and_lets_go_of_the_file(
    upload: Callable[..., Any], confirm: Callable[..., Any], olga: User
) -> None:
    upload(("sort.json", GOOD))
    path = upload_storage.path_of(Import.objects.get())
    assert path.is_file()

    answer = confirm(label="nightly 12", build="abc", measured_at="2026-03-14 02:00")

    assert "1 file imported: 2 series are new." in text_of(answer)
    assert not path.exists()
    recording = Recording.objects.get()
    assert (recording.label, recording.build) == ("nightly 12", "abc")
    assert recording.measured_at == datetime(2026, 3, 14, 2, tzinfo=UTC)
    done = Import.objects.get()
    assert (done.state, done.stored, done.by) == ("done", 2, olga)
    assert [each.slug for each in Dataset.objects.all()] == ["sorting"]


def test_a_known_file_is_named_and_changes_nothing(
    upload: Callable[..., Any], confirm: Callable[..., Any]
) -> None:
    upload(("sort.json", GOOD))
    confirm()

    again = text_of(upload(("other name.json", GOOD)))
    done = text_of(confirm(dataset="sorting"))

    assert "sort.json was imported" in again
    assert "nothing changed, all 2 series were there already" in done
    assert Series.objects.count() == 2


def test_the_problems_of_a_file_are_listed_and_can_be_downloaded(
    upload: Callable[..., Any], owner: Client, study: Study
) -> None:
    text = text_of(upload(("wide.csv", BROKEN)))
    waiting = Import.objects.get()

    listed = owner.get(reverse("import-problems", args=[study.slug, waiting.public_id]))

    assert "▲ 1 problem" in text
    assert "wide.csv, row 3, column &#x27;fork 1&#x27;: found &#x27;abc&#x27;" in text
    assert listed.content.decode().splitlines()[0] == "file,where,found,expected,what to do"
    assert "wide.csv,\"row 3, column 'fork 1'\",'abc',a finite number" in listed.content.decode()


def test_a_file_with_problems_is_refused_whole_and_kept(
    upload: Callable[..., Any], confirm: Callable[..., Any]
) -> None:
    preview = text_of(upload(("wide.csv", BROKEN)))
    assert "Nothing would be stored" in preview
    assert "none stored yet" not in preview

    text = text_of(confirm())

    assert text.count("Nothing of this file was stored. wide.csv, row 3, column") == 1
    assert Series.objects.count() == 0
    waiting = Import.objects.get()
    assert waiting.is_waiting
    assert upload_storage.path_of(waiting).is_file()


def test_or_its_good_series_are_taken(
    upload: Callable[..., Any], confirm: Callable[..., Any]
) -> None:
    upload(("wide.csv", BROKEN))

    confirm(on_problems="leave-out")

    assert Series.objects.get().array().tolist() == [1.0, 2.0, 3.0]


def test_a_file_can_be_read_in_another_way(
    upload: Callable[..., Any], owner: Client, study: Study
) -> None:
    upload(("wide.csv", BROKEN))
    waiting = Import.objects.get()
    address = reverse("import-one", args=[study.slug, waiting.public_id])
    form = {
        "format": "csv",
        "unit": "ms",
        "layout": "wide",
        "separator": ",",
        "decimal": "auto",
        "header": "yes",
        "series_columns": ["fork 0"],
    }

    text = text_of(owner.post(address, form, follow=True))

    assert "1 benchmark · 1 series · 3 iterations" in text
    assert "problem" not in text.split("What is in it")[1].split("Read it in")[0]
    assert Import.objects.get().options["series_columns"] == ["fork 0"]


def test_the_length_of_an_iteration_can_be_said(
    upload: Callable[..., Any], confirm: Callable[..., Any], owner: Client, study: Study
) -> None:
    before = text_of(upload(("times.csv", b"fork 0 (us/op)\n2.0\n1.0\n")))
    waiting = reverse("import-one", args=[study.slug, Import.objects.get().public_id])
    how: dict[str, Any] = {
        "format": "auto",
        "layout": "auto",
        "separator": "auto",
        "decimal": "auto",
    }
    how |= {"header": "auto", "series_columns": ["fork 0 (us/op)"]}

    wrong = text_of(owner.post(waiting, {**how, "iteration": "3"}, follow=True))
    after = text_of(owner.post(waiting, {**how, "iteration": "100 ms"}, follow=True))
    confirm()

    assert "<dt>Length of an iteration</dt><dd>not known</dd>" in before
    assert "expected a length such as 100 ms or 1 s, or: one operation" in wrong
    assert "<dt>Length of an iteration</dt><dd>0.1 s</dd>" in after
    assert Series.objects.get().seconds_per_iteration == 0.1


def test_many_files_wait_together_and_are_confirmed_at_once(
    upload: Callable[..., Any], confirm: Callable[..., Any]
) -> None:
    other = json.dumps([{**RUN, "benchmark": "org.example.Sort.quick"}]).encode()

    waiting = text_of(upload(("a.json", GOOD), ("b.json", other)))
    done = text_of(confirm(label="both"))

    assert "2 files, not imported yet" in waiting
    assert "2 files imported: 4 series are new." in done
    assert Recording.objects.get().label == "both"


def test_one_refused_file_does_not_keep_the_others_out(
    upload: Callable[..., Any], confirm: Callable[..., Any]
) -> None:
    upload(("good.json", GOOD), ("wide.csv", BROKEN))

    text = text_of(confirm())

    assert "1 file imported: 2 series are new." in text
    assert "Nothing of this file was stored. wide.csv" in text
    assert "▲ not imported" in text


def test_numbers_can_be_pasted(upload: Callable[..., Any]) -> None:
    text = text_of(upload(numbers="0.5\n0.4\n0.4\n"))

    assert "1 benchmark · 1 series · 3 iterations" in text


def test_no_file_says_so(upload: Callable[..., Any]) -> None:
    assert "No file arrived." in text_of(upload())


def test_the_same_file_dropped_twice_waits_once(upload: Callable[..., Any]) -> None:
    upload(("sort.json", GOOD))
    upload(("sort.json", GOOD))

    assert Import.objects.count() == 1
    waiting = Import.objects.get()
    there = {upload_storage.path_of(waiting), upload_storage.list_of(waiting)}
    assert set(upload_storage.folder().iterdir()) == there


def test_a_discarded_file_is_gone(upload: Callable[..., Any], owner: Client, study: Study) -> None:
    upload(("sort.json", GOOD))
    waiting = Import.objects.get()

    owner.post(reverse("import-removal", args=[study.slug, waiting.public_id]))

    assert not upload_storage.path_of(waiting).exists()
    assert Import.objects.get().state == "discarded"


def test_a_new_data_set_needs_a_name(
    upload: Callable[..., Any], confirm: Callable[..., Any], dataset: Dataset
) -> None:
    upload(("sort.json", GOOD))

    nameless = confirm(name="")
    taken = confirm(name="Nightly")

    assert nameless.status_code == taken.status_code == 422
    assert "A new data set needs a name." in text_of(nameless)
    assert "This study has a data set called “Nightly”." in text_of(taken)
    assert Series.objects.count() == 0


def test_a_date_that_is_none_is_sent_back(
    upload: Callable[..., Any], confirm: Callable[..., Any]
) -> None:
    upload(("sort.json", GOOD))

    assert "“yesterday” is no date and time." in text_of(confirm(measured_at="yesterday"))


def test_an_upload_beyond_all_limits_is_refused_before_it_is_read(
    upload: Callable[..., Any], settings: Any
) -> None:
    settings.IMPORT_MAX_FILE_BYTES = 100

    answer = upload(("sort.json", GOOD * 3))

    assert answer.status_code == 413
    assert "at most 0 MB fit into one" in text_of(answer)
    assert Import.objects.count() == 0


@pytest.mark.parametrize("person", ["ana", "vic"])
def test_only_owners_import(client: Client, study: Study, person: str, request: Any) -> None:
    client.force_login(request.getfixturevalue(person))

    assert client.get(reverse("import", args=[study.slug])).status_code == 403


def test_the_upload_form_is_protected(olga: User, study: Study) -> None:
    strict = Client(enforce_csrf_checks=True)
    strict.force_login(olga)

    answer = strict.post(reverse("import", args=[study.slug]), {"numbers": "1\n2\n"})

    assert answer.status_code == 403
    assert Import.objects.count() == 0
