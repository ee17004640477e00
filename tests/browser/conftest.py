"""The system's Chromium, once a session; a page of its own for each test."""

from __future__ import annotations

import os
import shutil
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

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

from detectors.compilation.stack_room import with_stack_room
from people.models import User
from tests.browser import firefox
from tests.browser.browser_driver import BROWSERS, ChromiumDriver
from tests.browser.context_pool import ContextPool
from tests.browser.firefox import Firefox
from tests.browser.installation import DemoInstallation, running_demo
from tests.browser.slow_network import LONGEST, slowed

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
    "--renderer-process-limit=1",  # no spare one for each page, for half as many starts
    "--js-flags=--no-opt",  # what runs on one page costs more to optimise than it takes
]
WINDOW: ViewportSize = {"width": 1280, "height": 800}
LOUD = {"error", "warning"}  # messages of the console that are wrong
PATIENCE = 60_000  # ms; a shared machine can be slow, and only a test that fails waits so long
A_PROCESS = 3 * PATIENCE  # for what the server starts a process of its own for
expect.set_options(timeout=PATIENCE)


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    path = Path(__file__).parent
    for item in items:
        if path in item.path.parents:
            item.add_marker(pytest.mark.browser)
            # Of a run two at most (`addopts`). Where data could be lost, none: tests/stack.
            item.add_marker(pytest.mark.flaky(reruns=1))


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


@pytest.fixture(scope="session")
def live_server(live_server: LiveServer) -> LiveServer:
    """Lets a browser keep what is static, as in use it does; on a slow network, nothing."""
    server = live_server.thread.httpd
    application = server.get_app()
    assert application

    @with_stack_room
    def answer(environ: dict[str, Any], start_response: Callable[..., Any]) -> Any:
        def start(status: str, headers: list[tuple[str, str]], *more: object) -> Any:
            if environ["PATH_INFO"].startswith(settings.STATIC_URL):
                headers.append(("Cache-Control", "no-store" if LONGEST else "max-age=3600"))
            return start_response(status, headers, *more)

        return application(environ, start)

    server.set_app(slowed(answer))
    return live_server


@pytest.fixture(scope="session")
def context_pool(browser: Browser, live_server: LiveServer) -> ContextPool:
    return ContextPool(browser, live_server.url)


@pytest.fixture
def make_context(context_pool: ContextPool) -> Iterator[Callable[..., BrowserContext]]:
    """A browser of one person, signed in without the form; several may be open at once."""
    contexts: list[BrowserContext] = []

    def make(user: User | None = None, **options: object) -> BrowserContext:
        context = context_pool.take(**{"viewport": WINDOW, **options})
        if user:
            sign_in(context, user, context_pool.url)
        contexts.append(context)
        return context

    yield make
    for context in contexts:
        context_pool.give_back(context)


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
def led_browser(
    request: pytest.FixtureRequest, tmp_path: Path, complaints: list[str]
) -> Iterator[ChromiumDriver | Firefox]:
    """A window of each browser that there is; what Chromium says on the console is noted."""
    if request.param == "firefox":
        with firefox.running_firefox(
            Path(os.environ["PLATEAU_FIREFOX"]), tmp_path / "profile"
        ) as driver:
            yield driver
        return
    context = request.getfixturevalue("make_context")()
    page = context.new_page()
    page.on(
        "console", lambda message: complaints.append(message.text) if message.type in LOUD else None
    )
    page.on("pageerror", lambda error: complaints.append(str(error)))
    yield ChromiumDriver(page)


@pytest.fixture(scope="session")
def launched_installation(tmp_path_factory: pytest.TempPathFactory) -> Iterator[DemoInstallation]:
    """One whole installation with nothing in it."""
    with running_demo(tmp_path_factory.mktemp("installation") / "data") as server:
        yield server
