"""The whole way, on a whole installation: from a dropped file to a ground truth in a file.

An owner imports, makes a campaign and invites; five people join, sign in and answer three series
by clicks and keys; the recipe's answers are those worked out by hand; a worker runs detectors;
the overlay shows them; the CSV holds the right numbers.
"""

from __future__ import annotations

import csv
import io
import re
from pathlib import Path

from playwright.sync_api import Browser, BrowserContext, Page, expect

from tests.browser.installation import OWNER, ROOT, DemoInstallation

FILE = ROOT / "demo" / "recordings" / "java-word-count.json.gz"
PEOPLE = ("hana", "ivan", "jana", "karl", "lena")
PASS_PHRASE = "a-long-pass-phrase"
DROP = """async ([name, bytes]) => {
  const area = document.querySelector("[data-drop]")
  const data = new DataTransfer()
  data.items.add(new File([new Uint8Array(bytes)], name))
  for (const kind of ["dragenter", "dragover", "drop"])
    area.dispatchEvent(new DragEvent(kind, { dataTransfer: data, bubbles: true, cancelable: true }))
}"""

# Marks of the five by position. A number is typed; the others are single keys.
ANSWERS: dict[int, tuple[str, ...]] = {
    1: ("318", "320", "322", "340", "1044"),
    2: ("n", "n", "n", "n", "700"),
    3: ("Home", "Home", "Home", "End", "End"),
}
# By hand: a cluster of four, whose third by value is 322; four of five say never; the three
# zeros lie within 50 of one another and their middle is 0, the two last iterations are noise.
BY_HAND = {
    1: ("steady", "322", "clustered", "726"),
    2: ("never", "-1", "mostly-never", "0"),
    3: ("steady", "0", "clustered", "2999"),
}


def test_from_a_dropped_file_to_a_ground_truth_in_a_file(
    installation: DemoInstallation, browser: Browser, tmp_path: Path
) -> None:
    owner_context = installation.context(browser, OWNER, viewport={"width": 1280, "height": 800})
    owner = owner_context.new_page()

    make_study(owner)
    import_by_drop(owner)
    make_campaign(owner)
    people = [join(installation, browser, owner, name) for name in PEOPLE]
    add_annotators(owner)
    for number, context in enumerate(people):
        annotate(context, number)
    truth = download(owner, tmp_path)

    names = sorted(row["benchmark"] for row in truth)
    assert names == ["java.WordCount"] * 3
    found = {(row["answer"], row["steady_start"], row["agreement"], row["spread"]) for row in truth}
    assert found == set(BY_HAND.values())
    assert {row["recipe_params"] for row in truth} == {"eps=50&min_samples=3"}

    run_detectors(owner)
    overlay_shows_all(owner)
    for context in (owner_context, *people):
        context.close()


def make_study(owner: Page) -> None:
    owner.goto("/studies/new/")
    owner.get_by_label("Name").fill("Walk")
    owner.get_by_role("button", name="Make the study").click()
    expect(owner.get_by_role("heading", level=1)).to_have_text("Walk")


def import_by_drop(owner: Page) -> None:
    owner.goto("/s/walk/import/")
    owner.wait_for_load_state("networkidle")
    owner.evaluate(DROP, [FILE.name, list(FILE.read_bytes())])
    owner.get_by_text("Change", exact=True).click()
    owner.get_by_label("Name of the new data set").fill("Words")
    owner.get_by_role("button", name="Import 5 series").click()
    owner.locator("[data-told]").get_by_role("link", name="Words").click()
    expect(owner.get_by_text("1 benchmark · 5 series")).to_be_visible()


def make_campaign(owner: Page) -> None:
    owner.goto("/s/walk/campaigns/new/")
    owner.get_by_label("Name").fill("By hand")
    owner.get_by_label("Of these").select_option("random")
    owner.get_by_label("How many").fill("3")
    expect(owner.get_by_role("heading", name="3 series")).to_be_visible()
    owner.get_by_role("button", name="Next: question").click()
    expect(owner).to_have_url(re.compile(r"/by-hand/settings/question/$"))


