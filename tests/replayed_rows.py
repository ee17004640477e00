"""Fixtures whose rows are written again as they were: without models, a tenth of the time."""

from __future__ import annotations

import functools
import os
import pickle
from collections.abc import Callable, Iterator
from typing import Any, TypeVar

from django.db import connection
from django.db.models import Model

Made = TypeVar("Made")
Statement = tuple[str, Any]
WRITING = ("INSERT", "UPDATE", "DELETE")


def replayed(make: Callable[..., Made]) -> Callable[..., Made]:
    """A fixture function that is called once for a test file; later its statements are repeated.

    Only where they would be the same: after the same fixtures, with the same keys to be given
    out next. What it returns must survive pickle. PostgreSQL gives out no key twice, not even one
    that was rolled back: there it is called every time.
    """
    rows_by_state: dict[object, tuple[list[Statement], bytes]] = {}

    @functools.wraps(make)
    def made(*args: Any, **fixtures: Any) -> Made:
        if connection.vendor != "sqlite":
            return make(*args, **fixtures)
        with connection.cursor() as cursor:
            cursor.execute("SELECT name, seq FROM sqlite_sequence ORDER BY name")
            keys = tuple(cursor.fetchall())
        file = os.environ["PYTEST_CURRENT_TEST"].partition("::")[0]
        state = file, keys, tuple(_rows(fixtures))
        if state not in rows_by_state:
            made, statements = _record_rows(functools.partial(make, *args, **fixtures))
            rows_by_state[state] = statements, pickle.dumps(made)
            return made
        statements, pickled_value = rows_by_state[state]
        for sql, parameters in statements:  # past Django, which takes longer than the database
            connection.connection.execute(sql, parameters or ())
        copy: Made = pickle.loads(pickled_value)  # noqa: S301  # made above
        return copy

    return made


def _record_rows(make: Callable[[], Made]) -> tuple[Made, list[Statement]]:
    statements: list[Statement] = []

    def record(execute: Any, sql: str, parameters: Any, *rest: Any) -> Any:
        if sql.startswith(WRITING):
            statements.append((cursor.convert_query(sql), parameters))
        return execute(sql, parameters, *rest)

    with connection.cursor() as wrapped, connection.execute_wrapper(record):
        cursor = wrapped.cursor
        return make(), statements


def _rows(fixtures: dict[str, Any]) -> Iterator[object]:
    for name, fixture in sorted(fixtures.items()):
        for instance in fixture if isinstance(fixture, list | tuple) else [fixture]:
            if isinstance(instance, Model):
                yield name, type(instance).__name__, instance.pk, getattr(instance, "digest", None)
