"""`manage.py plan STUDY/DATASET`: how to run every benchmark of a data set."""

from __future__ import annotations

from analysis.planner.exports import PLAN_TABLES
from analysis.web.table_command import TableCommand


class Command(TableCommand):
    help = (
        "With how many warm-up iterations, iterations and forks each benchmark of a data set "
        "reaches a wished precision in the least machine time."
    )
    page_tables = PLAN_TABLES
