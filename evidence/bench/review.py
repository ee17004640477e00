"""The review in a browser: from the key that closes a case to the frame that shows the next one.

`python -m evidence.bench.review` starts a server of its own on data of its own: 586 simulated
series of 3,000 values, marks of five people drawn around the known answers, and the stored answers
of every quick method. It closes cases by `a` in the order of the queue, and prints percentiles
beside their budgets; then what the server takes for the pages, cold and warm. A figure of the
browser is the time from the key event to the frame after the one in which the next chart stands.
"""

from __future__ import annotations

import tempfile
import time
from collections.abc import Callable
from functools import partial
from pathlib import Path

from playwright.sync_api import Page

from evidence.bench.annotate import (
    HEADS,
    LISTEN,
    Latency,
    measure_twice,
    prepare,
    press,
    server,
    signed_in_page,
)
from evidence.bench.timing import parser_of

SERIES, VALUES = 586, 3000
CASES = 45  # closed in a round; a second round finds as many more
REST = 500  # ms to look at a case; the next one is drawn ahead in it


def main() -> None:
    report_on("evidence.bench.review", __doc__, "disagreements", report_review)


def report_on(
    program: str, description: str | None, page: str, report: Callable[[str, str, str], None]
) -> None:
    """Start a server on made-up data of a study; `report` of it, the page's path and a session."""
    parser = parser_of(program, description)
    parser.add_argument("--series", type=int, default=SERIES, help="200 or more")
    options = parser.parse_args()
    with tempfile.TemporaryDirectory(prefix="plateau-bench-") as folder:
        prepare(Path(folder))
        from evidence.bench import scene, timing  # noqa: PLC0415  # the settings come first

        print(f"Machine: {timing.machine()}; headless Chromium; {options.series} series\n")
        study, session = scene.review(options.series, VALUES)
        with server() as url:
            report(url, f"/s/{study}/{page}/", session)


def report_review(url: str, queue: str, session: str) -> None:
    with signed_in_page(url, session) as page:
        print(HEADS)
        for name, query_text in (("the queue", "truth&m=any"), ("the queue by change", "change")):
            ask_server = partial(server_milliseconds, page, f"{queue}?why={query_text}")
            print(Latency(f"{name}: server, first request", 5000, ask_server(1)), flush=True)
            print(Latency(f"{name}: server, again", 300, ask_server(10)), flush=True)
        page.goto(f"{queue}?why=truth&m=any&order=name")
        address = page.locator("[data-listed-case]").first.get_attribute("href") or ""
        print(Latency("a case: server", 300, server_milliseconds(page, address, 20)), flush=True)
        page.goto(address)
        page.wait_for_selector("html[data-review=ready]")
        page.evaluate(LISTEN, {"heading": "[data-case-head]", "leadsOn": ["a", "j"]})
        for name, key in (("`a` closes a case", "a"), ("`j`", "j")):
            work = partial(closed, page, key)
            print(measure_twice(work, f"{name} → next chart drawn", 100), flush=True)


def server_milliseconds(page: Page, address: str, times: int) -> list[float]:
    """Milliseconds from the request to its whole answer."""
    milliseconds = []
    for _ in range(times):
        began_at = time.perf_counter()
        answer = page.context.request.get(address)
        answer.body()
        milliseconds.append(1e3 * (time.perf_counter() - began_at))
        if not answer.ok:
            raise SystemExit(f"{address}: the server answered {answer.status}")
    return milliseconds


def closed(page: Page, key: str) -> list[float]:
    milliseconds = []
    for _ in range(CASES):
        page.wait_for_timeout(REST)
        milliseconds.append(press(page, key, pause=0))
    return milliseconds


if __name__ == "__main__":
    main()
