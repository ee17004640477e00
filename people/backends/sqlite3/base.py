"""SQLite that is still read where its disk is full: the file alone, opened read-only."""

from __future__ import annotations

import logging
import sqlite3
from pathlib import Path
from typing import Any, Final

from django.db.backends.sqlite3 import base

log = logging.getLogger(__name__)
NO_ROOM: Final = frozenset(
    (sqlite3.SQLITE_IOERR, sqlite3.SQLITE_FULL, sqlite3.SQLITE_CANTOPEN, sqlite3.SQLITE_READONLY)
)
IN_MEMORY: Final = ("PRAGMA temp_store=MEMORY", "PRAGMA query_only=ON")


class DatabaseWrapper(base.DatabaseWrapper):
    """Opens the database as Django does; without room for the files beside it, read-only.

    In WAL mode a connection needs two files beside the database, also to read. The database can be
    read without them as long as the log (`-wal`) is empty: nobody writes while there is no room.
    """

    def get_new_connection(self, conn_params: dict[str, Any]) -> sqlite3.Connection:
        try:
            connection: sqlite3.Connection = super().get_new_connection(conn_params)
            connection.execute("SELECT 1 FROM sqlite_master LIMIT 1")  # opens the files beside it
        except sqlite3.OperationalError as error:
            file = Path(conn_params["database"])
            if getattr(error, "sqlite_errorcode", 0) & 0xFF not in NO_ROOM or not is_whole(file):
                raise
            log.warning("%s: opened read-only: %s", file, error)
            return read_only(file, conn_params)
        return connection


def is_whole(file: Path) -> bool:
    """Whether everything that was stored lies in the database file itself."""
    wal = file.with_name(f"{file.name}-wal")
    try:
        return file.is_file() and (not wal.exists() or wal.stat().st_size == 0)
    except OSError:
        return False


def read_only(file: Path, conn_params: dict[str, Any]) -> sqlite3.Connection:
    """Open `file` for reading without any file beside it."""
    uri = f"{file.resolve().as_uri()}?mode=ro&immutable=1"
    connection = sqlite3.connect(**{**conn_params, "database": uri, "uri": True})
    base.register_functions(connection)  # type: ignore[attr-defined]  # Django's own SQL functions
    for command in IN_MEMORY:
        connection.execute(command)
    return connection
