"""Tables of the API: as JSON, CSV or an Arrow stream, by `format` or by the Accept header."""

from __future__ import annotations

import importlib
from collections.abc import Iterable, Sequence
from itertools import zip_longest
from typing import Any, Final, Literal

from django.http import HttpRequest, HttpResponse, StreamingHttpResponse
from django.utils.cache import patch_vary_headers
from ninja.errors import HttpError

from formats import tables
from formats.tables import Cell
from people import downloads

Written = Literal["json", "csv", "arrow"]
Answer = HttpResponse | StreamingHttpResponse
TYPES: Final[dict[str, Written]] = {
    "application/json": "json",
    "text/csv": "csv",
    "application/vnd.apache.arrow.stream": "arrow",
}
NO_ARROW: Final = (
    "This installation cannot write Arrow: it lacks pyarrow (pip install plateau-perf[frames]). "
    "Ask for json or csv."
)


def table_answer(
    request: HttpRequest,
    name: str,
    columns: Sequence[str],
    rows: Iterable[Sequence[Cell]],
    media_type: Written | None = None,
) -> Answer:
    """The table in the form of `media_type`, or else of the Accept header; JSON where neither."""
    answer_form = media_type or accepted_format(request)
    answer: Answer
    if answer_form == "csv":
        answer = downloads.csv(tables.table_text(columns, rows), f"{name}.csv")
    elif answer_form == "arrow":
        answer = HttpResponse(arrow(columns, rows), content_type=list(TYPES)[-1])
        downloads.attach(answer, f"{name}.arrows")
    else:
        records = [dict(zip(columns, row, strict=True)) for row in rows]
        answer = downloads.json({"rows": records}, f"{name}.json")
    patch_vary_headers(answer, ["Accept"])
    return answer


def accepted_format(request: HttpRequest) -> Written:
    """The form that the Accept header likes best; JSON where it takes anything, or none of them."""
    best_type = request.get_preferred_type(list(TYPES))
    return TYPES.get(best_type or "", "json")


def arrow(columns: Sequence[str], rows: Iterable[Sequence[Cell]]) -> bytes:
    """An Arrow stream of one table. An empty cell is null; a column of nothing else has that type.

    A column of numbers and words is one of words.
    """
    try:
        pyarrow = importlib.import_module("pyarrow")
    except ImportError as error:
        raise HttpError(406, NO_ARROW) from error
    cells = list(zip_longest(*rows)) or [() for _ in columns]
    arrow_table = pyarrow.table(
        [_column(pyarrow, column_cells) for column_cells in cells], names=list(columns)
    )
    sink = pyarrow.BufferOutputStream()
    with pyarrow.ipc.new_stream(sink, arrow_table.schema) as stream:
        stream.write_table(arrow_table)
    data: bytes = sink.getvalue().to_pybytes()
    return data


def _column(pyarrow: Any, cells: Sequence[Cell]) -> Any:
    try:
        return pyarrow.array(cells)
    except (pyarrow.ArrowInvalid, pyarrow.ArrowTypeError):
        return pyarrow.array([None if cell is None else str(cell) for cell in cells])
