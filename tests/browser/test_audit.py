"""Every page once, in both themes: accessible, silent, at home, and as wide as the window."""

from __future__ import annotations

import os
from collections.abc import Callable

import pytest
from django.core.management import call_command
from playwright.sync_api import BrowserContext
from pytest_django.live_server_helper import LiveServer

from tests.browser.walk import Demo, Watch, settle, sideways, stops, violations

FULL = os.environ.get("PLATEAU_AUDIT") == "full"
WIDE, NARROW = {"width": 1280, "height": 800}, {"width": 390, "height": 844}
SIZES = [WIDE, NARROW] if FULL else [WIDE]


@pytest.mark.django_db(transaction=True)
def test_every_page_is_accessible_silent_and_at_home(
    live_server: LiveServer, make_context: Callable[..., BrowserContext]
) -> None:
    call_command("demo", verbosity=0)
    demo = Demo.found()
    people = {"owner": demo.owner, "annotator": demo.annotator, "nobody": None}
    wrong: list[str] = []

    for size in SIZES:
        for who, user in people.items():
            context = make_context(user, viewport=size)
            watch = Watch(context, live_server.url)
            page = context.new_page()
            for stop in (each for each in stops(demo) if each.who == who):
                for theme in ("light", "dark"):
                    page.emulate_media(color_scheme=theme, reduced_motion="reduce")
                    page.goto(stop.address)
                    settle(page)
                    found = violations(page) + watch.taken()
                    if sideways(page) > 0:
                        found.append(f"scrolls sideways by {sideways(page)} px")
                    place = f"{stop.name}, {theme}, {size['width']}"
                    wrong += [f"{place}: {each}" for each in found]
            context.close()

    assert not wrong, "\n".join(wrong)
