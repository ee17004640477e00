"""The database, or its disk, when it is busy, full or gone; writes that can wait; checksums."""

from __future__ import annotations

import errno
import sqlite3
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Final

from django.db import InterfaceError, OperationalError, connection
from django.db.models import BigIntegerField, Sum
from django.db.models.expressions import Combinable
from django.db.models.functions import Cast

# What passes, or can be mended: locked, read-only, no room, no file, no memory.
# SQLite says everything else, such as a table that is not there, with the same exception.
PASSES: Final = frozenset(
    (
        sqlite3.SQLITE_BUSY,
        sqlite3.SQLITE_LOCKED,
        sqlite3.SQLITE_NOMEM,
        sqlite3.SQLITE_READONLY,
        sqlite3.SQLITE_IOERR,
        sqlite3.SQLITE_FULL,
        sqlite3.SQLITE_CANTOPEN,
        sqlite3.SQLITE_PROTOCOL,
    )
)
NO_ROOM: Final = frozenset((errno.ENOSPC, errno.EDQUOT, errno.EROFS))  # of the files beside it
PRIMES: Final = (1_000_003, 998_244_353)  # products of remainders by the first fit in 64 bits
BRIEFLY: Final = 0.2  # seconds that a write which nobody asked for waits for its turn


def is_unavailable(error: BaseException | None) -> bool:
    """Return whether database or disk did not do now what they may do later: busy, full or gone.

    PostgreSQL's OperationalError is never our mistake; of SQLite's the code decides. The same holds
    for files that find no room: uploads, the cache.
    """
    if isinstance(error, OSError):
        return error.errno in NO_ROOM
    cause = getattr(error, "__cause__", None)
    if isinstance(cause, sqlite3.Error):
        return getattr(cause, "sqlite_errorcode", 0) & 0xFF in PASSES
    return isinstance(error, OperationalError | InterfaceError)


def write_unless_busy(write: Callable[[], object], *, seconds: float = BRIEFLY) -> bool:
    """Do a write that can as well be left out now; False where the database did not take it.

    For what is noted beside reading a page: that somebody was here, a figure that need not be
    computed again.
    """
    try:
        with lock_timeout(seconds):
            write()
    except (OperationalError, InterfaceError) as error:
        if not is_unavailable(error):
            raise
        return False
    return True


@contextmanager
def lock_timeout(seconds: float) -> Iterator[None]:
    """Statements of this block wait for a lock for `seconds`, not for as long as the settings say.

    Not inside a transaction: after a statement that failed, PostgreSQL takes no other there.
    """
    milliseconds = round(1000 * seconds)
    if connection.vendor == "sqlite":
        default_milliseconds = round(1000 * connection.settings_dict["OPTIONS"].get("timeout", 5.0))
        timeout_during, timeout = (
            f"PRAGMA busy_timeout = {milliseconds}",
            f"PRAGMA busy_timeout = {default_milliseconds}",
        )
    else:
        timeout_during, timeout = (f"SET lock_timeout = {milliseconds}", "RESET lock_timeout")
    _set(timeout_during)
    try:
        yield
    finally:
        _set(timeout)


def _set(statement: str) -> None:
    """Execute a statement on the driver's connection: it is no query about anything."""
    connection.ensure_connection()
    with connection.wrap_database_errors:
        connection.connection.execute(statement)


def pair_checksum(first: Combinable, second: Combinable) -> Sum:
    """Checksum of pairs of numbers from 0 on: exchanging two, or changing a single one, changes
    it.
    """
    integer = BigIntegerField()
    small_prime, large_prime = PRIMES
    product = (
        (Cast(first, integer) % small_prime + 1)
        * (Cast(second, integer) % small_prime + 1)
        % large_prime
    )
    return Sum(product, output_field=integer)
