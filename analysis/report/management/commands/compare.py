"""`manage.py compare`: the old name of `comparison`, and of `report` where `--report` is given."""

from __future__ import annotations

from argparse import ArgumentParser
from pathlib import Path
from typing import Any

from analysis.comparison.management.commands import comparison
from analysis.comparison.query import ComparisonQuery
from analysis.report.management.commands.report import write_report


class Command(comparison.Command):
    """Command under its old name, which scripts still call."""

    def add_arguments(self, parser: ArgumentParser) -> None:
        super().add_arguments(parser)
        parser.add_argument("--report", metavar="FILE", type=Path, help="as `manage.py report`")

    def handle(self, *args: Any, scope: str, **options: Any) -> None:
        folder = options.pop("report")
        if folder is None:
            super().handle(*args, scope=scope, **options)
            return
        if missing_reason := write_report(scope, ComparisonQuery.from_options(options), folder):
            self.stderr.write(missing_reason)
