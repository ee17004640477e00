"""Values on their way into a place, from one to another, and out: rows and stores together.

Nothing is lost when a process is killed at any point: bytes are kept before a row names them, and
deleted an hour after the last row that named them has gone.
"""

from __future__ import annotations

import hashlib
import logging
from collections.abc import Callable, Iterable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from datetime import timedelta
from itertools import islice
from typing import Final, NamedTuple

from django.conf import settings
from django.db import transaction
from django.db.models import Q, QuerySet
from django.utils import timezone

from series import values_store
from series.models import ReleasedValues, Series, SeriesValues
from series.values.row_inserts import insert_rows
from series.values_store import DATABASE, ValuesDamaged, ValuesUnavailable

log = logging.getLogger(__name__)
AT_ONCE: Final = 8  # bytes of so many series are on their way together
PART: Final = 100  # rows of a statement
PART_BYTES: Final = 8_000_000  # in memory, unless one series has more
GRACE: Final = timedelta(hours=1)  # far longer than a transaction that stores series takes
MOST_DELETED: Final = 2000  # in one go: a worker has other duties


def store(rows: Sequence[tuple[int, str, bytes]]) -> None:
    """Store the values of new series where `VALUES_STORE` says; in the transaction of the rows.

    rows  primary key and digest of each series, and the bytes of its values
    """
    store_name = settings.VALUES_STORE
    if store_name == DATABASE:
        insert_rows(SeriesValues, [{"series_id": pk, "data": data} for pk, _, data in rows])
        return
    copies = [(f"{store_name}/{digest}", data) for _, digest, data in rows]
    _keep_copies(copies)
    address_rows = [
        {"series_id": pk, "data": b"", "address": address}
        for (pk, _, _), (address, _) in zip(rows, copies, strict=True)
    ]
    insert_rows(SeriesValues, address_rows)


def _keep_copies(copies: Sequence[tuple[str, bytes]]) -> None:
    """Keep bytes at addresses that rows of this transaction will name.

    What waits to be deleted is taken back first. Whoever deletes holds the lock of its row: either
    these bytes are written after that, or nothing is found to delete.
    """
    ReleasedValues.objects.filter(address__in=[address for address, _ in copies]).delete()
    with ThreadPoolExecutor(AT_ONCE) as pool:
        list(pool.map(lambda copy: values_store.write_values(*copy), copies))


# --- reading all of them ----------------------------------------------------------------------
class ValuesRow(NamedTuple):
    """A series whose values are looked at: its row, and what its digest should be."""

    pk: int
    public_id: str
    digest: str
    n: int


def _parts(rows: QuerySet[SeriesValues]) -> Iterator[list[ValuesRow]]:
    """Rows by primary key, so many at once that their values take at most `PART_BYTES`, or one."""
    last_pk = 0
    fields = ("pk", "series__public_id", "series__digest", "series__n")
    while next_rows := rows.filter(pk__gt=last_pk).order_by("pk").values_list(*fields)[:PART]:
        batch = _fitting_rows([ValuesRow(*row) for row in next_rows])
        last_pk = batch[-1].pk
        yield batch


def _fitting_rows(rows: Sequence[ValuesRow]) -> list[ValuesRow]:
    size = 0
    fitting_rows: list[ValuesRow] = []
    for row in rows:
        size += 8 * row.n
        if fitting_rows and size > PART_BYTES:
            break
        fitting_rows.append(row)
    return fitting_rows


class ReadValues(NamedTuple):
    """Result of reading the values of a series: its bytes, or why there are none."""

    row: ValuesRow
    address: str | None
    data: bytes
    problem: ValuesUnavailable | None


def _read_batch(batch: Sequence[ValuesRow]) -> list[ReadValues]:
    values_by_key = SeriesValues.objects.in_bulk([row.pk for row in batch])
    with ThreadPoolExecutor(AT_ONCE) as pool:
        return list(
            pool.map(
                _read_row,
                [(row, values_by_key[row.pk]) for row in batch if row.pk in values_by_key],
            )
        )


def _read_row(pair: tuple[ValuesRow, SeriesValues]) -> ReadValues:
    """Its values, if they are those of its digest."""
    row, stored_row = pair
    try:
        data = stored_row.content()
        if hashlib.sha256(data).hexdigest() != row.digest:
            raise ValuesDamaged("They have another digest than when they were stored")
    except ValuesUnavailable as problem:
        return ReadValues(row, stored_row.address, b"", problem)
    return ReadValues(row, stored_row.address, data, None)


# --- moving -----------------------------------------------------------------------------------
def values_elsewhere(store_name: str) -> QuerySet[SeriesValues]:
    """Rows whose values do not lie in `store_name`."""
    if store_name == DATABASE:
        return SeriesValues.objects.filter(address__isnull=False)
    in_store = Q(address__startswith=f"{store_name}/")
    return SeriesValues.objects.filter(Q(address__isnull=True) | ~in_store)


