"""`manage.py shapes STUDY/DATASET`: shape and noise of every series, with their numbers."""

from __future__ import annotations

from argparse import ArgumentParser
from typing import Any

from django.core.management.base import BaseCommand

from analysis.composition.exports import SHAPE_COLUMNS, shape_rows
from analysis.web import command_output
from annotate.blind import EVERYTHING
from annotate.management import output as destination
from annotate.named_arguments import dataset_named
from formats import tables
from series import shapes
from series.models import Series


class Command(BaseCommand):
    help = (
        "Shape and noise of every series of a data set. Those that have none by the rules of "
        "today are determined first, and kept."
    )

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("dataset", metavar="STUDY/DATASET")
        parser.add_argument("--anew", action="store_true", help="determine every series again")
        command_output.add_arguments(parser)

    def handle(self, *args: Any, dataset: str, anew: bool, **options: Any) -> None:
        named_dataset = dataset_named(dataset)
        destination.refuse_unwritable("--output", options["output"])
        series = Series.objects if anew else shapes.outdated()
        shapes.refresh(series.filter(benchmark__dataset=named_dataset), most=None)
        rows = (tables.cells(SHAPE_COLUMNS, row) for row in shape_rows(named_dataset, EVERYTHING))
        command_output.write_rows(tables.column_names(SHAPE_COLUMNS), rows, options, self.stdout)
