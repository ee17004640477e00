"""The system's Chromium, once a session; a page of its own for each test."""

from __future__ import annotations

import os
import shutil
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from django.conf import settings
from django.test import Client
from playwright.sync_api import (
    Browser,
    BrowserContext,
    ConsoleMessage,
    Page,
    ViewportSize,
    expect,
    sync_playwright,
)
from pytest_django.live_server_helper import LiveServer

from people.models import User
from tests.browser import firefox
from tests.browser.browser_driver import BROWSERS, ChromiumDriver
from tests.browser.firefox import Firefox
from tests.browser.installation import DemoInstallation, started

# Chromium without its window takes a third less of the processor.
PROGRAMS = ("chromium-headless-shell", "chromium", "chromium-browser", "google-chrome")
FOUND = next(filter(None, map(shutil.which, PROGRAMS)), PROGRAMS[0])
CHROMIUM = os.environ.get("PLATEAU_CHROMIUM", FOUND)
FLAGS = [
    "--no-sandbox",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
    "--force-color-profile=srgb",
]
WINDOW: ViewportSize = {"width": 1280, "height": 800}
LOUD = {"error", "warning"}  # messages of the console that are wrong
PATIENCE = 60_000  # ms; a shared machine can be slow, and only a test that fails waits so long
expect.set_options(timeout=PATIENCE)


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    here = Path(__file__).parent
    for item in items:
        if here in item.path.parents:
            item.add_marker(pytest.mark.browser)


@pytest.fixture(scope="session")
def browser() -> Iterator[Browser]:
    if not Path(CHROMIUM).exists():
        if os.environ.get("CI") == "true":
            pytest.fail(f"{CHROMIUM} is missing: install Chromium, or set PLATEAU_CHROMIUM")
        pytest.skip(f"{CHROMIUM} is missing: install Chromium, or set PLATEAU_CHROMIUM")
    with sync_playwright() as playwright:
        chromium = playwright.chromium.launch(executable_path=CHROMIUM, args=FLAGS)
        yield chromium
        chromium.close()


@pytest.fixture
def make_context(
    browser: Browser, live_server: LiveServer
) -> Iterator[Callable[..., BrowserContext]]:
    """A browser of one person, signed in without the form; several may be open at once."""
    opened: list[BrowserContext] = []

    def make(user: User | None = None, **options: object) -> BrowserContext:
        options.setdefault("viewport", WINDOW)
        context = browser.new_context(base_url=live_server.url, **options)  # type: ignore[arg-type]
        context.set_default_timeout(PATIENCE)
        if user:
            sign_in(context, user, live_server.url)
        opened.append(context)
        return context

    yield make
    for context in opened:
        context.close()


def sign_in(context: BrowserContext, user: User, url: str) -> None:
    """Gives the browser a session of `user`."""
    client = Client()
    client.force_login(user)
    name = settings.SESSION_COOKIE_NAME
    context.add_cookies([{"name": name, "value": client.cookies[name].value, "url": url}])


@pytest.fixture
def complaints() -> list[str]:
    """What pages said on the console, or threw: most tests assert that it is empty."""
    return []


@pytest.fixture
def open_page(
    make_context: Callable[..., BrowserContext], complaints: list[str]
) -> Callable[..., Page]:
    """A page of a person, which notes every complaint."""

    def make(user: User | None = None, **options: object) -> Page:
        page = make_context(user, **options).new_page()

        def note(message: ConsoleMessage) -> None:
            if message.type in LOUD:
                complaints.append(message.text)

        page.on("console", note)
        page.on("pageerror", lambda error: complaints.append(str(error)))
        return page

    return make


@pytest.fixture(params=BROWSERS)
def led(
    request: pytest.FixtureRequest, tmp_path: Path, complaints: list[str]
) -> Iterator[ChromiumDriver | Firefox]:
    """A window of each browser that there is; what Chromium says on the console is noted."""
    if request.param == "firefox":
        with firefox.started(Path(os.environ["PLATEAU_FIREFOX"]), tmp_path / "profile") as running:
            yield running
        return
    context = request.getfixturevalue("browser").new_context(viewport=WINDOW)
    page = context.new_page()
    page.on("console", lambda said: complaints.append(said.text) if said.type in LOUD else None)
    page.on("pageerror", lambda error: complaints.append(str(error)))
    yield ChromiumDriver(page)
    context.close()


@pytest.fixture(scope="session")
def launched(tmp_path_factory: pytest.TempPathFactory) -> Iterator[DemoInstallation]:
    """One whole installation with nothing in it."""
    with started(tmp_path_factory.mktemp("installation") / "data") as running:
        yield running
