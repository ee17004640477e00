"""`manage.py paper STUDY --to FOLDER`: the artefact of a study for a paper."""

from __future__ import annotations

import shutil
from argparse import ArgumentParser
from pathlib import Path
from typing import Any

from django.core.management.base import BaseCommand, CommandError

from analysis.archive.artefact import StudyArtefact
from analysis.archive.bundle import StudyChanged
from analysis.archive.management.commands.archive import add_archive_settings, archive_settings_from
from analysis.comparison.command_checks import command_comparison, no_comparison_reason
from analysis.comparison.query import ComparisonQuery
from analysis.web.command_options import mistakes
from annotate.management import output as destination
from annotate.named_arguments import campaign_named, study_named


class Command(BaseCommand):
    help = "Write data, ground truth, tables and figures of a study into a new folder."

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("study", metavar="STUDY")
        parser.add_argument("--to", metavar="FOLDER", type=Path, required=True)
        parser.add_argument("--campaign", help="what methods are compared with, as --yardstick")
        add_archive_settings(parser)
        ComparisonQuery.add_arguments(parser)

    def handle(
        self, *args: Any, study: str, to: Path, campaign: str | None, **options: Any
    ) -> None:
        scope = study_named(study).slug
        if campaign:
            scope = f"{scope}/{campaign_named(f'{scope}/{campaign}').slug}"
        refuse_occupied_folder(to)
        comparison = command_comparison(scope, ComparisonQuery.from_options(options))
        if missing_reason := no_comparison_reason(comparison):
            raise CommandError(f"{scope}: {missing_reason}", returncode=2)
        partial_path = to.with_name(f".{to.name}.partial")
        shutil.rmtree(partial_path, ignore_errors=True)  # left by a killed command
        partial_path.mkdir()
        try:
            with mistakes(StudyChanged):
                StudyArtefact(comparison, archive_settings_from(options)).write(partial_path)
            partial_path.replace(to)  # an empty folder gives way
        finally:
            shutil.rmtree(partial_path, ignore_errors=True)
        self.stdout.write(f"{to}: begin with {to / 'README.md'}")


def refuse_occupied_folder(folder: Path) -> None:
    """CommandError where no new folder can be made there."""
    if folder.is_dir() and any(folder.iterdir()):
        raise CommandError(
            f"--to: found {folder} with files in it, expected a new or an empty folder",
            returncode=2,
        )
    if not folder.is_dir():
        destination.refuse_unwritable("--to", folder)
    if folder.exists() and not folder.is_dir():
        raise CommandError(f"--to: found the file {folder}, expected a folder", returncode=2)
