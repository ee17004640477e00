"""Backup and restore: everything comes back, and nothing is overwritten by a wrong file."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator
from contextlib import closing
from io import StringIO
from pathlib import Path

import pytest
from django.core.management import CommandError, call_command
from django.db import connection

from people.models import Study

pytestmark = pytest.mark.skipif("connection.vendor != 'sqlite'", reason="tests/stack has the other")


@pytest.fixture(autouse=True)
def database(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, transactional_db: None
) -> Iterator[None]:
    """An installation's own file, which may be replaced: a copy of the one that tests share."""
    shared_name, path = connection.settings_dict["NAME"], tmp_path / "plateau.sqlite3"
    with (
        closing(sqlite3.connect(shared_name)) as shared_connection,
        closing(sqlite3.connect(path)) as own_connection,
    ):
        shared_connection.backup(own_connection)
    connection.close()
    monkeypatch.setitem(connection.settings_dict, "NAME", str(path))
    yield
    connection.close()


def run(command: str, file: Path) -> str:
    output = StringIO()
    call_command(command, str(file), stdout=output)
    return output.getvalue()


def refusal_words(command: str, file: Path) -> str:
    with pytest.raises(CommandError) as error_info:
        run(command, file)
    assert error_info.value.returncode == 2
    return str(error_info.value)


def store(slug: str) -> None:
    Study.objects.create(name=slug, slug=slug)


def study_slugs() -> list[str]:
    return sorted(Study.objects.values_list("slug", flat=True))


def test_what_was_there_comes_back(tmp_path: Path) -> None:
    copy_path = tmp_path / "plateau.backup"
    store("before")

    run("backup", copy_path)
    store("after")
    assert study_slugs() == ["after", "before"]
    run("restore", copy_path)

    assert study_slugs() == ["before"]


def test_a_backup_overwrites_nothing(tmp_path: Path) -> None:
    notes_path = tmp_path / "notes.txt"
    notes_path.write_text("mine")

    assert "is there already; choose" in refusal_words("backup", notes_path)
    assert notes_path.read_text() == "mine"


def test_a_wrong_file_is_refused_before_anything_is_lost(tmp_path: Path) -> None:
    wrong_path = tmp_path / "wrong.backup"
    wrong_path.write_bytes(b"not a database")
    store("mine")

    assert "backup of a SQLite installation" in refusal_words("restore", wrong_path)
    assert study_slugs() == ["mine"]


@pytest.mark.parametrize("kept_share", [0.5, 0.0001])
def test_a_backup_that_was_cut_off_is_refused(tmp_path: Path, kept_share: float) -> None:
    whole_path, cut_path = tmp_path / "whole.backup", tmp_path / "cut.backup"
    run("backup", whole_path)
    content = whole_path.read_bytes()
    cut_path.write_bytes(content[: int(len(content) * kept_share)])
    store("mine")

    assert refusal_words("restore", cut_path).startswith(f"{cut_path} is")
    assert study_slugs() == ["mine"]


def test_an_older_backup_says_that_it_wants_migrations(tmp_path: Path) -> None:
    older_path = tmp_path / "older.backup"
    run("backup", older_path)
    with closing(sqlite3.connect(older_path)) as database, database:
        database.execute("DELETE FROM django_migrations WHERE app = 'axes'")

    printed_text = run("restore", older_path)

    assert printed_text.endswith(
        "An older version made this backup. Type: python manage.py migrate\n"
    )
