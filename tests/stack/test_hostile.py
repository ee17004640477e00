"""What people send to do harm, on PostgreSQL: it refuses texts and numbers that SQLite stores."""

from __future__ import annotations

from tests.formats import hostile
from tests.stack.installation import StackInstallation


def test_nothing_hostile_is_a_fault(on_postgres: StackInstallation) -> None:
    """Files are pages and imports, tables sentences, NUL in requests 400; never a 500."""
    assert on_postgres.do("hostile_uploads") == {
        "files": len(hostile.MEASUREMENTS),
        "pages": {},
        "stored": 1,
        "faults": [],
        "nul": {},
        "tables": [],
    }
