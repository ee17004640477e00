"""Importing by hand: nothing is written before it is confirmed, and every complaint says what."""

from __future__ import annotations

import json
import os
import time
from collections.abc import Callable
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.urls import reverse

from detectors.contract.directions import Better, Direction
from people.models import Study, User
from people.undo import SECONDS
from series.importing import upload_files, uploads
from series.models import Benchmark, Dataset, Import, Recording, Series
from tests.series.page_parts import parts, texts, values
from tests.test_undo import click

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
        uploaded_files = [SimpleUploadedFile(name, data) for name, data in files]
        address = reverse("import", args=[study.slug])
        return owner.post(address, {"files": uploaded_files, **more}, follow=True)

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
    page = upload(("sort.json", GOOD))

    assert texts(page, "data-reading") == [
        "JMH JSON: 2 series of 3 iterations, in s/op. Medians from 1.000\xa0ms to 2.000\xa0ms. "
        "Change how it is read".replace("\xa0", " ")
    ]
    short_remark, note = texts(page, "data-remark")
    assert short_remark.startswith("▲ 3 iterations: too short for ")
    assert "5 warm-up iterations of 10 s were run before the first value" in note
    assert texts(page, "data-caption") == ["merge · fork 0", "merge · fork 1"]
    assert texts(page, "data-import-now") == ["Import 2 series"]
    assert (Series.objects.count(), Dataset.objects.count()) == (0, 0)


def test_confirming_stores_it_and_lets_go_of_the_file(
    upload: Callable[..., Any], confirm: Callable[..., Any], olga: User
) -> None:
    upload(("sort.json", GOOD))
    path = upload_files.upload_path(Import.objects.get())
    assert path.is_file()

    answer = confirm(label="nightly 12", build="abc", measured_at="2026-03-14 02:00")

    assert "1 file imported: 2 series are" in text_of(answer)
    assert "imported, uploaded" in text_of(answer)
    assert not path.exists()
    recording = Recording.objects.get()
    assert (recording.label, recording.build) == ("nightly 12", "abc")
    assert recording.measured_at == datetime(2026, 3, 14, 2, tzinfo=UTC)
    finished_import = Import.objects.get()
    assert (finished_import.state, finished_import.stored, finished_import.by) == ("done", 2, olga)
    assert [dataset.slug for dataset in Dataset.objects.all()] == ["sorting"]


def test_a_known_file_is_named_and_changes_nothing(
    upload: Callable[..., Any], confirm: Callable[..., Any]
) -> None:
    upload(("sort.json", GOOD))
    confirm()

    repeated_text = text_of(upload(("other name.json", GOOD)))
    confirm_text = text_of(confirm(dataset="sorting"))

    assert "sort.json was imported" in repeated_text
    assert "nothing changed, all 2 series" in confirm_text
    assert Series.objects.count() == 2


def test_the_problems_of_a_file_are_listed_and_can_be_downloaded(
    upload: Callable[..., Any], owner: Client, study: Study
) -> None:
    page = upload(("wide.csv", BROKEN))
    text = text_of(page)
    waiting_import = Import.objects.get()

    response = owner.get(reverse("import-problems", args=[study.slug, waiting_import.public_id]))

    assert values(page, "data-problems") == ["1"]
    assert values(page, "data-file") == ["problem"]
    assert "3, column &#x27;fork 1&#x27;: found &#x27;abc&#x27" in text
    assert response.content.decode().splitlines()[0] == "file,where,found,expected,what to do"
    assert "3, column 'fork 1'\",'abc',a finite" in response.content.decode()


