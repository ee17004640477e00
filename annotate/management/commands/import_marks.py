"""`manage.py import_marks STUDY/CAMPAIGN FILE`."""

from __future__ import annotations

from argparse import ArgumentParser
from pathlib import Path
from typing import Any

from django.core.management.base import BaseCommand, CommandError

from annotate import importing, recipes
from annotate.naming import study_and_slug
from formats import FormatError, marks
from formats.marks import MarkRow


class Command(BaseCommand):
    help = "Store the marks of a file in a campaign, which is made when there is none."

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("campaign", metavar="STUDY/CAMPAIGN")
        parser.add_argument("file", metavar="FILE", type=Path)
        parser.add_argument("--format", choices=["csv", "replication"], default="csv")
        parser.add_argument("--recipe", choices=list(recipes.RECIPES), default=recipes.DEFAULT)
        parser.add_argument("--param", metavar="NAME=VALUE", action="append", default=[])

    def handle(
        self, *args: Any, campaign: str, file: Path, format: str, recipe: str, **options: Any
    ) -> None:
        study, slug = study_and_slug(campaign)
        params = dict(each.partition("=")[::2] for each in options["param"])
        try:
            rows = _rows(file, format)
            done = importing.import_marks(
                study, slug, rows, file=file.name, recipe=recipe, params=params
            )
        except (OSError, FormatError, recipes.ParameterError) as error:
            raise CommandError(str(error), returncode=2) from error
        self.stdout.write(
            f"{campaign}: {done.stored} marks stored, {done.known} known, "
            f"{done.series} series, {done.annotators} annotators"
        )


def _rows(file: Path, format: str) -> list[MarkRow]:
    if format == "replication":
        return importing.rows_of_package(file)
    with file.open("rb") as stream:
        return list(marks.read(stream, file.name))
