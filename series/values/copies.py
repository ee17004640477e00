"""Stored series that are copies of one another, in whatever study and under whatever name.

Copies have one `copy_group`, and so have copies of copies: blindness keeps the answers of all of
them from whoever has yet to answer one. A series gets its group when it is stored.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any, Final

import numpy as np
from django.db.models import Min

from detectors.contract import Values
from detectors.panel.copies import (
    Sketch,
    SketchIndex,
    as_bytes,
    of_bytes,
    sharing,
    sketch,
    thin_values,
    value_sketch,
    value_sketches,
)
from series.models import Dataset, Series, SeriesSketch
from series.models.series import SeriesQuerySet
from series.values import read_ahead

# All stored sketches are read once for so many new ones: a file of 10,000 series is linked at once.
AT_ONCE: Final = 10_000  # series that are linked together
HASHES: Final = (
    1_300_000  # in memory together, 50 MB: of 10,000 usual sketches, of 6 very long ones
)
ROWS: Final = 500  # sketches that are fetched together
SKETCHED: Final = 2000  # series whose missing sketches a worker makes at a time
ORDERED: Final = "hashes"  # columns of sketches
UNORDERED: Final = "value_hashes"
LEAST_RATE: Final = 1e-300  # the inverse of a smaller value is no number

Pair = tuple[int, int]


def has_copy(series: SeriesQuerySet, values: Values) -> bool:
    """Return whether `values` are a copy of one of `series`, or of a part of one, in whatever
    order.

    Also where they were put by turns between other values. ValuesUnavailable where a series has no
    sketch of its values yet, and they cannot be read.
    """
    stored_sketches = SeriesSketch.objects.filter(series__in=series.order_by().values("pk"))
    if not stored_sketches.exists():
        return False
    parts = thin_values(values)
    if _is_among([sketch(subset) for subset in parts], stored_sketches, ORDERED):
        return True
    _store_sketches(stored_sketches.filter(value_hashes=None))
    rates = [1 / subset for subset in parts if np.all(np.abs(subset) > LEAST_RATE)]
    return _is_among(
        [value_sketch(subset) for subset in [*parts, *rates]], stored_sketches, UNORDERED
    )


def _is_among(new_sketches: Sequence[Sketch], stored_sketches: Any, column: str) -> bool:
    """Return whether one of the sketches is a copy of a stored one."""
    all_hashes = np.unique(np.concatenate(new_sketches))
    return any(
        SketchIndex.from_sketches([batch[sketch_index][1]]).copies_of(new_sketch).size
        for batch in _parts(stored_sketches, column)
        for sketch_index in sharing([stored_sketch for _, stored_sketch in batch], all_hashes)
        for new_sketch in new_sketches
    )


def sketch_values(max_count: int | None = SKETCHED) -> int:
    """Store missing sketches of values that lie in the database; how many.

    Series that were stored before there were any have none. A worker makes some at a time; an
    import makes all, before it links.
    """
    unhashed_sketches = SeriesSketch.objects.filter(value_hashes=None, series__stored__address=None)
    return _store_sketches(unhashed_sketches[:max_count])


def _store_sketches(unhashed_sketches: Any) -> int:
    keys = list(unhashed_sketches.values_list("pk", flat=True))
    for start in range(0, len(keys), read_ahead.MOST):
        batch_keys = keys[start : start + read_ahead.MOST]
        keyed_sketches = zip(
            batch_keys, value_sketches(list(read_ahead.read_arrays(batch_keys))), strict=True
        )
        rows = [SeriesSketch(pk=pk, value_hashes=as_bytes(hashes)) for pk, hashes in keyed_sketches]
        SeriesSketch.objects.bulk_update(rows, [UNORDERED])
    return len(keys)


def _parts(stored_sketches: Any, column: str) -> Iterator[list[tuple[int, Sketch]]]:
    """Primary keys of series with their sketches, many at a time: up to `HASHES`, or one more."""
    batch: list[tuple[int, Sketch]] = []
    hash_count = 0
    stored_parts = stored_sketches.exclude(**{column: None}).exclude(**{column: b""}).order_by("pk")
    for pk, data in stored_parts.values_list("pk", column).iterator(ROWS):
        batch.append((pk, of_bytes(data)))
        hash_count += batch[-1][1].size
        if hash_count >= HASHES:
            yield batch
            batch, hash_count = [], 0
    if batch:
        yield batch


# --- groups -----------------------------------------------------------------------------------
def one_at_a_time() -> None:
    """Wait until nobody else stores series: of two copies that come at once, neither is missed.

    Where rows are not locked (SQLite), whole transactions wait for one another.
    """
    Dataset.objects.order_by("pk").select_for_update(no_key=True).first()


def link_copies(
    new_keys: Sequence[int],
    *,
    rows: Any = Series,
    sketches: Any = SeriesSketch,
    columns: Sequence[str] = (ORDERED, UNORDERED),
) -> None:
    """Give the series `new_keys` the group of their copies; all others have theirs already.

    rows, sketches, columns: models, and columns of sketches; for a migration those of its time.
    """
    pairs = set(_equal_pairs(new_keys, rows))
    for column in columns:
        pairs.update(_similar_pairs(new_keys, sketches, column))
    touched_keys = {pk for pair in pairs for pk in pair}
    groups = dict(rows.objects.filter(pk__among=[*touched_keys]).values_list("pk", "copy_group"))
    labels = {pk: group or pk for pk, group in groups.items()}
    roots = _smallest_roots((labels[first_pk], labels[second_pk]) for first_pk, second_pk in pairs)
    members = defaultdict(list)
    for pk, label in labels.items():
        members[roots[label]].append(pk)
    for root, pks in members.items():
        rows.objects.filter(pk__in=pks).update(copy_group=root)
    for old_root in {group for group in groups.values() if group and roots[group] != group}:
        rows.objects.filter(copy_group=old_root).update(copy_group=roots[old_root])


def _equal_pairs(new_keys: Sequence[int], rows: Any) -> Iterator[Pair]:
    """Each new one, and the first with the very same values, however few these are."""
    digest_by_new_key = dict(rows.objects.filter(pk__among=new_keys).values_list("pk", "digest"))
    equal_rows = rows.objects.filter(digest__among=[*{*digest_by_new_key.values()}]).order_by()
    first_key_by_digest = dict(equal_rows.values_list("digest").annotate(first=Min("pk")))
    return (
        (first_key_by_digest[digest], pk)
        for pk, digest in digest_by_new_key.items()
        if first_key_by_digest[digest] != pk
    )


def _similar_pairs(new: Sequence[int], sketches: Any, column: str) -> Iterator[Pair]:
    """Pairs of which at least one is new.

    Without their order, series of few values are often alike that are no copies: constant ones are.
    Where no new series can have a copy, as those of one value, no stored sketch is read.
    """
    for new_batch in _parts(sketches.objects.filter(pk__among=new), column):
        new_sketches = (
            new_batch
            if column == ORDERED
            else [keyed_sketch for keyed_sketch in new_batch if keyed_sketch[1].size > 1]
        )
        index = SketchIndex.from_sketches([row_sketch for _, row_sketch in new_sketches])
        if not index.hashes.size:
            continue
        if column == UNORDERED:
            sketch_values(None)
        new_keys = {pk for pk, _ in new_sketches}
        for batch in _parts(sketches.objects.all(), column):
            other_rows = [row for row in batch if row[0] not in new_keys]
            themselves = [row for row in batch if row[0] in new_keys]  # each shares all with itself
            alike_rows = [
                *_sharing_rows(other_rows, index.hashes),
                *_sharing_rows(themselves, index.repeated_hashes),
            ]
            for pk, known_sketch in alike_rows:
                copy_keys = (new_sketches[k][0] for k in index.copies_of(known_sketch))
                yield from ((pk, copy_key) for copy_key in copy_keys if copy_key != pk)


def _sharing_rows(
    rows: Sequence[tuple[int, Sketch]], hashes: Sketch
) -> Iterator[tuple[int, Sketch]]:
    """Rows whose sketch shares enough of `hashes`."""
    return (rows[place] for place in sharing([row_sketch for _, row_sketch in rows], hashes))


def _smallest_roots(pairs: Iterable[Pair]) -> Mapping[int, int]:
    """The smallest of all that are connected with it, for each number of `pairs`."""
    root: dict[int, int] = {}

    def root_of(number: int) -> int:
        while root.setdefault(number, number) != number:
            number = root[number]
        return number

    for first_key, second_key in pairs:
        low, high = sorted((root_of(first_key), root_of(second_key)))
        root[high] = low
    return {number: root_of(number) for number in root}
