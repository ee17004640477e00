"""Files of a study: the rows of the command line, without what one may not see."""

from __future__ import annotations

import io
import uuid

import pytest
from django.core.management import call_command
from django.test import Client
from django.urls import reverse

from analysis.runs.models import Detection
from analysis.site import exports
from annotate.answering.services import save_mark
from annotate.models import Campaign, GroundTruth, Mark, Task
from people.models import Study, User

STEADY = {"outcome": "answer", "steady_start": 41, "published_index": 40}


@pytest.fixture
def answered(task: Task, ben: User) -> Task:
    save_mark(
        task,
        by=ben,
        client_id=uuid.uuid4(),
        digest=task.series.digest,
        kind="steady",
        index=77,
    )
    Detection.objects.create(
        series=task.series, detector_key="fixed@1?iteration=41", slug="fixed", **STEADY
    )
    return task


def file_of(client: Client, what: str) -> str:
    address = reverse("export-file", args=["startup-times"])
    answer = client.get(address, {"what": what})
    return b"".join(answer.streaming_content).decode()  # type: ignore[attr-defined]


@pytest.mark.parametrize(
    ("what", "command", "scope"),
    [
        ("ground-truth", "ground_truth", "first-look"),
        ("marks", "marks", "first-look"),
        ("detections", "detections", "nightly"),
        ("shapes", "shapes", "nightly"),
    ],
)
def test_file_and_command_hold_the_same_rows(
    client: Client, answered: Task, olga: User, what: str, command: str, scope: str
) -> None:
    client.force_login(olga)
    out = io.StringIO()

    call_command(command, f"startup-times/{scope}", stdout=out)

    assert file_of(client, what) == out.getvalue()
    assert len(out.getvalue().splitlines()) == 2


@pytest.mark.parametrize("what", ["ground-truth", "marks", "detections", "shapes"])
def test_a_file_leaves_out_what_its_reader_has_yet_to_answer(
    client: Client, answered: Task, ana: User, what: str
) -> None:
    client.force_login(ana)

    assert len(file_of(client, what).splitlines()) == 1


def test_values_are_for_every_member(client: Client, answered: Task, ana: User) -> None:
    client.force_login(ana)

    lines = file_of(client, "values").splitlines()

    assert len(lines) == 1 + answered.series.n
    columns = "recording,build,measured_at,system,benchmark,params,fork,unit,iteration,value"
    assert lines[0] == columns


@pytest.mark.parametrize("what", exports.TITLES)
def test_every_column_is_explained(what: str) -> None:
    explained = [(each.name, each.explained) for each in exports.TABLES[what].columns]

    assert [name for name, meaning in explained if not meaning] == []
    assert len(dict(explained)) == len(explained)


def test_of_what_there_is_not_there_is_no_file(client: Client, answered: Task, olga: User) -> None:
    client.force_login(olga)

    address = reverse("export-file", args=["startup-times"])

    assert client.get(address, {"what": "dreams"}).status_code == 404


def opened(client: Client, olga: User, **query: str) -> tuple[str, str] | None:
    """Table and scope of the file, by its name; None where there is none."""
    client.force_login(olga)
    file = client.get(reverse("export-file", args=["startup-times"]), query)
    if file.status_code == 404:
        return None
    name = file["Content-Disposition"].partition("plateau_startup-times_")[2]
    scope, what, _ = name.split("_")
    return what, scope


def test_without_a_name_it_is_the_first_table_that_has_rows(
    client: Client, answered: Task, olga: User
) -> None:
    draft = Campaign.objects.create(study=answered.campaign.study, name="Newer", slug="newer")
    GroundTruth.objects.update(complete=True)

    assert opened(client, olga) == ("ground-truth", "first-look")
    assert opened(client, olga, what="marks") == ("marks", "first-look")
    assert opened(client, olga, campaign="newer") == ("ground-truth", "newer")
    GroundTruth.objects.update(complete=False)
    assert opened(client, olga) == ("marks", "first-look")
    assert opened(client, olga, what="ground-truth") == ("ground-truth", draft.slug)
    Mark.objects.all().delete()
    assert opened(client, olga) == ("detections", "nightly")
    Detection.objects.all().delete()
    assert opened(client, olga) == ("values", "nightly")


def test_a_study_with_nothing_has_no_file(client: Client, study: Study, olga: User) -> None:
    assert opened(client, olga) is None


def test_a_data_set_in_the_address_asks_for_its_detections(
    client: Client, answered: Task, olga: User
) -> None:
    assert opened(client, olga, dataset="nightly") == ("detections", "nightly")
