"""SQLite that is still read where its disk is full: the file alone, or with its log in memory.

The file alone takes no lock, so it is for a disk without room alone, where nobody can write. Both
are for one request: room may come back. Too many open files, or a folder that is gone, look
the same to SQLite.
"""

from __future__ import annotations

import logging
import os
import sqlite3
import tempfile
from contextlib import suppress
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
    Rows in the log are found by an index in memory, which takes the file for one connection alone.
    """

    def get_new_connection(self, conn_params: dict[str, Any]) -> sqlite3.Connection:
        file = Path(conn_params["database"])
        try:
            return self._with_files_beside(conn_params)
        except sqlite3.OperationalError as error:
            code = getattr(error, "sqlite_errorcode", 0)
            if code & 0xFF not in NO_ROOM or not file.is_file() or has_room(file.parent):
                raise
            log.warning("%s: opened read-only: %s", file, str(error))
        self.close_at = 0.0  # after this request
        return read_only(file, conn_params) if is_whole(file) else with_its_log(conn_params)

    def _with_files_beside(self, conn_params: dict[str, Any]) -> sqlite3.Connection:
        """Connect as Django does. A connection that fails is closed, and gives its lock back."""
        opened_connections: list[sqlite3.Connection] = []

        def connect(*args: Any, **options: Any) -> sqlite3.Connection:
            opened_connections.append(sqlite3.Connection(*args, **options))
            return opened_connections[0]

        try:
            connection: sqlite3.Connection = super().get_new_connection(
                {**conn_params, "factory": connect}
            )
            connection.execute("SELECT 1 FROM sqlite_master LIMIT 1")  # opens the files beside it
        except BaseException:
            for failed in opened_connections:
                failed.close()
            raise
        return connection


def has_room(folder: Path) -> bool:
    """Return whether the files that SQLite needs beside a database find room in `folder`."""
    try:
        with tempfile.TemporaryFile(dir=folder) as file:
            file.write(b"\0" * BESIDE)
            file.flush()
            os.fsync(file.fileno())
    except OSError as error:
        return error.errno not in database.NO_ROOM
    return True


def is_whole(file: Path) -> bool:
    """Return whether everything that was stored lies in the database file itself."""
    wal = file.with_name(f"{file.name}-wal")
    try:
        return file.is_file() and (not wal.exists() or wal.stat().st_size == 0)
    except OSError:
        return False


def read_only(file: Path, conn_params: dict[str, Any]) -> sqlite3.Connection:
    """Open `file` for reading without any file beside it."""
    uri = f"{file.resolve().as_uri()}?mode=ro&immutable=1"
    return only_reading(sqlite3.connect(**{**conn_params, "database": uri, "uri": True}))


def with_its_log(conn_params: dict[str, Any]) -> sqlite3.Connection:
    """Open a database for reading with the rows of its log, whose index lies in memory.

    Waits for its turn, as for a lock. Rows of the log that find room in the database go there, so
    that the next connections need no log. Raises sqlite3.OperationalError.
    """
    connection = sqlite3.connect(**conn_params)
    try:
        connection.execute("PRAGMA locking_mode=EXCLUSIVE")
        connection.execute("SELECT 1 FROM sqlite_master LIMIT 1")
        with suppress(sqlite3.OperationalError):  # no room for them: they are read where they are
            connection.execute("PRAGMA wal_checkpoint(TRUNCATE)")
        return only_reading(connection)
    except BaseException:
        connection.close()
        raise


def only_reading(connection: sqlite3.Connection) -> sqlite3.Connection:
    """Prepare a connection as Django does, but write nothing and make no file."""
    base.register_functions(connection)  # type: ignore[attr-defined]  # Django's own SQL functions
    for command in IN_MEMORY:
        connection.execute(command)
    return connection
