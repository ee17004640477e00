"""From a data set with many recordings to what changed, when, and in which values."""

from __future__ import annotations

import pytest
from pytest_django.live_server_helper import LiveServer

from demo.nights import NIGHTS, STORIES, night_measurements
from people.models import Study, User
from series.importing.services import create_dataset, import_measurements
from tests.browser.browser_driver import BrowserDriver, follow, reads, until
from tests.conftest import PASSWORD

DOTS = """
const [dots] = document.querySelectorAll("#trend .scatterlayer .trace")
return dots?.querySelectorAll(".point").length
"""
DRAWN = "return document.querySelectorAll('.chart-stage:not(.is-hidden) .js-line').length"


@pytest.fixture
def nights(study: Study, olga: User) -> None:
    """As the demo has them."""
    dataset = create_dataset(study, name="Nightly builds, simulated", simulated=True)
    import_measurements(dataset, night_measurements(), "simulated", by=olga)


@pytest.mark.usefixtures("nights")
def test_the_trend_of_the_demo_shows_what_happened(
    led_browser: BrowserDriver, live_server: LiveServer, olga: User, complaints: list[str]
) -> None:
    led_browser.visit(f"{live_server.url}/sign-in/")
    until(led_browser, "document.querySelector('[name=username]').focus(); return true")
    led_browser.press(*olga.username, "Tab", *PASSWORD, "Enter")
    until(led_browser, "return location.pathname !== '/sign-in/'")

    led_browser.visit(f"{live_server.url}/s/startup-times/data/")  # of one data set its own page
    follow(led_browser, "Trend")
    reads(
        led_browser,
        f"{NIGHTS} recordings",
        "1 benchmark has a regression of the last week",
        at="body",
    )
    rows = led_browser.run(
        "return [...document.querySelectorAll('tr[data-row]')].map((e) => e.innerText)"
    )
    assert len(rows) == len(STORIES)
    assert "night.Parse" in rows[0]
    assert "▼" in rows[0]
    assert any("night.Serve" in row and "▲" in row for row in rows)

    led_browser.press("j", "Enter")
    text = reads(
        led_browser,
        "regression of +6",
        "with simulated night 27",
        "has held for 4 recordings so far",
    )
    assert "\nsimulated" in text  # it says so, and not by the name alone
    assert until(led_browser, DOTS) == NIGHTS
    follow(led_browser, "Show as table")
    follow(led_browser, f"simulated night {NIGHTS}")
    until(led_browser, DRAWN)
    reads(led_browser, "night.Parse", at="h1")
    assert complaints == []