def test_a_file_with_problems_is_refused_whole_and_kept(
    upload: Callable[..., Any], confirm: Callable[..., Any]
) -> None:
    preview = upload(("wide.csv", BROKEN))
    assert len(parts(preview, "data-outlook-refused")) == 1
    assert parts(preview, "data-outlook") == []
    assert texts(preview, "data-import-now") == ["Import"]  # of how many series depends
    assert len(parts(preview, "data-on-problems")) == 1

    text = text_of(confirm())

    assert text.count("Nothing of this file was stored. wide.csv, row 3, column") == 1
    assert Series.objects.count() == 0
    waiting_import = Import.objects.get()
    assert waiting_import.is_waiting
    assert upload_files.upload_path(waiting_import).is_file()


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
    waiting_import = Import.objects.get()
    address = reverse("import-one", args=[study.slug, waiting_import.public_id])
    form = {
        "format": "csv",
        "unit": "ms",
        "layout": "wide",
        "separator": ",",
        "decimal": "auto",
        "header": "yes",
        "series_columns": ["fork 0"],
    }

    response = owner.post(address, form, follow=True)

    (reading,) = texts(response, "data-reading")
    assert "column “fork 0” is a series of 3 iterations, in ms." in reading
    assert parts(response, "data-problems") == []
    assert Import.objects.get().options["series_columns"] == ["fork 0"]


def test_the_length_of_an_iteration_can_be_said(
    upload: Callable[..., Any], confirm: Callable[..., Any], owner: Client, study: Study
) -> None:
    response_before = upload(("times.csv", b"fork 0 (us/op)\n2.0\n1.0\n"))
    address = reverse("import-one", args=[study.slug, Import.objects.get().public_id])
    form: dict[str, Any] = {
        "format": "auto",
        "layout": "auto",
        "separator": "auto",
        "decimal": "auto",
    }
    form |= {"header": "auto", "series_columns": ["fork 0 (us/op)"]}

    wrong_text = text_of(owner.post(address, {**form, "iteration": "3"}, follow=True))
    response_after = owner.post(address, {**form, "iteration": "100 ms"}, follow=True)
    confirm()

    assert "length" in values(response_before, "data-remark")
    assert "expected a length such" in wrong_text
    assert "length" not in values(response_after, "data-remark")
    assert Series.objects.get().seconds_per_iteration == 0.1


def test_the_last_page_names_files_that_were_left_out(
    upload: Callable[..., Any], confirm: Callable[..., Any]
) -> None:
    content = json.dumps([{**RUN, "benchmark": "org.example.Sort.quick"}]).encode()
    upload(("a.json", GOOD), ("b.json", content))
    taken_import = Import.objects.get(file_name="a.json")

    response = confirm(uploads=taken_import.public_id)

    assert "b.json" in texts(response, "data-left-out")[0]


def test_many_files_wait_together_and_are_confirmed_at_once(
    upload: Callable[..., Any], confirm: Callable[..., Any]
) -> None:
    content = json.dumps([{**RUN, "benchmark": "org.example.Sort.quick"}]).encode()

    waiting_response = upload(("a.json", GOOD), ("b.json", content))
    response = confirm(label="both")

    assert values(waiting_response, "data-file") == ["doubt", "doubt"]
    assert texts(waiting_response, "data-import-now") == ["Import 4 series"]
    assert "2 files imported: 4 series are" in texts(response, "data-told")[0]
    assert len(parts(response, "data-imported")) == 2
    assert Recording.objects.get().label == "both"


def test_a_job_has_one_address_and_files_that_wait_have_theirs(
    upload: Callable[..., Any], confirm: Callable[..., Any], owner: Client, study: Study
) -> None:
    content = json.dumps([{**RUN, "benchmark": "org.example.Sort.quick"}]).encode()
    upload(("a.json", GOOD), ("b.json", content))
    first, second = [
        import_row.get_absolute_url() for import_row in Import.objects.order_by("when", "pk")
    ]

    redirection = owner.get(reverse("import", args=[study.slug]), {"dataset": "x"})
    statuses = [owner.get(address).status_code for address in (first, second)]
    confirm(label="both")
    responses = [owner.get(address) for address in (first, second)]

    assert (redirection.status_code, redirection.headers["Location"]) == (302, f"{first}?dataset=x")
    assert statuses == [200, 200]
    assert [answer.status_code for answer in responses] == [200, 302]
    assert responses[1].headers["Location"] == first
    assert owner.get(reverse("import", args=[study.slug])).status_code == 200


