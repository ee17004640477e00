"""Where a method is tried, moving a slider moves the mark, and the address leads back to it."""

from __future__ import annotations

import re
from collections.abc import Callable

from playwright.sync_api import Page, expect

from people.models import User


def test_the_mark_follows_the_slider_and_the_link_leads_back(
    open_page: Callable[..., Page], olga: User, complaints: list[str]
) -> None:
    page = open_page(olga)
    page.goto("/playground/?kind=step&n=500&m=fixed%3Fiteration%3D20")  # an old address
    answer = page.locator("[data-play-answer]")
    expect(answer).to_have_text("Fixed iteration: steady from 20")
    field = page.get_by_label("iteration iterations")

    slider = page.get_by_label("iteration, slider")
    slider.focus()
    slider.press("ArrowRight")

    moved_value = int(field.input_value())
    assert moved_value > 20
    expect(answer).to_have_text(f"Fixed iteration: steady from {moved_value}")
    expect(page).to_have_url(re.compile(rf"m=fixed%401%3Fiteration%3D{moved_value}"))
    page.reload()
    expect(answer).to_have_text(f"Fixed iteration: steady from {moved_value}")
    page.get_by_label("Method", exact=True).select_option("sdm")
    expect(page.get_by_role("heading", level=1)).to_contain_text("SDM")
    expect(answer).to_contain_text(re.compile("SDM.*: "))
    expect(page).to_have_url(re.compile(r"/methods/sdm/\?.*m=sdm%40"))
    page.get_by_label("Method", exact=True).select_option("plateau")
    expect(answer).to_have_text(re.compile(r"^Plateau: steady from \d+ \(.*steps?.* at \d+, "))
    assert complaints == []
