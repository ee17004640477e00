"""One contract of all declared tables: CSV, JSON and command agree, every column is explained.

Who may read which download is held by `tests/test_access.py`; every installation of few people,
series and answers by `tests/test_few.py`.
"""

from __future__ import annotations

import csv
import json
from collections.abc import Callable, Iterator
from functools import partial
from io import StringIO
from typing import Any, Final

import pytest
from django.core.management import CommandError, call_command, get_commands, load_command_class
from django.test import Client, RequestFactory
from django.urls import reverse

from analysis.statistics.bootstrap import BootstrapSettings
from analysis.tuning.exports import TUNING_TABLES
from analysis.urls import DOWNLOADS
from analysis.web.page_tables import (
    DATASET,
    SERIES,
    PageTable,
    PageTables,
    TableNotReady,
    TableRequest,
    TableRows,
    table_download,
)
from analysis.web.table_command import TableCommand
from formats.tables import as_text
from people.models import User
from series.models import Dataset
from tests.access_table import TABLE, World
from tests.every_case import EVERY_CASE
from tests.test_few import SmallInstallation, install

__all__ = ["install"]

DECLARED: Final[dict[str, PageTables[Any]]] = {
    **{route: declared for route, (_, declared) in DOWNLOADS.items()},
    "tuning-file": TUNING_TABLES,
}
TABLES: Final = [
    (route, table_name) for route, declared in DECLARED.items() for table_name in declared.tables
]
WITHOUT_CELL: Final = ("comparison-export", "series")  # it needs a number, whose series it lists


def table_commands() -> dict[str, TableCommand]:
    commands = {
        name: load_command_class(app, name)
        for name, app in get_commands().items()
        if str(app).startswith("analysis")
    }
    return {
        name: command
        for name, command in commands.items()
        if isinstance(command, TableCommand) and type(command).handle is TableCommand.handle
    }


def test_a_command_writes_the_columns_that_are_asked_for(dataset: Dataset) -> None:
    name, out = f"{dataset.study.slug}/{dataset.slug}", StringIO()

    call_command("composition", name, columns="series, system", format="tex", stdout=out)
    assert "series & system \\\\" in out.getvalue()
    with pytest.raises(CommandError, match="no column 'speed'; there are: system,"):
        call_command("composition", name, columns="speed", stdout=out)
    with pytest.raises(CommandError, match="found --format json, expected csv or tex"):
        call_command("composition", name, columns="series", format="json", stdout=out)
    rows = TableRows(("a", "b"), [[1, 2]])
    assert list(rows.only(["b"]).rows) == [[2]]
    assert rows.only([]) is rows


def test_every_column_is_explained() -> None:
    for route, table_name in TABLES:
        columns = DECLARED[route].tables[table_name].columns

        assert callable(columns) or all(map(str.strip, columns.values())), (route, table_name)


@pytest.fixture(params=(0, 1, 2) if EVERY_CASE else (0, 2))
def world(
    request: pytest.FixtureRequest,
    install: Callable[[SmallInstallation], World],
    monkeypatch: pytest.MonkeyPatch,
) -> World:
    monkeypatch.setattr(
        "analysis.cost.exports.INTERVAL_SECONDS", 600.0
    )  # a slow machine draws all, too
    monkeypatch.setattr("analysis.cost.intervals.BOOTSTRAP", BootstrapSettings(repeats=200))
    monkeypatch.setattr("analysis.harness.exports.FILE_SECONDS", 600.0)
    return install(SmallInstallation(series=request.param))


def downloads_of(world: World, client: Client) -> Iterator[tuple[str, str, Any]]:
    """Route, table and a function that gets the download with further settings of its address."""
    for route, table_name in TABLES:
        if set(TABLE[route].arguments) <= set(world) and (route, table_name) != WITHOUT_CELL:
            address = reverse(route, args=[world[name] for name in TABLE[route].arguments])
            campaign = f"campaign:{world['campaign']}"  # which commands name
            query = {"y": campaign} if TABLE[route].arguments == ("study",) else {}
            yield route, table_name, partial(get_with, client, address, query)


def get_with(client: Client, address: str, named: dict[str, str], **settings: str) -> Any:
    return client.get(address, named | settings)


