"""A data folder of an earlier version starts on the code of today with every row in its place."""

from __future__ import annotations

import gzip
import json
import os
import re
import shutil
import sqlite3
import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

import pytest
from django.db import connection

# All want the database: else others stand between them, and the folders are started twice.
pytestmark = [pytest.mark.slow, pytest.mark.django_db]

Columns = dict[str, list[str]]
Rows = dict[str, list[tuple[Any, ...]]]

HERE: Final = Path(__file__).parent
OLDEST: Final = "before_the_street"
FOLDERS: Final = (OLDEST, "v1_0_0")
RENAMED: Final = {"analysis_ownmethod": "analysis_importedmethod"}
GONE: Final = {
    ("analysis_chunk", "series_ids"),  # rows of analysis_chunkseries now
    ("people_invitation", "campaigns"),  # an empty list in each; annotate_campaigninvitation now
}
DRAWN_ANEW: Final = {  # by the rule of today, from values that stay
    ("series_series", name) for name in ("robust_low", "robust_high", "outline")
}
CHANGED: Final = {OLDEST: GONE | DRAWN_ANEW}
SIGNING_IN: Final = {("people_user", "last_login"), ("people_user", "last_seen")}  # writes them
COMPUTED: Final = ("analysis_steadymean", "analysis_trendsummary")  # whenever they are needed
NOBODYS: Final = ("auth_", "django_", "sqlite_", "axes_", *COMPUTED)  # no data of people's
ADDED_TO: Final = {"people_auditevent"}  # by signing in, too
FILLED: Final = {  # in every folder
    *("annotate_mark", "annotate_groundtruth", "analysis_detection", "analysis_part"),
    *("analysis_preset", "analysis_reviewdecision", "people_invitation"),
}


@dataclass(frozen=True)
class Started:
    """A data folder of an earlier version, which the code of today has started."""

    folder: Path
    before: Rows
    kept: Columns  # those that `before` holds
    told: dict[str, Any]


@pytest.fixture(scope="module")
def started(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Started]:
    """Every folder, in one process: its start is most of the time."""
    folders = {name: restored(name, tmp_path_factory.mktemp(name)) for name in FOLDERS}
    kept = {name: kept_columns(name, folder) for name, folder in folders.items()}
    before = {name: rows(folder, kept[name]) for name, folder in folders.items()}
    done = subprocess.run(
        [sys.executable, "-m", "tests.upgrade.start", *map(str, folders.values())],
        env=os.environ | {"PLATEAU_DATA": str(folders[OLDEST]), "PLATEAU_MODE": "development"},
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    told = json.loads(done.stdout.splitlines()[-1])
    return {
        name: Started(folder, before[name], kept[name], told[str(folder)])
        for name, folder in folders.items()
    }


def restored(name: str, folder: Path) -> Path:
    """The database and, if there is one, the archive that was made in it."""
    archive = HERE / f"{name}.archive.zip"
    with sqlite3.connect(folder / "plateau.sqlite3") as database:
        database.executescript(gzip.decompress((HERE / f"{name}.sql.gz").read_bytes()).decode())
        if archive.exists():
            (job,) = database.execute("SELECT public_id FROM analysis_archivejob").fetchone()
            (folder / "archives").mkdir()
            shutil.copy(archive, folder / "archives" / f"{job}.zip")
            shutil.copy(archive, folder / "archive.zip")
    return folder


def kept_columns(name: str, folder: Path) -> Columns:
    """Columns that are to stay as they were, by table, of tables that hold what people made."""
    changed = CHANGED.get(name, set()) | SIGNING_IN
    with sqlite3.connect(folder / "plateau.sqlite3") as database:
        tables = [
            name
            for (name,) in database.execute("SELECT name FROM sqlite_master WHERE type = 'table'")
            if not name.startswith(NOBODYS)
        ]
        named = {
            table: [row[1] for row in database.execute(f'PRAGMA table_info("{table}")')]
            for table in tables
        }
    return {
        table: [each for each in names if (table, each) not in changed]
        for table, names in named.items()
    }


def rows(folder: Path, named: Columns) -> Rows:
    with sqlite3.connect(folder / "plateau.sqlite3") as database:
        return {
            table: database.execute(
                f"SELECT {', '.join(f'{name!r}'.replace(chr(39), chr(34)) for name in names)} "  # noqa: S608
                f'FROM "{table}" ORDER BY 1'
            ).fetchall()
            for table, names in named.items()
        }


def schema(found: list[tuple[str]]) -> list[list[str]]:
    """Statements that made tables, indexes and triggers: of each its parts in any order.

    Columns that came later stand last, and what Django named keeps the name that its table had.
    """
    made = [re.sub('_[0-9a-f]{8}"', '"', statement) for (statement,) in found]
    for before, now in RENAMED.items():
        made = [each.replace(before, now) for each in made]
    return sorted(sorted(re.split(r', (?=["C])', each.removesuffix(")"))) for each in made)


@pytest.mark.parametrize("name", FOLDERS)
def test_every_row_is_in_its_place_and_every_page_answers(
    started: dict[str, Started], name: str
) -> None:
    found = started[name]
    assert {table for table in FILLED if not found.before.get(table)} == set()

    now = {RENAMED.get(table, table): names for table, names in found.kept.items()}
    after = rows(found.folder, now)
    for table in ADDED_TO & found.before.keys():
        del after[table][len(found.before[table]) :]
    assert after == {RENAMED.get(table, table): each for table, each in found.before.items()}
    assert found.told["not shown"] == {}
    assert "6 series, 0 brought up to" in found.told["recompute"]


def test_lists_of_series_are_rows(started: dict[str, Started]) -> None:
    dump = gzip.decompress((HERE / f"{OLDEST}.sql.gz").read_bytes()).decode()
    with sqlite3.connect(":memory:") as database:
        database.executescript(dump)
        lists = database.execute("SELECT id, series_ids FROM analysis_chunk").fetchall()
    named = {"analysis_chunkseries": ["chunk_id", "series_id"]}
    (now,) = rows(started[OLDEST].folder, named).values()
    assert sorted(now) == sorted((pk, one) for pk, many in lists for one in json.loads(many))


def test_an_archive_of_it_gives_the_same_ground_truth(started: dict[str, Started]) -> None:
    assert "6 series, 0 brought up to" in started["v1_0_0"].told["imported"]


@pytest.mark.parametrize("name", FOLDERS)
def test_its_tables_are_those_of_a_new_one(started: dict[str, Started], name: str) -> None:
    statements = "SELECT sql FROM sqlite_master WHERE sql IS NOT NULL"
    with (
        connection.cursor() as new,
        sqlite3.connect(started[name].folder / "plateau.sqlite3") as old,
    ):
        made_at_once = schema(new.execute(statements).fetchall())
        assert schema(old.execute(statements).fetchall()) == made_at_once
