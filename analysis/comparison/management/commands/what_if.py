"""`manage.py what_if STUDY/CAMPAIGN`: the scenarios of the page What if."""

from __future__ import annotations

from argparse import ArgumentParser

from analysis.comparison.what_if_tables import WHAT_IF_TABLES
from analysis.web.table_command import TableCommand


class Command(TableCommand):
    help = (
        "The ground truth of a campaign under other recipes, parameters, people and resampled "
        "marks, and the rank of every method in each of these scenarios."
    )
    page_tables = WHAT_IF_TABLES
    what_help = "truth: a row a scenario; ranks: one a scenario and method; pairs: who beats whom"

    def add_options(self, parser: ArgumentParser) -> None:
        self.add_what(parser)
        self.add_queries(parser)
