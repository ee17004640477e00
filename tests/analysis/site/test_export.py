"""The export page and its files: the rows of the command line, without what one may not see."""

from __future__ import annotations

import io
import json
import uuid

import pytest
from django.core.management import call_command
from django.test import Client
from django.urls import reverse

from analysis.runs.models import Detection
from analysis.site import exports
from annotate.models import Campaign, GroundTruth, Mark, Task
from annotate.services import save_mark
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
    page = client.get(reverse("export", args=["startup-times"]), {"what": what}).content.decode()

    assert len(file_of(client, what).splitlines()) == 1
    assert "1 series are left out" in page


def test_values_are_for_every_member(client: Client, answered: Task, ana: User) -> None:
    client.force_login(ana)

    lines = file_of(client, "values").splitlines()

    assert len(lines) == 1 + answered.series.n
    columns = "recording,build,measured_at,system,benchmark,params,fork,unit,iteration,value"
    assert lines[0] == columns


@pytest.mark.parametrize("what", exports.TITLES)
def test_every_column_is_explained(what: str) -> None:
    explained = exports.export_columns(what)

    assert [name for name, meaning in explained if not meaning] == []
    assert len(dict(explained)) == len(explained)


def test_the_side_file_says_where_the_rows_come_from(
    client: Client, answered: Task, olga: User
) -> None:
    client.force_login(olga)

    address = reverse("export-about", args=["startup-times"])
    about = json.loads(client.get(address, {"what": "ground-truth"}).content)

    assert about["command"] == "python manage.py ground_truth startup-times/first-look"
    assert about["scope"] == "1 series of the campaign “First look”"
    assert about["written_by"] == "olga"


def test_what_there_is_not_is_told_on_the_page_and_no_file(
    client: Client, answered: Task, olga: User
) -> None:
    client.force_login(olga)

    page = client.get(
        reverse("export", args=["startup-times"]), {"what": "dreams", "revisions": "1"}
    )
    file = client.get(reverse("export-file", args=["startup-times"]), {"what": "dreams"})

    assert page.content.decode().count("The address says") == 2
    assert file.status_code == 404


def opened(client: Client, olga: User, **query: str) -> tuple[str, str] | None:
    """Table and scope of the page, and that its links lead to the same file."""
    client.force_login(olga)
    asked = client.get(reverse("export", args=["startup-times"]), query).context["asked"]
    if asked is None:
        return None
    file = client.get(reverse("export-file", args=["startup-times"]), {**query, "what": asked.what})
    assert file.headers["Content-Disposition"].endswith(f'"{asked.file_name}"')
    return asked.what, asked.scope.slug


def test_the_page_opens_on_the_first_table_that_has_rows(
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


def test_a_study_with_nothing_says_so(client: Client, study: Study, olga: User) -> None:
    assert opened(client, olga) is None
    page = client.get(reverse("export", args=["startup-times"])).content.decode()
    assert "nothing of this kind" in page


def test_a_data_set_in_the_address_asks_for_its_detections(
    client: Client, answered: Task, olga: User
) -> None:
    client.force_login(olga)

    page = client.get(reverse("export", args=["startup-times"]), {"dataset": "nightly"})

    assert page.context["what"] == "detections"
