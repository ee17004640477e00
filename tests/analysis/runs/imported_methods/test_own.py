"""Answers from a file: looked at, stored whole or not at all, compared, removed."""

from __future__ import annotations

import csv
import io
import re
from collections.abc import Callable, Iterable
from pathlib import Path
from typing import Any
from uuid import uuid4

import numpy as np
import pytest
from django.core.management import call_command
from django.core.management.base import CommandError
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.urls import reverse

from analysis.methods.method_style import MethodStyles, style_of
from analysis.methods.models import ImportedMethod
from analysis.runs.imported_methods import services
from analysis.runs.imported_methods.series_to_answer import blank_answer_csv
from analysis.runs.models import Detection
from annotate.answering.services import save_mark
from annotate.models import Campaign, Task
from detectors.registry import method_slots, registry
from people.models import Membership, Role, Study, User
from series.models import Dataset, Series
from tests.replayed_rows import replayed

HEADER = "dataset,recording,system,benchmark,params,fork,steady_start,published_index,series_digest"


@pytest.fixture
@replayed
def three_series(make_series: Callable[..., Series]) -> list[Series]:
    steps = np.where(np.arange(200) < 50, 2.0, 1.0)
    return [make_series(steps + fork / 100, fork=fork) for fork in range(3)]


def line(series: Series, start: object, index: object = "", **changed: object) -> str:
    cells = {
        "dataset": "nightly",
        "recording": "first",
        "system": "example",
        "benchmark": series.benchmark.name,
        "params": "",
        "fork": series.fork,
        "steady_start": start,
        "published_index": index,
        "series_digest": series.digest,
        **changed,
    }
    return ",".join(str(cells[name]) for name in HEADER.split(","))


def file_of(lines: Iterable[str]) -> bytes:
    return ("\n".join([HEADER, *lines]) + "\n").encode()


def hold_file(
    study: Study, content: bytes, by: User | None = None, name: str = "mine.csv"
) -> ImportedMethod:
    return services.hold_upload(study, [content], name, user=by)


def store_method(
    study: Study, content: bytes, by: User | None = None, **changes: str
) -> ImportedMethod:
    waiting_method = hold_file(study, content, by)
    fields = {"title": "Mine", "version": "1", "code": "", "convention": "steady-start", **changes}
    services.set_description(waiting_method, **fields)
    return services.import_method(waiting_method)[0]


# --- checking ---------------------------------------------------------------------------------
def test_a_clean_file_is_counted(study: Study, three_series: list[Series]) -> None:
    content = file_of(
        [line(three_series[0], 41), line(three_series[1], -1), line(three_series[2], "")]
    )

    checked_answers = services.check_waiting_file(hold_file(study, content))

    assert (
        checked_answers.rows,
        checked_answers.matched_count,
        checked_answers.steady,
        checked_answers.never_count,
        checked_answers.empty_count,
    ) == (3, 3, 1, 1, 1)
    assert checked_answers.is_ready
    assert dict(checked_answers.datasets) == {"Nightly": 3}


@pytest.mark.parametrize(
    ("changes", "kind", "sentence"),
    [
        ({"benchmark": "org.example.Gone"}, "unknown", "no such series in the study"),
        ({"dataset": "other"}, "unknown", "no such series in the study"),
        ({"series_digest": "0" * 64}, "digest", "the digest of the stored values"),
        ({"steady_start": 200}, "range", "steady_start 200, expected at most 199"),
        ({"published_index": 201}, "range", "published_index 201"),
        ({"fork": 0, "series_digest": ""}, "duplicate", "first in row 2"),
        ({"steady_start": "x"}, "unreadable", "found 'x'"),
    ],
)
def test_what_does_not_fit_is_counted_and_said(
    changes: dict[str, object], kind: str, sentence: str, study: Study, three_series: list[Series]
) -> None:
    content = file_of([line(three_series[0], 41), line(three_series[1], 42, **changes)])
    waiting_method = hold_file(study, content)

    checked_answers = services.check_waiting_file(waiting_method)

    assert dict(checked_answers.counts) == {kind: 1}
    assert sentence in str(checked_answers.problems[0])
    assert str(checked_answers.problems[0]).startswith("mine.csv, row 3")
    assert (checked_answers.rows, checked_answers.is_ready) == (2, False)
    with pytest.raises(services.ImportRefused, match="Nothing was stored: 1 × "):
        services.import_method(waiting_method)
    assert not Detection.objects.exists()


