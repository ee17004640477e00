"""Every page once, in both themes: accessible, silent, at home, and as wide as the window."""

from __future__ import annotations

import os

from playwright.sync_api import Browser

from tests.browser.installation import ANNOTATOR, NOBODY, OWNER, Installation
from tests.browser.walk import Watch, settle, sideways, violations

FULL = os.environ.get("PLATEAU_AUDIT") == "full"
WIDE, NARROW = {"width": 1280, "height": 800}, {"width": 390, "height": 844}
PEOPLE = {"owner": OWNER, "annotator": ANNOTATOR, "nobody": NOBODY}


def test_every_page_is_accessible_silent_and_at_home(
    installation: Installation, browser: Browser
) -> None:
    """Narrow pages are read for their width alone, unless the whole matrix is asked for."""
    stops = installation.stops()
    wrong: list[str] = []

    for size in (WIDE, NARROW):
        for who, name in PEOPLE.items():
            context = installation.context(browser, name, viewport=size)
            watch = Watch(context, installation.url)
            page = context.new_page()
            for stop in (each for each in stops if each["who"] == who):
                for theme in ("light", "dark") if size is WIDE or FULL else ("light",):
                    page.emulate_media(color_scheme=theme, reduced_motion="reduce")
                    page.goto(stop["address"])
                    settle(page)
                    found = violations(page) if size is WIDE or FULL else []
                    found += watch.taken()
                    if sideways(page) > 0:
                        found.append(f"scrolls sideways by {sideways(page)} px")
                    place = f"{stop['name']}, {theme}, {size['width']}"
                    wrong += [f"{place}: {each}" for each in found]
            context.close()

    assert len(stops) > 30
    assert not wrong, "\n".join(wrong)
