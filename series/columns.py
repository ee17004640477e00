"""Further columns of a data set's table, given by rooms that this one does not know.

The table of a data set (`series.views.data.dataset`) has a row a benchmark, drawn by one of its
series. What other rooms know of that series (ground truth, the spread of detections) is added by
`ProvidedColumns` that they register in `AppConfig.register()`::

    class TruthColumns(Columns):
        head = "annotate/_truth_head.html"      # <th> cells
        cells = "annotate/_truth_cells.html"    # <td> cells of one row; takes row, cell, study

        def values(self, reader, rows): …       # one or two queries for all rows of the page

    columns.register(TruthColumns())

Blindness is the provider's duty: for a series that `reader` has yet to answer it gives a cell that
says `hidden until you have answered`, and a filter or an order by answers leaves such series out
and says how many, or the filter itself would give the answer away.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from people.late_registry import LateRegistry
from people.models import Study, User
from series.models import Series
from series.models.series import SeriesQuerySet

Asked = Mapping[str, str]  # of the address, without what is empty


@dataclass(frozen=True, slots=True)
class ColumnFilter:
    """One filter of the bar: `name` in the address, and its options as (value, words)."""

    name: str
    label: str
    options: tuple[tuple[str, str], ...]
    value: str = ""


@dataclass(frozen=True, slots=True)
class FilteredRows:
    """Rows after a filter or order; `left_out` of them are kept from the reader, `because` why."""

    rows: SeriesQuerySet
    left_out: int = 0
    because: str = "you have yet to answer them"


class ProvidedColumns:
    """Columns, filters and orders that another room adds; each method has a default: nothing."""

    head = ""
    cells = ""
    foot = ""  # below the table; takes cells (values() of the page), study, listing

    def values(self, reader: User, rows: Sequence[Series]) -> Mapping[int, Any]:
        """Values that `cells` takes as `cell`, by primary key of the row's series."""
        return {}

    def choices(self, study: Study, query: Asked) -> Sequence[ColumnFilter]:
        """Filters, with the value that `query` has for each."""
        return ()

    def orders(self) -> Mapping[str, str]:
        """Further orders: key in the address → words."""
        return {}

    def narrow(self, reader: User, rows: SeriesQuerySet, query: Asked) -> FilteredRows:
        """Apply this provider's filters, and its order if `asked["sort"]` names one."""
        return FilteredRows(rows)


_registered = LateRegistry[list[ProvidedColumns]]([])


def register_columns(columns: ProvidedColumns) -> None:
    """Add columns to the right of those that are there; once a class, however often called."""
    if not any(type(provider) is type(columns) for provider in _registered.present):
        _registered.present.append(columns)


def provided_columns() -> Sequence[ProvidedColumns]:
    return tuple(_registered.entries)
