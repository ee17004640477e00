"""Tables of a page, declared once: download, command and meanings of columns come from this.

    PLANS = PageTables(
        scope=DATASET,
        queries={PlanQuery: ()},
        compute=lambda request: dataset_plans(request.scope, request.reader, *request.queries),
        tables={"plans": declared_table("Plans", COLUMNS, lambda plans: map(plan_row, plans))},
    )

`table_view(PLANS)` is the view of the download, `TableCommand` (`web.table_command`) the command.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Final, Generic, NamedTuple, TypeAlias, TypeVar

from django.http import HttpResponse, StreamingHttpResponse
from django.http.response import HttpResponseBase
from django.views.decorators.http import require_GET

from analysis.web.figures import WebFigure
from analysis.web.pdf_figure import figure_pdf
from annotate.access import campaign_for, seen_series_for
from annotate.blind import EVERYTHING, Reader
from annotate.named_arguments import campaign_named, dataset_named, series_named
from formats.latex import latex_table
from formats.tables import Cell, TableColumn, cells, meanings, table_text
from people import downloads
from people.access import SignedInRequest
from people.query_form import QueryForm
from series.access import benchmark_for, dataset_for

Row: TypeAlias = Sequence[Cell]
Record = TypeVar("Record")
Result = TypeVar("Result")


class TableRefused(Exception):
    """Error: no such table; its sentence says why, or which there are."""


class TableEmpty(Exception):
    """Error: nothing to compute rows from. A download has no row, a command fails."""


class TableNotReady(Exception):
    """Error: rows are not computed yet; `retry_seconds` is None where nothing computes them."""

    def __init__(self, sentence: str, retry_seconds: int | None = None) -> None:
        super().__init__(sentence)
        self.retry_seconds = retry_seconds


@dataclass(frozen=True, slots=True)
class TableScope:
    """Kind of thing that tables are about.

    argument   name of the command's argument, `metavar` in its usage
    named      the thing that the argument names; CommandError with status 2 without one
    visible    the thing that an address names, for its reader; 404 without one
    file_name  its part of the name of a download
    """

    argument: str
    metavar: str
    named: Callable[[str], Any]
    visible: Callable[..., Any]
    file_name: Callable[[Any], tuple[str, ...]] = lambda scope: (scope.study.slug, scope.slug)


CAMPAIGN: Final = TableScope("campaign", "STUDY/CAMPAIGN", campaign_named, campaign_for)
DATASET: Final = TableScope("dataset", "STUDY/DATASET", dataset_named, dataset_for)
BENCHMARK: Final = TableScope(
    *("benchmark", "", str, benchmark_for),
    lambda benchmark: (benchmark.dataset.study.slug, benchmark.public_id),
)
"""A benchmark has no command of its own."""
SERIES: Final = TableScope(
    *("series", "SERIES", series_named, seen_series_for),
    lambda series: (series.benchmark.dataset.study.slug, series.public_id),
)


class TableRequest(NamedTuple):
    """A table about `scope`, as `reader` may see it, with the settings `queries`."""

    scope: Any
    reader: Reader
    table_name: str
    queries: tuple[Any, ...]

    @property
    def is_command(self) -> bool:
        """A command is blind to nothing, and takes the time it needs."""
        return self.reader is EVERYTHING


@dataclass(frozen=True, slots=True)
class PageTable(Generic[Result]):
    """One table.

    title    its name on pages
    columns  meanings by column; a function where the columns depend on the result
    rows     cells in the order of the columns
    """

    title: str
    columns: Mapping[str, str] | Callable[[Result], Mapping[str, str]]
    rows: Callable[[Result], Iterable[Row]]


def declared_table(
    title: str,
    columns: Sequence[TableColumn[Record]],
    records: Callable[[Result], Iterable[Record]],
) -> PageTable[Result]:
    """Table of declared columns: a row for each of `records`."""
    return PageTable(
        title,
        meanings(columns),
        lambda result: (cells(columns, record) for record in records(result)),
    )


def column_table(
    title: str, columns: Mapping[str, str], rows: Callable[[Result], Iterable[Mapping[str, Cell]]]
) -> PageTable[Result]:
    """Table of rows that are cells by column."""
    return PageTable(
        title, columns, lambda result: ([row[name] for name in columns] for row in rows(result))
    )


class TableRows(NamedTuple):
    """Columns and rows; a cell is None where it does not apply."""

    columns: Sequence[str]
    rows: Iterable[Row]

    def only(self, columns: Sequence[str]) -> TableRows:
        """Rows with these columns, in this order; with all where `columns` is empty.

        Raises TableRefused for a column that the table lacks.
        """
        if not columns:
            return self
        if missing_columns := [column for column in columns if column not in self.columns]:
            raise TableRefused(
                f"no column {missing_columns[0]!r}; there are: {', '.join(self.columns)}"
            )
        column_indices = [self.columns.index(column) for column in columns]
        return TableRows(columns, ([row[i] for i in column_indices] for row in self.rows))

    def records(self) -> list[dict[str, Cell]]:
        return [dict(zip(self.columns, row, strict=True)) for row in self.rows]


@dataclass(frozen=True, slots=True)
class PageTables(Generic[Result]):
    """Tables that are read from one result.

    queries   forms of the settings; by form the fields that are options of the command, () for all
    compute   the result; may raise TableRefused, TableEmpty and TableNotReady
    tables    by name, the default first
    refusals  further errors of `compute`, whose text is a sentence
    about     what JSON says beside the rows of a table; None: JSON is a list of rows
    lines     a table as lines of a terminal; None where it has no such form
    figures   by name, what draws one that is a PDF; None where there is nothing to draw
    """

    scope: TableScope
    queries: Mapping[type[QueryForm], tuple[str, ...]]
    compute: Callable[[TableRequest], Result]
    tables: Mapping[str, PageTable[Result]]
    refusals: tuple[type[Exception], ...] = ()
    about: Callable[[Result, str], dict[str, Any] | None] | None = None
    lines: Callable[[Result, str], Iterator[str] | None] | None = None
    figures: Mapping[str, Callable[[Result], WebFigure | None]] = field(default_factory=dict)

    @property
    def refused(self) -> tuple[type[Exception], ...]:
        return (TableRefused, *self.refusals)

    @property
    def titles(self) -> dict[str, str]:
        return {name: table.title for name, table in self.tables.items()}

    def columns(self, result: Result | None, table_name: str) -> Mapping[str, str]:
        """Meanings of the columns of one table, in their order."""
        columns = self.tables[table_name].columns
        if callable(columns):
            return {} if result is None else columns(result)
        return columns

    def table(self, result: Result | None, table_name: str) -> TableRows:
        """Columns and rows of one table; no row without a result."""
        rows = () if result is None else self.tables[table_name].rows(result)
        return TableRows(tuple(self.columns(result, table_name)), rows)

    def pdf(self, result: Result | None, figure_name: str) -> bytes:
        """One figure as PDF. Raises TableRefused where there is nothing to draw."""
        figure = None if result is None else self.figures[figure_name](result)
        if figure is None:
            raise TableRefused(f"there is nothing to draw in the figure {figure_name}")
        return figure_pdf(figure)

    def check_name(self, name: str, *, is_figure: bool) -> None:
        """Raises TableRefused where there is no figure, or no table, of that name."""
        names: Iterable[str] = self.figures if is_figure else self.tables
        if name not in names:
            noun = "figure" if is_figure else "table"
            raise TableRefused(f"no {noun} {name!r}; there are: {', '.join(names) or 'none'}")

    def document(self, result: Result | None, table_name: str) -> object:
        """The JSON of one table."""
        records = self.table(result, table_name).records()  # which may raise TableNotReady
        if self.about is None:
            return records
        document: dict[str, Any] | None = {} if result is None else self.about(result, table_name)
        return records if document is None else {**document, "rows": records}


def table_view(page_tables: PageTables[Any]) -> Callable[..., HttpResponseBase]:
    """The view of the download of `page_tables`: `?what=` a table, `?format=json` or `tex`.

    With `?format=pdf` it is one of a figure.
    """

    @require_GET
    def download(request: SignedInRequest, **address: str) -> HttpResponseBase:
        return table_download(
            request, page_tables, page_tables.scope.visible(request, *address.values())
        )

    return download


def table_download(
    request: SignedInRequest, page_tables: PageTables[Any], scope: object
) -> HttpResponseBase:
    """The table of `?what=`, the first by default, as CSV, JSON or LaTeX; a figure as PDF.

    A sentence with status 404 where there is no such thing, 503 or 409 while it has no rows.
    """
    try:
        return _file_response(request, page_tables, scope)
    except TableNotReady as error:
        response = _sentence_response(error, 409 if error.retry_seconds is None else 503)
        if error.retry_seconds is not None:
            response.headers["Retry-After"] = str(error.retry_seconds)
        return response
    except page_tables.refused as error:
        return _sentence_response(error, 404)


def _sentence_response(error: Exception, status: int) -> HttpResponse:
    return HttpResponse(f"{error}\n", status=status, content_type="text/plain; charset=utf-8")


def _file_response(
    request: SignedInRequest, page_tables: PageTables[Any], scope: object
) -> HttpResponse | StreamingHttpResponse:
    is_figure = request.GET.get("format") == "pdf"
    table_name = request.GET.get("what") or next(iter(page_tables.tables))
    page_tables.check_name(table_name, is_figure=is_figure)
    queries = tuple(form.from_query(request.GET) for form in page_tables.queries)
    try:
        result = page_tables.compute(TableRequest(scope, request.user, table_name, queries))
    except TableEmpty:
        result = None
    name = downloads.download_name(*page_tables.scope.file_name(scope), table_name)
    if is_figure:
        return downloads.pdf(page_tables.pdf(result, table_name), f"{name}.pdf")
    if request.GET.get("format") == "json":
        return downloads.json(page_tables.document(result, table_name), f"{name}.json")
    if request.GET.get("format") == "tex":
        return downloads.text(latex_table(*page_tables.table(result, table_name)), f"{name}.tex")
    return downloads.csv(table_text(*page_tables.table(result, table_name)), f"{name}.csv")
