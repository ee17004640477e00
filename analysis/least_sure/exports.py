"""The series that people look at first, as a file."""

from __future__ import annotations

from typing import Final

from analysis.least_sure.reads import LeastSureSeries
from analysis.runs.models import CERTAINTY_MEANINGS
from formats.tables import Cell, TableColumn
from series.values.exports import DIGEST, SERIES_COLUMNS

Column = TableColumn[LeastSureSeries]


def _certainty(name: str) -> Column:
    def cell(row: LeastSureSeries) -> Cell:
        figure: Cell = getattr(row.found.sure, name)
        return figure

    return Column(name, cell, CERTAINTY_MEANINGS[name])


COLUMNS: Final[tuple[Column, ...]] = (
    Column("dataset", lambda row: row.series.benchmark.dataset.slug),
    *(each.of(lambda row: row.series) for each in SERIES_COLUMNS),
    Column("steady_start", lambda row: row.found.start, "the method's answer; -1 never"),
    Column("width", lambda row: row.found.width, "width of the interval, as a share of the series"),
    *map(_certainty, CERTAINTY_MEANINGS),
    Column("answers", lambda row: row.answers, "people who have answered it"),
    Column("asked", lambda row: row.asked, "people who are asked for it"),
    DIGEST.of(lambda row: row.series),
)
