"""`manage.py archive STUDY [--to FILE]`: everything of a study as one .zip."""

from __future__ import annotations

from argparse import ArgumentParser
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from django.core.management.base import BaseCommand, CommandError

from analysis.archive.bundle import StudyArchive, StudyChanged
from analysis.archive.models import ArchiveSettings
from annotate.management import output as destination
from annotate.named_arguments import study_named
from people.repeated_option import add_option


def add_archive_settings(parser: ArgumentParser) -> None:
    """Add the options that `archive_settings_from` reads."""
    parser.add_argument("--licence", default="", help="such as CC-BY-4.0 (SPDX), or in words")
    add_option(parser, "--author", "NAME", "who made the study")


def archive_settings_from(options: Mapping[str, Any]) -> ArchiveSettings:
    return ArchiveSettings(options["licence"], tuple(options["author"]))


class Command(BaseCommand):
    help = "Write everything of a study as one .zip, under pseudonyms."

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("study", metavar="STUDY")
        parser.add_argument("--to", metavar="FILE", type=Path, help="plateau_STUDY.zip unless said")
        add_archive_settings(parser)

    def handle(self, *args: Any, study: str, to: Path | None, **options: Any) -> None:
        archived_study = study_named(study)
        target = to or Path(f"plateau_{archived_study.slug}.zip")
        destination.refuse_unwritable("--to", target)
        archive_settings = archive_settings_from(options)
        partial_path = target.with_name(f".{target.name}.partial")
        try:
            for _ in StudyArchive(archived_study, archive_settings).write(partial_path):
                pass
            partial_path.replace(target)
        except StudyChanged as error:
            raise CommandError(str(error), returncode=2) from error
        finally:
            partial_path.unlink(missing_ok=True)
        self.stdout.write(f"{target}: {target.stat().st_size:,} bytes")