def test_csv_json_and_command_are_the_same(world: World, olga: User, client: Client) -> None:
    client.force_login(olga)
    name_by_key = {
        (declared_name(command.page_tables), table_name): name
        for name, command in table_commands().items()
        for table_name in (command.table_names or command.page_tables.tables)
    }
    for route, table_name, fetch in downloads_of(world, client):
        answer, as_json = fetch(what=table_name), fetch(what=table_name, format="json")
        text = b"".join(answer).decode()
        if answer.status_code != 200:  # nothing to compare with, or no results yet
            assert (as_json.status_code, as_json.content.decode()) == (answer.status_code, text)
            continue
        document = as_json.json()
        columns, *rows = csv.reader(StringIO(text))
        records = document if isinstance(document, list) else document["rows"]
        declared = DECLARED[route].tables[table_name].columns

        assert callable(declared) or columns == list(declared), table_name
        assert rows == [[as_text(cell) for cell in record.values()] for record in records], (
            table_name
        )
        assert all(list(record) == columns for record in records)
        latex = b"".join(fetch(what=table_name, format="tex")).decode()
        assert latex.count(" \\\\\n") == len(list(csv.reader(StringIO(text)))), table_name
        if command := name_by_key.get((route, table_name)):
            assert_printed(command, world, table_name, text, as_json.json())


def declared_name(declared_tables: PageTables[Any]) -> str:
    return next((route for route, tables in DECLARED.items() if tables is declared_tables), "")


def assert_printed(command: str, world: World, table_name: str, text: str, document: Any) -> None:
    """Assert that the command prints the download, or fails where that has no row."""
    shown = table_commands()[command]
    scope = f"{world['study']}/{world.get(shown.page_tables.scope.argument, world['campaign'])}"
    if shown.page_tables.scope is SERIES:
        scope = world["series"]
    words = [command, scope]
    if len(shown.table_names or shown.page_tables.tables) > 1:
        words += ["--what", table_name]
    outputs = [command_words(*words, "--format", name) for name in ("csv", "json")]
    if all(output.startswith(f"status 2: {scope}: ") for output in outputs):
        assert len(text.splitlines()) == 1, command
    else:
        assert outputs[0] == text, command
        assert json.loads(outputs[1]) == document, command


def command_words(*words: str) -> str:
    """Text that a command prints, or its status and sentence."""
    output = StringIO()
    try:
        call_command(*words, stdout=output, stderr=StringIO())
    except CommandError as refused:
        return f"status {refused.returncode}: {refused}"
    except SystemExit:  # a trend without a result
        return output.getvalue()
    return output.getvalue()


def test_a_table_that_is_not_there_is_refused_with_those_that_are(
    install: Callable[[SmallInstallation], World], olga: User, client: Client
) -> None:
    client.force_login(olga)
    for route, table_name, fetch in downloads_of(install(SmallInstallation()), client):
        answer = fetch(what="nonsense")

        assert answer.status_code == 404, route
        assert table_name in answer.content.decode().split("there are: ")[1], route


def test_commands_choose_among_their_tables_alone() -> None:
    for name, command in table_commands().items():
        parser = command.create_parser("manage.py", name)
        with pytest.raises(CommandError):
            parser.parse_args(["a/b", "--what", "nonsense"])


# --- not ready --------------------------------------------------------------------------------
@pytest.mark.parametrize(
    ("error", "status"),
    [
        (TableNotReady("3 series wait", retry_seconds=5), 503),
        (TableNotReady("nothing is there"), 409),
    ],
)
def test_a_table_that_is_not_ready_says_so(
    rf: RequestFactory, vic: User, dataset: Dataset, error: TableNotReady, status: int
) -> None:
    def compute(_: TableRequest) -> object:
        raise error

    never_table: PageTable[object] = PageTable("Never", {"column": "a column"}, lambda _: ())
    request: Any = rf.get("/")
    request.user = vic

    answer: Any = table_download(
        request, PageTables(DATASET, {}, compute, {"never": never_table}), dataset
    )

    assert (answer.status_code, answer.content) == (status, f"{error}\n".encode())
    assert answer.headers.get("Retry-After") == ("5" if status == 503 else None)
