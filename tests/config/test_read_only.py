"""A data folder in which nothing can be made or changed: one sentence, with what to do."""

from __future__ import annotations

import os
import sqlite3
import subprocess
import sys
from contextlib import closing
from pathlib import Path

import pytest
from django.db import OperationalError, connection

from config import environment
from config.commands import error_sentence
from evidence.bench.processes import ROOT, free_port

LAUNCH = ("-m", "config.launch", "--no-demo", "--port")


def run_module(data: Path, *arguments: str) -> subprocess.CompletedProcess[str]:
    settings = os.environ | {"PLATEAU_DATA": str(data), "PLATEAU_MODE": "development"}
    command = [sys.executable, *arguments]
    return subprocess.run(
        command, cwd=ROOT, env=settings, capture_output=True, text=True, check=False
    )


@pytest.mark.parametrize("arguments", [("manage.py", "migrate"), LAUNCH])
def test_a_folder_that_cannot_be_made_is_named(arguments: tuple[str, ...], tmp_path: Path) -> None:
    (tmp_path / "file").touch()  # for root, too, nothing can be made below it
    data = tmp_path / "file" / "data"
    port = (str(free_port()),) if arguments == LAUNCH else ()

    process = run_module(data, *arguments, *port)

    assert process.returncode in {1, 2}
    assert process.stderr == (
        f"{data}: Not a directory. Plateau keeps its data in {data}: let this user write there, "
        "or name another folder in PLATEAU_DATA.\n"
    )


def test_a_database_that_cannot_be_written_is_told_with_the_remedy(tmp_path: Path) -> None:
    file = tmp_path / "data.sqlite3"
    with closing(sqlite3.connect(file)) as new_connection:
        new_connection.execute("CREATE TABLE a (b)")
    with (
        closing(sqlite3.connect(f"{file.as_uri()}?mode=ro", uri=True)) as read_only_connection,
        pytest.raises(OperationalError) as error,
        connection.wrap_database_errors,
    ):
        read_only_connection.execute("INSERT INTO a VALUES (1)")

    assert error_sentence(error.value) == (
        "The database cannot be written: attempt to write a readonly database. "
        + environment.MAKE_WRITABLE
    )


def test_another_files_error_gives_no_advice_about_the_data() -> None:
    assert error_sentence(PermissionError(13, "Permission denied", "/etc/shadow")) == (
        "/etc/shadow: Permission denied"
    )