def test_more_waiting_files_cost_the_page_no_more_queries(
    upload: Callable[..., Any], owner: Client, django_assert_num_queries: Any
) -> None:
    first_response = upload(("0.json", GOOD), ("1.json", GOOD + b" "))
    address = first_response.redirect_chain[-1][0]
    with CaptureQueriesContext(connection) as captured_queries:
        owner.get(address)
    query_count = len(captured_queries)
    upload(*((f"{spaces}.json", GOOD + b" " * spaces) for spaces in range(2, 5)))

    with django_assert_num_queries(query_count):
        response = owner.get(address)
    assert query_count > 5
    assert len(parts(response, "data-file")) == 5


def test_one_refused_file_does_not_keep_the_others_out(
    upload: Callable[..., Any], confirm: Callable[..., Any]
) -> None:
    upload(("good.json", GOOD), ("wide.csv", BROKEN))

    page = confirm()

    assert "1 file imported: 2 series are" in text_of(page)
    assert "was stored. wide.csv" in text_of(page)
    assert len(parts(page, "data-refused")) == 1


def test_numbers_can_be_pasted(upload: Callable[..., Any]) -> None:
    (reading,) = texts(upload(numbers="0.5\n0.4\n0.4\n"), "data-reading")

    assert reading.startswith("A number a line: one series of 3 iterations, in no unit. Median 0.4")


def test_a_single_column_has_no_separator(upload: Callable[..., Any]) -> None:
    page = text_of(upload(("a.csv", b"value\n1.5\n2.5\n1.5\n")))

    assert "1 series · CSV" in page
    assert "CSV, semicolons" not in page


def test_no_file_says_so(upload: Callable[..., Any]) -> None:
    assert "No file arrived." in text_of(upload())


def test_the_same_file_dropped_twice_waits_once(upload: Callable[..., Any]) -> None:
    upload(("sort.json", GOOD))
    upload(("sort.json", GOOD))

    assert Import.objects.count() == 1
    waiting_import = Import.objects.get()
    expected_paths = {
        upload_files.upload_path(waiting_import),
        upload_files.list_path(waiting_import),
    }
    assert set(upload_files.folder().iterdir()) == expected_paths


def test_a_discarded_file_waits_again_when_that_is_undone(
    upload: Callable[..., Any], owner: Client, study: Study
) -> None:
    upload(("sort.json", GOOD))
    address = reverse("import-removal", args=[study.slug, Import.objects.get().public_id])

    undo = click(owner, address, {})
    assert Import.objects.get().state == "discarded"
    owner.post(*undo)

    waiting_import = Import.objects.get()
    assert waiting_import.state == "uploaded"
    assert upload_files.upload_path(waiting_import).read_bytes() == GOOD


def test_a_discard_undone_twice_says_that_the_file_waits(
    upload: Callable[..., Any], owner: Client, study: Study
) -> None:
    upload(("sort.json", GOOD))
    address = reverse("import-removal", args=[study.slug, Import.objects.get().public_id])
    undo = click(owner, address, {})
    owner.post(*undo)

    page = owner.post(*undo, follow=True).content.decode()

    assert "is not discarded" in page
    assert "upload it again" not in page
    assert Import.objects.get().state == "uploaded"


