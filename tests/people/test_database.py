"""A database that is busy, full or gone: 503 and a word, and pages that only read go on."""

from __future__ import annotations

import errno
import sqlite3
from collections.abc import Callable, Iterator
from contextlib import contextmanager

import pytest
from django.db import InterfaceError, OperationalError, ProgrammingError, connection
from django.test import Client

from people.database import is_unavailable, write_unless_busy
from people.models import Study, User
from series.importing import uploads
from tests.locks import write_lock_held

SIGN_IN = {"username": "olga", "password": "five-people-one-series"}
HTML = {"Accept": "text/html,application/xhtml+xml"}


def raised_by(code: int) -> OperationalError:
    cause = sqlite3.OperationalError("as SQLite says it")
    cause.sqlite_errorcode = code
    error = OperationalError("as SQLite says it")
    error.__cause__ = cause
    return error


@pytest.mark.parametrize(
    "error",
    [
        raised_by(sqlite3.SQLITE_BUSY),
        raised_by(sqlite3.SQLITE_BUSY_SNAPSHOT),
        raised_by(sqlite3.SQLITE_FULL),
        raised_by(sqlite3.SQLITE_READONLY),
        OperationalError("connection refused"),  # PostgreSQL's
        InterfaceError("the connection is closed"),
        OSError(errno.ENOSPC, "No space left on device"),  # an upload, the cache
    ],
    ids=str,
)
def test_what_may_pass_is_no_mistake(error: Exception) -> None:
    assert is_unavailable(error)


@pytest.mark.parametrize(
    "error",
    [
        raised_by(sqlite3.SQLITE_ERROR),  # no such table, a mistake in a statement
        ProgrammingError("a mistake in a statement"),
        ValueError("something else"),
        FileNotFoundError(errno.ENOENT, "No such file"),
        None,
    ],
    ids=str,
)
def test_a_mistake_is_one(error: Exception | None) -> None:
    assert not is_unavailable(error)


class TestLocked:
    """Another connection holds SQLite's one write lock."""

    pytestmark = [
        pytest.mark.django_db(transaction=True),
        pytest.mark.skipif("connection.vendor != 'sqlite'", reason="about SQLite's one lock"),
    ]

    @pytest.fixture(autouse=True)
    def _impatient(self, monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
        monkeypatch.setitem(connection.settings_dict["OPTIONS"], "timeout", 0.1)
        connection.close()
        yield
        connection.close()  # the next one waits as usual

    def test_a_page_that_writes_says_that_the_database_is_busy(
        self, client: Client, olga: User
    ) -> None:
        client.raise_request_exception = False
        with write_lock_held():
            answer = client.post("/sign-in/", SIGN_IN, headers=HTML)

        text = answer.content.decode()
        assert (answer.status_code, answer.headers["Retry-After"]) == (503, "5")
        assert "full. What you sent" in text
        assert 'http-equiv="refresh"' not in text
        assert client.post("/sign-in/", SIGN_IN).status_code == 302

    def test_scripts_and_parts_of_pages_get_their_own_form(
        self, client: Client, olga: User
    ) -> None:
        client.raise_request_exception = False
        with write_lock_held():
            script = client.post("/sign-in/", SIGN_IN)
            response = client.post("/sign-in/", SIGN_IN, headers={"HX-Request": "true"})

        assert script.status_code == response.status_code == 503
        assert script.json()["sentence"].startswith("Plateau is busy. Its database")
        assert response.content.decode().startswith('<div class="notice notice-bad"')

    def test_reading_a_page_does_not_wait_to_be_noted(self, client: Client, olga: User) -> None:
        client.force_login(olga)
        with write_lock_held():
            assert client.get("/account/").status_code == 200

        olga.refresh_from_db()
        assert olga.last_seen is None
        client.get("/account/")
        olga.refresh_from_db()
        assert olga.last_seen is not None

    def test_a_write_that_can_wait_is_left_out_and_the_next_waits_as_usual(
        self, olga: User
    ) -> None:
        rename = User.objects.filter(pk=olga.pk).update
        with write_lock_held():
            assert not write_unless_busy(lambda: rename(first_name="Olga"))

        with connection.cursor() as cursor:
            assert cursor.execute("PRAGMA busy_timeout").fetchone() == (100,)
        assert write_unless_busy(lambda: rename(first_name="Olga"))
        with pytest.raises(OperationalError, match="no such table"):
            write_unless_busy(lambda: _execute("UPDATE nowhere SET n = 1"))


@pytest.mark.django_db(transaction=True)
@pytest.mark.skipif("connection.vendor != 'sqlite'", reason="PostgreSQL has no such bound")
def test_a_full_database_is_said_and_still_read(client: Client, olga: User) -> None:
    client.force_login(olga)
    client.raise_request_exception = False
    _execute("PRAGMA max_page_count = 1")  # as many as there are
    try:
        answers = list(_until_refused(client))
        response = client.get("/account/", headers=HTML)
    finally:
        _execute("PRAGMA max_page_count = 1073741823")

    assert answers[-1] == 503
    assert response.status_code == 200


def _until_refused(client: Client) -> Iterator[int]:
    """New studies, until there is no room for another."""
    for number in range(200):
        form = {"name": f"Study {number} {'x' * 80}"}
        status = client.post("/studies/new/", form, headers=HTML).status_code
        yield status
        if status != 302:
            return


def test_an_upload_that_finds_no_room_is_said(
    client: Client, monkeypatch: pytest.MonkeyPatch, study: Study, olga: User
) -> None:
    def full(*_: object, **__: object) -> None:
        raise OSError(errno.ENOSPC, "No space left on device")

    client.force_login(olga)
    client.raise_request_exception = False
    monkeypatch.setattr(uploads, "_write", full)

    answer = client.post(f"/s/{study.slug}/import/", {"numbers": "1 2 3"}, headers=HTML)

    assert (answer.status_code, answer.headers["Retry-After"]) == (503, "5")


def test_reading_a_page_without_a_database_tries_again_by_itself(
    client: Client, monkeypatch: pytest.MonkeyPatch, db: None, olga: User
) -> None:
    client.force_login(olga)
    client.raise_request_exception = False

    with gone_database():
        answer = client.get("/account/", headers=HTML)

    assert answer.status_code == 503
    assert '<meta http-equiv="refresh" content="5">' in answer.content.decode()
    assert "This page tries again" in answer.content.decode()


@contextmanager
def gone_database() -> Iterator[None]:
    """As a server that was restarted: every statement fails."""

    def refuse(execute: Callable[..., object], *rest: object) -> object:
        raise OperationalError("server closed the connection unexpectedly")

    with connection.execute_wrapper(refuse):
        yield


def _execute(statement: str) -> None:
    with connection.cursor() as cursor:
        cursor.execute(statement)
