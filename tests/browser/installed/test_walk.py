"""The whole way of a team, on an installation without anything in it.

Somebody makes the first account, imports a table of a spreadsheet and asks five people; they mark
by clicks and keys, two of them on a phone; the recipe's answers are those worked out by hand. Then
detectors run; the comparison and its files hold the right numbers. Nobody types an address: the
first page and the five links are opened, everything else is reached by what the pages offer.
"""

from __future__ import annotations

import gzip
import json
import re
from pathlib import Path

from playwright.sync_api import Browser, BrowserContext, ViewportSize, expect

from tests.browser.installation import ROOT, DemoInstallation
from tests.browser.person import PersonAtBrowser

RECORDED = ("java-word-count", "node-ray-tracer")
FORK_COUNT = 3  # of each: enough for a ranking
SERIES_COUNT = FORK_COUNT * len(RECORDED)
MOST_CLICKS = 15  # of the organiser, from the first page to the ground truth as a file
METHODS = {"fixed": "Fixed iteration", "kb-kssd": "KB-KSSD", "ruptures-pelt": "PELT"}
PEOPLE = ("hana", "ivan", "jana", "karl", "lena")
PHONE_USERS = {"karl", "lena"}
PASS_PHRASE = "a-long-pass-phrase"
WINDOW: ViewportSize = {"width": 1280, "height": 800}
PHONE: ViewportSize = {"width": 390, "height": 844}
TYPED_BY_KEY = {"Home": "0", "End": "2999"}  # what a phone, which has no such keys, types instead

# Marks of the five by position. A number is typed; the others are single keys; what is not named
# is clicked, by all at the same place.
ANSWERS: dict[int, tuple[str, ...]] = {
    1: ("318", "320", "322", "340", "1044"),
    2: ("n", "n", "n", "n", "700"),
    3: ("Home", "Home", "Home", "End", "End"),
}
# By hand: a cluster of four, whose third by value is 322; four of five say never; the three
# zeros lie within 50 of one another and their middle is 0, the two last iterations are noise.
ROWS_BY_HAND = {
    ("steady", "322", "clustered", "726"),
    ("never", "-1", "mostly-never", "0"),
    ("steady", "0", "clustered", "2999"),
}


COLUMNS = ("answer", "steady_start", "agreement", "spread")


def test_from_nothing_to_a_comparison_of_five_people(
    launched_installation: DemoInstallation, browser: Browser, tmp_path: Path
) -> None:
    owner_context = launched_installation.context(browser, "", viewport=WINDOW)
    owner = PersonAtBrowser(owner_context.new_page())
    owner.page.goto("/")

    make_account_and_study(owner)
    import_table(owner, spreadsheet(tmp_path))
    links = ask_five(owner)
    contexts = [
        launched_installation.context(
            browser, "", viewport=PHONE if name in PHONE_USERS else WINDOW
        )
        for name in PEOPLE
    ]
    for number, (context, link) in enumerate(zip(contexts, links, strict=True)):
        annotate(join(context, link, PEOPLE[number]), number)
    truth = ground_truth(owner, tmp_path)
    print(f"from the first page to the ground truth: {owner}")  # noqa: T201
    assert owner.clicks <= MOST_CLICKS

    assert len(truth) == SERIES_COUNT
    assert {tuple(row[name] for name in COLUMNS) for row in truth} > ROWS_BY_HAND
    assert {row["recipe_params"] for row in truth} == {"eps=50&min_samples=3"}
    run_detectors(owner)
    board = compare(owner, tmp_path)
    assert {row["method"] for row in board} >= set(METHODS)
    print(f"with a run and its comparison: {owner}")  # noqa: T201

    overlay_shows_all(owner)
    for context in (owner_context, *contexts):
        context.close()


def spreadsheet(folder: Path) -> Path:
    """Recorded values as a spreadsheet of another country writes them: `;` between, `,` within."""
    columns: dict[str, list[float]] = {}
    for name in RECORDED:
        packed_bytes = (ROOT / "demo" / "recordings" / f"{name}.json.gz").read_bytes()
        [benchmark] = json.loads(gzip.decompress(packed_bytes))
        for number, fork in enumerate(benchmark["primaryMetric"]["rawData"][:FORK_COUNT], start=1):
            columns[f"{name} {number} ms"] = [value / 1e6 for value in fork]
    rows = [";".join(("Durchlauf", *columns))]
    for number, values in enumerate(zip(*columns.values(), strict=True), start=1):
        written_values = (f"{value:.6f}".replace(".", ",") for value in values)
        rows.append(";".join((str(number), *written_values)))
    target = folder / "Messung.csv"
    target.write_text("\r\n".join(rows), encoding="utf-8-sig")
    return target


