"""`manage.py composition STUDY/DATASET`: a row a system, as on the page of the composition."""

from __future__ import annotations

from argparse import ArgumentParser
from typing import Any

from django.core.management.base import BaseCommand

from analysis.composition.exports import SYSTEM_COLUMNS
from analysis.composition.reads import composition_of
from analysis.web import command_output
from annotate.blind import EVERYTHING
from annotate.management import output as destination
from annotate.named_arguments import dataset_named
from formats import tables


class Command(BaseCommand):
    help = (
        "What a data set is made of, a row a system: benchmarks, forks, iterations, units, "
        "ground truth, shapes, noise."
    )

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("dataset", metavar="STUDY/DATASET")
        command_output.add_arguments(parser)

    def handle(self, *args: Any, dataset: str, **options: Any) -> None:
        named_dataset = dataset_named(dataset)
        destination.refuse_unwritable("--output", options["output"])
        rows = (
            tables.cells(SYSTEM_COLUMNS, row)
            for row in composition_of(named_dataset, EVERYTHING).lines
        )
        command_output.write_rows(tables.column_names(SYSTEM_COLUMNS), rows, options, self.stdout)
