"""The series of a campaign: a filter, and a rule that can be repeated."""

from __future__ import annotations

import csv
import io
import random
from collections import defaultdict
from collections.abc import Sequence

from django.core.exceptions import ValidationError
from django.db.models import Q

from formats.tables import without_guard
from people.models import Study
from series.models import Series
from series.models.series import SeriesQuerySet

ALL, ONE_FORK, RANDOM, PICKED, LISTED = "all", "one-fork", "random", "picked", "listed"
RULES = [
    (ALL, "all forks"),
    (ONE_FORK, "one fork of each benchmark, drawn by the seed"),
    (RANDOM, "a number at random, each system its share"),
    (PICKED, "single ones, picked by their outlines"),
    (LISTED, "those of a list (CSV)"),
]


def chosen(series: SeriesQuerySet, *, rule: str, count: int | None, seed: int) -> list[int]:
    """Primary keys by `rule`, in the order of `series`; the same seed chooses the same ones."""
    rows = list(series.values_list("pk", "benchmark_id", "benchmark__system"))
    if rule == ONE_FORK:
        return _one_of_each(rows, seed)
    if rule == RANDOM:
        return _stratified(rows, min(count or 0, len(rows)), seed)
    return [pk for pk, _, _ in rows]


def _one_of_each(rows: Sequence[tuple[int, int, str]], seed: int) -> list[int]:
    forks: dict[int, list[int]] = defaultdict(list)
    for pk, benchmark, _ in rows:
        forks[benchmark].append(pk)
    draw = random.Random(f"{seed} forks")  # noqa: S311  # a repeatable draw, no secret
    return [draw.choice(group) for group in forks.values()]


def _stratified(rows: Sequence[tuple[int, int, str]], count: int, seed: int) -> list[int]:
    """`count` of the rows; each system as near to its share as whole numbers allow."""
    systems: dict[str, list[int]] = defaultdict(list)
    for pk, _, system in rows:
        systems[system].append(pk)
    draw = random.Random(f"{seed} sample")  # noqa: S311
    shares = {name: count * len(group) / len(rows) for name, group in systems.items()}
    taken = {name: int(share) for name, share in shares.items()}
    by_rest = sorted(shares, key=lambda name: (taken[name] - shares[name], name))
    for name in by_rest[: count - sum(taken.values())]:
        taken[name] += 1
    picked = {pk for name, group in systems.items() for pk in draw.sample(group, taken[name])}
    return [pk for pk, _, _ in rows if pk in picked]


def listed(study: Study, data: bytes, name: str) -> list[int]:
    """Primary keys of the series that a CSV lists: benchmark and fork, and what tells them apart.

    Columns dataset (slug or name), recording, system and params may be missing. Raises
    ValidationError naming the row that fits no series, or several.
    """
    reader = csv.DictReader(io.StringIO(data.decode("utf-8-sig", errors="replace")))
    missing = {"benchmark", "fork"} - set(reader.fieldnames or ())
    if missing:
        raise ValidationError(
            f"{name}, row 1: found columns {', '.join(reader.fieldnames or ['none'])}, "
            f"expected also {', '.join(sorted(missing))}."
        )
    found = [_the_one(study, row, f"{name}, row {n}") for n, row in enumerate(reader, start=2)]
    return list(dict.fromkeys(found))


COLUMNS = {
    "dataset_name": "benchmark__dataset__name",
    "recording": "recording__label",
    "system": "benchmark__system",
    "benchmark": "benchmark__name",
    "params": "benchmark__params",
    "fork": "fork",
}


def _the_one(study: Study, row: dict[str, str], where: str) -> int:
    said = {
        field: without_guard(row[column].strip())
        for column, field in COLUMNS.items()
        if row.get(column) and row[column].strip()
    }
    if not said.get("fork", "").isdecimal():
        raise ValidationError(f"{where}: found fork {said.get('fork', '')!r}, expected a number.")
    dataset = without_guard((row.get("dataset") or "").strip())
    named = Q(benchmark__dataset__slug=dataset) | Q(benchmark__dataset__name=dataset)
    of = named if dataset else Q()
    fitting = Series.objects.filter(of, benchmark__dataset__study=study, **said)
    keys = list(fitting.values_list("pk", flat=True)[:2])
    if len(keys) != 1:
        few = "no series" if not keys else "several series"
        raise ValidationError(
            f"{where}: {few} called {row['benchmark']} fork {row['fork']}. "
            "Name data set, recording, system and params in their columns."
        )
    return keys[0]
