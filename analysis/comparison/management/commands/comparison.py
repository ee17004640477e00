"""`manage.py comparison STUDY/CAMPAIGN`: the table of the comparison page."""

from __future__ import annotations

import json
from argparse import ArgumentParser
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from django.core.management.base import BaseCommand

from analysis.comparison import exports
from analysis.comparison.command_checks import (
    compared_by_command,
    missing,
)
from analysis.comparison.query import ComparisonQuery
from analysis.comparison.table import ComparisonResult
from analysis.comparison.text_table import comparison_text
from annotate.management import output as destination
from formats import tables


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
        parser.add_argument("--format", choices=["table", "csv", "json"], default="table")
        parser.add_argument("--output", metavar="FILE", type=Path)

    def handle(self, *args: Any, scope: str, **options: Any) -> None:
        asked = ComparisonQuery.from_options(options)
        destination.refuse_unwritable("--output", options["output"])
        compared = compared_by_command(scope, asked)
        if said := missing(scope, compared):
            self.stderr.write(said)
        pieces = _pieces(compared, options["what"], options["format"])
        destination.write(pieces, options["output"], self.stdout)


def _pieces(compared: ComparisonResult, what: str, form: str) -> Iterator[str]:
    found = exports.comparison_table(compared, what)
    if form == "csv":
        return tables.write(found.columns, found.rows)
    if form == "json":
        return iter(
            [json.dumps(exports.comparison_document(compared, what, found), indent=2) + "\n"]
        )
    return comparison_text(compared, what, found)
