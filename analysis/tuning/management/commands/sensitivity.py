"""`manage.py sensitivity STUDY/CAMPAIGN --method SLUG --vary …`: which parameters matter."""

from __future__ import annotations

from argparse import ArgumentParser
from typing import Any

from analysis.statistics.parameter_space import PUBLISHED_BASE
from analysis.tuning import command_options
from analysis.tuning.exports import SENSITIVITY_TABLES
from analysis.tuning.query import OUTPUTS, CannotExplore, Kind
from analysis.web.command_options import mistakes
from analysis.web.table_command import TableCommand
from annotate.management import output as destination


class Command(TableCommand):
    help = (
        "Sobol' indices of a method's parameters: which of them its errors depend on, with "
        "intervals, and whether a quarter of the samples says the same. Without --wait it is "
        "queued for workers. Status 1: something failed."
    )

    page_tables = SENSITIVITY_TABLES

    def add_arguments(self, parser: ArgumentParser) -> None:
        command_options.add_arguments(self, parser)
        parser.add_argument(
            "--samples", metavar="N", type=int, help="base samples, a power of two; default 256"
        )
        parser.add_argument(
            "--of", choices=list(OUTPUTS), default="squared", help="the figure that is split"
        )

    def handle(self, *args: Any, scope: str, **options: Any) -> None:
        destination.refuse_unwritable("--output", options["output"])
        samples = options["samples"] or (PUBLISHED_BASE if options["published"] else 256)
        with mistakes(CannotExplore):
            exploration = command_options.asked_exploration(
                self, scope, options, Kind.SENSITIVITY, samples=samples
            )
        if exploration.finished:
            choice = command_options.results_choice(exploration, output=options["of"])
            command_options.print_exploration(self, exploration, choice, options)
