"""A disk without room: what is stored is still read, nothing is written, and a monitor is told."""

from __future__ import annotations

import errno
import shutil
import sqlite3
import sys
from contextlib import closing
from pathlib import Path
from types import ModuleType

import pytest
from django.db import OperationalError, connections
from django.test import Client

from analysis.site import health
from people.backends.file_cache import LossyFileCache
from people.backends.sqlite3.base import DatabaseWrapper, is_whole
from people.database import is_unavailable


@pytest.fixture
def file(tmp_path: Path) -> Path:
    """A database in WAL mode, beside which SQLite cannot make the file that it shares."""
    file = tmp_path / "plateau.sqlite3"
    with closing(sqlite3.connect(file)) as database:
        database.execute("PRAGMA journal_mode=WAL")
        database.execute("CREATE TABLE a (b)")
        database.execute("INSERT INTO a VALUES (1)")
        database.commit()
    link = tmp_path / f"{file.name}-shm"
    link.symlink_to(link.name)  # to itself: it cannot be opened, not even to read
    return file


def open_wrapper(file: Path) -> DatabaseWrapper:
    options = {
        "timeout": 0.1,
        "init_command": "PRAGMA journal_mode=WAL",
        "transaction_mode": "IMMEDIATE",
    }
    default_settings = {**connections["default"].settings_dict, "ENGINE": "people.backends.sqlite3"}
    return DatabaseWrapper(
        {**default_settings, "NAME": file, "OPTIONS": {**options, "timeout": 0.1}}, "full"
    )


@pytest.fixture
def no_room(monkeypatch: pytest.MonkeyPatch) -> None:
    """No file beside the database finds room."""

    def full(*_: object, **__: object) -> None:
        raise OSError(errno.ENOSPC, "No space left on device")

    monkeypatch.setattr("tempfile.TemporaryFile", full)


@pytest.mark.django_db
def test_what_is_stored_is_read_and_nothing_is_written(file: Path, no_room: None) -> None:
    database = open_wrapper(file)

    with closing(database), database.cursor() as cursor:
        assert cursor.execute("SELECT b FROM a").fetchall() == [(1,)]
        with pytest.raises(OperationalError, match="readonly"):
            cursor.execute("INSERT INTO a VALUES (2)")


@pytest.mark.django_db
def test_a_read_only_connection_is_for_one_request(file: Path, no_room: None) -> None:
    database = open_wrapper(file)
    database.settings_dict["CONN_MAX_AGE"] = None

    with closing(database):
        database.ensure_connection()
        database.close_if_unusable_or_obsolete()

        assert database.connection is None


@pytest.mark.django_db
def test_with_room_on_the_disk_nothing_is_read_without_its_log(file: Path) -> None:
    """Too many open files look the same: writers may be at work, and rows would be torn."""
    with pytest.raises(OperationalError, match="unable to open"):
        open_wrapper(file).ensure_connection()


@pytest.fixture
def file_with_log(file: Path, tmp_path: Path) -> Path:
    """The same database, with a second row in its log, as a crash leaves it."""
    copy, log = tmp_path / "whole.sqlite3", f"{file.name}-wal"
    shutil.copy(file, copy)
    with closing(sqlite3.connect(copy)) as database:
        database.execute("INSERT INTO a VALUES (2)")
        database.commit()
        shutil.copy(copy.with_name(f"{copy.name}-wal"), file.with_name(log))
    return file


@pytest.mark.django_db
def test_rows_in_the_log_are_read_too(file_with_log: Path, no_room: None) -> None:
    database = open_wrapper(file_with_log)

    with closing(database), database.cursor() as cursor:
        assert cursor.execute("SELECT b FROM a ORDER BY b").fetchall() == [(1,), (2,)]
        with pytest.raises(OperationalError, match="readonly"):
            cursor.execute("INSERT INTO a VALUES (3)")
    with (
        closing(open_wrapper(file_with_log)) as second_database,
        second_database.cursor() as cursor,
    ):
        assert cursor.execute("SELECT max(b) FROM a").fetchall() == [(2,)]


@pytest.mark.django_db
def test_rows_in_the_log_are_read_by_one_after_the_other(
    file_with_log: Path, no_room: None
) -> None:
    with closing(sqlite3.connect(file_with_log)) as connection:
        connection.execute("PRAGMA locking_mode=EXCLUSIVE")
        connection.execute("SELECT * FROM a").fetchall()
        with pytest.raises(OperationalError, match="locked") as error:
            open_wrapper(file_with_log).ensure_connection()

    assert is_unavailable(error.value)


def test_what_lies_in_the_log_alone_would_be_left_out(file: Path) -> None:
    """Then the file is not read without its log."""
    log = file.with_name(f"{file.name}-wal")

    assert is_whole(file)
    log.touch()
    assert is_whole(file)
    log.write_bytes(b"rows")
    assert not is_whole(file)
    assert not is_whole(file.with_name("nothing"))


@pytest.mark.django_db
def test_a_database_that_is_not_there_is_not_read_as_an_empty_one(tmp_path: Path) -> None:
    with pytest.raises(OperationalError):
        open_wrapper(tmp_path / "no folder" / "plateau.sqlite3").ensure_connection()


def test_the_cache_loses_what_finds_no_room(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def full(*_: object, **__: object) -> None:
        raise OSError(errno.ENOSPC, "No space left on device")

    cache = LossyFileCache(str(tmp_path), {})
    cache.set("a", 1)
    monkeypatch.setattr("tempfile.mkstemp", full)

    cache.set("b", 2)

    assert (cache.get("a"), cache.get("b")) == (1, None)


def test_the_cache_forgets_an_object_whose_module_has_another_name_now(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    cache = LossyFileCache(str(tmp_path), {})
    earlier_module = ModuleType("earlier_module")
    earlier_module.Kept = type("Kept", (), {"__module__": "earlier_module"})  # type: ignore[attr-defined]
    with monkeypatch.context() as earlier_version:
        earlier_version.setitem(sys.modules, "earlier_module", earlier_module)
        cache.set("a", earlier_module.Kept())

    assert cache.get_or_set("a", 2) == 2


@pytest.mark.django_db
def test_a_monitor_is_told_of_free_room_and_when_to_ask_again(
    client: Client, worker_here: None, monkeypatch: pytest.MonkeyPatch
) -> None:
    def broken() -> object:
        raise OperationalError("disk I/O error")

    monkeypatch.setattr(health, "write_unless_busy", lambda *_, **__: False)
    monkeypatch.setattr(health, "queue_status", broken)
    monkeypatch.setattr(health, "living_workers", broken)

    answer = client.get("/health/")

    assert (answer.status_code, answer.headers["Retry-After"]) == (503, "5")
    document = answer.json()
    assert (document["database"], document["workers"]) == ("takes no writes", "unknown")
    assert document["disk_free_bytes"] > 0
    assert document["oldest_open_unit_seconds"] is None
