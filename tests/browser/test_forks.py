"""All forks of a benchmark on one chart, under a pointer and on a phone."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
import pytest
from playwright.sync_api import Page, expect

from people.models import User
from series.models import Series
from tests.browser.browser_driver import wait_for
from tests.browser.patience import SOON, fits, resting_box

pytestmark = pytest.mark.django_db(transaction=True)


def test_a_fork_is_isolated_under_the_pointer_and_opened_by_a_click(
    open_page: Callable[..., Page],
    olga: User,
    make_series: Callable[..., Series],
    complaints: list[str],
) -> None:
    series = [make_series(np.full(40, 1.0 + 4 * fork), fork=fork) for fork in range(3)]
    page = open_page(olga)
    page.goto(f"{series[0].get_absolute_url()}#fork-chart")
    curves = page.locator("#all-forks .scatterlayer .js-line")
    expect(curves).to_have_count(4)  # the fork of the page on a halo of its own, above the others
    drawing = page.locator("#all-forks .main-svg").first
    wide_box, top_box = resting_box(drawing), resting_box(curves.nth(1))

    page.mouse.move(top_box["x"] + top_box["width"] / 2 + 3, top_box["y"] + top_box["height"] / 2)

    wait_for(
        lambda: abs((curves.nth(3).bounding_box() or wide_box)["y"] - top_box["y"]) < 8,
        "the one below the pointer to be raised",
    )
    expect(curves).to_have_count(4)
    expect(page.locator("#all-forks [data-plot-stage]")).to_have_attribute("data-leads", "")
    page.set_viewport_size({"width": 390, "height": 844})
    expect(drawing).to_be_visible()
    fits(page, 390)
    page.set_viewport_size({"width": 1280, "height": 800})
    wait_for(lambda: drawing.bounding_box() == wide_box, "the drawing as it was")
    page.mouse.click(top_box["x"] + top_box["width"] / 2, top_box["y"] + top_box["height"] / 2)
    page.wait_for_url(f"**{series[2].get_absolute_url()}")
    assert not complaints


def test_a_drag_shows_a_part_in_finer_values_and_a_double_click_everything(
    open_page: Callable[..., Page],
    olga: User,
    make_series: Callable[..., Series],
    complaints: list[str],
) -> None:
    series = make_series(np.linspace(1, 50, 9_000), fork=0)
    make_series(np.linspace(1, 50, 9_000), fork=1)
    page = open_page(olga)
    page.goto(f"{series.get_absolute_url()}#fork-chart")
    plot = page.locator("#all-forks .nsewdrag")
    sentence = page.locator("#all-forks figcaption")
    expect(sentence).to_contain_text("medians of every 3 iterations")
    box = resting_box(plot)

    page.mouse.move(box["x"] + 0.25 * box["width"], box["y"] + 100)
    page.mouse.down()
    page.mouse.move(box["x"] + 0.5 * box["width"], box["y"] + 100, steps=5)
    page.mouse.up()

    expect(sentence).to_contain_text("Every value is drawn.")
    first, last = (
        int(page.locator(f"[name={field_name}]").input_value()) for field_name in ("from", "to")
    )
    assert (first, last) == (pytest.approx(2250, abs=40), pytest.approx(4500, abs=40))
    expect(plot).to_be_visible()
    coarse_sentence = sentence.get_by_text("medians of every 3 iterations")

    def everything() -> bool:
        """Two clicks that a slow machine takes for single ones are made again."""
        plot.dblclick(position={"x": 300, "y": 100})
        coarse_sentence.wait_for(timeout=SOON)
        return True

    wait_for(everything, "everything after a double click")
    page.locator("[name=scale]").select_option("log")
    expect(page.locator("[name=scale]")).to_have_value("log")
    expect(page.locator("#all-forks .ytick").first).to_be_visible()
    assert not complaints
