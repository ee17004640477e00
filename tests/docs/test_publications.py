"""The page of publications names commands that are understood, and tests that there are."""

from __future__ import annotations

import csv
import json
import re
import shlex
from pathlib import Path

import numpy as np
import pytest
from django.core.management import call_command, get_commands, load_command_class

from analysis.runs.models import Detection
from evidence.replication import published_answers
from people.models import User
from series.models import Series
from tests.published_data import replication_folder

ROOT = Path(__file__).resolve().parents[2]
PAGE = (ROOT / "docs/guide/publications.md").read_text(encoding="utf-8")
COMMANDS = sorted(set(re.findall(r"python manage\.py ([^`\n]+)", PAGE)))
TESTS = sorted(set(re.findall(r"tests/[\w/]+\.py", PAGE)))


@pytest.mark.parametrize("line", COMMANDS)
def test_a_command_of_the_page_is_understood(line: str) -> None:
    name, *words = shlex.split(line)
    command = load_command_class(get_commands()[name], name)

    parsed_arguments = command.create_parser("manage.py", name).parse_args(words)

    assert vars(parsed_arguments)


@pytest.mark.parametrize("name", TESTS)
def test_a_test_of_the_page_is_there(name: str) -> None:
    assert "def test_" in (ROOT / name).read_text(encoding="utf-8")


def test_every_row_of_the_page_is_checked_by_a_test() -> None:
    rows = [line for line in PAGE.splitlines() if line.startswith("| ") and line.count("|") == 5]
    heads = [row for row in rows if row.endswith("| checked by |")]

    assert len(heads) == 3
    assert all("`tests/" in row for row in rows if row not in heads)
    assert len(rows) > len(heads) + 20


def write_package(folder: Path, benchmarks: int) -> Path:
    """Lay out a few marked benchmarks of the published data as the published packages are."""
    source = replication_folder()
    marked_folder = source / "package/analysis-v2/man_steady_comparison"
    values = np.load(source / "series.npz")["fork0"]
    records = json.loads((source / "expected.json").read_text())
    series = folder / "analysis-v2/man_steady_comparison/data_st"
    results = folder / "data/classification"
    series.mkdir(parents=True)
    results.mkdir(parents=True)
    with (source / "index.csv").open() as index:
        row_by_index = {int(row["row"]): row for row in csv.DictReader(index)}
    chosen_indices = [index for index in row_by_index if records[index]["marks"]][:benchmarks]
    names = [
        "{system}#{benchmark}#{params}.json".format(**row_by_index[index])
        for index in chosen_indices
    ]
    for name, row_index in zip(names, chosen_indices, strict=True):
        (series / name).write_text(json.dumps([values[row_index].tolist()]))
        start = records[row_index]["cp_ssd"]
        verdict = "steady state" if start >= 0 else "no steady state"
        classification = {"run": verdict, "forks": [verdict], "steady_state_starts": [start]}
        (results / name).write_text(json.dumps(classification))
    for path in (
        *marked_folder.glob("*.json"),
        marked_folder.parent / "benchmark_database_binary.json",
    ):
        entries = json.loads(path.read_text())["main"]
        kept_entries = [entry for entry in entries if entry["keyname"].startswith(tuple(names))]
        target = folder / path.relative_to(source / "package")
        target.write_text(json.dumps({"main": kept_entries}))
    return folder


@pytest.mark.django_db
def test_the_walk_begins_in_a_new_study(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """Type the page's first block on a part of the published data, in an empty database."""
    package = write_package(tmp_path / "package", benchmarks=12)
    User.objects.bulk_create([User(username="ana"), User(username="ben")])
    monkeypatch.chdir(tmp_path)
    block = re.search(r"```\n(.*?)```", PAGE, flags=re.DOTALL)
    assert block is not None
    lines = block[1].replace("STUDY", "walk").replace("FOLDER", str(package)).replace("NAME", "ana")

    for line in lines.splitlines():
        words, _, target = line.partition(" > ")
        python, *arguments = shlex.split(words)
        assert python == "python"
        if arguments[0] == "manage.py":
            call_command(*arguments[1:])
        else:
            assert arguments[:2] == ["-m", "evidence.replication.published_answers"]
            capsys.readouterr()
            assert published_answers.main(arguments[2:]) == 0
            Path(target).write_text(capsys.readouterr().out)

    output = capsys.readouterr().out
    assert "kb-kssd" in output
    assert "own:cp-ssd-published" in output
    imported_detections = Detection.objects.filter(slug="own:cp-ssd-published")
    assert imported_detections.count() == Series.objects.count() > 0
