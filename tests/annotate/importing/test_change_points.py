"""Marks as change points of AnnotateChange, and back."""

from __future__ import annotations

import io
import json
from collections.abc import Callable
from pathlib import Path
from uuid import uuid4

import pytest
from django.core.management import CommandError, call_command

from annotate.answering.services import save_mark
from annotate.importing.mark_change_points import change_point_name, marked_change_points
from annotate.models import Campaign, GroundTruth, Mark, Task
from formats import FormatError, change_points
from people.models import User
from series.models import Series
from tests.replayed_rows import replayed

pytestmark = pytest.mark.django_db
NAME = "nightly/first/example/org.example.Sort.merge"


@pytest.fixture
@replayed
def tasks(
    make_series: Callable[..., Series], make_task: Callable[[Series], Task], ana: User, ben: User
) -> list[Task]:
    """Ana: 40, from the beginning, never. Ben: 45 after 44, nothing, unclear."""
    made_tasks = [make_task(make_series([2.0] * 50 + [fork], fork=fork)) for fork in range(3)]
    for task, annotator, kind, index in (
        (made_tasks[0], ana, "steady", 40),
        (made_tasks[1], ana, "steady", 0),
        (made_tasks[2], ana, "never", None),
        (made_tasks[0], ben, "steady", 44),
        (made_tasks[0], ben, "steady", 45),
        (made_tasks[2], ben, "unclear", None),
    ):
        save_mark(
            task,
            by=annotator,
            client_id=uuid4(),
            digest=task.series.digest,
            kind=kind,
            index=index,
            note="two levels",
        )
    return made_tasks


def export_message(to_path: Path, *words: str) -> str:
    err = io.StringIO()
    call_command(*words, "--output", str(to_path), stderr=err)
    return err.getvalue()


def test_a_start_is_one_change_and_the_beginning_none(tasks: list[Task], tmp_path: Path) -> None:
    message = export_message(
        tmp_path / "a.json", "marks", "startup-times/first-look", "--format=annotations"
    )

    assert json.loads((tmp_path / "a.json").read_text()) == {
        f"{NAME}/0": {"a1": [40], "a2": [45]},
        f"{NAME}/1": {"a1": []},
    }
    assert "left out: 1 answers “never”" in message
    assert "left out: 1 answers “unclear”" in message


def test_it_comes_back(tasks: list[Task], tmp_path: Path, olga: User) -> None:
    file = tmp_path / "annotations.json"
    export_message(file, "marks", "startup-times/first-look", "--format=annotations")

    call_command("import_marks", "startup-times/again", str(file), "--format", "annotations")

    second_message = export_message(
        tmp_path / "b.json", "marks", "startup-times/again", "--format=annotations"
    )
    assert (tmp_path / "b.json").read_text() == file.read_text()
    assert second_message == ""
    truth = GroundTruth.objects.get(task__campaign__slug="again", task__series=tasks[0].series)
    assert truth.steady_start == 45


def test_a_file_of_annotatechange(tasks: list[Task], tmp_path: Path) -> None:
    """Its numbers of annotators, several changes, and a series by digest, id or benchmark."""
    first, second, third = (task.series for task in tasks)
    file = tmp_path / "annotations.json"
    annotations = {
        first.digest: {"6": [9, 3, 9], "7": []},
        second.public_id: {"6": [12]},
        change_point_name(third): {"13": [50]},
    }
    file.write_text(json.dumps(annotations))

    call_command("import_marks", "startup-times/theirs", str(file), "--format", "annotations")

    marks = Mark.objects.filter(task__campaign__slug="theirs").order_by("task__series", "annotator")
    assert set(marks.values_list("task__series", "annotator__first_name", "index")) == {
        (first.pk, "6", 9),
        (first.pk, "7", 0),
        (second.pk, "6", 12),
        (third.pk, "13", 50),
    }
    assert not User.objects.get(annotates__pseudonym="13").is_active


def test_a_benchmark_of_one_series_is_named_by_itself(series: Series, tmp_path: Path) -> None:
    file = tmp_path / "annotations.json"
    file.write_text(json.dumps({series.benchmark.name: {"a": [40]}}))

    call_command("import_marks", "startup-times/theirs", str(file), "--format", "annotations")

    assert Mark.objects.get().index == 40


@pytest.mark.parametrize(
    ("text", "sentence"),
    [
        ("{", "no JSON"),
        ("[]", "found [], expected an object of series"),
        ("[" * 100_000, "no JSON"),
        ('{"s": []}', "series 's': found [], expected an object of series"),
        ('{"s": {"6": 3}}', "annotator '6': found 3, expected a list of positions"),
        ('{"s": {"6": [-1]}}', "found -1, expected positions from 0"),
        ('{"s": {"6": [1.5]}}', "found 1.5, expected positions from 0"),
        ('{"s": {"6": [true]}}', "found true, expected positions from 0"),
        ('{"s": {"6": [1e999]}}', "found Infinity, expected positions from 0"),
        ('{"s": {"": []}}', "expected a name of 1 to 40 characters"),
        ('{"s": {"6": []}}', "no such series in the study"),
        ('{"org.example.Sort.merge": {"6": []}}', "3 such series in the study"),
        (
            f'{{"{NAME}/0": {{"6": [999]}}}}',
            (
                "annotations.json, org.example.Sort.merge · fork 0 · 6: found 999, expected an "
                "answer that fits the series and the campaign; Series 1 has iterations 0 to 50."
            ),
        ),
        ("{}", "found none, expected at least one"),
        ("\xff", "no JSON"),
    ],
)
def test_what_is_wrong_is_told(text: str, sentence: str, tasks: list[Task], tmp_path: Path) -> None:
    file = tmp_path / "annotations.json"
    file.write_bytes(text.encode("latin-1"))

    with pytest.raises(CommandError) as error_info:
        call_command("import_marks", "startup-times/bad", str(file), "--format", "annotations")

    assert sentence in str(error_info.value)
    assert not Campaign.objects.filter(slug="bad").exists()


def test_what_a_person_has_yet_to_answer_is_not_told(
    tasks: list[Task], campaign: Campaign, ben: User
) -> None:
    """Ben has not answered the second series."""
    assert list(marked_change_points(campaign, ben).by_series) == [f"{NAME}/0"]


def test_too_large_a_file_is_not_read(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(change_points, "MOST_BYTES", 3)

    with pytest.raises(FormatError, match="more than 3 bytes"):
        list(change_points.read_change_points(io.BytesIO(b'{"s": {}}'), "a.json"))
