"""Rows inserted column by column: an import of thousands of series builds no model of each."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from django.db import connection, models


def insert_rows(model: type[models.Model], rows: Sequence[Mapping[str, Any]]) -> list[int]:
    """Insert rows that name the same columns, in one statement; their primary keys, in order.

    `bulk_create` takes several times as long. Values are as the driver takes them: JSON as its
    text. No default of the model is filled in: a column that needs a value is named.
    """
    if not rows:
        return []
    quote = connection.ops.quote_name
    model_options: Any = model._meta  # noqa: SLF001
    table, key = quote(model_options.db_table), quote(model_options.pk.column)
    columns = ", ".join(map(quote, rows[0]))
    places = f"({', '.join(['%s'] * len(rows[0]))})"
    all_places = ", ".join([places] * len(rows))
    values = [row[name] for row in rows for name in rows[0]]
    with connection.cursor() as cursor:
        cursor.execute(
            f"INSERT INTO {table} ({columns}) VALUES {all_places} RETURNING {key}",  # noqa: S608
            values,
        )
        return [pk for (pk,) in cursor.fetchall()]
