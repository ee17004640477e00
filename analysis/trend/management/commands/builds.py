"""`manage.py builds STUDY/DATASET`: all benchmarks of two builds, largest certain change first."""

from __future__ import annotations

from analysis.trend.two_builds.exports import TWO_BUILDS_TABLES
from analysis.web.table_command import TableCommand


class Command(TableCommand):
    help = (
        "Compare all benchmarks of two builds: ratio with interval, Cliff's delta, and a verdict "
        "by Welch's test of the forks' steady means, adjusted by Holm over all benchmarks."
    )
    page_tables = TWO_BUILDS_TABLES
