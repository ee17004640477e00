"""The comparison of every method with people: the server's time, the first row, the figures.

`python -m evidence.bench.compare` starts a server of its own on data of its own: 586 simulated
series of 3,000 values, marks of five people drawn around the known answers, and stored answers of
all 31 methods. It prints what the server takes for the page when a process has just started, again,
and after an answer has come; then in Chromium the time to the first row of the leaderboard, and of
each figure that comes into view the time until it is drawn.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial

from playwright.sync_api import Page

from evidence.bench.annotate import HEADS, Latency, signed_in_page
from evidence.bench.review import report_on, server_milliseconds

TIMES = 5  # requests, or loads, for each figure
DRAWN = """async (id) => {
  const host = document.getElementById(id)
  if (host.querySelector(".main-svg")) return null
  const begin = performance.now()
  host.scrollIntoView({ behavior: "instant", block: "center" })
  while (!host.querySelector(".main-svg")) await new Promise(requestAnimationFrame)
  await new Promise(requestAnimationFrame)
  return performance.now() - begin
}"""


def main() -> None:
    report_on("evidence.bench.compare", __doc__, "comparison", report_compare)


def report_compare(url: str, compare_address: str, session: str) -> None:
    from evidence.bench import scene  # noqa: PLC0415  # the settings come first

    all_address = f"{compare_address}?m=all"
    with signed_in_page(url, session) as page:
        print(HEADS)
        ask_server = partial(server_milliseconds, page, all_address)
        print(Latency("compare: server, first request", 5000, ask_server(1)), flush=True)
        print(Latency("compare: server, again", 1000, ask_server(TIMES)), flush=True)
        changed_milliseconds = []
        for _ in range(TIMES):
            scene.answer_anew()
            changed_milliseconds += ask_server(1)
        print(
            Latency("compare: server, after an answer more", 1000, changed_milliseconds), flush=True
        )
        print(
            Latency("first row of all, from the click", 1000, list(first_rows(page, all_address)))
        )
        print(
            Latency("first row of the best", 1000, list(first_rows(page, compare_address))),
            flush=True,
        )
        for name, times in scroll_times(page, all_address).items():
            print(Latency(f"{name}: seen → drawn", 300, times), flush=True)


def first_rows(page: Page, address: str) -> Iterator[float]:
    """Milliseconds from the navigation until the first row of the leaderboard is there."""
    for _ in range(TIMES):
        page.goto("about:blank")
        page.goto(address, wait_until="commit")
        page.wait_for_selector(".leaderboard tbody tr")
        yield float(page.evaluate("performance.now()"))


def scroll_times(page: Page, address: str) -> dict[str, list[float]]:
    """Milliseconds by figure from the scroll that shows it; each alone on a fresh page."""
    page.goto(address)
    names = page.locator("[data-plot]").evaluate_all("all => all.map(each => each.id)")
    times_by_figure: dict[str, list[float]] = {name: [] for name in names}
    for name in names:
        for _ in range(TIMES):
            page.goto(address)
            page.wait_for_timeout(1000)  # a person looks at the leaderboard first
            if (spent_milliseconds := page.evaluate(DRAWN, name)) is not None:
                times_by_figure[name].append(float(spent_milliseconds))
    return {name: times for name, times in times_by_figure.items() if times}


if __name__ == "__main__":
    main()
