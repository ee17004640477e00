"""SQLite's one write lock, held by somebody else."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator
from contextlib import contextmanager

from django.db import connection


@contextmanager
def write_lock_held() -> Iterator[None]:
    """Another connection writes for the length of the block."""
    name = str(connection.settings_dict["NAME"])
    other = sqlite3.connect(name, isolation_level=None, timeout=20, uri=name.startswith("file:"))
    other.execute("BEGIN IMMEDIATE")
    try:
        yield
    finally:
        other.execute("ROLLBACK")
        other.close()
