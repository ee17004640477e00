"""`manage.py change_scores STUDY/CAMPAIGN`: covering and F1 on all changes of level."""

from __future__ import annotations

from analysis.agreement.change_scores import CHANGE_SCORE_TABLES
from analysis.web.table_command import TableCommand


class Command(TableCommand):
    help = (
        "Print covering and F1 with a margin of methods and people, in a campaign that asks for "
        "all changes of level."
    )
    page_tables = CHANGE_SCORE_TABLES