def make_account_and_study(owner: PersonAtBrowser) -> None:
    owner.link("Make the first account")
    owner.type("User name", "olga-walks")
    owner.type("Password", PASS_PHRASE)
    owner.type("Password again", PASS_PHRASE)
    owner.button("Make the account")
    owner.type("Name", "Walk")
    owner.button("Make the study")


def import_table(owner: PersonAtBrowser, file: Path) -> None:
    owner.link("Import values")
    owner.choose(file)
    expect(owner.page.locator("[data-reading]")).to_contain_text("decimal commas")
    owner.button(f"Import {SERIES_COUNT} series")


def ask_five(owner: PersonAtBrowser) -> list[str]:
    """A campaign of all series, opened with its five links, which are copied."""
    owner.link("Make a campaign")
    owner.type("Name", "First look")
    owner.click(owner.page.get_by_role("button", name=re.compile("^Open campaign: .*5 people")))
    expect(owner.page.locator("main code")).to_have_count(5)
    owner.button("Copy 5 open links")
    return owner.page.locator("main code").all_inner_texts()


def run_detectors(owner: PersonAtBrowser) -> None:
    owner.link("Runs")
    owner.link("Start a run")
    owner.button("None")
    for slug in METHODS:
        owner.click(owner.page.locator(f"input[name=methods][value={slug}]"))
    owner.button(f"Run {len(METHODS)} methods on")
    count = SERIES_COUNT * len(METHODS)
    expect(owner.page.get_by_text(f"All {count} answers are there.")).to_be_visible(timeout=240_000)


def join(context: BrowserContext, link: str, name: str) -> PersonAtBrowser:
    """Somebody new opens the link, gives a name, and is at the first series at once."""
    person = PersonAtBrowser(context.new_page())
    person.page.goto(link)
    person.type("Your name", name)
    person.button("Start")
    person.page.wait_for_selector("html[data-annotate=ready]")
    person.button("Start")
    return person


def annotate(person: PersonAtBrowser, number: int) -> None:
    """Each series is answered as its position says."""
    page = person.page
    heading = page.get_by_role("heading", level=1)
    for remaining_count in reversed(range(SERIES_COUNT)):
        expect(page.locator("[data-face=series]")).to_be_visible()  # before, no key answers it
        expect(heading).to_have_text(re.compile(r"^Series \d+$"))
        heading_text = heading.inner_text()
        answer_text = ANSWERS.get(int(heading_text.removeprefix("Series ")), ("",) * 5)[number]
        if PEOPLE[number] in PHONE_USERS:
            answer_by_touch(person, TYPED_BY_KEY.get(answer_text, answer_text))
        else:
            answer(person, answer_text)
            person.press("Enter")
        if remaining_count:
            expect(heading).not_to_have_text(heading_text)
    expect(page.get_by_text(f"All {SERIES_COUNT} answered. Thank you.")).to_be_visible()


def answer(person: PersonAtBrowser, what: str) -> None:
    if what == "n":
        person.press("n")
        return
    person.click(person.page.locator(".chart-surface"), at=(200, 100))  # a real mark first
    if what.isdecimal():
        person.type("Steady from", what)
        person.press("Enter")
        expect(person.page.get_by_label("Steady from")).to_have_value(what)
    elif what:
        person.press(what)


def answer_by_touch(person: PersonAtBrowser, what: str) -> None:
    """Answer and save with what the screen shows, without a key."""
    if what == "n":
        person.click(person.page.locator("[data-do=never]"))
    else:
        person.click(person.page.locator(".chart-surface"), at=(200, 100))
    if what.isdecimal():
        person.type("Steady from", what)
    person.click(person.page.locator("[data-do=save]"))


def ground_truth(owner: PersonAtBrowser, folder: Path) -> list[dict[str, str]]:
    owner.link("Campaigns")  # the study has one: this is its page
    open_tab(owner, "Ground truth")
    return owner.download("Ground truth CSV", folder)


def compare(owner: PersonAtBrowser, folder: Path) -> list[dict[str, str]]:
    """The leaderboard stands first, with its file below it."""
    owner.link("Compare")
    return owner.download("CSV", folder)


def open_tab(owner: PersonAtBrowser, name: str) -> None:
    owner.click(owner.page.locator(".tabs").get_by_role("link", name=name))


def overlay_shows_all(owner: PersonAtBrowser) -> None:
    owner.link("Campaigns")  # the study has one: this is its page
    open_tab(owner, "Ground truth")
    owner.click(owner.page.locator("tbody tr", has_text="322").get_by_role("link"))
    table = owner.page.get_by_role("region", name="Detections")
    expect(table.get_by_role("row").filter(has_text="ground truth")).to_contain_text("322")
    for title in METHODS.values():
        row = table.get_by_role("row").filter(has_text=title)
        expect(row.get_by_role("checkbox", name=re.compile(title))).to_be_checked()
    description = owner.page.locator("#chart-description")
    expect(description).to_contain_text("Ground truth: steady from 322.")
