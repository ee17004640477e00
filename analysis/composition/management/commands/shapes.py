"""`manage.py shapes STUDY/DATASET`: shape and noise of every series, with their numbers."""

from __future__ import annotations

from argparse import ArgumentParser
from collections.abc import Mapping
from typing import Any

from analysis.composition.exports import COMPOSITION_TABLES
from analysis.web.page_tables import TableRequest
from analysis.web.table_command import TableCommand
from series import shapes
from series.models import Series


class Command(TableCommand):
    help = (
        "Shape and noise of every series of a data set. Those that have none by the rules of "
        "today are determined first, and kept."
    )
    page_tables = COMPOSITION_TABLES
    table_names = ("shapes",)

    def add_options(self, parser: ArgumentParser) -> None:
        parser.add_argument("--anew", action="store_true", help="determine every series again")

    def compute(self, request: TableRequest, options: Mapping[str, Any]) -> TableRequest:
        series = Series.objects if options["anew"] else shapes.unshaped_series()
        shapes.refresh(series.filter(benchmark__dataset=request.scope), max_count=None)
        return request
