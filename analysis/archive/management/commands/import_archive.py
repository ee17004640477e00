"""`manage.py import_archive FILE`: the study of an archive."""

from __future__ import annotations

from argparse import ArgumentParser
from pathlib import Path
from typing import Any

from django.core.management.base import BaseCommand, CommandError

from analysis.archive.reading import ArchiveError
from analysis.archive.restoring import import_archive
from people.named_owner import find_owner


class Command(BaseCommand):
    help = "Store the study of an archive: all of it, or nothing."

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("file", metavar="FILE", type=Path)
        parser.add_argument(
            "--owner", metavar="USERNAME", help="who will own it; may be left out of one account"
        )

    def handle(self, *args: Any, file: Path, owner: str | None, **options: Any) -> None:
        try:
            study = import_archive(file, owner=find_owner(owner))
        except (ArchiveError, OSError) as error:
            message = f"{file}: {error}. Nothing was imported."
            raise CommandError(message, returncode=2) from error
        self.stdout.write(f"{study.slug}: imported; its ground truth is that of the archive")