def move(target: str, tell: Callable[[int], object] = bool) -> list[ReadValues]:
    """Copy all values into a place, and let their rows name it; what could not be read.

    Others may read and import meanwhile. Stopped at any point, it goes on from there when it is
    called again. What cannot be read stays as it is. `tell` hears how many were moved, now and
    then.
    """
    unread_rows: list[ReadValues] = []
    moved_count = 0
    for batch in _parts(values_elsewhere(target)):
        read_rows = _read_batch(batch)
        unread_rows += [read_row for read_row in read_rows if read_row.problem]
        moved_count += _switch([read_row for read_row in read_rows if not read_row.problem], target)
        tell(moved_count)
    return unread_rows


@transaction.atomic
def _switch(read_rows: Sequence[ReadValues], target: str) -> int:
    if target != DATABASE:
        _keep_copies([(f"{target}/{read_row.row.digest}", read_row.data) for read_row in read_rows])
    moved_rows = [read_row for read_row in read_rows if _switch_row(read_row, target)]
    _release(read_row.address for read_row in moved_rows if read_row.address)
    return len(moved_rows)


def _switch_row(read_row: ReadValues, target: str) -> bool:
    """Let the row name the new place, unless it was moved or purged meanwhile."""
    matching_rows = SeriesValues.objects.filter(pk=read_row.row.pk, address=read_row.address)
    if read_row.address is None:
        matching_rows = SeriesValues.objects.filter(pk=read_row.row.pk, address__isnull=True)
    if target == DATABASE:
        return bool(matching_rows.update(address=None, data=read_row.data))
    return bool(matching_rows.update(address=f"{target}/{read_row.row.digest}", data=b""))


# --- checking ---------------------------------------------------------------------------------
def check_stored_values(tell: Callable[[int], object] = bool) -> Iterator[ReadValues]:
    """Every series whose values are missing, damaged or cannot be read.

    All values are read. `tell` hears how many were looked at, now and then.
    """
    checked_count = 0
    for batch in _parts(SeriesValues.objects.all()):
        yield from (read_row for read_row in _read_batch(batch) if read_row.problem)
        checked_count += len(batch)
        tell(checked_count)


def orphans() -> Iterator[str]:
    """Addresses at which values lie that no row names and that do not wait to be deleted.

    Raises ValuesUnavailable where a place does not answer.
    """
    for store_name in values_store.configured_stores():
        addresses = (f"{store_name}/{digest}" for digest in values_store.digests(store_name))
        while batch := set(islice(addresses, PART)):
            for model in (SeriesValues, ReleasedValues):
                naming_rows = model.objects.filter(address__in=batch)
                batch -= set(naming_rows.values_list("address", flat=True))
            yield from sorted(batch)


def counts_by_store() -> dict[str, int]:
    """Count the series that have their values outside of the database, by place."""
    store_names = (values_store.FOLDER, values_store.S3)
    counts = {
        store_name: SeriesValues.objects.filter(address__startswith=f"{store_name}/").count()
        for store_name in store_names
    }
    return {store_name: count for store_name, count in counts.items() if count}


# --- deleting ---------------------------------------------------------------------------------
def release(series: QuerySet[Series]) -> None:
    """Say that these series are about to go; in the transaction in which they go."""
    rows = SeriesValues.objects.filter(series__in=series, address__isnull=False)
    _release(rows.order_by().values_list("address", flat=True).distinct().iterator())  # type: ignore[arg-type]


def release_orphans() -> int:
    """Let what no row names be deleted with the next ones; how many they are."""
    addresses = list(orphans())
    _release(addresses)
    return len(addresses)


def _release(addresses: Iterable[str]) -> None:
    current_time, waiting_addresses = timezone.now(), iter(addresses)
    while batch := sorted({*islice(waiting_addresses, PART)}):
        ReleasedValues.objects.bulk_create(
            [ReleasedValues(address=address, since=current_time) for address in batch],
            update_conflicts=True,
            unique_fields=["address"],
            update_fields=["since"],
        )


def delete_released_copies() -> int:
    """Delete what has been released for `GRACE` and is named by no row; how many."""
    old_releases = ReleasedValues.objects.filter(since__lt=timezone.now() - GRACE).order_by("pk")
    try:
        return sum(
            _drop_copy(pk) for pk in list(old_releases.values_list("pk", flat=True)[:MOST_DELETED])
        )
    except ValuesUnavailable:
        log.exception("values that nothing needs were not deleted; they will be later")
        return 0


@transaction.atomic
def _drop_copy(pk: int) -> int:
    """Under the lock of its row: `_keep_copies` waits for the end, or has taken it away before."""
    row = ReleasedValues.objects.select_for_update(skip_locked=True).filter(pk=pk).first()
    if row is None:
        return 0
    row.delete()
    if SeriesValues.objects.filter(address=row.address).exists():
        return 0
    values_store.delete(row.address)
    return 1
