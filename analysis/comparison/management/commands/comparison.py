"""`manage.py comparison STUDY/CAMPAIGN`: the table of the comparison page."""

from __future__ import annotations

from argparse import ArgumentParser
from functools import partial
from typing import Any

from django.core.management.base import BaseCommand

from analysis.comparison import exports
from analysis.comparison.command_checks import compared_by_command, nothing_to_compare
from analysis.comparison.query import ComparisonQuery
from analysis.comparison.text_table import comparison_text
from analysis.web import command_output
from annotate.management import output as destination


class Command(BaseCommand):
    help = (
        "Compare stored detections with the ground truth of a campaign, or with the known answers "
        "of a simulated data set. Errors are predicted - truth: positive is too late."
    )

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("scope", metavar="STUDY[/CAMPAIGN]")
        ComparisonQuery.add_arguments(parser)
        parser.add_argument(
            "--what",
            choices=[name for name in exports.WHATS if name != "series"],
            default="leaderboard",
        )
        command_output.add_arguments(parser, "table", "csv", "json")

    def handle(self, *args: Any, scope: str, **options: Any) -> None:
        query = ComparisonQuery.from_options(options)
        destination.refuse_unwritable("--output", options["output"])
        compared = compared_by_command(scope, query)
        if warning := nothing_to_compare(scope, compared):
            self.stderr.write(warning)
        table_name = options["what"]
        table = exports.comparison_table(compared, table_name)
        command_output.write_command_table(
            options,
            self.stdout,
            table.columns,
            table.rows,
            document=partial(exports.comparison_document, compared, table_name, table),
            text=partial(comparison_text, compared, table_name, table),
            allow_nan=True,
        )
