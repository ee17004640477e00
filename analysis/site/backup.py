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
from django.db.migrations.executor import MigrationExecutor

from formats.child_process import end_with_parent

HEADER = b"SQLite format 3\x00"
ALL_OR_NOTHING = ("--single-transaction", "--exit-on-error")


class BackupError(Exception):
    """A backup that cannot be made or restored; the message says why and what to do."""


def backup(target: Path) -> None:
    """Write everything in the database to `target`, which must not exist.

    Safe while people work: SQLite's backup reads one consistent state. The
    file takes its name only when it is complete.
    """
    if target.exists():
        raise BackupError(f"{target} is there already; choose another name")
    partial_path = target.with_name(f".{target.name}.partial")
    partial_path.unlink(missing_ok=True)  # rest of a backup that was killed
    try:
        if connection.vendor == "sqlite":
            _copy_sqlite(Path(connection.settings_dict["NAME"]), partial_path)
        else:
            _run_pg("pg_dump", "--format=custom", f"--file={partial_path}")
        partial_path.replace(target)
    except sqlite3.Error as error:
        raise BackupError(f"{target} cannot be written: {error}") from error
    finally:
        partial_path.unlink(missing_ok=True)


def restore_backup(source: Path) -> None:
    """Replace everything in the database by `source`, or nothing. Stop server and workers before.

    Raises `BackupError`, with what is wrong with the file or the database.
    """
    if not source.is_file():
        raise BackupError(f"{source}: found no such file, expected one that `backup` wrote")
    if connection.vendor == "sqlite":
        _restore_sqlite(source, Path(connection.settings_dict["NAME"]))
    else:
        try:
            _run_pg(
                "pg_restore", "--clean", "--if-exists", "--no-owner", *ALL_OR_NOTHING, str(source)
            )
        except BackupError as error:
            raise BackupError(f"{source} was not restored, nothing is changed: {error}") from error


def unapplied_migration_count() -> int:
    """Number of migrations that the database lacks: positive after restoring an older one."""
    executor = MigrationExecutor(connection)
    return len(executor.migration_plan(executor.loader.graph.leaf_nodes()))


def _restore_sqlite(source: Path, database: Path) -> None:
    _check_sqlite(source)
    connections.close_all()
    try:
        _copy_sqlite(source, database)
    except sqlite3.Error as error:
        raise BackupError(f"{database} cannot be replaced: {error}") from error


def _copy_sqlite(source: Path, target: Path) -> None:
    with (
        closing(sqlite3.connect(source)) as source_database,
        closing(sqlite3.connect(target)) as target_database,
    ):
        source_database.backup(target_database)


def _check_sqlite(source: Path) -> None:
    """Refuse what is no database of Plateau before anything is overwritten."""
    with source.open("rb") as stream:
        if stream.read(len(HEADER)) != HEADER:
            raise BackupError(f"{source} is no backup of a SQLite installation")
    try:
        with closing(sqlite3.connect(f"{source.resolve().as_uri()}?mode=ro", uri=True)) as database:
            is_sound = database.execute("PRAGMA integrity_check").fetchone()[0] == "ok"
            table_names = {name for (name,) in database.execute("SELECT name FROM sqlite_master")}
    except sqlite3.DatabaseError:  # such as a file that was cut off
        is_sound, table_names = False, set()
    if not is_sound:
        raise BackupError(f"{source} is damaged or was cut off; take another backup")
    if not {"series_series", "annotate_mark"} <= table_names:
        raise BackupError(f"{source} is no backup of Plateau")


def _run_pg(program: str, *arguments: str) -> None:
    """PostgreSQL's own tool, on the database of DATABASE_URL."""
    if shutil.which(program) is None:
        raise BackupError(f"{program} is not installed; Debian's package is postgresql-client")
    settings: dict[str, Any] = connection.settings_dict
    setting_keys = {"PGHOST": "HOST", "PGPORT": "PORT", "PGUSER": "USER", "PGPASSWORD": "PASSWORD"}
    login = {name: str(settings[key]) for name, key in setting_keys.items() if settings.get(key)}
    command = [program, f"--dbname={settings['NAME']}", *arguments]
    completed_process = subprocess.run(  # noqa: S603  # our own arguments
        command,
        env=os.environ | login,
        capture_output=True,
        text=True,
        check=False,
        preexec_fn=end_with_parent,  # a command has one thread
    )
    if completed_process.returncode:
        raise BackupError(completed_process.stderr.strip() or f"{program} failed")
