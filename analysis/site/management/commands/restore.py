"""`manage.py restore FILE`."""

from __future__ import annotations

from argparse import ArgumentParser
from pathlib import Path
from typing import Any

from django.core.management.base import BaseCommand

from analysis.site import backup as copies
from analysis.web.command_options import mistakes


class Command(BaseCommand):
    help = "Replace everything in the database by FILE; stop server and workers first."

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("file", metavar="FILE", type=Path)

    def handle(self, *args: Any, file: Path, **options: Any) -> None:
        with mistakes(OSError, copies.BackupError):
            copies.restore_backup(file)
        self.stdout.write(f"restore of {file}: done")
        if copies.unapplied_migration_count():
            self.stdout.write("An older version made this backup. Type: python manage.py migrate")
