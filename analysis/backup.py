"""A copy of all data in one file, and back: SQLite's own backup, PostgreSQL's own tools."""

from __future__ import annotations

import os
import shutil
import sqlite3
import subprocess
from contextlib import closing
from pathlib import Path
from typing import Any

from django.db import connection, connections

HEADER = b"SQLite format 3\x00"


class Refused(Exception):
    """A backup that cannot be made or restored; the message says why and what to do."""


def backup(target: Path) -> None:
    """Write everything in the database to `target`, which must not exist.

    Safe while people work: SQLite's backup reads one consistent state. The
    file takes its name only when it is complete.
    """
    if target.exists():
        raise Refused(f"{target} is there already; choose another name")
    partial = target.with_name(f".{target.name}.partial")
    try:
        if connection.vendor == "sqlite":
            _copy_sqlite(Path(connection.settings_dict["NAME"]), partial)
        else:
            _run("pg_dump", "--format=custom", f"--file={partial}")
        partial.replace(target)
    finally:
        partial.unlink(missing_ok=True)


def restore(source: Path) -> None:
    """Replace everything in the database by `source`. Stop server and workers before."""
    if not source.is_file():
        raise Refused(f"{source}: there is no such file")
    if connection.vendor == "sqlite":
        _check_sqlite(source)
        connections.close_all()
        _copy_sqlite(source, Path(connection.settings_dict["NAME"]))
    else:
        _run("pg_restore", "--clean", "--if-exists", "--no-owner", "--exit-on-error", str(source))


def _copy_sqlite(source: Path, target: Path) -> None:
    with closing(sqlite3.connect(source)) as there, closing(sqlite3.connect(target)) as here:
        there.backup(here)


def _check_sqlite(source: Path) -> None:
    """Refuse what is no database of Plateau before anything is overwritten."""
    with source.open("rb") as stream:
        if stream.read(len(HEADER)) != HEADER:
            raise Refused(f"{source} is no backup of a SQLite installation")
    with closing(sqlite3.connect(f"file:{source}?mode=ro", uri=True)) as there:
        sound = there.execute("PRAGMA integrity_check").fetchone()[0] == "ok"
        tables = {name for (name,) in there.execute("SELECT name FROM sqlite_master")}
    if not sound or not {"series_series", "annotate_mark"} <= tables:
        raise Refused(f"{source} is damaged, or no backup of Plateau")


def _run(program: str, *arguments: str) -> None:
    """PostgreSQL's own tool, on the database of DATABASE_URL."""
    if shutil.which(program) is None:
        raise Refused(f"{program} is not installed; Debian's package is postgresql-client")
    settings: dict[str, Any] = connection.settings_dict
    names = {"PGHOST": "HOST", "PGPORT": "PORT", "PGUSER": "USER", "PGPASSWORD": "PASSWORD"}
    login = {name: str(settings[key]) for name, key in names.items() if settings.get(key)}
    command = [program, f"--dbname={settings['NAME']}", *arguments]
    done = subprocess.run(  # noqa: S603  # our own arguments
        command, env=os.environ | login, capture_output=True, text=True, check=False
    )
    if done.returncode:
        raise Refused(done.stderr.strip() or f"{program} failed")
