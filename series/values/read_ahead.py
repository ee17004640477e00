"""Values read several at a time: where they lie outside of the database, each is a round trip."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from concurrent.futures import Future, ThreadPoolExecutor, wait
from itertools import islice
from typing import Any, Final, TypeVar

import numpy as np
from django.db import connection

from series import values_store
from series.models import Series, SeriesValues
from series.values_store import ValuesMissing

AT_ONCE: Final = 8  # in memory, and requests on their way: a client of S3 has ten connections
MOST: Final = 1_000  # series of `read_arrays`
MOST_VALUES: Final = 2_000_000  # of them in memory, 16 MB, unless one series has more
USUAL_LENGTH: Final = 30_000  # values of a series whose length nobody says
Row = TypeVar("Row", Series, SeriesValues)


def read_ahead(rows: Iterable[Row]) -> Iterator[Row]:
    """Yield `rows` as they are; the values of a few are read together before the first of them is
    given.

    Rows of series come with `stored`. Errors are raised where a row's values are asked for, as
    without. Nothing is read while a row is looked at, so what is timed there is not disturbed.
    What is read is forgotten with the next few.
    """
    unread_rows = iter(rows)
    with ThreadPoolExecutor(AT_ONCE) as pool:
        while batch := list(islice(unread_rows, AT_ONCE)):
            values_rows = [_stored(row) for row in batch]
            _read_files(pool, values_rows)
            yield from batch
            for values_row in values_rows:
                values_row.ahead = None


def read_arrays(keys: Sequence[int], max_length: int = USUAL_LENGTH) -> Iterator[np.ndarray]:
    """The values of series in the order of their primary keys; `max_length` is the most of one.

    As many are read with one statement as lie in memory together. No row becomes a model instance:
    of thousands of series that takes longer than their values.
    Raises `ValuesMissing` where somebody has removed a series meanwhile.
    """
    most_series = min(MOST, max(MOST_VALUES // max_length, 1))
    with ThreadPoolExecutor(AT_ONCE) as pool:
        for offset in range(0, len(keys), most_series):
            batch_keys = keys[offset : offset + most_series]
            stored_by_key = _stored_values(batch_keys)
            if removed_count := len(set(batch_keys) - stored_by_key.keys()):
                raise ValuesMissing(
                    f"Values of {removed_count} series were removed while they were read"
                )
            yield from _arrays_in_order(pool, [stored_by_key[pk] for pk in batch_keys])


def _arrays_in_order(
    pool: ThreadPoolExecutor, stored_values: Sequence[tuple[bytes, str | None]]
) -> Iterator[np.ndarray]:
    """Arrays of rows `(data, address)`; an address is that of a file, read with its neighbours."""
    for offset in range(0, len(stored_values), AT_ONCE):
        stored_batch = stored_values[offset : offset + AT_ONCE]
        pending_reads = [
            pool.submit(values_store.read_values, address) if address else None
            for _, address in stored_batch
        ]
        wait([reading for reading in pending_reads if reading])
        for (data, _), reading in zip(stored_batch, pending_reads, strict=True):
            yield np.frombuffer(reading.result() if reading else data, dtype="<f8")


def _stored_values(keys: Sequence[int]) -> dict[int, tuple[bytes, str | None]]:
    """Bytes in the database and address of values, by primary key.

    PostgreSQL and its driver write and read bytes as hexadecimal digits unless a cursor is binary:
    of thousands of series that takes longer than all else.
    """
    rows = SeriesValues.objects.filter(pk__among=keys).order_by()
    columns = rows.values_list("pk", "data", "address")
    if connection.vendor != "postgresql":
        return {pk: (bytes(data), address) for pk, data, address in columns}
    from psycopg import Cursor  # noqa: PLC0415  # Django's own cursors are never binary

    connection.ensure_connection()
    link: Any = connection.connection
    with connection.wrap_database_errors, Cursor(link) as cursor:
        cursor.execute(*columns.query.sql_with_params(), binary=True)
        return {pk: (data, address) for pk, data, address in cursor}


def _stored(row: Series | SeriesValues) -> SeriesValues:
    return row.stored if isinstance(row, Series) else row


def _read_files(pool: ThreadPoolExecutor, rows: Iterable[SeriesValues]) -> None:
    futures: list[Future[bytes]] = []
    for row in rows:
        if row.address:
            row.ahead = pool.submit(values_store.read_values, row.address)
            futures.append(row.ahead)
    wait(futures)