@pytest.mark.parametrize("later", ["an hour", "another file"])
def test_a_discarded_file_is_gone_after_an_hour_or_when_another_comes(
    upload: Callable[..., Any], owner: Client, study: Study, later: str
) -> None:
    upload(("sort.json", GOOD))
    first = Import.objects.get()
    path = upload_files.upload_path(first)
    undo = click(owner, reverse("import-removal", args=[study.slug, first.public_id]), {})
    assert path.exists()

    if later == "an hour":
        hour_ago = time.time() - SECONDS - 1
        os.utime(path, (hour_ago, hour_ago))
        upload_files.purge_uploads()
    else:
        upload(("other.json", GOOD.replace(b"1", b"2")))

    assert not path.exists()
    assert "upload it again" in owner.post(*undo, follow=True).content.decode()
    first.refresh_from_db()
    assert first.state == "discarded"


def test_a_new_data_set_needs_a_name(
    upload: Callable[..., Any], confirm: Callable[..., Any], dataset: Dataset
) -> None:
    upload(("sort.json", GOOD))

    nameless_response = confirm(name="")
    known_name_response = confirm(name="Nightly")

    assert nameless_response.status_code == known_name_response.status_code == 422
    assert "A new data set needs" in text_of(nameless_response)
    assert "a data set called “Nightly”." in text_of(known_name_response)
    assert Series.objects.count() == 0


def test_a_date_that_is_none_is_sent_back(
    upload: Callable[..., Any], confirm: Callable[..., Any]
) -> None:
    upload(("sort.json", GOOD))

    assert "“yesterday” is no date" in text_of(confirm(measured_at="yesterday"))


def test_an_upload_beyond_all_limits_is_refused_before_it_is_read(
    upload: Callable[..., Any], settings: Any
) -> None:
    settings.IMPORT_MAX_FILE_BYTES = 100

    answer = upload(("sort.json", GOOD * 3))

    assert answer.status_code == 413
    assert "at most 0 MB fit" in text_of(answer)
    assert "PLATEAU_MAX_FILE_MB" in text_of(answer)
    assert Import.objects.count() == 0


@pytest.mark.parametrize(
    ("limit", "most", "name"),
    [
        ("IMPORT_MAX_FILE_BYTES", len(GOOD) - 1, "PLATEAU_MAX_FILE_MB"),
        ("IMPORT_MAX_SERIES", 1, "PLATEAU_MAX_SERIES"),
        ("IMPORT_MAX_POINTS", 2, "PLATEAU_MAX_POINTS"),
    ],
)
def test_a_file_beyond_a_limit_names_the_setting(
    upload: Callable[..., Any], settings: Any, limit: str, most: int, name: str
) -> None:
    setattr(settings, limit, most)

    assert f"raise {name}" in text_of(upload(("sort.json", GOOD)))


@pytest.mark.parametrize("person", ["ana", "vic"])
def test_only_owners_import(client: Client, study: Study, person: str, request: Any) -> None:
    client.force_login(request.getfixturevalue(person))

    assert client.get(reverse("import", args=[study.slug])).status_code == 403


def test_the_upload_form_is_protected(olga: User, study: Study) -> None:
    strict_client = Client(enforce_csrf_checks=True)
    strict_client.force_login(olga)

    answer = strict_client.post(reverse("import", args=[study.slug]), {"numbers": "1\n2\n"})

    assert answer.status_code == 403
    assert Import.objects.count() == 0


# --- doubts, and where files go ---------------------------------------------------------------
EXCEL = "checkout ms;search ms\r\n18,028;36,104\r\n19,123;40,111\r\n".encode("utf-8-sig")


def test_one_click_reads_a_file_in_the_other_way(
    upload: Callable[..., Any], confirm: Callable[..., Any], owner: Client, study: Study
) -> None:
    response_before = upload(("nightly.csv", EXCEL))
    address = reverse("import-one", args=[study.slug, Import.objects.get().public_id])

    response_after = owner.post(address, {"mend": "decimal:0"}, follow=True)
    repeated_response = owner.post(address, {"mend": "decimal:0"}, follow=True)
    confirm()

    assert values(response_before, "data-doubt") == ["decimal"]
    assert "with semicolons, decimal commas" in texts(response_before, "data-reading")[0]
    assert values(response_after, "data-doubt") == []
    assert Import.objects.get().options == {"decimal": "."}
    assert repeated_response.status_code == 409
    assert [s.array().tolist() for s in Series.objects.order_by("pk")] == [
        [18.028, 19.123],
        [36.104, 40.111],
    ]


