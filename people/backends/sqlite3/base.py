"""SQLite that is still read where its disk is full: the file alone, opened read-only.

A file that is opened so takes no lock, so it is for a disk without room alone, where nobody can
write, and for one request: room may come back. Too many open files, or a folder that is gone, look
the same to SQLite.
"""

from __future__ import annotations

import logging
import os
import sqlite3
import tempfile
from pathlib import Path
from typing import Any, Final

from django.db.backends.sqlite3 import base

from people import database

log = logging.getLogger(__name__)
NO_ROOM: Final = frozenset(
    (sqlite3.SQLITE_IOERR, sqlite3.SQLITE_FULL, sqlite3.SQLITE_CANTOPEN, sqlite3.SQLITE_READONLY)
)
BESIDE: Final = 64 * 1024  # bytes: twice the least size of the file that connections share
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
            code = getattr(error, "sqlite_errorcode", 0)
            if code & 0xFF not in NO_ROOM or not file.is_file() or has_room(file.parent):
                raise
            if not is_whole(file):
                raise needs_its_log(file, error) from error
            log.warning("%s: opened read-only: %s", file, error)
            self.close_at = 0.0  # after this request
            return read_only(file, conn_params)
        return connection


def has_room(folder: Path) -> bool:
    """Whether the files that SQLite needs beside a database find room in `folder`."""
    try:
        with tempfile.TemporaryFile(dir=folder) as file:
            file.write(b"\0" * BESIDE)
            file.flush()
            os.fsync(file.fileno())
    except OSError as error:
        return error.errno not in database.NO_ROOM
    return True


def needs_its_log(file: Path, error: sqlite3.OperationalError) -> sqlite3.OperationalError:
    """The same error with the reason why nothing can be read, and what to do."""
    explained = sqlite3.OperationalError(
        f"{error}: the disk is full, and the last rows lie in {file.name}-wal, which is not read "
        "without room: free 1 MB on the disk of the data folder"
    )
    explained.sqlite_errorcode = getattr(error, "sqlite_errorcode", sqlite3.SQLITE_FULL)
    return explained


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
