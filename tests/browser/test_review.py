"""A review by keyboard alone: accept, exclude, undo, ask again; and the file that comes of it."""

from __future__ import annotations

import csv
import io
from collections.abc import Callable

import pytest
from playwright.sync_api import Page, expect

from analysis.models import ReviewDecision
from annotate import exports, looking_again
from annotate.models import Campaign
from people.models import User
from series.models import Series
from tests.analysis.compare.conftest import answered, compared_study, four, store

__all__ = ["answered", "compared_study", "four", "store"]

pytestmark = pytest.mark.django_db(transaction=True)


def decided(page: Page, key: str, text: str = "") -> None:
    """Presses a key, writes what is asked for; the next case is there before it is stored."""
    page.keyboard.press(key)
    if text:
        page.keyboard.type(text)
        page.keyboard.press("Enter")


def test_a_review_by_keyboard_ends_in_a_file_with_exclusions(
    compared_study: Campaign,
    four: list[Series],
    open_page: Callable[..., Page],
    olga: User,
    ana: User,
    complaints: list[str],
) -> None:
    page = open_page(olga)
    page.goto("/s/startup-times/review/?why=truth&why=scattered&m=any&o=list")
    expect(page.get_by_role("link", name="Open the first")).to_be_focused()
    page.keyboard.press("Enter")
    page.wait_for_url("**/review/*/**")
    heading = page.locator(".facts-below")
    expect(page.locator("html")).to_have_attribute("data-review", "ready")
    expect(heading).to_contain_text("fork 0 · 4 to go")
    expect(page.locator("[data-chart-problem]")).to_be_hidden()

    decided(page, "a")
    expect(heading).to_contain_text("fork 1 · 3 to go")
    decided(page, "x", "cut off at the end")
    expect(heading).to_contain_text("fork 2")
    page.keyboard.press("Backspace")
    expect(heading).to_contain_text("fork 1")
    expect(page.locator("[data-decision=accept]")).to_be_visible()
    decided(page, "x", "cut off, after all")
    expect(heading).to_contain_text("fork 2")
    page.keyboard.press("s")
    expect(heading).to_contain_text("fork 3")
    expect(page.locator(".chart-overlay [data-line=mark-a1]").first).to_be_attached()
    decided(page, "r", "Before or after the step?")
    page.wait_for_url("**/review/?**")
    expect(page.locator("tr[data-row]")).to_have_count(1)

    assert [each.kind for each in ReviewDecision.objects.all()] == [
        "accept",
        "exclude",
        "undo",
        "exclude",
        "look-again",
    ]
    rows = csv.DictReader(io.StringIO("".join(exports.ground_truth(compared_study, None))))
    assert [row["excluded"] for row in rows] == ["", "cut off, after all", "", ""]
    assert [each.question for each in looking_again.waiting(ana)] == ["Before or after the step?"]
    page.goto("/s/startup-times/compare/")
    expect(page.get_by_text("1 excluded in review")).to_be_visible()
    assert not complaints
