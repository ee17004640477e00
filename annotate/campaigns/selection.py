"""The series of a campaign: a filter, and a rule that can be repeated."""

from __future__ import annotations

import csv
import io
import random
from collections import defaultdict
from collections.abc import Mapping, Sequence
from typing import Final

from django.core.exceptions import ValidationError
from django.db.models import Q

from detectors.shapes.series_shape import RULE
from formats.tables import unguard_cell
from people.models import Study
from series import shapes
from series.models import Series
from series.models.series import SeriesQuerySet

ALL, ONE_FORK, RANDOM, PICKED, LISTED = "all", "one-fork", "random", "picked", "listed"
BY_SHAPE, EVEN_SHAPES, BY_NOISE = "random-shape", "even-shape", "random-noise"
RULES = [
    (ONE_FORK, "one fork of each benchmark"),
    (ALL, "all forks"),
    (RANDOM, "proportional by system"),
    (BY_SHAPE, "proportional by shape"),
    (EVEN_SHAPES, "equally many of each shape"),
    (BY_NOISE, "proportional by noise"),
    (PICKED, "picked by their outlines"),
    (LISTED, "those of a list (CSV)"),
]
STRATA: Final[Mapping[str, str]] = {
    RANDOM: "benchmark__system",
    BY_SHAPE: "shaped__shape",
    EVEN_SHAPES: "shaped__shape",
    BY_NOISE: "shaped__noise",
}
"""The rules that draw a number of series, and what they draw from one by one."""


def choose_series(series: SeriesQuerySet, *, rule: str, count: int | None, seed: int) -> list[int]:
    """Primary keys by `rule`, in the order of `series`; the same seed chooses the same ones."""
    if rule == ONE_FORK:
        forks: dict[int, list[int]] = defaultdict(list)
        for pk, benchmark in series.values_list("pk", "benchmark_id"):
            forks[benchmark].append(pk)
        draw = random.Random(f"{seed} forks")  # noqa: S311  # a repeatable draw, no secret
        return [draw.choice(group) for group in forks.values()]
    if rule in STRATA:
        if rule != RANDOM:
            shapes.refresh(series.exclude(shaped__rule=RULE), max_count=None)
        rows = list(series.values_list("pk", STRATA[rule]))
        return _draw_keys(rows, min(count or 0, len(rows)), seed, evenly=rule == EVEN_SHAPES)
    return list(series.values_list("pk", flat=True))


def _draw_keys(
    rows: Sequence[tuple[int, str]], count: int, seed: int, *, evenly: bool
) -> list[int]:
    """`count` of the rows, of each stratum its share or, where `evenly`, as many as of others."""
    strata: dict[str, list[int]] = defaultdict(list)
    for pk, stratum in rows:
        strata[stratum].append(pk)
    sizes = {name: len(group) for name, group in strata.items()}
    counts = _even_shares(sizes, count) if evenly else _shares(sizes, count)
    draw = random.Random(f"{seed} sample")  # noqa: S311
    picked_pks = {pk for name, group in strata.items() for pk in draw.sample(group, counts[name])}
    return [pk for pk, _ in rows if pk in picked_pks]


def _shares(sizes: Mapping[str, int], count: int) -> dict[str, int]:
    """Each stratum as near to its share as whole numbers allow."""
    total = sum(sizes.values())
    shares = {name: count * size / total for name, size in sizes.items()}
    counts = {name: int(share) for name, share in shares.items()}
    names_by_rest = sorted(shares, key=lambda name: (counts[name] - shares[name], name))
    for name in names_by_rest[: count - sum(counts.values())]:
        counts[name] += 1
    return counts


def _even_shares(sizes: Mapping[str, int], count: int) -> dict[str, int]:
    """Count as many of each stratum; one that has fewer gives all, and the others the rest."""
    counts: dict[str, int] = {}
    for stratum_index, name in enumerate(
        sorted(sizes, key=lambda stratum: (sizes[stratum], stratum))
    ):
        share = (count - sum(counts.values())) // (len(sizes) - stratum_index)
        counts[name] = min(sizes[name], share)
    return counts


def read_listed_keys(study: Study, data: bytes, name: str) -> list[int]:
    """Primary keys of the series that a CSV lists: benchmark and fork, and what tells them apart.

    Columns dataset (slug or name), recording, system and params may be missing. Raises
    ValidationError naming the row that fits no series, or several.
    """
    reader = csv.DictReader(io.StringIO(data.decode("utf-8-sig", errors="replace")))
    missing_columns = {"benchmark", "fork"} - set(reader.fieldnames or ())
    if missing_columns:
        raise ValidationError(
            f"{name}, row 1: found columns {', '.join(reader.fieldnames or ['none'])}, "
            f"expected also {', '.join(sorted(missing_columns))}."
        )
    keys = [_listed_key(study, row, f"{name}, row {n}") for n, row in enumerate(reader, start=2)]
    return list(dict.fromkeys(keys))


COLUMNS = {
    "dataset_name": "benchmark__dataset__name",
    "recording": "recording__label",
    "system": "benchmark__system",
    "benchmark": "benchmark__name",
    "params": "benchmark__params",
    "fork": "fork",
}


def _listed_key(study: Study, row: dict[str, str], where: str) -> int:
    lookups = {
        field: unguard_cell(row[column].strip())
        for column, field in COLUMNS.items()
        if row.get(column) and row[column].strip()
    }
    if not lookups.get("fork", "").isdecimal():
        raise ValidationError(
            f"{where}: found fork {lookups.get('fork', '')!r}, expected a number."
        )
    dataset = unguard_cell((row.get("dataset") or "").strip())
    dataset_filter = Q(benchmark__dataset__slug=dataset) | Q(benchmark__dataset__name=dataset)
    dataset_query = dataset_filter if dataset else Q()
    matches = Series.objects.filter(dataset_query, benchmark__dataset__study=study, **lookups)
    keys = list(matches.values_list("pk", flat=True)[:2])
    if len(keys) != 1:
        count_words = "no series" if not keys else "several series"
        raise ValidationError(
            f"{where}: {count_words} called {row['benchmark']} fork {row['fork']}. "
            "Name data set, recording, system and params in their columns."
        )
    return keys[0]
