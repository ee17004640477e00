"""`manage.py invocations SERIES`: quantiles of the invocations of each iteration, or all pairs."""

from __future__ import annotations

from analysis.series_page.invocations import INVOCATION_TABLES
from analysis.web.table_command import TableCommand


class Command(TableCommand):
    help = (
        "Print the quantiles of the invocations of each iteration, or with --what invocations the "
        "(value, count) pairs, of a series whose file has them (JMH's sample mode)."
    )
    page_tables = INVOCATION_TABLES