def join(
    installation: DemoInstallation, browser: Browser, owner: Page, name: str
) -> BrowserContext:
    """The owner makes a link; somebody new opens it and makes an account."""
    owner.goto("/s/walk/people/")
    owner.get_by_role("button", name="Make an invitation link").click()
    link = owner.locator("main code").first.inner_text()
    context = installation.context(browser, "", viewport={"width": 1280, "height": 800})
    page = context.new_page()
    page.goto(link)
    page.get_by_label("User name").fill(name)
    page.get_by_label("Password", exact=True).fill(PASS_PHRASE)
    page.get_by_label("Password again").fill(PASS_PHRASE)
    page.get_by_role("button", name="Start").click()
    expect(page.get_by_role("heading", level=1)).to_have_text("Walk")
    page.close()
    return context


def add_annotators(owner: Page) -> None:
    owner.goto("/s/walk/campaigns/by-hand/settings/people/")
    for name in PEOPLE:
        owner.get_by_label(name).check()
    owner.get_by_role("button", name="Next: blindness").click()
    owner.goto("/s/walk/campaigns/by-hand/")
    owner.get_by_role("button", name="Open campaign").click()
    expect(owner.get_by_text("The campaign is open.")).to_be_visible()


def annotate(context: BrowserContext, number: int) -> None:
    """Home leads to the work; each series is answered as its position says."""
    page = context.new_page()
    page.goto("/")
    page.get_by_role("link", name="Continue").click()
    page.wait_for_selector("html[data-annotate=ready]")
    page.get_by_role("button", name="Start").click()
    for done in range(1, 4):
        heading = page.get_by_role("heading", level=1)
        expect(page.locator("[data-face=series]")).to_be_visible()  # before, no key answers it
        expect(heading).to_have_text(re.compile(r"^Series \d+$"))
        shown = heading.inner_text()
        position = shown.removeprefix("Series ")
        answer(page, ANSWERS[int(position)][number])
        page.keyboard.press("Enter")
        if done < 3:
            expect(heading).not_to_have_text(shown)
    expect(page.get_by_text("All 3 answered. Thank you.")).to_be_visible()
    expect(page.locator("[data-status]")).to_contain_text(f"Saved · series {position}")
    page.close()


def answer(page: Page, what: str) -> None:
    if what == "n":
        page.keyboard.press("n")
        return
    surface = page.locator(".chart-stage:not(.is-hidden) .chart-surface")
    surface.click(position={"x": 200, "y": 100})  # a real mark first, which is then moved
    if what.isdecimal():
        field = page.get_by_label("Steady from")
        field.fill(what)
        field.press("Enter")
        expect(field).to_have_value(what)
    else:
        page.keyboard.press(what)


def download(owner: Page, folder: Path) -> list[dict[str, str]]:
    owner.goto("/s/walk/campaigns/by-hand/results/")
    with owner.expect_download() as started:
        owner.get_by_role("link", name="Ground truth CSV").click()
    target = folder / "ground-truth.csv"
    started.value.save_as(target)
    return list(csv.DictReader(io.StringIO(target.read_text(encoding="utf-8"))))


def run_detectors(owner: Page) -> None:
    owner.goto("/s/walk/runs/new/")
    for box in owner.locator("input[name=methods]").all():
        box.set_checked(box.get_attribute("value") in {"kb-kssd", "fixed", "ruptures-pelt"})
    owner.get_by_role("button", name="Start run").click()
    expect(owner.get_by_text(re.compile(r"15 of 15"))).to_be_visible(timeout=90_000)


def overlay_shows_all(owner: Page) -> None:
    owner.goto("/s/walk/campaigns/by-hand/results/")
    owner.locator("tbody tr", has_text="322").get_by_role("link").first.click()
    table = owner.get_by_role("region", name="Detections")
    truth = table.get_by_role("row").filter(has_text="ground truth")
    expect(truth).to_contain_text("322")
    for method in ("KB-KSSD", "Fixed iteration", "PELT"):
        row = table.get_by_role("row").filter(has_text=method)
        expect(row.get_by_role("checkbox", name=re.compile(method))).to_be_checked()
    description = owner.locator("#chart-description")
    expect(description).to_contain_text("Ground truth: steady from 322.")