def test_a_row_that_fits_two_series_is_ambiguous(
    study: Study, dataset: Dataset, three_series: list[Series]
) -> None:
    first_series = three_series[0]
    later_recording = dataset.recordings.create(label="second")
    Series.objects.create(
        benchmark=first_series.benchmark,
        recording=later_recording,
        fork=0,
        n=9,
        digest="e" * 64,
        minimum=1,
        median=1,
        maximum=1,
        median_last_half=1,
        robust_low=0,
        robust_high=2,
        scale=1,
    )
    rows = [line(first_series, 4, recording="", series_digest="")]

    counts = services.check_waiting_file(hold_file(study, file_of(rows))).counts
    assert dict(counts) == {"ambiguous": 1}
    rows = [line(first_series, 4, recording="", series_digest=first_series.digest)]
    assert services.check_waiting_file(hold_file(study, file_of(rows))).is_ready


def test_parameters_must_be_the_same_in_every_row(study: Study, three_series: list[Series]) -> None:
    text = "series_digest,steady_start,method_params\n"
    text += f"{three_series[0].digest},1,k=3\n{three_series[1].digest},1,k=4\n"

    checked_answers = services.check_waiting_file(hold_file(study, text.encode()))

    assert dict(checked_answers.counts) == {"params": 1}


# --- storing ----------------------------------------------------------------------------------
def test_answers_become_detections_with_a_code_and_look_of_their_own(
    study: Study, three_series: list[Series], olga: User
) -> None:
    content = file_of(
        [line(three_series[0], 41, 40), line(three_series[1], -1), line(three_series[2], "")]
    )

    own_method = store_method(study, content, olga, code="kb")

    assert own_method.detector_key == "own:mine@1"
    stored_detections = Detection.objects.order_by("series_id")
    assert list(stored_detections.values_list("series_id", "steady_start", "published_index")) == [
        (three_series[0].pk, 41, 40),
        (three_series[1].pk, -1, None),
    ]
    method_style = MethodStyles(study)(own_method.detector_key)
    assert method_style.code == "MIN"  # KB is taken
    assert method_style.slot not in method_slots().values()
    assert method_style.label == "Mine (v1)"
    assert "mine.csv" in method_style.source
    assert "olga" in method_style.source
    assert own_method.file_digest[:12] in method_style.source
    assert bytes(own_method.content) == b""
    assert style_of("own:gone@1").code == "GONE"  # removed, but still on an old page


def test_the_same_file_again_changes_nothing(
    study: Study, three_series: list[Series], olga: User
) -> None:
    content = file_of([line(three_series[0], 41)])
    first = store_method(study, content, olga)

    assert store_method(study, content, olga) == first
    assert (ImportedMethod.objects.count(), Detection.objects.count()) == (1, 1)


def test_a_button_that_is_pressed_twice_stores_once(
    study: Study, three_series: list[Series]
) -> None:
    waiting_method = hold_file(study, file_of([line(three_series[0], 41)]))
    same_method = ImportedMethod.objects.get(pk=waiting_method.pk)

    assert services.import_method(waiting_method) == (waiting_method, True)
    assert services.import_method(same_method) == (waiting_method, False)
    assert ImportedMethod.objects.stored().count() == Detection.objects.count() == 1


@pytest.mark.parametrize("content", [b"", b"\x89PNG\r\n\x1a\n" + bytes(range(256)) * 400])
def test_what_is_no_table_is_refused_in_a_sentence(study: Study, content: bytes) -> None:
    checked_answers = services.check_waiting_file(hold_file(study, content))

    assert checked_answers.fatal_problem
    assert len(str(checked_answers.fatal_problem)) < 1000
    assert not checked_answers.is_ready


def test_no_version_is_overwritten_and_another_stands_beside_it(
    study: Study, three_series: list[Series]
) -> None:
    first = store_method(study, file_of([line(three_series[0], 41)]))

    with pytest.raises(services.ImportRefused, match="give these answers another version"):
        store_method(study, file_of([line(three_series[0], 50)]))
    second = store_method(study, file_of([line(three_series[0], 50)]), version="2")

    assert (second.code, second.slot) == (first.code, first.slot)
    assert set(Detection.objects.values_list("detector_key", "steady_start")) == {
        ("own:mine@1", 41),
        ("own:mine@2", 50),
    }


def test_another_method_gets_the_next_slot_and_another_code(
    study: Study, three_series: list[Series]
) -> None:
    first = store_method(study, file_of([line(three_series[0], 41)]))
    second = store_method(study, file_of([line(three_series[0], 42)]), title="Min o’clock")

    assert first.slot is not None
    assert second.slot == first.slot + 1
    assert second.code != first.code
    assert second.code not in {method.code for method in registry().values()}


