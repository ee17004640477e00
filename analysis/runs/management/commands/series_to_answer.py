"""`manage.py series_to_answer STUDY/DATASET`: the table that `import_detections` reads, blank."""

from __future__ import annotations

from argparse import ArgumentParser
from pathlib import Path
from typing import Any

from django.core.management.base import BaseCommand

from analysis.runs.imported_methods.series_to_answer import blank_answer_csv
from annotate.management import output as destination
from annotate.named_arguments import scope_named


class Command(BaseCommand):
    help = "Write the series of a data set or campaign as CSV, with empty cells for answers."

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("scope", metavar="STUDY/DATASET", help="or STUDY/CAMPAIGN")
        destination.add_argument(parser)

    def handle(self, *args: Any, scope: str, output: Path | None, **options: Any) -> None:
        destination.write_pieces(blank_answer_csv(scope_named(scope)), output, self.stdout)
