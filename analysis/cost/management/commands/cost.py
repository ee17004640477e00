"""`manage.py cost STUDY/CAMPAIGN`: what each method would cost, with exact intervals."""

from __future__ import annotations

from analysis.cost.exports import COST_TABLES
from analysis.web.table_command import TableCommand


class Command(TableCommand):
    help = (
        "What each method with stored detections would cost: time to run, time wasted, and how "
        "far the result is from the steady state's. Every interval is drawn 10,000 times; those "
        "that were drawn before are kept."
    )
    page_tables = COST_TABLES
