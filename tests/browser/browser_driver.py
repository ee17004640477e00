"""What a walk asks of a browser, whichever it is: Chromium always, Firefox where one is named."""

from __future__ import annotations

import os
import time
from collections.abc import Callable
from typing import Any, Protocol

from django.conf import settings
from django.test import Client
from playwright.sync_api import Error, Page

from people.models import User
from tests.browser.firefox import MarionetteError

BROWSERS = ("chromium", "firefox") if os.environ.get("PLATEAU_FIREFOX") else ("chromium",)
PATIENCE = 60.0  # seconds; a shared machine can be slow, and only a test that fails waits so long
PRESS = """
if (document.readyState !== "complete") return false
const named = document.querySelectorAll("a, button, summary")
const shown = [...named].filter((each) => each.checkVisibility())
const found = shown.find((each) => each.innerText.trim().startsWith(arguments[0]))
found?.click()
return Boolean(found)
"""


class BrowserDriver(Protocol):
    """One window. `run` gives what the body of a function returns in the page.

    `press` waits until the page is loaded: until its modules have run, no key acts.
    """

    def visit(self, address: str) -> None: ...
    def run(self, script: str, *arguments: object) -> Any: ...
    def press(self, *keys: str) -> None: ...
    def cookie(self, name: str, value: str, url: str) -> None: ...


class ChromiumDriver:
    """A page that playwright leads, in the words of `Firefox`."""

    def __init__(self, page: Page) -> None:
        self.page = page

    def visit(self, address: str) -> None:
        self.page.goto(address)

    def run(self, script: str, *arguments: object) -> Any:
        body = f"(given) => (function () {{ {script} }}).apply(null, given)"
        return self.page.evaluate(body, list(arguments))

    def press(self, *keys: str) -> None:
        self.page.wait_for_load_state()  # modules have run: before, nothing listens
        for key in keys:
            self.page.keyboard.press(key)

    def cookie(self, name: str, value: str, url: str) -> None:
        self.page.context.add_cookies([{"name": name, "value": value, "url": url}])


def wait_for(probe: Callable[[], Any], what: str, *, instead: Callable[[], Any] = str) -> Any:
    """Value of `probe` once that is something. A page that is being left is probed again.

    `instead` is what a failure tells of the page.
    """
    deadline = time.monotonic() + PATIENCE
    last_error: Exception | None = None
    while True:
        try:
            if answer := probe():
                return answer
        except (Error, MarionetteError) as error:
            last_error = error
        if time.monotonic() > deadline:
            raise AssertionError(
                f"after {PATIENCE:.0f} s still not: {what}\n{instead()}"
            ) from last_error
        time.sleep(0.05)


def until(led_browser: BrowserDriver, script: str, *arguments: object) -> Any:
    return wait_for(lambda: led_browser.run(script, *arguments), script)


def reads(led_browser: BrowserDriver, *texts: str, at: str = "main") -> str:
    """The text of the page once all of `texts` are in it."""
    script = "return document.querySelector(arguments[0])?.innerText ?? ''"

    def text() -> str:
        text: str = led_browser.run(script, at) or ""  # None between two pages
        return text if all(word in text for word in texts) else ""

    return str(wait_for(text, f"{texts} in {at}", instead=lambda: led_browser.run(script, "body")))


def follow(led_browser: BrowserDriver, name: str) -> None:
    """Press the button, follow the link, or open the disclosure whose name begins with `name`.

    Of a page that is loaded: until its modules have run, a button may do nothing.
    """
    until(led_browser, PRESS, name)


def is_ready(led_browser: BrowserDriver, mark: str) -> None:
    """Wait until a page's script has said that it is: `data-annotate=ready` and the like."""
    until(led_browser, "return document.documentElement.dataset[arguments[0]] === 'ready'", mark)


def shown_series(led_browser: BrowserDriver, *, after: str = "") -> str:
    """`Series 3`, once its values are drawn: before, no key answers it. After another one."""
    series_name: str = until(
        led_browser,
        "const page = document.querySelector('[data-face]');"
        "const heading = document.querySelector('h1').innerText;"
        "return page.dataset.face === 'series' && heading !== arguments[0] && heading",
        after,
    )
    return series_name


def sign_in(led_browser: BrowserDriver, user: User, url: str) -> None:
    """A session of `user`, without the form."""
    client = Client()
    client.force_login(user)
    name = settings.SESSION_COOKIE_NAME
    led_browser.visit(f"{url}/sign-in/")
    led_browser.cookie(name, client.cookies[name].value, url)
