"""`manage.py values STUDY/DATASET`: stored values as CSV, which `import_series` reads."""

from __future__ import annotations

from argparse import ArgumentParser
from pathlib import Path
from typing import Any

from django.core.management.base import BaseCommand

from analysis.runs.imported_methods.series_to_answer import series_of_scope
from annotate.management import output as destination
from annotate.named_arguments import scope_named
from series.values import exports


class Command(BaseCommand):
    help = "Write the values of a data set's or campaign's series as CSV, a row a value."

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("scope", metavar="STUDY/DATASET", help="or STUDY/CAMPAIGN")
        destination.add_argument(parser)

    def handle(self, *args: Any, scope: str, output: Path | None, **options: Any) -> None:
        pieces = exports.long_csv_rows(series_of_scope(scope_named(scope)))
        destination.write_pieces(pieces, output, self.stdout)
