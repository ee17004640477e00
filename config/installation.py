"""The data folder of an installation on one machine: its lock, its settings file, its contents.

Made and brought up to date by `make run`; a production installation says
everything in its environment and calls `manage.py` itself.
"""

from __future__ import annotations

import fcntl
import hashlib
import json
import os
import secrets
from pathlib import Path

from django.core.management import call_command
from django.db import connection
from django.db.migrations.executor import MigrationExecutor


class FolderOccupied(Exception):
    """Another launcher works on this data folder; the message says where it answers."""


class LauncherLock:
    """Held while a launcher runs: two on one folder would fight for its broker."""

    def __init__(self, data: Path) -> None:
        self.path = data / "running.json"
        self.file = self.path.open("a+", encoding="utf-8")

    def take(self, url: str) -> None:
        try:
            fcntl.flock(self.file, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            self.file.seek(0)
            lock_holder = json.loads(self.file.read() or "{}")
            raise FolderOccupied(
                f"Plateau already runs with this data: {lock_holder.get('url', 'starting')} "
                f"(process {lock_holder.get('process', '?')}). "
                "Stop it first, or use another folder: "
                "make run PORT=8001 PLATEAU_DATA=/path/to/folder"
            ) from None
        self.file.truncate(0)
        self.file.write(json.dumps({"url": url, "process": os.getpid()}))
        self.file.flush()

    def release(self) -> None:
        self.file.truncate(0)
        self.file.close()


def write_down_settings(path: Path, *, socket: Path) -> None:
    """The settings of a development installation, for every `manage.py` beside it."""
    if path.exists():
        return
    lines = [
        "# Written by `make run`: settings of a development installation. The environment wins.",
        "PLATEAU_MODE=development",
        f"SECRET_KEY={secrets.token_urlsafe(50)}",
        f"PLATEAU_BROKER_SOCKET={socket}",
    ]
    path.touch(mode=0o600)
    path.write_text("\n".join(lines) + "\n", encoding="utf-8")


def migrate() -> None:
    """Bring the database up to date."""
    executor = MigrationExecutor(connection)
    if executor.migration_plan(executor.loader.graph.leaf_nodes()):
        call_command("migrate", verbosity=0, interactive=False)


def collect_static(data: Path, sources: Path) -> None:
    """Collect static files, if any changed since the last start."""
    stamp = data / "static.stamp"
    files = sorted(path for path in sources.rglob("*") if path.is_file())
    file_stamps = "\n".join(
        f"{path} {(file_status := path.stat()).st_mtime_ns} {file_status.st_size}" for path in files
    )
    present_digest = hashlib.sha256(file_stamps.encode()).hexdigest()
    if not stamp.exists() or stamp.read_text(encoding="utf-8") != present_digest:
        call_command("collectstatic", verbosity=0, interactive=False, clear=True)
        stamp.write_text(present_digest, encoding="utf-8")


def close_database() -> None:
    """Leave one tidy file behind: what the log of SQLite holds goes into the database."""
    if connection.vendor == "sqlite":
        with connection.cursor() as cursor:
            cursor.execute("PRAGMA optimize")
            cursor.execute("PRAGMA wal_checkpoint(TRUNCATE)")
    connection.close()
