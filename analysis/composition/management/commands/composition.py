"""`manage.py composition STUDY/DATASET`: a row a system, as on the page of the composition."""

from __future__ import annotations

from analysis.composition.exports import COMPOSITION_TABLES
from analysis.web.table_command import TableCommand


class Command(TableCommand):
    help = (
        "What a data set is made of, a row a system: benchmarks, forks, iterations, units, "
        "ground truth, shapes, noise."
    )
    page_tables = COMPOSITION_TABLES
    table_names = ("systems",)
