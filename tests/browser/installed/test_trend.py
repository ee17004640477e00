"""From a data set with many recordings to what changed, when, and in which values."""

from __future__ import annotations

from analysis.site.demo import PASSWORD
from demo.nights import NIGHTS, STORIES
from tests.browser.browser_driver import BrowserDriver, follow, reads, until
from tests.browser.installation import OWNER, DemoInstallation

DOTS = """
const [dots] = document.querySelectorAll("#trend .scatterlayer .trace")
return dots?.querySelectorAll(".point").length
"""
DRAWN = "return document.querySelectorAll('.chart-stage:not(.is-hidden) .js-line').length"


def test_the_trend_of_the_demo_shows_what_happened(
    led: BrowserDriver, installation: DemoInstallation, complaints: list[str]
) -> None:
    led.visit(f"{installation.url}/sign-in/")
    until(led, "document.querySelector('[name=username]').focus(); return true")
    led.press(*OWNER, "Tab", *PASSWORD, "Enter")
    until(led, "return location.pathname === '/'")

    led.visit(f"{installation.url}/s/demo/data/")
    follow(led, "Nightly builds, simulated")
    follow(led, "Trend")
    reads(led, f"{NIGHTS} recordings", "1 benchmark with a regression of the last week", at="body")
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
