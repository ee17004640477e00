"""`manage.py move_values --to PLACE`: values of series into the database, a folder or a bucket."""

from __future__ import annotations

import sys
from argparse import ArgumentParser
from typing import Any

from django.conf import settings
from django.core.management.base import BaseCommand

from series import values_store
from series.values import stored_values


class Command(BaseCommand):
    help = (
        "Move the values of all series into another place, while people work. Each is copied, "
        "then its row names the new place; what it left is deleted an hour later. Stopped at any "
        "point, the same command goes on from there."
    )

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("--to", choices=values_store.PLACES, required=True)

    def handle(self, *args: Any, to: str, **options: Any) -> None:
        if to != values_store.DATABASE:
            values_store.find_store(to)  # settings that lack something say so before anything
        remaining_count = stored_values.values_elsewhere(to).count()
        self.stdout.write(f"{remaining_count} series to move to {values_store.store_words(to)}")
        unmoved_values = stored_values.move(
            to, lambda done_count: self._tell(done_count, remaining_count)
        )
        for unmoved_row in unmoved_values:
            self.stderr.write(
                f"series {unmoved_row.row.public_id}: {unmoved_row.problem}; left where it was"
            )
        self.stdout.write(
            f"{remaining_count - len(unmoved_values)} moved, {len(unmoved_values)} left"
        )
        if to != settings.VALUES_STORE:
            self.stdout.write(f"New series still go elsewhere: set VALUES_STORE={to}")
        if unmoved_values:
            sys.exit(1)

    def _tell(self, done_count: int, remaining_count: int) -> None:
        if sys.stderr.isatty():
            self.stderr.write(f"\r{done_count} of {remaining_count} ", ending="")
