"""`manage.py`: what a person can cause is told in a sentence; what is our fault keeps its trace."""

from __future__ import annotations

import sqlite3
import sys
from collections.abc import Sequence
from pathlib import Path

import django
from django.core.exceptions import ImproperlyConfigured
from django.core.management import execute_from_command_line
from django.db import OperationalError, ProgrammingError
from django.db.migrations.exceptions import InconsistentMigrationHistory

from config import environment, garbage
from config.leavable_output import LeavableOutput
from detectors.compilation.stack_room import with_stack_room
from formats.names import flaw
from people.create_tables import OlderDatabase
from series.values_store import ValuesUnavailable

MISTAKE, INTERRUPTED = 2, 130
EXPLAINED_ERRORS = (
    *(ImproperlyConfigured, OSError, OperationalError, ProgrammingError),
    *(ValuesUnavailable, OlderDatabase, InconsistentMigrationHistory),
)
NO_TABLES = ("no such table", "no such column", "does not exist")


@with_stack_room
def run_command(arguments: Sequence[str]) -> int:
    """Run a command and return its status; `--traceback` shows where it went wrong."""
    if wrong_argument := unreadable(arguments):
        return _tell(wrong_argument, MISTAKE)
    try:
        with garbage.paused_collection():
            django.setup()
        sys.stdout, sys.stderr = LeavableOutput(sys.stdout), LeavableOutput(sys.stderr)
        execute_from_command_line(list(arguments))
    except KeyboardInterrupt:
        return _tell("Interrupted.", INTERRUPTED)
    except EXPLAINED_ERRORS as error:
        sentence = error_sentence(error)
        if not sentence or "--traceback" in arguments:
            raise
        return _tell(sentence, MISTAKE)
    return 0


def unreadable(arguments: Sequence[str]) -> str:
    """Say what is wrong with the first argument that is no text, which nothing can store or
    print.
    """
    for argument_index, argument in enumerate(arguments):
        if wrong_argument := flaw(argument):
            return (
                f"Argument {argument_index}: found {wrong_argument.found}, expected "
                f"{wrong_argument.expected}."
            )
    return ""


def error_sentence(error: Exception) -> str:
    """Sentence on an error that comes from files, settings or the database; else empty."""
    if isinstance(error, InconsistentMigrationHistory):
        error = OlderDatabase()
    if isinstance(error, (ImproperlyConfigured, ValuesUnavailable, OlderDatabase)):
        return str(error)
    if isinstance(error, OSError):
        return _sentence_of_file(error)
    code = getattr(error.__cause__, "sqlite_errorcode", 0) & 0xFF
    if code in {sqlite3.SQLITE_READONLY, sqlite3.SQLITE_CANTOPEN}:
        return f"The database cannot be written: {error}. {environment.MAKE_WRITABLE}"
    if any(words in str(error) for words in NO_TABLES):
        return (
            "The database is not made, or older than this version. Start Plateau once (make run), "
            "or type: python manage.py migrate"
        )
    if isinstance(error, OperationalError):
        return f"The database does not answer: {' '.join(str(error).split())}"
    return ""


def _sentence_of_file(error: OSError) -> str:
    """Sentence on an error of a file; without the file's name it is no person's mistake."""
    if not error.filename:
        return ""
    sentence = f"{error.filename}: {error.strerror}"
    is_of_installation = Path(str(error.filename)).resolve().is_relative_to(environment.DATA)
    return f"{sentence}. {environment.MAKE_WRITABLE}" if is_of_installation else sentence


def _tell(sentence: str, status: int) -> int:
    sys.stderr.write(f"{sentence}\n")
    return status
