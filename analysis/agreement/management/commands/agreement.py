"""`manage.py agreement STUDY/CAMPAIGN`: the figures of the agreement page."""

from __future__ import annotations

from analysis.agreement.exports import AGREEMENT_TABLES
from analysis.web.table_command import TableCommand


class Command(TableCommand):
    help = (
        "Print how far the people of a campaign agree: with one another, beyond chance, with "
        "themselves, and over the order of work. Also the ground truth without each person."
    )
    page_tables = AGREEMENT_TABLES
