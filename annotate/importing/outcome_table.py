"""Table of a campaign's outcome: steady starts, changes of level, or majorities of a screening."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import TypeVar

from annotate.blind import Reader
from annotate.importing.screening import screened_series
from annotate.importing.screening_table import screening_columns
from annotate.models import Campaign
from annotate.truth.exports import ground_truth_rows, pseudonyms
from annotate.truth.level_changes import level_changes_rows
from formats import tables
from formats.tables import Cell, TableColumn

Row = TypeVar("Row")
OutcomeTable = tuple[tuple[str, ...], Iterator[tuple[Cell, ...]]]
"""Names of the columns, and the cells of each row."""


def outcome_name(campaign: Campaign) -> str:
    """Word for the table in the name of its file."""
    if campaign.is_screening:
        return "screening"
    return "level-changes" if campaign.asks_changes else "ground-truth"


def outcome_table(campaign: Campaign, reader: Reader, *, recipe: str | None = None) -> OutcomeTable:
    """Outcome of the series that `reader` may see; a training has none.

    recipe  another than the campaign's own, for steady starts
    """
    if campaign.is_screening:
        columns = screening_columns(pseudonyms(campaign))
        return _table(columns, screened_series(campaign, reader))
    if campaign.asks_changes:
        return _table(*level_changes_rows(campaign, reader))
    return _table(*ground_truth_rows(campaign, reader, recipe=recipe))


def _table(columns: tuple[TableColumn[Row], ...], rows: Iterable[Row]) -> OutcomeTable:
    return tables.column_names(columns), (tables.cells(columns, row) for row in rows)
