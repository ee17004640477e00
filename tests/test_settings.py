"""Settings: production refuses to start half-configured."""

from __future__ import annotations

import os
import subprocess
import sys
import venv
from pathlib import Path

import pytest
from django.db import OperationalError

from config import commands

ROOT = Path(__file__).resolve().parents[1]


WHOLE = {"SECRET_KEY": "x" * 60, "ALLOWED_HOSTS": "h"}
SENDER = {"PLATEAU_MAIL_FROM": "plateau@h.org"}


def check(tmp_path: Path, *options: str, **environment: str) -> subprocess.CompletedProcess[str]:
    """`manage.py check` with nothing but these settings."""
    clean = {"PATH": os.environ["PATH"], "PLATEAU_DATA": str(tmp_path), **environment}
    command = [sys.executable, "manage.py", "check", *options]
    return subprocess.run(command, cwd=ROOT, env=clean, capture_output=True, text=True, check=False)


@pytest.mark.parametrize(
    ("environment", "complaint"),
    [
        ({}, "SECRET_KEY is not set, and `make run` has left no settings in "),
        ({"SECRET_KEY": "x" * 60}, "ALLOWED_HOSTS is not set."),
        ({"PLATEAU_MODE": "debug"}, "PLATEAU_MODE: found 'debug'"),
        ({**WHOLE, "PLATEAU_MAIL_URL": "smtp://h"}, "PLATEAU_MAIL_FROM: found ''"),
        ({**WHOLE, **SENDER, "PLATEAU_MAIL_URL": "h:25"}, "expected smtp://host or smtp+tls://"),
        (
            {**WHOLE, "PLATEAU_REMOTE_USER_HEADER": "X-Remote-User"},
            "PLATEAU_REMOTE_USER_HEADER is set, but PLATEAU_TRUSTED_PROXIES is not",
        ),
        (
            {
                **WHOLE,
                "PLATEAU_REMOTE_USER_HEADER": "X-Remote-User",
                "PLATEAU_TRUSTED_PROXIES": "1",
                "PLATEAU_SECOND_FACTOR": "required",
            },
            "PLATEAU_SECOND_FACTOR=required together with PLATEAU_REMOTE_USER_HEADER",
        ),
        ({**WHOLE, "PLATEAU_WEBHOOK": "file:///etc"}, "expected http://host or https://host"),
        ({**WHOLE, "PLATEAU_URL": "https://a:b@host"}, "expected an address without"),
    ],
)
def test_production_refuses_to_start(
    tmp_path: Path, environment: dict[str, str], complaint: str
) -> None:
    process = check(tmp_path, **environment)

    assert process.returncode == 2
    assert complaint in process.stderr
    assert process.stderr.count("\n") == 1


def test_deployment_check_is_clean(tmp_path: Path) -> None:
    key = "kJ3-9vQ_pX7wZ2mN8bV5cL1sD6fG4hT0yR-uE_oI3aP9qW7xK2"
    process = check(
        tmp_path,
        "--deploy",
        "--fail-level=WARNING",
        SECRET_KEY=key,
        ALLOWED_HOSTS="plateau.example.org",
    )

    assert process.returncode == 0, process.stderr


def test_cookies_are_of_this_very_host_where_https_is_spoken(tmp_path: Path) -> None:
    clean_environment = {
        "PATH": os.environ["PATH"],
        "PLATEAU_DATA": str(tmp_path),
        "SECRET_KEY": "x" * 60,
        "ALLOWED_HOSTS": "plateau.example.org",
    }
    command = [sys.executable, "manage.py", "diffsettings"]
    process = subprocess.run(
        command, cwd=ROOT, env=clean_environment, capture_output=True, text=True, check=True
    )

    assert "SESSION_COOKIE_NAME" in process.stdout
    assert "CSRF_COOKIE_NAME" in process.stdout
    assert "STUDY_CREATORS = 'staff'" in process.stdout


