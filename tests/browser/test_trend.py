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
    led: BrowserDriver, live_server: LiveServer, olga: User, complaints: list[str]
) -> None:
    led.visit(f"{live_server.url}/sign-in/")
    until(led, "document.querySelector('[name=username]').focus(); return true")
    led.press(*olga.username, "Tab", *PASSWORD, "Enter")
    until(led, "return location.pathname !== '/sign-in/'")

    led.visit(f"{live_server.url}/s/startup-times/data/")  # of one data set its own page
    follow(led, "Trend")
    reads(led, f"{NIGHTS} recordings", "1 benchmark has a regression of the last week", at="body")
    rows = led.run("return [...document.querySelectorAll('tr[data-row]')].map((e) => e.innerText)")
    assert len(rows) == len(STORIES)
    assert "night.Parse" in rows[0]
    assert "▼" in rows[0]
    assert any("night.Serve" in row and "▲" in row for row in rows)

    led.press("j", "Enter")
    text = reads(
        led, "regression of +6", "with simulated night 27", "has held for 4 recordings so far"
    )
    assert "\nsimulated" in text  # it says so, and not by the name alone
    assert until(led, DOTS) == NIGHTS
    follow(led, "Show as table")
    follow(led, f"simulated night {NIGHTS}")
    until(led, DRAWN)
    reads(led, "night.Parse", at="h1")
    assert complaints == []
