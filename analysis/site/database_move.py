"""Everything in the database into another one, such as SQLite's into PostgreSQL's, and verified."""

from __future__ import annotations

import hashlib
import json
import os
import subprocess
import sys
from collections.abc import Iterator, Sequence
from datetime import UTC, datetime
from itertools import islice
from typing import Any, Final

import dj_database_url
from django.apps import apps
from django.conf import settings
from django.core.management.color import no_style
from django.db import DatabaseError, connections, models, transaction
from django.db.migrations.recorder import MigrationRecorder

from analysis.site.backup import unapplied_migration_count
from formats.child_process import end_with_parent

MARKER: Final = "plateau_unfinished_move"  # name of a table that exists during a move
OTHER: Final = "other"  # alias of the other database
AT_ONCE: Final = 500  # rows copied at once
LARGE_AT_ONCE: Final = 10  # the same for rows that hold values or a file
AFRESH: Final = "make a new database for it: CREATE DATABASE plateau"

TRIGGER_FUNCTIONS: Final = """
    SELECT oid::regprocedure::text FROM pg_proc
    WHERE prorettype = 'trigger'::regtype AND pronamespace = current_schema()::regnamespace
    AND NOT EXISTS (SELECT 1 FROM pg_depend WHERE objid = pg_proc.oid AND deptype = 'e')
"""

Model = type[models.Model]


class MoveError(Exception):
    """The data was not moved, and the other database is as it was; the message says why."""


def move(url: str) -> Iterator[tuple[str, int]]:
    """Copy every row to the database at `url`; gives each table with its rows once it is there.

    The other database is brought to this version's tables first, and must hold nobody's data. All
    rows come in one transaction, at whose end they and their digests are compared. What a move
    that broke off has left there is removed first. Stop server and workers before. Raises
    `MoveError`.
    """
    if unapplied_migration_count():
        raise MoveError("this database is of an older version: type python manage.py migrate")
    _refuse_unknown_tables()
    _connect(url)
    try:
        with connections[OTHER].wrap_database_errors:
            connections[OTHER].connect()  # a server that refuses needs no process to say so
        _prepare_database()
        _migrate(url)
        _check_empty_database()
        with transaction.atomic(using=OTHER):
            for model in table_models():
                yield model._meta.db_table, _copy_rows(model)
            _advance_sequences()
            for model in table_models():
                _compare_digests(model)
            _drop_marker()
    except DatabaseError as error:
        raise MoveError(str(error).strip()) from error
    finally:
        connections[OTHER].close()


def table_models() -> list[Model]:
    """A model for each table, those between two others among them."""
    all_models = apps.get_models(include_auto_created=True)
    return [model for model in all_models if model._meta.managed and not model._meta.proxy]


def _refuse_unknown_tables() -> None:
    """Rows of what a setting has turned off again, such as second factors, would stay behind."""
    default_connection = connections["default"]
    migrated_apps = {app for app, _ in MigrationRecorder(default_connection).applied_migrations()}
    disabled_apps = sorted(migrated_apps - {config.label for config in apps.get_app_configs()})
    disabled_tables = [
        name
        for name in default_connection.introspection.table_names()
        if any(name.startswith(f"{label}_") for label in disabled_apps)
    ]
    if full_tables := [name for name in disabled_tables if _has_rows(name)]:
        raise MoveError(
            f"{', '.join(full_tables)}: found rows, which the settings of now know nothing of. Set "
            "PLATEAU_SECOND_FACTOR and PLATEAU_OIDC_ISSUER as they were when these were made, and "
            "move; then turn them off again"
        )


def _has_rows(table: str) -> bool:
    default_connection = connections["default"]
    with default_connection.cursor() as cursor:
        cursor.execute(f"SELECT 1 FROM {default_connection.ops.quote_name(table)} LIMIT 1")  # noqa: S608  # quoted
        return cursor.fetchone() is not None


def _connect(url: str) -> None:
    try:
        target = dj_database_url.parse(url)
    except (dj_database_url.ParseError, dj_database_url.UnknownSchemeError, ValueError) as error:
        raise MoveError(f"--to: {error}") from error
    source = connections.databases["default"]
    # Our own SQLite backend and Django's, which an address names, are the same database.
    engine_names = [str(settings["ENGINE"]).rpartition(".")[2] for settings in (source, target)]
    is_same_place = all(
        str(source[setting]) == str(target[setting]) for setting in ("HOST", "PORT", "NAME")
    )
    if is_same_place and engine_names[0] == engine_names[1]:
        raise MoveError("--to: the database of this installation itself")
    connections.databases[OTHER] = {**source, "OPTIONS": {}, **target}


def _prepare_database() -> None:
    """Mark an empty database; remove every table of one that is marked, which are a move's own.

    Tables that are there without the mark are somebody's, and stay.
    """
    target = connections[OTHER]
    table_names = target.introspection.table_names()
    if MARKER in table_names:
        _drop_tables([*(name for name in table_names if name != MARKER), MARKER])
        table_names = []
    if not table_names:
        _execute(f"CREATE TABLE {MARKER} (begun integer)")