def test_an_exported_ground_truth_is_filled_in_and_brought_back(
    task: Task, ana: User, ben: User, study: Study, client: Client, olga: User
) -> None:
    for person in (ana, ben):
        save_mark(
            task, by=person, client_id=uuid4(), digest=task.series.digest, kind="steady", index=40
        )
    output = io.StringIO()
    call_command("ground_truth", "startup-times/first-look", stdout=output)
    (row,) = csv.DictReader(io.StringIO(output.getvalue()))
    filled_file = io.StringIO()
    writer = csv.DictWriter(filled_file, row)
    writer.writeheader()
    writer.writerow({**row, "steady_start": "33"})

    own_method = store_method(study, filled_file.getvalue().encode(), olga)

    assert own_method.answers == 1
    assert Detection.objects.get().steady_start == 33


@pytest.mark.parametrize("convention", ["first", "first-from-1", "last-warm-up"])
def test_the_series_to_answer_come_back(
    convention: str, study: Study, dataset: Dataset, three_series: list[Series]
) -> None:
    rows = list(csv.DictReader(io.StringIO("".join(blank_answer_csv(dataset)))))
    output = io.StringIO()
    writer = csv.DictWriter(output, rows[0], delimiter=";")
    writer.writeheader()
    writer.writerows({**row, "published_index": 10 + index} for index, row in enumerate(rows))

    own_method = store_method(study, output.getvalue().encode(), convention=convention)

    shift = {"first": 0, "first-from-1": -1, "last-warm-up": 1}[convention]
    detections = Detection.objects.filter(detector_key=own_method.detector_key).order_by(
        "series_id"
    )
    assert [detection.steady_start for detection in detections] == [
        10 + shift,
        11 + shift,
        12 + shift,
    ]


# --- command line -----------------------------------------------------------------------------
def run(*arguments: Any) -> str:
    output = io.StringIO()
    call_command(*arguments, stdout=output, stderr=output)
    return output.getvalue()


def test_commands_write_read_compare_and_export(
    tmp_path: Path, study: Study, three_series: list[Series], olga: User
) -> None:
    Series.objects.update(known_start=50)
    blank = run("series_to_answer", "startup-times/nightly").splitlines()
    file = tmp_path / "mine.csv"
    file.write_text("\n".join([blank[0], *(row.replace(",,,,,", ",52,,,,") for row in blank[1:])]))
    arguments = ("import_detections", "startup-times", file, "--method", "Mine@0.9")

    assert "3 matched, 3 steady, 0 never" in run(*arguments, "--dry-run")
    assert not Detection.objects.exists()
    assert "own:mine@0.9: 3 answers stored" in run(*arguments, "--by", "olga")
    assert "nothing changed" in run(*arguments)
    comparison_text = run(
        "compare", "startup-times/nightly", "--method", "own:mine", "--format", "csv"
    )
    assert "own:mine" in comparison_text
    exported_rows = list(
        csv.DictReader(
            io.StringIO(run("detections", "startup-times/nightly", "--method", "own:mine"))
        )
    )
    assert [row["steady_start"] for row in exported_rows] == ["52"] * 3
    assert "mine.csv" in exported_rows[0]["source"]
    assert ImportedMethod.objects.count() == 1
    values = run("values", "startup-times/nightly").splitlines()
    assert len(values) == 1 + 3 * 200


def test_the_command_refuses_a_file_with_problems(
    tmp_path: Path, study: Study, three_series: list[Series]
) -> None:
    file = tmp_path / "mine.csv"
    file.write_bytes(file_of([line(three_series[0], 41), line(three_series[1], 999)]))

    with pytest.raises(CommandError, match="Nothing was stored"):
        run("import_detections", "startup-times", file, "--method", "mine")
    with pytest.raises(CommandError, match="no version"):
        run("import_detections", "startup-times", file, "--method", "mine@a b")
    with pytest.raises(CommandError, match="no study 'x'; there are: startup-times"):
        run("import_detections", "x", file, "--method", "mine")
    assert not ImportedMethod.objects.exists()
    assert not Detection.objects.exists()


# --- pages ------------------------------------------------------------------------------------
@pytest.fixture
def owner(client: Client, olga: User) -> Client:
    client.force_login(olga)
    return client


def upload(client: Client, content: bytes) -> Any:
    file = io.BytesIO(content)
    file.name = "mine.csv"
    return client.post(
        reverse("imported-methods", args=["startup-times"]), {"file": file}, follow=True
    )


SAID = {"title": "Mine", "version": "1", "code": "MI", "convention": "steady-start"}


def test_upload_look_store_and_remove(owner: Client, three_series: list[Series]) -> None:
    upload_reply = upload(owner, file_of([line(three_series[0], 41), line(three_series[1], -1)]))
    assert "Store 2 answers" in upload_reply.content.decode()
    assert not Detection.objects.exists()
    waiting_method = ImportedMethod.objects.get()

    arguments = ["startup-times", waiting_method.public_id]
    reply = owner.post(reverse("imported-method-confirmation", args=arguments), SAID, follow=True)

    assert "2 answers" in reply.content.decode()
    assert Detection.objects.count() == 2
    list_page = owner.get(reverse("runs", args=["startup-times"])).content.decode()
    assert "mine.csv" in list_page
    removal_reply = owner.post(reverse("imported-method-removal", args=arguments), follow=True)
    assert Detection.objects.count() == 2
    owner.post(removal_reply.redirect_chain[-1][0])
    assert not Detection.objects.exists()