@pytest.mark.parametrize("chosen", ["decimal:2", "decimal:-1", "decimal:", "unit:0", "system:0"])
def test_only_remedies_that_are_offered_are_taken(
    upload: Callable[..., Any], owner: Client, study: Study, chosen: str
) -> None:
    upload(("nightly.csv", EXCEL))
    address = reverse("import-one", args=[study.slug, Import.objects.get().public_id])

    assert owner.post(address, {"mend": chosen}).status_code == 409
    assert Import.objects.get().options == {}


def test_a_unit_is_said_once_for_all_series(
    upload: Callable[..., Any], owner: Client, study: Study
) -> None:
    response_before = upload(("nightly.csv", b"a,b\n1.5,2\n2.5,3\n"))
    address = reverse("import-one", args=[study.slug, Import.objects.get().public_id])

    response_after = owner.post(address, {"mend": "unit:1"}, follow=True)

    assert values(response_before, "data-doubt") == ["unit"]
    assert values(response_after, "data-doubt") == []
    assert "Medians from 2.000 ms to 2.500" in texts(response_after, "data-reading")[0]


@pytest.mark.parametrize("chosen_better", ["more", "less"])
def test_of_an_unknown_unit_one_click_says_which_way_is_better(
    upload: Callable[..., Any], owner: Client, confirm: Callable[..., Any], chosen_better: Better
) -> None:
    rows = ["benchmark,unit,value", *("b,widgets,5", "b,widgets,6") * 2, "c,ms,5", "c,ms,6"]
    page = upload(("a.csv", "\n".join(rows).encode()))
    (doubt,) = page.context["preview"]["doubts"]
    assert doubt["now"] == "Nothing is known of the unit 'widgets': less counts as better."
    assert [(remedy["label"], remedy["keeps"]) for remedy in doubt["remedies"]] == [
        ("More is better", False),
        ("Less is better", True),
    ]

    index = 0 if chosen_better == "more" else 1
    repeated_response = owner.post(page.wsgi_request.path, {"mend": f"better:{index}"}, follow=True)
    assert repeated_response.context["preview"]["doubts"] == []
    confirm()

    directions = {
        benchmark.name: (benchmark.better, benchmark.direction)
        for benchmark in Benchmark.objects.all()
    }
    assert directions["b"] == (chosen_better, Direction(chosen_better, "owner"))
    assert directions["c"] == ("", Direction("less", "unit"))  # a time stays a time


@pytest.mark.parametrize("unit", ["pps", "Gbps", "QPS", "ops/s", "ms", "score", "B/op"])
def test_a_known_unit_asks_nothing(upload: Callable[..., Any], unit: str) -> None:
    page = upload(("a.csv", f"benchmark,unit,value\nb,{unit},5\nb,{unit},6\n".encode()))

    assert page.context["preview"]["doubts"] == []


def test_an_owner_says_which_way_is_better(owner: Client, series: Series) -> None:
    benchmark = series.benchmark
    names = [benchmark.dataset.study.slug, benchmark.dataset.slug, benchmark.public_id]
    address = reverse("benchmark-direction", args=names)

    def direction(better: str) -> tuple[Direction, str]:
        response = owner.post(address, {"better": better}, follow=True)
        benchmark.refresh_from_db()
        return benchmark.direction, values(response, "data-direction")[0]

    assert direction("more") == (Direction("more", "owner"), "owner")
    assert direction("bigger") == (Direction("more", "owner"), "owner")  # refused, with a word
    assert direction("") == (Direction("less", "unit"), "unit")


