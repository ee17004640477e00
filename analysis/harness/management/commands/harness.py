"""`manage.py harness STUDY/DATASET`: what each harness would have done with its series."""

from __future__ import annotations

from analysis.harness.exports import HARNESS_TABLES
from analysis.web.table_command import TableCommand


class Command(TableCommand):
    help = (
        "Replay the warm-up rules of harnesses on the steady series of a data set. Prints warm-up, "
        "error of the result, share of it that was measured too early, seconds wasted."
    )
    page_tables = HARNESS_TABLES
