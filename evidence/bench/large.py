"""Pages of a study of 100,000 series: what does one request cost, in seconds of a core?

`python -m evidence.bench.large` makes the study by bulk inserts, on SQLite and on PostgreSQL, and
opens its pages as the owner, and as one of those who annotate. A figure is the time of this process
and of PostgreSQL's for the first request of a page, with an empty cache, and for the next one. None
may take a second. Of a part that asks again until all is computed, the first is its dearest
request.
"""

from __future__ import annotations

import argparse
import http.client
import os
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from typing import TYPE_CHECKING, Final

from evidence.bench import servers
from evidence.bench.processes import core_seconds
from evidence.bench.timing import machine, parser_of
from formats.markdown import head, row

if TYPE_CHECKING:
    from django.test import Client

    from people.models import User

BUDGET: Final = 1.0  # seconds of a core
LARGEST: Final = 300_000  # bytes of a page
DATABASES: Final = ("sqlite", "postgres")
STUDY: Final = "/s/large/"
PAGES: Final = {
    "study": STUDY,
    "people": f"{STUDY}people/",
    "data": f"{STUDY}data/",
    "data set": f"{STUDY}data/wide/",
    "composition": f"{STUDY}data/wide/composition/",
    "campaigns": f"{STUDY}campaigns/",
    "campaign": f"{STUDY}campaigns/small/",
    "results": f"{STUDY}campaigns/small/?tab=truth",
    "more results": f"{STUDY}campaigns/costed/?tab=truth",
    "runs": f"{STUDY}runs/",
    "compare": f"{STUDY}comparison/",
    "trend": f"{STUDY}data/nightly/trend/",
    "what to do": f"{STUDY}what-to-do/?data=costed",
    "costs": f"{STUDY}what-to-do/?data=costed",
}
RELOAD_MARK: Final = b'hx-trigger="load delay'
PARTS: Final = frozenset({"composition", "costs"})  # that a page asks for once it is there


def main() -> int:
    parser = parser_of("evidence.bench.large", __doc__)
    parser.add_argument("--database", choices=DATABASES, help="only this one, in this process")
    parser.add_argument("--scale", type=float, default=1.0, help="share of the series and people")
    parser.add_argument("--page", choices=PAGES, action="append", help="only this one")
    options = parser.parse_args()
    if options.database:
        return measure_large(options)
    print(
        f"{machine()}\n\n{head('database', 'reader', 'page', 'first, s', 'again, s', 'kB')}",
        flush=True,
    )
    command = [sys.executable, "-m", "evidence.bench.large", *sys.argv[1:], "--database"]
    return max([subprocess.run([*command, name], check=False).returncode for name in DATABASES])


def measure_large(options: argparse.Namespace) -> int:
    with empty_installation(options.database):
        from evidence.bench.large_scene import large_study  # noqa: PLC0415  # the settings come first

        owner, annotator = large_study(options.scale)
        # The statistics that it gathers by itself in the minutes after an import
        from django.db import connection  # noqa: PLC0415

        if connection.vendor == "postgresql":
            with connection.cursor() as cursor:
                cursor.execute("VACUUM ANALYZE")
        pages = {name: PAGES[name] for name in options.page or PAGES}
        return max(
            print_page_times(options.database, reader, STUDY, pages)
            for reader in (owner, annotator)
        )


@contextmanager
def empty_installation(database: str) -> Iterator[None]:
    """An empty installation on that database, for this process."""
    with tempfile.TemporaryDirectory(prefix="plateau-bench-") as data, _address(database) as url:
        os.environ.pop("DATABASE_URL", None)
        os.environ |= {"PLATEAU_MODE": "development", "PLATEAU_DATA": data, **url}
        os.environ["DJANGO_SETTINGS_MODULE"] = "config.settings"
        import django  # noqa: PLC0415

        django.setup()
        from django.core.management import call_command  # noqa: PLC0415

        call_command("migrate", verbosity=0)
        call_command("collectstatic", interactive=False, verbosity=0)
        yield


@contextmanager
def _address(database: str) -> Iterator[dict[str, str]]:
    if database == "sqlite":
        yield {}
        return
    with servers.postgres() as url:
        yield {"DATABASE_URL": url}


def print_page_times(database: str, reader: User, study: str, pages: Mapping[str, str]) -> int:
    """Print a row for each page; 1 where one took more than its budget."""
    from django.core.cache import cache  # noqa: PLC0415
    from django.test import Client  # noqa: PLC0415

    from config import wsgi  # noqa: PLC0415

    client, over_budget = Client(), False
    client.force_login(reader)
    wsgi.load_everything()
    client.get(study)  # what a process loads once
    for name, address in pages.items():
        cache.clear()
        first, size = highest_cost(client, name, address)
        second_cost, _, _ = request_cost(client, name, address)
        print(
            row(
                database, reader.username, name, f"{first:.2f}", f"{second_cost:.2f}", size // 1000
            ),
            flush=True,
        )
        over_budget |= first > BUDGET or size > LARGEST
    return int(over_budget)


def highest_cost(client: Client, name: str, address: str) -> tuple[float, int]:
    """Cost of the dearest request until the page asks for no more by itself; bytes of the last."""
    most_seconds, asks_again = 0.0, True
    while asks_again:
        cost, size, asks_again = request_cost(client, name, address)
        most_seconds = max(most_seconds, cost)
    return most_seconds, size


def request_cost(client: Client, name: str, address: str) -> tuple[float, int, bool]:
    """Seconds of a core for one request, those of the database's process among them.

    And its bytes, and whether it asks for itself again: a process beside it computes.
    """
    seconds_before = _seconds()
    response = client.get(address, headers=headers_for(name))
    size = len(response.content)
    if response.status_code != http.client.OK:
        raise SystemExit(f"{address}: {response.status_code}")
    asks_again = name in PARTS and RELOAD_MARK in response.content
    return _seconds() - seconds_before, size, asks_again


def headers_for(name: str) -> dict[str, str]:
    """Headers of a browser that opens a page, or of htmx that asks for a part of one."""
    return {"accept": "text/html"} | ({"HX-Request": "true"} if name in PARTS else {})


def _seconds() -> float:
    from django.db import connection  # noqa: PLC0415

    if connection.vendor != "postgresql":
        return time.process_time()
    with connection.cursor() as cursor:
        cursor.execute("SELECT pg_backend_pid()")
        return time.process_time() + core_seconds(cursor.fetchone()[0])


if __name__ == "__main__":
    sys.exit(main())
