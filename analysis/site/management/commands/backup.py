"""`manage.py backup FILE`."""

from __future__ import annotations

from argparse import ArgumentParser
from pathlib import Path
from typing import Any

from django.core.management.base import BaseCommand

from analysis.site import backup as copies
from analysis.web.command_options import mistakes
from annotate.management.output import refuse_unwritable
from series import values_store
from series.values import stored_values


class Command(BaseCommand):
    help = "Write everything in the database to FILE."

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("file", metavar="FILE", type=Path)

    def handle(self, *args: Any, file: Path, **options: Any) -> None:
        if not file.exists():
            refuse_unwritable("FILE", file)
        with mistakes(OSError, copies.BackupError):
            copies.backup(file)
        self.stdout.write(f"backup of {file}: done")
        for store_address, count in stored_values.counts_by_store().items():
            self.stdout.write(
                f"The backup lacks the values of {count} series, which lie in "
                f"{values_store.store_words(store_address)}: back up that store, too, afterwards."
            )
