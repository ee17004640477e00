"""A table to fill in: every series of a data set or campaign, named so that it can be found again.

It says nothing of any answer, so it is the same for whoever asks.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from analysis.web.series_columns import NAMING, lookups
from annotate.models import Campaign
from formats import tables
from series.models import Dataset, Series
from series.models.series import SeriesQuerySet

ANSWER_COLUMNS: Final = ("steady_start", "published_index", "decided_at", "seconds")
COLUMNS: Final = (*NAMING, *ANSWER_COLUMNS, "series_digest")


def series_of_scope(scope: Campaign | Dataset) -> SeriesQuerySet:
    """The series of a campaign or data set, in the order in which their values are exported."""
    ordered_series = Series.objects.order_by("pk")
    if isinstance(scope, Campaign):
        return ordered_series.filter(pk__in=scope.tasks.counted().values("series"))
    return ordered_series.filter(benchmark__dataset=scope)


def blank_answer_csv(scope: Campaign | Dataset) -> Iterator[str]:
    """The CSV, as pieces of text: a row a series, with empty cells for the answers."""
    blank_cells = (None,) * len(ANSWER_COLUMNS)
    rows = series_of_scope(scope).values_list(*lookups((*NAMING, "digest"))).iterator(2000)
    return tables.table_text(COLUMNS, ((*row[:-1], *blank_cells, row[-1]) for row in rows))
