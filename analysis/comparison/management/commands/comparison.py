"""`manage.py comparison STUDY/CAMPAIGN`: the table of the comparison page."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from analysis.comparison.command_checks import command_comparison, no_comparison_reason
from analysis.comparison.exports import COMPARISON_TABLES, SERIES
from analysis.comparison.table import ComparisonResult
from analysis.web.page_tables import TableRequest
from analysis.web.table_command import TableCommand


class Command(TableCommand):
    help = (
        "Compare stored detections with the ground truth of a campaign, or with the known answers "
        "of a simulated data set. Errors are predicted - truth: positive is too late."
    )
    page_tables = COMPARISON_TABLES
    table_names = tuple(name for name in COMPARISON_TABLES.tables if name != SERIES)

    def compute(self, request: TableRequest, options: Mapping[str, Any]) -> ComparisonResult:
        comparison = command_comparison(request.scope, request.queries[0])
        if warning := no_comparison_reason(comparison):
            self.stderr.write(f"{request.scope}: {warning}")
        return comparison