def _drop_tables(table_names: Sequence[str]) -> None:
    """Drop tables, in any order, and what their triggers call, all or none."""
    target = connections[OTHER]
    cascade = " CASCADE" if target.vendor == "postgresql" else ""
    target.disable_constraint_checking()
    with transaction.atomic(using=OTHER):
        for table_name in table_names:
            _execute(f"DROP TABLE {target.ops.quote_name(table_name)}{cascade}")
        for function_name in _trigger_functions():
            _execute(f"DROP FUNCTION {function_name} CASCADE")
    target.enable_constraint_checking()


def _trigger_functions() -> list[str]:
    """Functions of triggers, which PostgreSQL keeps without their tables; none of an extension."""
    if connections[OTHER].vendor != "postgresql":
        return []
    with connections[OTHER].cursor() as cursor:
        cursor.execute(TRIGGER_FUNCTIONS)
        return [name for (name,) in cursor.fetchall()]


def _drop_marker() -> None:
    """Take the mark away, in the transaction that brings the rows."""
    if MARKER in connections[OTHER].introspection.table_names():
        _execute(f"DROP TABLE {MARKER}")


def _execute(statement: str) -> None:
    with connections[OTHER].cursor() as cursor:
        cursor.execute(statement)


def _migrate(url: str) -> None:
    """Migrate in a process of its own: migrations change rows in the settings' database."""
    manage_command = [sys.executable, str(settings.BASE_DIR / "manage.py")]
    # This process has checked the same code and settings: checks import every page.
    command = [*manage_command, "migrate", "--verbosity", "0", "--skip-checks"]
    environment = os.environ | {"DATABASE_URL": url}
    completed_process = subprocess.run(  # noqa: S603  # a command of ours
        command,
        env=environment,
        capture_output=True,
        text=True,
        check=False,
        preexec_fn=end_with_parent,  # a command has one thread
    )
    if completed_process.returncode:
        raise MoveError(completed_process.stderr.strip().rpartition("\n")[2] or "migrate failed")


def _check_empty_database() -> None:
    for model in (apps.get_model("people", "User"), apps.get_model("people", "Study")):
        if count := _rows(model, OTHER).count():
            rows_found = f"{count:,} rows of {model._meta.db_table}"
            raise MoveError(f"--to: found {rows_found}, expected an empty database; {AFRESH}")


def _rows(model: Model, database: str) -> models.QuerySet[models.Model]:
    """Every row in the order of its key: no manager of ours leaves some out."""
    return models.QuerySet(model, using=database).order_by("pk")


def _fields(model: Model) -> list[Any]:
    return [field for field in model._meta.concrete_fields if not field.generated]


def _copy_rows(model: Model) -> int:
    """Rows as they are: no time is set anew, and what migrations made there makes room."""
    target_rows, fields, count = _rows(model, OTHER), _fields(model), 0
    target_rows._raw_delete(OTHER)
    has_large_rows = any(isinstance(field, models.BinaryField) for field in fields)
    batch_size = LARGE_AT_ONCE if has_large_rows else AT_ONCE
    source_rows = _rows(model, "default").iterator(batch_size)
    while rows := list(islice(source_rows, batch_size)):
        target_rows._insert(rows, fields, raw=True, using=OTHER)  # type: ignore[attr-defined]
        count += len(rows)
    return count


def _advance_sequences() -> None:
    """New rows get numbers after those that came."""
    statements = connections[OTHER].ops.sequence_reset_sql(no_style(), table_models())
    with connections[OTHER].cursor() as cursor:
        for statement in statements:
            cursor.execute(statement)


def _compare_digests(model: Model) -> None:
    source_digest, target_digest = (digest(model, database) for database in ("default", OTHER))
    if source_digest != target_digest:
        table = model._meta.db_table
        raise MoveError(
            f"{table}: {target_digest} there, {source_digest} here: was somebody at work meanwhile?"
        )


def digest(model: Model, database: str) -> str:
    """Number of rows of a table, and a SHA-256 over their values."""
    field_names, sha256, count = [field.attname for field in _fields(model)], hashlib.sha256(), 0
    for row in _rows(model, database).values_list(*field_names).iterator(LARGE_AT_ONCE):
        sha256.update("\0".join(map(_comparable_text, row)).encode() + b"\n")
        count += 1
    return f"{count:,} rows {sha256.hexdigest()[:16]}"


def _comparable_text(value: object) -> str:
    """One writing for what two databases give in different ones."""
    if isinstance(value, (bytes, memoryview)):
        return hashlib.sha256(value).hexdigest()
    if isinstance(value, datetime):
        return value.astimezone(UTC).isoformat()
    if isinstance(value, (dict, list)):
        return json.dumps(value, sort_keys=True)
    return repr(value)
