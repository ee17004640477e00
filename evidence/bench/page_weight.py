"""Weight of each kind of page: kB and requests that a browser with an empty cache receives.

`python -m evidence.bench.page_weight http://127.0.0.1:8000/` measures an installation that runs
with its demo, signed in as its owner, in Chromium at 1280 px, until a page asks for nothing more.
Sizes are those on the wire, heads included. It prints a row for each page: the words, the elements
and the controls that show, and the primary action.
"""

from __future__ import annotations

import sys
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any, Final

from playwright.sync_api import Browser, Page, sync_playwright

from evidence.bench.annotate import CHROMIUM
from evidence.bench.timing import machine, parser_of
from formats.markdown import head, row

OWNER, ANNOTATOR, PASSWORD = "demo", "ada", "plateau-demo"
DATA, CAMPAIGNS, RUNS = "/s/demo/data/", "/s/demo/campaigns/", "/s/demo/runs/"
COMPARE, TO_DO = "/s/demo/comparison/", "/s/demo/what-to-do/"
MOST_BYTES, MOST_REQUESTS, MOST_ELEMENTS = 500_000, 25, 4000
MOST_CONTROLS: Final = {"Compare": 60, "Compare, all methods": 60, "Start a run": 80}
IDLE: Final = 2000  # ms
PATIENCE: Final = 120_000  # ms for a page of a busy machine
FIRST_OF: Final = """([start, end]) => [...document.querySelectorAll("main a[href]")]
  .map((link) => new URL(link.href).pathname)
  .find((path) => path.startsWith(start) && path.endsWith(end)
    && !/\\/(new|marks|trend)\\/$/.test(path) && path !== start)"""
SHOWN: Final = """() => {
  const shows = (one) => one.checkVisibility({ visibilityProperty: true })
  const seen = (selector) => [...document.querySelectorAll(selector)].filter(shows)
  return {
    elements: document.querySelectorAll("*").length,
    words: document.querySelector("main").innerText.split(/\\s+/).length,
    controls: seen("main :is(a, button, input, select, textarea, summary):not(:disabled)").length,
    primary: seen("main .button-primary")[0]?.innerText.replaceAll(/\\s+/g, " ").trim() ?? "",
  }
}"""


@dataclass(slots=True)
class PageWeight:
    """One row of the table.

    question  that the page answers
    shown     counts of what shows, and the words of the primary action
    """

    name: str
    question: str
    bytes: int = 0
    requests: int = 0
    shown: dict[str, Any] = field(default_factory=dict)

    @property
    def keeps_limits(self) -> bool:
        """True where bytes, requests, elements and controls are within what a page may have."""
        return (
            self.bytes <= MOST_BYTES
            and self.requests <= MOST_REQUESTS
            and self.shown["elements"] <= MOST_ELEMENTS
            and self.shown["controls"] <= MOST_CONTROLS.get(self.name, MOST_ELEMENTS)
        )

    def __str__(self) -> str:
        names = ("primary", "controls", "words", "elements")
        counts = [self.shown[name] or "–" for name in names]
        return row(self.name, self.question, *counts, round(self.bytes / 1e3), self.requests)


def main() -> int:
    """Print a row for each page; 1 if one exceeds a limit."""
    parser = parser_of("evidence.bench.page_weight", __doc__)
    parser.add_argument("url", help="of an installation with its demo")
    parser.add_argument("--only", help="pages whose name contains this")
    options = parser.parse_args()
    print(f"Machine: {machine()}; headless Chromium, empty cache\n")
    print(head("page", "question", "primary", "controls", "words", "elements", "kB", "requests"))
    heavy_pages = []
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=CHROMIUM, args=["--no-sandbox"])
        owner, annotator = (sign_in(browser, options.url, person) for person in (OWNER, ANNOTATOR))
        for name, question, address in pages(browser, options.url, owner):
            if options.only and options.only.lower() not in name.lower():
                continue
            cookies = annotator if name == "Annotate" else owner
            page_weight = weigh(browser, options.url, cookies, PageWeight(name, question), address)
            print(page_weight, flush=True)
            heavy_pages += [] if page_weight.keeps_limits else [name]
        browser.close()
    print(f"\nOver a limit: {', '.join(heavy_pages) or 'none'}.")
    return bool(heavy_pages)