def manage(tmp_path: Path, *words: str, executable: str = sys.executable) -> tuple[int, str]:
    """Status and standard error of a command on an empty development installation."""
    clean_environment = {"PATH": os.environ["PATH"], "PLATEAU_DATA": str(tmp_path)}
    process = subprocess.run(
        [executable, "manage.py", *words],
        cwd=ROOT,
        env={**clean_environment, "PLATEAU_MODE": "development"},
        capture_output=True,
        text=True,
        check=False,
    )
    return process.returncode, process.stderr


def test_a_database_without_tables_is_one_sentence(tmp_path: Path) -> None:
    status, sentence = manage(tmp_path, "run", "a/b", "--method", "sdm")

    assert (status, sentence.count("\n")) == (2, 1)
    assert sentence.startswith("The database is not made, or older than this version.")


def test_a_python_without_packages_says_which_one_has_them(tmp_path: Path) -> None:
    folder = tmp_path / "bare"
    venv.create(folder, with_pip=False, symlinks=True)
    bare_python = str(folder / "bin" / "python")

    status, sentence = manage(tmp_path, "run", executable=bare_python)

    assert status == 1
    assert "Type `. .venv/bin/activate`" in sentence


@pytest.mark.parametrize(
    ("error", "status", "sentence"),
    [
        (KeyboardInterrupt(), 130, "Interrupted.\n"),
        (IsADirectoryError(21, "Is a directory", "folder"), 2, "folder: Is a directory\n"),
        (
            OperationalError("connection\nrefused"),
            2,
            "The database does not answer: connection ref",
        ),
    ],
)
def test_what_a_person_can_cause_is_a_sentence(
    error: BaseException,
    status: int,
    sentence: str,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    def fail(arguments: list[str]) -> None:
        raise error

    monkeypatch.setattr(commands, "execute_from_command_line", fail)

    assert commands.run_command(["manage.py", "run"]) == status
    assert capsys.readouterr().err.startswith(sentence)


def test_what_is_our_fault_keeps_its_trace(monkeypatch: pytest.MonkeyPatch) -> None:
    def fail(arguments: list[str]) -> None:
        raise ValueError(arguments)

    monkeypatch.setattr(commands, "execute_from_command_line", fail)

    with pytest.raises(ValueError, match="run"):
        commands.run_command(["manage.py", "run"])


def test_an_argument_that_is_no_text_is_named_and_nothing_is_done(
    capfd: pytest.CaptureFixture[str],
) -> None:
    """Linux gives a program any bytes; what is no text can neither be stored nor printed."""
    status = commands.run_command(["manage.py", "import_series", "study/data", "caf\udce9.csv"])

    assert status == 2
    assert capfd.readouterr().err == (
        "Argument 3: found 'caf\\udce9.csv', expected text without halves of characters "
        "(lone surrogates).\n"
    )


def test_what_is_written_is_for_nobody_else(tmp_path: Path) -> None:
    """The database of a new installation, and every file and folder beside it."""
    data = tmp_path / "new" / "data"
    program = (
        "import django; django.setup();"
        "from django.db import connection; connection.cursor().execute('CREATE TABLE t (i)');"
        "from django.core.cache import cache; cache.set('a', 1)"
    )
    clean_environment = {"PATH": os.environ["PATH"], "PLATEAU_DATA": str(data), **WHOLE}
    clean_environment["DJANGO_SETTINGS_MODULE"] = "config.settings"
    subprocess.run(
        [sys.executable, "-c", program], cwd=ROOT, env=clean_environment, check=True, umask=0o022
    )

    modes = {path.name: oct(path.stat().st_mode & 0o777) for path in [data, *data.rglob("*")]}
    assert modes["plateau.sqlite3"] == "0o600"
    assert modes["data"] == modes["cache"] == "0o700"
    assert {mode[-2:] for mode in modes.values()} == {"00"}
