"""`manage.py plan STUDY/DATASET`: how to run every benchmark of a data set."""

from __future__ import annotations

from argparse import ArgumentParser
from typing import Any

from django.core.management.base import BaseCommand

from analysis.planner import exports
from analysis.planner.query import PlanQuery
from analysis.planner.reads import dataset_plans
from analysis.web import command_output
from annotate.blind import EVERYTHING
from annotate.management import output as destination
from annotate.named_arguments import dataset_named
from detectors.planning.plan_rows import plan_row
from formats import tables


class Command(BaseCommand):
    help = (
        "With how many warm-up iterations, iterations and forks each benchmark of a data set "
        "reaches a wished precision in the least machine time."
    )

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("dataset", metavar="STUDY/DATASET")
        PlanQuery.add_arguments(parser)
        command_output.add_arguments(parser)

    def handle(self, *args: Any, dataset: str, **options: Any) -> None:
        named_dataset = dataset_named(dataset)
        query = PlanQuery.from_options(options)
        destination.refuse_unwritable("--output", options["output"])
        planned_rows = map(plan_row, dataset_plans(named_dataset, EVERYTHING, query))
        rows = (tables.cells(exports.COLUMNS, row) for row in planned_rows)
        command_output.write_rows(tables.column_names(exports.COLUMNS), rows, options, self.stdout)
