"""SQLite while somebody else writes: pages wait their turn, and read without waiting."""

from __future__ import annotations

import sqlite3
import threading
import time

import pytest
from django.db import connection
from django.test import Client

from people.models import User
from tests.locks import write_lock_held

pytestmark = [
    pytest.mark.django_db(transaction=True),
    pytest.mark.skipif("connection.vendor != 'sqlite'", reason="about SQLite's one write lock"),
]
HELD = 1.5  # seconds; the settings let a page wait 10


@pytest.fixture
def lock_held() -> threading.Thread:
    """Another connection takes the write lock at once, and gives it back later."""
    name = str(connection.settings_dict["NAME"])
    event = threading.Event()

    def hold() -> None:
        other_connection = sqlite3.connect(
            name, isolation_level=None, timeout=20, uri=name.startswith("file:")
        )
        other_connection.execute("BEGIN IMMEDIATE")
        event.set()
        time.sleep(HELD)
        other_connection.execute("COMMIT")
        other_connection.close()

    thread = threading.Thread(target=hold)
    thread.start()
    assert event.wait(20)
    return thread


def test_a_page_that_writes_waits_for_the_lock(
    client: Client, olga: User, lock_held: threading.Thread
) -> None:
    answer = client.post("/sign-in/", {"username": "olga", "password": "five-people-one-series"})

    lock_held.join()
    assert answer.status_code == 302


def test_a_page_that_reads_does_not_wait(client: Client, olga: User) -> None:
    client.force_login(olga)
    client.get("/account/")  # notes that she was here; the next visit writes nothing
    with write_lock_held():
        assert client.get("/account/").status_code == 200
