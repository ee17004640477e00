"""Pictures of every page, light and dark, wide and narrow, and whether those that are kept are old.

    python -m docs.screenshots [PAGE …]   a throw-away installation with the demo is started,
                                          looked at, and removed again
    python -m docs.screenshots --check    which kept pictures are older than their pages

Beside the pictures that the README shows lies a digest of the templates, style sheets and scripts
of each page as it was drawn. Times of files say nothing in a fresh clone.
"""

from __future__ import annotations

import json
import os
import sys
import tempfile
from collections.abc import Mapping
from itertools import product
from pathlib import Path
from typing import TYPE_CHECKING, Final, Literal

from docs.page_sources import digest_of_sources, page_sources

if TYPE_CHECKING:
    from playwright.sync_api import Page

    from tests.browser.walk import PageWatch

Theme = Literal["light", "dark"]
THEMES: tuple[Theme, ...] = ("light", "dark")
ROOT = Path(__file__).resolve().parents[1]
FOLDER = ROOT / "docs" / "screenshots"
KEPT: Final = {
    "annotate": "annotate/task.html",
    "comparison": "analysis/comparison/compare.html",
    "series": "series/series.html",
}
"""Pages whose pictures the README shows, with their templates."""
AGAIN: Final = "run `make screenshots`, or `python -m docs.screenshots annotate comparison series`"
DIGESTS: Final = FOLDER / "digests.json"
SIZES = {"1280": {"width": 1280, "height": 800}, "390": {"width": 390, "height": 844}}


def main() -> int:
    """Take the pictures, or compare the kept ones with their pages; the exit status."""
    chosen_pages = set(sys.argv[1:])
    if "--check" in chosen_pages:
        return check_pictures()
    page_digests = present_digests()
    names = take_screenshots(chosen_pages)
    stored_digests = json.loads(DIGESTS.read_text("utf-8")) if DIGESTS.is_file() else {}
    new_digests = {name: page_digests[name] for name in KEPT if name in names}
    DIGESTS.write_text(
        json.dumps(stored_digests | new_digests, indent=1, sort_keys=True) + "\n", "utf-8"
    )
    return 0


def present_digests() -> dict[str, str]:
    """Digest of the files of each page whose picture is kept, as they are now."""
    return {name: digest_of_sources(page_sources(template)) for name, template in KEPT.items()}


def check_pictures() -> int:
    """Name each kept picture that was drawn from other files than its page has now."""
    drawn_digests = json.loads(DIGESTS.read_text("utf-8")) if DIGESTS.is_file() else {}
    outdated_pages = [
        name for name, digest in present_digests().items() if drawn_digests.get(name) != digest
    ]
    for name in outdated_pages:
        sys.stderr.write(f"docs/screenshots/{name}-*.png: older than the page; {AGAIN}\n")
    return int(bool(outdated_pages))


def take_screenshots(chosen_pages: set[str]) -> set[str]:
    """Start an installation with the demo, and take the pictures of `chosen_pages` pages, or of
    all.

    Returns the names of the pages that were drawn.
    """
    os.environ.setdefault("PLATEAU_MODE", "development")
    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "config.settings")
    import django  # noqa: PLC0415  # after the environment

    django.setup()
    from tests.browser.installation import running_demo  # noqa: PLC0415

    with (
        tempfile.TemporaryDirectory(prefix="plateau-pictures-") as folder,
        running_demo(Path(folder) / "data") as installation,
    ):
        installation.make_demo()
        installation.await_runs()  # or a board of some methods would stand for that of all
        return take_pictures(installation, chosen_pages)


def take_pictures(installation: object, chosen_pages: set[str]) -> set[str]:
    """Draw every page of the walk, or those of `chosen_pages`, as PNG files; return their names."""
    from playwright.sync_api import sync_playwright  # noqa: PLC0415

    from tests.browser.conftest import CHROMIUM, FLAGS  # noqa: PLC0415
    from tests.browser.installation import PEOPLE, DemoInstallation  # noqa: PLC0415
    from tests.browser.walk import PageWatch  # noqa: PLC0415

    assert isinstance(installation, DemoInstallation)  # noqa: S101
    all_stops = installation.stops(every_state=True)
    stops = [
        walk_stop
        for walk_stop in all_stops
        if not chosen_pages or walk_stop["name"] in chosen_pages
    ]
    FOLDER.mkdir(exist_ok=True)
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=CHROMIUM, args=FLAGS)
        people = dict.fromkeys(stop["who"] for stop in stops)
        for (width, size), person in product(SIZES.items(), people):
            context = installation.context(browser, PEOPLE[person], viewport=size)
            watch = PageWatch(context, installation.url)
            page = context.new_page()
            person_stops = (walk_stop for walk_stop in stops if walk_stop["who"] == person)
            for stop, theme in product(person_stops, THEMES):
                picture(page, watch, stop, theme, width)
            context.close()
        browser.close()
    return {stop["name"] for stop in stops}


def picture(
    page: Page, watch: PageWatch, stop: Mapping[str, str], theme: Theme, width: str
) -> None:
    """One page in one theme, as a file."""
    page.emulate_media(color_scheme=theme, reduced_motion="reduce")
    page.goto(stop["address"])
    watch.settle(page)
    if stop["name"] == "annotate":
        close_instructions(page)
    page.screenshot(path=FOLDER / f"{stop['name']}-{theme}-{width}.png")


def close_instructions(page: Page) -> None:
    """Close the instructions, and place a mark where the window is wide enough for one."""
    start = page.get_by_role("button", name="Start")
    if start.is_visible():
        start.click()
    surface = page.locator(".chart-stage:not(.is-hidden) .chart-surface")
    if surface.is_visible():
        surface.click(position={"x": 220, "y": 120})
        page.wait_for_timeout(300)


if __name__ == "__main__":
    raise SystemExit(main())
