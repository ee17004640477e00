"""What commands refuse in one line, with status 2: places to write to, and parts that are not."""

from __future__ import annotations

from pathlib import Path

import pytest
from django.core.management import CommandError, call_command

from annotate.models import Campaign, Task
from series.models import Series

WRITERS = (
    ["agreement", "startup-times/first-look"],
    ["detections", "startup-times/nightly"],
    ["ground_truth", "startup-times/first-look"],
    ["marks", "startup-times/first-look"],
    ["series_to_answer", "startup-times/nightly"],
    ["values", "startup-times/nightly"],
)


@pytest.fixture
def marked_task(campaign: Campaign, series: Series) -> Task:
    return Task.objects.create(campaign=campaign, series=series, position=1)


def refusal_words(*words: str) -> str:
    with pytest.raises(CommandError) as error_info:
        call_command(*words)
    assert error_info.value.returncode == 2
    return str(error_info.value)


@pytest.mark.parametrize("command", WRITERS)
def test_a_folder_is_no_file_to_write(
    marked_task: Task, tmp_path: Path, command: list[str]
) -> None:
    message = refusal_words(*command, "--output", str(tmp_path))

    assert message == f"--output: found the folder {tmp_path}, expected a file"


@pytest.mark.parametrize("command", WRITERS)
def test_a_file_needs_a_folder(marked_task: Task, tmp_path: Path, command: list[str]) -> None:
    message = refusal_words(*command, "--output", str(tmp_path / "none" / "out.csv"))

    assert message.endswith(f"there is no folder {tmp_path / 'none'}")


def test_a_backup_needs_a_folder(db: None, tmp_path: Path) -> None:
    message = refusal_words("backup", str(tmp_path / "none" / "backup"))

    assert message.endswith(f"there is no folder {tmp_path / 'none'}")


@pytest.mark.parametrize(
    ("option", "sentence"),
    [
        ("--system", "--system: found 'nope', expected one of: example"),
        ("--recording", "--recording: found 'nope', expected one of: first"),
    ],
)
def test_a_comparison_of_a_part_that_is_not_there(
    marked_task: Task, option: str, sentence: str
) -> None:
    assert refusal_words("compare", "startup-times/first-look", option, "nope") == sentence


def test_a_negative_tolerance(marked_task: Task) -> None:
    message = refusal_words("agreement", "startup-times/first-look", "--tolerance", "-5")

    assert message == "--tolerance: found '-5', expected a whole number from 0 to 10,000,000"


@pytest.mark.parametrize(
    ("words", "pattern"),
    [
        (["train", "rocket", "--seed", "-1"], "--seed: found '-1', expected a whole number from 0"),
        (["train", "rocket", "--kernels", "0"], "--kernels: found '0', expected a whole number"),
        (["tune", "startup-times", "--seed", "-5"], "--seed: found '-5', expected a whole number"),
        (["sensitivity", "startup-times", "--seed", "x"], "--seed: found 'x', expected a whole"),
        (["run", "startup-times/nightly", "--name", "x" * 121], "--name: found 121 characters"),
        (["cost", "startup-times/nightly", "--cap", "9" * 30], "--cap: found '999999"),
        (["cost", "startup-times/nightly", "--measured", "0"], "--measured: found '0', expected"),
    ],
)
def test_a_number_out_of_bounds(words: list[str], pattern: str) -> None:
    with pytest.raises(CommandError, match=pattern):
        call_command(*words)
