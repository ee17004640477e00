"""`manage.py check_values`: whether the values of every series are there and are what they were."""

from __future__ import annotations

import sys
from argparse import ArgumentParser
from collections import Counter
from typing import Any

from django.core.management.base import BaseCommand

from series.models import SeriesValues
from series.values import stored_values
from series.values.stored_values import ReadValues
from series.values_store import ValuesDamaged, ValuesMissing, ValuesUnavailable


class Command(BaseCommand):
    help = (
        "Read the values of every series, wherever they lie, and compare them with their digest; "
        "then look for values that no series names. Status 1: some are missing, corrupt or out of "
        "reach."
    )

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument(
            "--delete-orphaned",
            action="store_true",
            help="let workers delete, in an hour, values that no series names",
        )

    def handle(self, *args: Any, delete_orphaned: bool, **options: Any) -> None:
        problem_counts: Counter[str] = Counter()
        for read_values in stored_values.check_stored_values():
            problem_counts[_word(read_values)] += 1
            self.stdout.write(
                f"{_word(read_values)}: series {read_values.row.public_id}: {read_values.problem}"
            )
        orphan_count = 0
        try:
            for address in stored_values.orphans():
                orphan_count += 1
                self.stdout.write(f"orphaned: {address}")
        except ValuesUnavailable as problem:
            self.stdout.write(f"not listed: {problem}")
            problem_counts["not listed"] += 1
        counts_text = ", ".join(
            f"{problem_counts[word]} {word}" for word in ("missing", "corrupt", "out of reach")
        )
        self.stdout.write(
            f"{SeriesValues.objects.count()} series: {counts_text}; {orphan_count} orphaned"
        )
        if delete_orphaned and not problem_counts["not listed"]:
            self.stdout.write(f"{stored_values.release_orphans()} will be deleted in an hour")
        if problem_counts.total():
            sys.exit(1)


def _word(read_values: ReadValues) -> str:
    if isinstance(read_values.problem, ValuesMissing):
        return "missing"
    return "corrupt" if isinstance(read_values.problem, ValuesDamaged) else "out of reach"
