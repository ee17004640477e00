"""`manage.py detections STUDY/DATASET`: stored detections as a table."""

from __future__ import annotations

from argparse import ArgumentParser
from collections.abc import Iterator, Mapping
from typing import Any

from analysis.runs.exports import DETECTION_TABLES, ExportedDetection, exported_detections
from analysis.web.page_tables import TableRequest
from analysis.web.table_command import TableCommand
from people.repeated_option import add_option


class Command(TableCommand):
    help = "Write stored detections. Never steady is -1; an empty cell does not apply."
    page_tables = DETECTION_TABLES

    def add_options(self, parser: ArgumentParser) -> None:
        add_option(parser, "--method", "SLUG", "a slug (all its parameters) or a whole key")

    def compute(
        self, request: TableRequest, options: Mapping[str, Any]
    ) -> Iterator[ExportedDetection]:
        return exported_detections(request.scope, request.reader, methods=options["method"])
