"""Databases of earlier versions: those with today's tables go on, others say where data goes."""

from __future__ import annotations

import gzip
import io
import os
import sqlite3
import subprocess
import sys
from contextlib import closing
from pathlib import Path
from typing import Any, Final

import pytest
from django.core.management import call_command
from django.db import connection
from django.db.migrations.exceptions import InconsistentMigrationHistory
from django.db.migrations.executor import MigrationExecutor

from config.commands import error_sentence
from people.create_tables import OlderDatabase
from people.models import User

HERE: Final = Path(__file__).parent
OURS: Final = {"people", "series", "annotate", "analysis"}
COLUMNS: Final = """
    SELECT t.name, c.name, c.type, c."notnull", c.pk
    FROM sqlite_master t, pragma_table_info(t.name) c
    WHERE t.type = 'table' AND t.name NOT LIKE 'sqlite_%'
"""
INDEXES: Final = """
    SELECT t.name, i."unique", i.partial,
        (SELECT group_concat(name) FROM pragma_index_info(i.name))
    FROM sqlite_master t, pragma_index_list(t.name) i
"""
REFERENCES: Final = """
    SELECT t.name, r."from", r."table" FROM sqlite_master t, pragma_foreign_key_list(t.name) r
"""
TRIGGERS: Final = "SELECT name, sql FROM sqlite_master WHERE type = 'trigger'"
PARTS: Final = (COLUMNS, INDEXES, REFERENCES, TRIGGERS)


def stored_database(name: str, folder: Path) -> Path:
    """Database of a stored dump, as the launcher looks for it in `folder`."""
    file = folder / "plateau.sqlite3"
    with closing(sqlite3.connect(file)) as database:
        database.executescript(gzip.decompress((HERE / f"{name}.sql.gz").read_bytes()).decode())
    return file


def dump(file: Path) -> list[str]:
    with closing(sqlite3.connect(file)) as database:
        return list(database.iterdump())


def stored_marks(file: Path) -> list[tuple[Any, ...]]:
    with closing(sqlite3.connect(file)) as database:
        return database.execute(
            'SELECT id, task_id, annotator_id, revision, kind, "index", client_id, "when" '
            "FROM annotate_mark ORDER BY id"
        ).fetchall()


def schema(database: Any) -> set[tuple[Any, ...]]:
    """Columns, indexes and triggers, whatever the order and the names that Django gave them."""
    return {row for query in PARTS for row in database.execute(query).fetchall()}


def run_module(module: list[str], folder: Path) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, *module],
        env=os.environ | {"PLATEAU_DATA": str(folder), "PLATEAU_MODE": "development"},
        capture_output=True,
        text=True,
        check=False,
    )


STEPS: Final = {  # of databases that go on
    ("annotate", "0002_show_events"),
    ("annotate", "0003_changes_of_level"),
    ("analysis", "0002_changes_of_level"),
    ("series", "0002_event_lanes"),
    ("series", "0003_instances_and_duets"),
}


def test_a_new_database_takes_one_migration_of_each_app() -> None:
    executor = MigrationExecutor(None)

    names = [key for key in executor.loader.graph.nodes if key[0] in OURS]

    assert set(names) == {(app, "0001_tables") for app in OURS} | STEPS


@pytest.mark.slow
@pytest.mark.parametrize(
    "command",
    [["manage.py", "migrate"], ["-m", "config.launch", "--no-demo", "--port", "8169"]],
    ids=["migrate", "make run"],
)
def test_an_older_database_stays_as_it_is_and_names_the_way(
    command: list[str], tmp_path: Path
) -> None:
    file = stored_database("v1_0_0", tmp_path)
    rows_before = dump(file)

    process = run_module(command, tmp_path)

    assert process.returncode != 0
    assert process.stderr.strip().endswith(str(OlderDatabase()))
    assert "Traceback" not in process.stderr
    assert dump(file) == rows_before


@pytest.mark.slow
@pytest.mark.django_db
def test_a_database_that_took_the_last_step_goes_on(tmp_path: Path) -> None:
    file = stored_database("last_steps", tmp_path)
    marks = stored_marks(file)

    process = run_module(["manage.py", "migrate"], tmp_path)

    assert process.returncode == 0, process.stderr
    assert stored_marks(file) == marks
    with connection.cursor() as new_cursor, closing(sqlite3.connect(file)) as old_database:
        assert schema(old_database) == schema(new_cursor)


@pytest.mark.django_db
def test_an_archive_of_an_older_version_gives_its_ground_truth() -> None:
    User.objects.create_superuser("olga", password="plateau-demo")
    output, checked = io.StringIO(), io.StringIO()

    call_command("import_archive", HERE / "v1_0_0.archive.zip", stdout=output)
    campaign = f"{output.getvalue().partition(':')[0]}/first-look"
    call_command("recompute", campaign, check=True, stdout=checked)

    assert "6 series, 0 brought up to" in checked.getvalue()


def test_migrations_in_a_wrong_order_name_the_same_way() -> None:
    assert error_sentence(InconsistentMigrationHistory("account is ahead")) == str(OlderDatabase())