def test_another_convention_is_looked_at_again(owner: Client, three_series: list[Series]) -> None:
    text = f"series_digest,published_index\n{three_series[0].digest},1\n".encode()
    response = upload(owner, text)
    assert "say how published_index" in response.content.decode()
    waiting_method = ImportedMethod.objects.get()

    repeated_response = owner.post(
        waiting_method.get_absolute_url(), {**SAID, "convention": "first-from-1"}, follow=True
    )

    assert "Store 1 answer<" in repeated_response.content.decode()
    assert not Detection.objects.exists()


def test_a_file_with_problems_cannot_be_stored(owner: Client, three_series: list[Series]) -> None:
    response = upload(owner, file_of([line(three_series[0], 41), line(three_series[1], 999)]))
    assert "index out of range" in response.content.decode().lower()
    assert "Store 1" not in response.content.decode()
    waiting_method = ImportedMethod.objects.get()

    address = reverse(
        "imported-method-confirmation", args=["startup-times", waiting_method.public_id]
    )
    refused_response = owner.post(address, SAID)

    assert refused_response.status_code == 422
    assert "Nothing was stored" in refused_response.content.decode()
    assert not Detection.objects.exists()


def test_comparison_overlay_and_evidence_say_where_answers_came_from(
    owner: Client, study: Study, three_series: list[Series], olga: User
) -> None:
    Series.objects.update(known_start=50)
    content = file_of([line(series_row, 52) for series_row in three_series])
    own_method = store_method(study, content, olga)
    link = own_method.get_absolute_url()

    comparison_page = owner.get(reverse("comparison", args=["startup-times"])).content.decode()
    series_page = owner.get(three_series[0].get_absolute_url()).content.decode()
    address = reverse("series-evidence", args=["startup-times", three_series[0].public_id])
    evidence = owner.get(address, {"of": own_method.detector_key}).json()

    assert link in comparison_page
    assert "imported" in comparison_page
    assert link in series_page
    assert "a file brings no evidence" in evidence["problem"]
    response = owner.get(reverse("comparison", args=["startup-times"]), {"y": "method:own:mine@1"})
    assert response.status_code == 200


def test_what_waits_is_its_owners_and_what_is_stored_the_members(
    study: Study, three_series: list[Series], olga: User, vic: User, stranger: User
) -> None:
    waiting_method = hold_file(study, file_of([line(three_series[0], 41)]), olga)
    stored_method = store_method(study, file_of([line(three_series[0], 42)]), olga)

    def status(person: User, own_method: ImportedMethod) -> int:
        client = Client()
        client.force_login(person)
        return client.get(own_method.get_absolute_url()).status_code

    assert [status(reader, waiting_method) for reader in (olga, vic, stranger)] == [200, 404, 404]
    assert [status(reader, stored_method) for reader in (olga, vic, stranger)] == [200, 200, 404]


def test_answers_of_an_open_series_stay_hidden_from_the_owner_too(
    owner: Client, task: Task, study: Study, olga: User, campaign: Campaign
) -> None:
    campaign.annotators.create(user=olga, pseudonym="a3")
    task.assignments.create(user=olga, order=0)
    own_method = store_method(study, file_of([line(task.series, 97)]), olga)

    series_page = owner.get(task.series.get_absolute_url()).content.decode()
    page = owner.get(own_method.get_absolute_url()).content.decode()

    assert own_method.get_absolute_url() not in series_page
    assert re.search(r"\b97\b", page) is None


def test_a_study_sees_nothing_of_anothers_methods(
    study: Study, three_series: list[Series], olga: User
) -> None:
    other_study = Study.objects.create(name="Other", slug="other")
    Membership.objects.create(study=other_study, user=olga, role=Role.OWNER)
    own_method = store_method(study, file_of([line(three_series[0], 41)]))

    assert (
        services.check_waiting_file(
            hold_file(other_study, file_of([line(three_series[0], 41)]))
        ).counts["unknown"]
        == 1
    )
    assert MethodStyles(other_study)(own_method.detector_key).source == ""


def test_the_parts_of_a_page_share_what_is_read_of_them(
    owner: Client, study: Study, three_series: list[Series]
) -> None:
    store_method(study, file_of([line(series_row, 41) for series_row in three_series]))

    with CaptureQueriesContext(connection) as captured_queries:
        owner.get(three_series[0].get_absolute_url())

    assert sum("importedmethod" in query["sql"] for query in captured_queries) == 1
