"""`manage.py agreement STUDY/CAMPAIGN`: the figures of the agreement page."""

from __future__ import annotations

from analysis.agreement.exports import AGREEMENT_TABLES
from analysis.web.table_command import TableCommand


class Command(TableCommand):
    help = (
        "How far the people of a campaign agree: with one another, beyond chance, with "
        "themselves, over the order of work, and what the ground truth would be without each."
    )
    declared = AGREEMENT_TABLES
