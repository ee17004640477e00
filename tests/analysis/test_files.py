"""Files of campaigns and data sets: the rows of the commands, without what one may not see."""

from __future__ import annotations

import io
import uuid

import pytest
from django.core.management import call_command
from django.test import Client

from analysis.runs.models import Detection
from annotate.answering.services import save_mark
from annotate.models import Task
from docs.declared_tables import EXPORTED_FILES
from formats import tables
from people.models import User

STEADY = {"outcome": "answer", "steady_start": 41, "published_index": 40}
CAMPAIGN, DATASET = "campaigns/first-look/", "data/nightly/"
FILES = {  # address: command
    f"{CAMPAIGN}ground-truth.csv": ("ground_truth", "startup-times/first-look"),
    f"{CAMPAIGN}marks.csv": ("marks", "startup-times/first-look"),
    f"{DATASET}detections.csv": ("detections", "startup-times/nightly"),
    f"{DATASET}composition.csv?what=shapes": ("shapes", "startup-times/nightly"),
}


@pytest.fixture
def answered_task(task: Task, ben: User) -> Task:
    save_mark(
        task, by=ben, client_id=uuid.uuid4(), digest=task.series.digest, kind="steady", index=77
    )
    Detection.objects.create(
        series=task.series, detector_key="fixed@1?iteration=41", slug="fixed", **STEADY
    )
    return task


def file_of(client: Client, address: str) -> str:
    answer = client.get(f"/s/startup-times/{address}")
    return b"".join(answer.streaming_content).decode()  # type: ignore[attr-defined]


@pytest.mark.parametrize("address", FILES)
def test_file_and_command_hold_the_same_rows(
    client: Client, answered_task: Task, olga: User, address: str
) -> None:
    client.force_login(olga)
    output = io.StringIO()

    call_command(*FILES[address], stdout=output)

    assert file_of(client, address) == output.getvalue()
    assert len(output.getvalue().splitlines()) == 2


@pytest.mark.parametrize("address", FILES)
def test_a_file_leaves_out_what_its_reader_has_yet_to_answer(
    client: Client, answered_task: Task, ana: User, address: str
) -> None:
    client.force_login(ana)

    assert len(file_of(client, address).splitlines()) == 1


def test_values_are_for_every_member(client: Client, answered_task: Task, ana: User) -> None:
    client.force_login(ana)

    lines = file_of(client, f"{DATASET}values.csv").splitlines()

    assert len(lines) == 1 + answered_task.series.n
    columns = "recording,build,measured_at,system,benchmark,params,fork,unit,iteration,value"
    assert lines[0] == columns


@pytest.mark.parametrize("title", EXPORTED_FILES)
def test_every_column_is_explained_once(title: str) -> None:
    columns = list(EXPORTED_FILES[title])
    meanings = tables.meanings(columns)

    assert all(meanings.values())
    assert len(meanings) == len(columns)
