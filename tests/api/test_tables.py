"""Tables of the API in each form: the same cells, by `format` or by the Accept header."""

from __future__ import annotations

import csv
import io
import sys
from typing import Any

import pyarrow as pa
import pytest
from django.test import Client, RequestFactory

from annotate.models import Campaign
from api.tables import accepted_format, arrow
from people.models import User
from series.models import Series
from tests.analysis.comparison.conftest import answered_tasks, compared_study, four_series, store
from tests.analysis.conftest import few_rank
from tests.api.conftest import Program

__all__ = ["answered_tasks", "compared_study", "few_rank", "four_series", "store"]

ARROW = "application/vnd.apache.arrow.stream"
TABLES = (
    "datasets/{dataset}/detections",
    "campaigns/{campaign}/ground-truth",
    "comparison",
    "comparison?what=leaderboard",
    "datasets/{dataset}/trend",
)


def read_table(data: bytes) -> Any:
    return pa.ipc.open_stream(data).read_all()


@pytest.fixture
def reader_client(compared_study: Campaign, vic: User, program: Program) -> Client:
    return program(vic, "read")


@pytest.fixture(params=TABLES)
def address(
    request: pytest.FixtureRequest, compared_study: Campaign, four_series: list[Series]
) -> str:
    names = {"dataset": four_series[0].benchmark.dataset.slug, "campaign": compared_study.slug}
    return f"/api/v1/{request.param.format(**names)}"


def test_every_form_has_the_same_cells(address: str, reader_client: Client) -> None:
    more = "&" if "?" in address else "?"
    rows = reader_client.get(address).json()["rows"]

    arrow_response = reader_client.get(f"{address}{more}format=arrow")
    csv_text = reader_client.get(f"{address}{more}format=csv").getvalue().decode()

    assert arrow_response.headers["Content-Type"] == ARROW
    assert rows
    assert read_table(arrow_response.content).to_pylist() == rows
    lines = list(csv.DictReader(io.StringIO(csv_text)))
    assert len(lines) == len(rows)
    assert list(lines[0]) == list(rows[0]) == read_table(arrow_response.content).column_names


def test_the_accept_header_asks_for_a_form_too(address: str, reader_client: Client) -> None:
    header_response = reader_client.get(address, headers={"accept": ARROW})
    word_response = reader_client.get(address, {"format": "json"}, headers={"accept": ARROW})

    assert header_response.headers["Content-Type"] == ARROW
    assert "Accept" in header_response.headers["Vary"]
    assert word_response.headers["Content-Type"] == "application/json"
    second_response = reader_client.get(
        address, headers={"accept": ARROW, "if-none-match": header_response.headers["ETag"]}
    )
    assert second_response.status_code == 304


@pytest.mark.parametrize(
    ("header", "form"),
    [
        ("", "json"),
        ("*/*", "json"),
        ("text/html", "json"),
        ("text/csv", "csv"),
        (ARROW, "arrow"),
        (f"{ARROW};q=0.5, text/csv", "csv"),
        (f"text/csv;q=0.1, {ARROW}, application/json;q=0.9", "arrow"),
    ],
)
def test_what_is_liked_best_is_sent(header: str, form: str) -> None:
    assert accepted_format(RequestFactory().get("/", headers={"accept": header})) == form


def test_without_pyarrow_it_says_what_to_do(
    address: str, reader_client: Client, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(sys.modules, "pyarrow", None)

    answer = reader_client.get(address, headers={"accept": ARROW})

    assert answer.status_code == 406
    assert answer.json()["sentence"] == (
        "This installation cannot write Arrow: it lacks pyarrow "
        "(pip install plateau-perf[frames]). Ask for json or csv."
    )
    assert reader_client.get(address).status_code == 200


@pytest.mark.parametrize(
    ("rows", "columns"),
    [
        ([], {"one": [], "two": []}),
        ([(1, None)], {"one": [1], "two": [None]}),
        ([(1, "a"), (2.5, None)], {"one": [1.0, 2.5], "two": ["a", None]}),
        ([(True, 1), (False, "b")], {"one": [True, False], "two": ["1", "b"]}),
    ],
    ids=["0 rows", "1 row", "2 rows", "numbers and words"],
)
def test_few_rows_and_mixed_columns(
    rows: list[tuple[Any, ...]], columns: dict[str, list[Any]]
) -> None:
    assert read_table(arrow(("one", "two"), rows)).to_pydict() == columns
