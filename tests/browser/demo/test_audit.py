"""Every page once, in both themes: accessible, silent, at home, and as wide as the window."""

from __future__ import annotations

import os
import time
from collections.abc import Iterator
from typing import Final, Literal

import pytest
from playwright.sync_api import Browser, Page, ViewportSize
from pytest_django.live_server_helper import LiveServer

from analysis.site import demo
from detectors.registry import registry
from people.models import User
from tests.browser.conftest import PATIENCE, sign_in
from tests.browser.installation import PEOPLE
from tests.browser.page_rules import METHOD_COUNTS, faults, method_count
from tests.browser.walk import PageWatch, every_stop, sideways, violations
from tests.browser.walk_page import WalkPage

FULL = os.environ.get("PLATEAU_AUDIT") == "full"
WIDE: Final[ViewportSize] = {"width": 1280, "height": 800}
NARROW: Final[ViewportSize] = {"width": 390, "height": 844}
Theme = Literal["light", "dark"]
LOOKS: Final[tuple[tuple[ViewportSize, Theme], ...]] = (
    ((WIDE, "light"), (WIDE, "dark"), (NARROW, "light"), (NARROW, "dark"))
    if FULL
    else ((WIDE, "light"),)
)
"""Window and theme of each part of the walk; `make audit LOOK=390-dark` takes one part."""


@pytest.mark.parametrize(
    ("size", "theme"), LOOKS, ids=[f"{size['width']}-{theme}" for size, theme in LOOKS]
)
def test_every_page_is_accessible_silent_and_at_home(
    live_server: LiveServer, browser: Browser, size: ViewportSize, theme: Theme
) -> None:
    """The whole matrix loads every page in both themes and widths.

    Without, each page is loaded once: dark is looked at for its contrast, narrow for its width.
    """
    demo.make_demo(lambda *_: None)
    stops = every_stop(every_state=FULL)
    fault_lines: list[str] = []
    method_counts: dict[str, int] = {}

    for person in dict.fromkeys(stop.who for stop in stops):
        context = browser.new_context(base_url=live_server.url, viewport=size)
        context.set_default_timeout(PATIENCE)
        if name := PEOPLE[person]:
            sign_in(context, User.objects.get(username=name), live_server.url)
        watch = PageWatch(context, live_server.url)
        page = context.new_page()
        for stop in (stop_of_person for stop_of_person in stops if stop_of_person.who == person):
            page_faults = (
                audit_page(page, watch, stop, theme) if FULL else audit_page_once(page, watch, stop)
            )
            fault_lines += [
                f"{stop.name}, {size['width']}, {page_fault}" for page_fault in page_faults
            ]
            count = method_count(page, stop.name)
            if count is not None:
                method_counts[stop.name] = count
        context.close()

    assert len(stops) > 30
    assert method_counts == dict.fromkeys(METHOD_COUNTS, len(registry()))
    assert not fault_lines, "\n".join(fault_lines)


def audit_page(page: Page, watch: PageWatch, stop: WalkPage, theme: Theme) -> Iterator[str]:
    page.emulate_media(color_scheme=theme, reduced_motion="reduce")
    page.goto(stop.address)
    watch.settle(page)
    yield from (
        *violations(page),
        *faults(page, stop.name),
        *watch.take_complaints(),
        *width_faults(page),
    )


def audit_page_once(page: Page, watch: PageWatch, stop: WalkPage) -> Iterator[str]:
    page.emulate_media(color_scheme="light", reduced_motion="reduce")
    page.goto(stop.address)
    watch.settle(page)
    wide_faults = faults(page, stop.name)
    yield from (*violations(page), *wide_faults, *width_faults(page))
    page.emulate_media(color_scheme="dark", reduced_motion="reduce")
    yield from (f"dark: {violation}" for violation in violations(page, of_colours=True))
    page.set_viewport_size(NARROW)
    wait_for_width(page)
    narrow_faults = (fault for fault in faults(page, stop.name) if fault not in wide_faults)
    yield from (f"narrow: {fault}" for fault in (*narrow_faults, *width_faults(page)))
    page.set_viewport_size(WIDE)
    yield from watch.take_complaints()


def wait_for_width(page: Page) -> None:
    """Wait until charts have taken the new width; one that never does is found by its width."""
    deadline = time.monotonic() + PATIENCE / 1000
    while sideways(page) > 0 and time.monotonic() < deadline:
        page.wait_for_timeout(50)


def width_faults(page: Page) -> list[str]:
    overflow = sideways(page)
    return [f"scrolls sideways by {overflow} px"] if overflow > 0 else []
