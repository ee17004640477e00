"""A worker computes at a low priority, and stores at the usual one: pages wait for its lock."""

from __future__ import annotations

import os
import sys
import threading

import pytest
from django.db import connection

from analysis.work import leases


@pytest.fixture(autouse=True)
def _no_writer(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(leases, "_writer", None)


@pytest.mark.skipif(sys.platform != "linux", reason="elsewhere all threads have one priority")
def test_what_is_stored_is_stored_at_the_usual_priority() -> None:
    priority, priorities = os.getpriority(os.PRIO_PROCESS, 0), {}

    def work() -> None:
        leases.start_writer()
        os.nice(5)  # of this thread
        priorities["computes"] = os.getpriority(os.PRIO_PROCESS, 0)
        priorities["stores"] = leases.write_at_usual_priority(
            lambda: os.getpriority(os.PRIO_PROCESS, 0)
        )

    worker = threading.Thread(target=work)
    worker.start()
    worker.join()

    assert priorities == {"computes": priority + 5, "stores": priority}


def test_without_such_a_thread_this_one_stores() -> None:
    assert leases.write_at_usual_priority(threading.get_ident) == threading.get_ident()


@pytest.mark.django_db(transaction=True)
def test_the_thread_has_a_connection_of_its_own_and_raises_here_what_went_wrong() -> None:
    leases.start_writer()

    def opened() -> object:
        connection.ensure_connection()
        return connection.connection

    def fail() -> None:
        raise ZeroDivisionError

    assert leases.write_at_usual_priority(opened) is not opened()
    with pytest.raises(ZeroDivisionError):
        leases.write_at_usual_priority(fail)
