"""A table of a page as a file: which one an address asks for, and as CSV or JSON."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Sequence

from django.http import Http404, HttpRequest, HttpResponse, StreamingHttpResponse

from formats import tables
from people import downloads


def wanted_table(request: HttpRequest, table_names: Collection[str]) -> str:
    """The table `?what=` of those that there are, the first by default; 404 for another."""
    table_name = request.GET.get("what") or next(iter(table_names))
    if table_name not in table_names:
        raise Http404(f"no table {table_name!r}; there are: {', '.join(table_names)}")
    return table_name


def table_file(
    request: HttpRequest,
    name: str,
    columns: Sequence[str],
    rows: Iterable[Sequence[tables.Cell]],
    document: Callable[[], object],
) -> HttpResponse | StreamingHttpResponse:
    """A file called `name` and today's date: CSV, or with `?format=json` the `document`."""
    if request.GET.get("format") == "json":
        return downloads.json(document(), f"{name}.json")
    return downloads.csv(tables.table_text(columns, rows), f"{name}.csv")
