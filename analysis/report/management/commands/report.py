"""`manage.py report STUDY/CAMPAIGN FILE`: the report of a comparison as one file."""

from __future__ import annotations

from argparse import ArgumentParser
from pathlib import Path
from typing import Any

from django.core.management.base import BaseCommand, CommandError

from analysis.comparison.command_checks import command_comparison, no_comparison_reason
from analysis.comparison.query import ComparisonQuery
from analysis.report.bundle import Report
from annotate.management import output as destination


class Command(BaseCommand):
    help = "Write a comparison as one document, or as a .zip of it with every table."

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("scope", metavar="STUDY[/CAMPAIGN]")
        parser.add_argument("file", metavar="FILE.html|FILE.zip", type=Path)
        ComparisonQuery.add_arguments(parser)

    def handle(self, *args: Any, scope: str, file: Path, **options: Any) -> None:
        if missing_reason := write_report(scope, ComparisonQuery.from_options(options), file):
            self.stderr.write(missing_reason)


def write_report(scope: str, query: ComparisonQuery, file: Path) -> str:
    """Why there is nothing to report, if so. Raises CommandError (status 2)."""
    if file.suffix not in {".html", ".zip"}:
        raise CommandError(f"found {file}, expected FILE.html or FILE.zip", returncode=2)
    destination.refuse_unwritable("FILE", file)
    comparison = command_comparison(scope, query)
    report = Report(comparison)
    content = report.zip if file.suffix == ".zip" else report.document.encode()
    destination.write_bytes([content], file)
    missing_reason = no_comparison_reason(comparison)
    return f"{scope}: {missing_reason}" if missing_reason else ""
