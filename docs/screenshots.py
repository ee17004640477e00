"""Pictures of every page, light and dark, wide and narrow: `make screenshots [PAGES]`.

A throw-away installation with the demo is started, looked at, and removed again.
"""

from __future__ import annotations

import os
import sys
import tempfile
from collections.abc import Mapping
from itertools import product
from pathlib import Path
from typing import TYPE_CHECKING, Literal

if TYPE_CHECKING:
    from playwright.sync_api import Page

    from tests.browser.walk import PageWatch

Theme = Literal["light", "dark"]
THEMES: tuple[Theme, ...] = ("light", "dark")
ROOT = Path(__file__).resolve().parents[1]
FOLDER = ROOT / "docs" / "screenshots"
SIZES = {"1280": {"width": 1280, "height": 800}, "390": {"width": 390, "height": 844}}


def main() -> None:
    os.environ.setdefault("PLATEAU_MODE", "development")
    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "config.settings")
    import django  # noqa: PLC0415  # after the environment

    django.setup()
    from tests.browser.installation import started  # noqa: PLC0415

    with (
        tempfile.TemporaryDirectory(prefix="plateau-pictures-") as folder,
        started(Path(folder) / "data") as installation,
    ):
        installation.make_demo()
        take(installation, set(sys.argv[1:]))


def take(installation: object, chosen: set[str]) -> None:
    """Every page of the walk, or those of `chosen`, as PNG files in docs/screenshots."""
    from playwright.sync_api import sync_playwright  # noqa: PLC0415

    from tests.browser.conftest import CHROMIUM, FLAGS  # noqa: PLC0415
    from tests.browser.installation import PEOPLE, DemoInstallation  # noqa: PLC0415
    from tests.browser.walk import PageWatch  # noqa: PLC0415

    assert isinstance(installation, DemoInstallation)  # noqa: S101
    there = installation.stops(every_state=True)
    stops = [each for each in there if not chosen or each["name"] in chosen]
    FOLDER.mkdir(exist_ok=True)
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=CHROMIUM, args=FLAGS)
        people = dict.fromkeys(stop["who"] for stop in stops)
        for (width, size), who in product(SIZES.items(), people):
            context = installation.context(browser, PEOPLE[who], viewport=size)
            watch = PageWatch(context, installation.url)
            page = context.new_page()
            mine = (each for each in stops if each["who"] == who)
            for stop, theme in product(mine, THEMES):
                picture(page, watch, stop, theme, width)
            context.close()
        browser.close()


def picture(
    page: Page, watch: PageWatch, stop: Mapping[str, str], theme: Theme, width: str
) -> None:
    """One page in one theme, as a file."""
    page.emulate_media(color_scheme=theme, reduced_motion="reduce")
    page.goto(stop["address"])
    watch.settle(page)
    if stop["name"] == "annotate":
        begin(page)
    page.screenshot(path=FOLDER / f"{stop['name']}-{theme}-{width}.png")


def begin(page: Page) -> None:
    """Close the instructions, and place a mark where the window is wide enough for one."""
    start = page.get_by_role("button", name="Start")
    if start.is_visible():
        start.click()
    surface = page.locator(".chart-stage:not(.is-hidden) .chart-surface")
    if surface.is_visible():
        surface.click(position={"x": 220, "y": 120})
        page.wait_for_timeout(300)


if __name__ == "__main__":
    main()