def chosen_target(page: Any) -> str:
    return str(page.context["confirm"]["dataset"].value())


def test_a_new_data_set_is_proposed_unless_benchmarks_match(
    upload: Callable[..., Any], confirm: Callable[..., Any], owner: Client, study: Study
) -> None:
    """The latest data set used is no guess: another suite would be mixed into it."""
    assert chosen_target(upload(("sort.json", GOOD))) == "+"
    confirm()
    slower_bytes = json.dumps(
        [{**RUN, "primaryMetric": {"scoreUnit": "ms/op", "rawData": [[9.0, 8.0]]}}]
    ).encode()
    other_bytes = json.dumps([{**RUN, "benchmark": "org.example.Parse.json"}]).encode()

    assert chosen_target(upload(("tuesday.json", slower_bytes))) == "sorting"
    confirm(dataset="sorting", label="tuesday")
    assert chosen_target(upload(("parse.json", other_bytes))) == "+"
    confirm(name="Parsing")
    half_known_bytes, third_bytes = (
        json.dumps([RUN, *({**RUN, "benchmark": f"new{n}"} for n in range(count))]).encode()
        for count in (1, 2)
    )
    assert chosen_target(upload(("half.json", half_known_bytes))) == "sorting"
    confirm(dataset="sorting", label="half")
    assert chosen_target(upload(("third.json", third_bytes))) == "sorting"  # new0 is known by now
    content = json.dumps([RUN, *({**RUN, "benchmark": f"other{n}"} for n in range(2))]).encode()
    confirm(dataset="sorting", label="third")
    assert chosen_target(upload(("less.json", content))) == "+"


def test_the_name_of_a_new_data_set_is_free(
    upload: Callable[..., Any], confirm: Callable[..., Any]
) -> None:
    upload(("nightly.csv", b"a (ms)\n1\n2\n"))
    confirm(name="nightly")

    page = upload(("nightly.csv", b"b (ms)\n1\n2\n"))

    assert page.context["confirm"]["name"].value() == "nightly 2"


def test_after_an_import_the_page_says_what_to_do_next(
    upload: Callable[..., Any], confirm: Callable[..., Any], study: Study
) -> None:
    upload(("sort.json", GOOD))

    page = confirm()

    text = page.content.decode()
    assert len(parts(page, "data-next")) == 1
    for name in ("run-new", "campaign-new", "import"):
        assert f'href="{reverse(name, args=[study.slug])}?dataset=sorting"' in text
    assert Dataset.objects.get().get_absolute_url() in text


def test_files_without_a_series_are_left_out_and_say_why(
    upload: Callable[..., Any], confirm: Callable[..., Any]
) -> None:
    page = upload(("sort.json", GOOD), ("notes.txt", b"Dear all,\nsee below.\n"))

    assert values(page, "data-file") == ["doubt", "out"]
    assert "text without a number" in texts(page, "data-file")[1]
    assert texts(page, "data-import-now") == ["Import 2 series"]


def test_warnings_are_one_line_for_all_benchmarks(upload: Callable[..., Any]) -> None:
    runs = [{**RUN, "benchmark": f"org.example.Sort.b{number}"} for number in range(30)]

    page = upload(("many.json", json.dumps(runs).encode()))

    short_remark, note = texts(page, "data-remark")
    assert short_remark.endswith("60 series")
    assert note.endswith("(and alike for 29 other benchmarks)60 series")


def test_a_contradiction_is_said_and_can_be_left_out(
    upload: Callable[..., Any], confirm: Callable[..., Any]
) -> None:
    upload(("sort.json", GOOD))
    confirm()
    changed_bytes = GOOD.replace(b"3.0, 2.0", b"4.0, 2.0")

    page = upload(("sort.json", changed_bytes))

    assert values(page, "data-contradictions") == ["1"]
    assert texts(page, "data-import-now") == ["Import"]
    assert len(parts(page, "data-on-problems")) == 1
