"""A data folder of an earlier version starts on the code of today with every row in its place."""

from __future__ import annotations

import gzip
import json
import os
import sqlite3
import subprocess
import sys
from pathlib import Path
from typing import Any, Final

import pytest

pytestmark = pytest.mark.slow

HERE: Final = Path(__file__).parent
FOLDERS: Final = ("before_the_street",)
RENAMED: Final = {"analysis_ownmethod": "analysis_importedmethod"}
GONE: Final = {
    ("analysis_chunk", "series_ids"),  # rows of analysis_chunkseries now
    ("people_invitation", "campaigns"),  # an empty list in each; annotate_campaigninvitation now
}
DRAWN_ANEW: Final = {  # by the rule of today, from values that stay
    ("series_series", name) for name in ("robust_low", "robust_high", "outline")
}
DJANGOS: Final = ("auth_", "django_", "sqlite_", "axes_")  # tables that are no data of people's
SIGNING_IN: Final = {("people_user", "last_login"), ("people_user", "last_seen")}  # writes them

Rows = dict[str, list[tuple[Any, ...]]]


@pytest.fixture(scope="module", params=FOLDERS)
def folder(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A data folder as that version left it."""
    made = tmp_path_factory.mktemp(request.param)
    dump = gzip.decompress((HERE / f"{request.param}.sql.gz").read_bytes()).decode()
    with sqlite3.connect(made / "plateau.sqlite3") as database:
        database.executescript(dump)
    return made


def columns(folder: Path) -> dict[str, list[str]]:
    """Columns by table, of tables that hold what people made."""
    with sqlite3.connect(folder / "plateau.sqlite3") as database:
        tables = [
            name
            for (name,) in database.execute("SELECT name FROM sqlite_master WHERE type = 'table'")
            if not name.startswith(DJANGOS)
        ]
        return {
            table: [row[1] for row in database.execute(f'PRAGMA table_info("{table}")')]
            for table in tables
        }


def rows(folder: Path, named: dict[str, list[str]]) -> Rows:
    with sqlite3.connect(folder / "plateau.sqlite3") as database:
        return {
            table: database.execute(
                f"SELECT {', '.join(f'{name!r}'.replace(chr(39), chr(34)) for name in names)} "  # noqa: S608
                f'FROM "{table}" ORDER BY 1'
            ).fetchall()
            for table, names in named.items()
        }


def test_every_row_is_in_its_place_and_every_page_answers(folder: Path) -> None:
    kept = {
        table: [name for name in names if (table, name) not in GONE | DRAWN_ANEW | SIGNING_IN]
        for table, names in columns(folder).items()
    }
    before = rows(folder, kept)
    chunks = rows(folder, {"analysis_chunk": ["id", "series_ids"]})["analysis_chunk"]
    assert {"annotate_mark", "annotate_groundtruth", "analysis_detection"} <= before.keys()
    assert all(before[table] for table in ("annotate_mark", "analysis_part", "analysis_preset"))

    done = subprocess.run(
        [sys.executable, "-m", "tests.upgrade.start"],
        env=os.environ | {"PLATEAU_DATA": str(folder), "PLATEAU_MODE": "development"},
        capture_output=True,
        text=True,
        check=False,
    )

    assert done.returncode == 0, done.stderr
    told = json.loads(done.stdout.splitlines()[-1])
    assert told["not shown"] == {}
    assert "6 series, 0 brought up to" in told["recompute"]
    after = rows(folder, {RENAMED.get(table, table): names for table, names in kept.items()})
    differing = [table for table in before if after[RENAMED.get(table, table)] != before[table]]
    assert differing == []
    now = rows(folder, {"analysis_chunkseries": ["chunk_id", "series_id"]})["analysis_chunkseries"]
    assert sorted(now) == sorted((pk, one) for pk, many in chunks for one in json.loads(many))
