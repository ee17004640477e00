"""The series that people look at first, as a file."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from django.http import Http404, HttpRequest

from analysis.least_sure.query import LeastSureQuery
from analysis.least_sure.reads import LeastSureSeries, least_sure
from analysis.runs.models import CERTAINTY_MEANINGS
from analysis.web.page_tables import CAMPAIGN, PageTables, TableRequest, TableScope, declared_table
from annotate.access import owned_campaign_for
from annotate.models import Campaign
from formats.tables import Cell, TableColumn
from series.values.exports import DIGEST, SERIES_COLUMNS

Column = TableColumn[LeastSureSeries]


def _certainty_column(name: str) -> Column:
    def cell(row: LeastSureSeries) -> Cell:
        figure: Cell = getattr(row.certainty.certainty, name)
        return figure

    return Column(name, cell, CERTAINTY_MEANINGS[name])


COLUMNS: Final[tuple[Column, ...]] = (
    Column("dataset", lambda row: row.series.benchmark.dataset.slug),
    *(column.column_of_part(lambda row: row.series) for column in SERIES_COLUMNS),
    Column("steady_start", lambda row: row.certainty.start, "the method's answer; -1 never"),
    Column("width", lambda r: r.certainty.width, "width of the interval, as a share of the series"),
    *map(_certainty_column, CERTAINTY_MEANINGS),
    Column("answers", lambda row: row.answer_count, "people who have answered it"),
    Column("asked", lambda row: row.asked_count, "people who are asked for it"),
    DIGEST.column_of_part(lambda row: row.series),
)


def ordered_campaign_for(request: HttpRequest, study: str, campaign: str) -> Campaign:
    """Campaign of an owner that asks for an iteration and can still be answered."""
    owned_campaign = owned_campaign_for(request, study, campaign)
    if not owned_campaign.makes_truth or owned_campaign.state == Campaign.State.CLOSED:
        raise Http404(f"{owned_campaign} asks for no iteration, or for nothing any more")
    return owned_campaign


def _series(request: TableRequest) -> Sequence[LeastSureSeries]:
    """All that lack marks, least sure first; a command prints as many as it is asked for."""
    (query,) = request.queries
    rows = least_sure(request.scope, request.reader, query.method).rows
    return rows[: query.count] if request.is_command else rows


LEAST_SURE_TABLES: Final = PageTables(
    scope=TableScope(CAMPAIGN.argument, CAMPAIGN.metavar, CAMPAIGN.named, ordered_campaign_for),
    queries={LeastSureQuery: ()},
    compute=_series,
    tables={"least-sure": declared_table("Least sure series", COLUMNS, lambda series: series)},
)
