"""`manage.py move --to DATABASE_URL`."""

from __future__ import annotations

from argparse import ArgumentParser
from typing import Any

from django.core.management.base import BaseCommand, CommandError

from analysis.site.database_move import MoveError, move


class Command(BaseCommand):
    help = "Copy everything into another, empty database; stop server and workers first."

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("--to", metavar="DATABASE_URL", required=True)

    def handle(self, *args: Any, to: str, **options: Any) -> None:
        tables = rows = 0
        try:
            for table, count in move(to):
                tables, rows = tables + 1, rows + count
                if options["verbosity"] > 1 or count:
                    self.stdout.write(f"{table}: {count:,}")
        except MoveError as error:
            raise CommandError(f"Nothing was moved. {error}", returncode=2) from error
        self.stdout.write(f"{rows:,} rows of {tables} tables are there, and are equal.")
        self.stdout.write("Start Plateau with that DATABASE_URL, and with this data folder.")
