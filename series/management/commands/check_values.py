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
        found: Counter[str] = Counter()
        for each in stored_values.check():
            found[_word(each)] += 1
            self.stdout.write(f"{_word(each)}: series {each.row.public_id}: {each.problem}")
        orphaned = 0
        try:
            for address in stored_values.orphans():
                orphaned += 1
                self.stdout.write(f"orphaned: {address}")
        except ValuesUnavailable as problem:
            self.stdout.write(f"not listed: {problem}")
            found["not listed"] += 1
        told = ", ".join(f"{found[word]} {word}" for word in ("missing", "corrupt", "out of reach"))
        self.stdout.write(f"{SeriesValues.objects.count()} series: {told}; {orphaned} orphaned")
        if delete_orphaned and not found["not listed"]:
            self.stdout.write(f"{stored_values.release_orphans()} will be deleted in an hour")
        if found.total():
            sys.exit(1)


def _word(found: ReadValues) -> str:
    if isinstance(found.problem, ValuesMissing):
        return "missing"
    return "corrupt" if isinstance(found.problem, ValuesDamaged) else "out of reach"
