"""`manage.py comparison STUDY/CAMPAIGN`: the table of the comparison page."""

from __future__ import annotations

import json
from argparse import ArgumentParser
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from django.core.management.base import BaseCommand, CommandError

from analysis.comparison import drilldown, exports
from analysis.comparison.command_checks import (
    missing,
    refuse_unknown_part,
)
from analysis.comparison.inputs import UnknownMethod
from analysis.comparison.query import ComparisonQuery
from analysis.comparison.table import ComparisonResult, compare
from analysis.comparison.text_table import comparison_text
from analysis.references.yardsticks import UnknownYardstick, usual_yardstick
from analysis.report.bundle import Report
from annotate.blind import EVERYTHING
from annotate.management import output as destination
from annotate.named_arguments import part_named
from formats import tables
from series.models import Dataset


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
        parser.add_argument(
            "--report",
            metavar="FILE",
            type=Path,
            help="write the whole report there instead: FILE.html, or FILE.zip with every table",
        )

    def handle(self, *args: Any, scope: str, **options: Any) -> None:
        asked = ComparisonQuery.from_options(options)
        _refuse_unwritable(options)
        compared = _compared(scope, asked)
        if said := missing(scope, compared):
            self.stderr.write(said)
        if options["report"]:
            _write_report(compared, options["report"])
            return
        pieces = _pieces(compared, options["what"], options["format"])
        destination.write(pieces, options["output"], self.stdout)


def _refuse_unwritable(options: dict[str, Any]) -> None:
    to = options["report"]
    if to and to.suffix not in {".html", ".zip"}:
        raise CommandError(f"found --report {to}, expected FILE.html or FILE.zip", returncode=2)
    destination.refuse_unwritable("--report", to)
    destination.refuse_unwritable("--output", options["output"])


def _compared(scope: str, asked: ComparisonQuery) -> ComparisonResult:
    """The comparison in STUDY/CAMPAIGN or STUDY/DATASET.

    STUDY alone is all of it, by the yardstick that is named or that its page begins with.
    """
    study, part = part_named(scope)
    dataset = asked.dataset or (part.slug if isinstance(part, Dataset) else "")
    asked = asked.changed(dataset=dataset, yardstick=asked.yardstick or usual_yardstick(part))
    refuse_unknown_part(study, asked)
    try:
        found = compare(study, EVERYTHING, asked)
    except (UnknownMethod, UnknownYardstick, drilldown.UnknownCell) as error:
        raise CommandError(str(error), returncode=2) from error
    if found is None:
        raise CommandError(
            f"{scope}: no yardstick yet; a campaign needs complete answers", returncode=2
        )
    return found


def _write_report(compared: ComparisonResult, to: Path) -> None:
    found = Report(compared)
    if to.suffix == ".zip":
        destination.write_bytes([found.zip], to)
    else:
        destination.write_bytes([found.document.encode()], to)


def _pieces(compared: ComparisonResult, what: str, form: str) -> Iterator[str]:
    found = exports.comparison_table(compared, what)
    if form == "csv":
        return tables.write(found.columns, found.rows)
    if form == "json":
        return iter(
            [json.dumps(exports.comparison_document(compared, what, found), indent=2) + "\n"]
        )
    return comparison_text(compared, what, found)
