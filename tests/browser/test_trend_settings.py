"""A trend as a person meets it: which way is better, a past day, and a unit that says nothing."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Page, expect

from people.models import Study, User
from series.models import Benchmark
from series.reading import file_readers
from tests.analysis.trend.conftest import Nights, nights
from tests.browser.browser_driver import wait_for
from tests.browser.conftest import A_PROCESS
from tests.browser.test_import import drop

__all__ = ["nights"]

pytestmark = pytest.mark.django_db(transaction=True)
LEVELS = [1.0] * 20 + [1.2] * 4


def test_an_owner_says_that_more_is_better_and_a_past_day_knows_nothing_of_it(
    open_page: Callable[..., Page], olga: User, nights: Nights, complaints: list[str]
) -> None:
    benchmark = nights(LEVELS, unit="widgets", mode="")
    page = open_page(olga)
    page.goto(f"{benchmark.get_absolute_url()}trend/")
    change = page.get_by_role("region", name="Changes").locator("tbody tr")
    expect(change).to_contain_text("regression")

    page.get_by_role("link", name="Change", exact=True).click()
    page.locator("#direction select").select_option("more")
    page.get_by_role("button", name="Save").click()
    expect(page.locator("[data-direction]").first).to_have_attribute("data-direction", "owner")
    page.goto(f"{benchmark.get_absolute_url()}trend/")

    expect(change).to_contain_text("progression")
    page.set_viewport_size({"width": 390, "height": 844})  # a list there: nothing scrolls sideways
    expect(
        change.get_by_text("one recording so far").or_(change.get_by_text("has held"))
    ).to_be_visible()
    region = page.get_by_role("region", name="Changes")
    wait_for(
        lambda: region.evaluate("(all) => all.scrollWidth <= all.clientWidth"), "the region to fit"
    )
    page.locator(".trend-settings summary").click()
    field = page.get_by_label("As of")
    field.fill("2026-03-15")
    field.press("Enter")
    page.wait_for_url("**as_of=2026-03-15**")
    expect(page.locator(".trend-counts")).to_contain_text("As it was known")
    expect(change).to_have_count(0)
    assert not complaints


def test_an_import_asks_which_way_is_better_where_the_unit_does_not_say(
    open_page: Callable[..., Page],
    olga: User,
    study: Study,
    complaints: list[str],
    settings: Any,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    settings.DATA_DIR = tmp_path
    monkeypatch.setattr(file_readers.readers, "seconds", A_PROCESS / 1000)
    metric = {"scoreUnit": "widgets", "rawData": [[3.0] * 40 + [1.0] * 80]}
    page = open_page(olga)
    page.goto(f"/s/{study.slug}/import/")

    drop(page, made=json.dumps([{"benchmark": "a.B.c", "mode": "", "primaryMetric": metric}]))
    page.get_by_role("button", name="More is better").click(timeout=A_PROCESS)
    expect(page.locator("[data-doubt]")).to_have_count(0, timeout=A_PROCESS)
    page.locator("[data-import-now]").click()

    expect(page.locator("[data-told]")).to_be_visible()
    assert [benchmark.direction.source for benchmark in Benchmark.objects.all()] == ["owner"]
    assert not complaints
