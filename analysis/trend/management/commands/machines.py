"""`manage.py machines STUDY/DATASET`: how machines differ, and how many a precision takes."""

from __future__ import annotations

from analysis.trend.machines.exports import MACHINE_TABLES
from analysis.web.table_command import TableCommand


class Command(TableCommand):
    help = (
        "Split the variance of each benchmark of a build by machine, fork and iteration, and say "
        "how many machines, forks and iterations the target takes."
    )
    page_tables = MACHINE_TABLES