def sign_in(browser: Browser, url: str, name: str) -> Any:
    """Cookies of a person of the demo who has signed in."""
    context = browser.new_context(base_url=url)
    page = context.new_page()
    page.goto("/sign-in/")
    page.get_by_label("User name").fill(name)
    page.get_by_label("Password").fill(PASSWORD)
    page.locator("main").get_by_role("button", name="Sign in").click()
    page.wait_for_url(lambda address: "sign-in" not in address)
    cookies = context.cookies()
    context.close()
    return cookies


def pages(browser: Browser, url: str, cookies: Any) -> Iterator[tuple[str, str, str]]:
    """Name, question and address of each kind of page of the demo."""
    context = browser.new_context(base_url=url)
    context.add_cookies(cookies)
    page = context.new_page()

    def first_link(listing: str, start: str = "", end: str = "/") -> str:
        """The first link of a list that leads below `start`."""
        page.goto(listing)
        address = page.evaluate(FIRST_OF, [start or listing, end])
        if not address:
            raise SystemExit(f"found no link below {start or listing} on {listing}")
        return str(address)

    dataset_address = f"{DATA}recorded/"
    campaign_address = f"{CAMPAIGNS}first-look/"
    series_address = first_link(dataset_address, "/s/demo/series/")
    yield "Study", "What next?", "/s/demo/"
    yield "Data", "Which series are odd?", dataset_address
    yield "Trend", "Did a build change it?", f"{DATA}nights/trend/"
    yield "Series", "Who says what here?", series_address
    yield "Import", "Was it understood?", "/s/demo/import/"
    yield "Campaigns", "Which one?", CAMPAIGNS
    yield "New campaign", "Who marks what?", f"{CAMPAIGNS}new/"
    yield "Campaign", "What came of it?", campaign_address
    yield "Annotate", "Steady from where?", f"{campaign_address}annotate/"
    yield "Disagreements", "Which of these answers counts?", "/s/demo/disagreements/"
    yield "Runs", "Is everything computed?", RUNS
    yield "Start a run", "Which methods, how long?", f"{RUNS}new/"
    yield "Run", "Is it done, and if not why?", first_link(RUNS)
    yield "Compare", "Which method is best here?", COMPARE
    yield "Compare, all methods", "", f"{COMPARE}?m=all"
    yield "What to do", "How do I run this benchmark?", TO_DO
    yield "People and settings", "Who may do what?", "/s/demo/people/"
    yield "Methods", "Which are there?", "/methods/"
    yield "Try it", "What would it say?", "/playground/"
    yield "Help", "How does it work?", "/help/"
    context.close()


def weigh(
    browser: Browser, url: str, cookies: Any, page_weight: PageWeight, address: str
) -> PageWeight:
    """Open a page in a context of its own and count what comes."""
    context = browser.new_context(base_url=url, viewport={"width": 1280, "height": 900})
    context.add_cookies(cookies)
    page = context.new_page()
    page.set_default_timeout(PATIENCE)
    devtools = context.new_cdp_session(page)
    devtools.send("Network.enable")

    sent_addresses: set[str] = set()  # requests that leave the browser: none for an address of data

    def remember_request(event: dict[str, Any]) -> None:
        if event["request"]["url"].startswith("http"):
            sent_addresses.add(event["requestId"])

    def add_bytes(event: dict[str, Any]) -> None:
        page_weight.bytes += int(event["encodedDataLength"])
        page_weight.requests += event["requestId"] in sent_addresses

    devtools.on("Network.requestWillBeSent", remember_request)
    devtools.on("Network.loadingFinished", add_bytes)
    page.goto(address, wait_until="networkidle")
    wait_until_idle(page)
    page_weight.shown = page.evaluate(SHOWN)
    context.close()
    return page_weight


def wait_until_idle(page: Page) -> None:
    """Wait for what a page asks for once it is idle, such as a library of figures."""
    page.wait_for_timeout(IDLE)
    page.wait_for_load_state("networkidle")


if __name__ == "__main__":
    sys.exit(main())
