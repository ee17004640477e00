"""All forks of a benchmark on one chart, under a pointer and on a phone."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
import pytest
from django.urls import reverse
from playwright.sync_api import Page, expect

from people.models import User
from series.models import Series

pytestmark = pytest.mark.django_db(transaction=True)


def test_a_fork_is_isolated_under_the_pointer_and_opened_by_a_click(
    open_page: Callable[..., Page],
    olga: User,
    make_series: Callable[..., Series],
    complaints: list[str],
) -> None:
    made = [make_series(np.full(40, 1.0 + 4 * fork), fork=fork) for fork in range(3)]
    where = made[0].benchmark.dataset
    names = [where.study.slug, where.slug, made[0].benchmark.public_id]
    page = open_page(olga)
    page.goto(reverse("benchmark-forks", args=names))
    curves = page.locator("#forks .scatterlayer .js-line")
    expect(curves).to_have_count(3)
    top = curves.nth(2).bounding_box()
    assert top

    page.mouse.move(top["x"] + top["width"] / 2 + 3, top["y"] + top["height"] / 2)

    expect(curves).to_have_count(4)  # the one below the pointer on a halo of its own
    expect(page.locator("#forks [data-plot-stage]")).to_have_attribute("data-leads", "")
    page.set_viewport_size({"width": 390, "height": 844})
    expect(page.locator("#forks .main-svg").first).to_be_visible()
    assert page.evaluate("document.documentElement.scrollWidth") <= 390
    page.set_viewport_size({"width": 1280, "height": 800})
    page.mouse.click(top["x"] + top["width"] / 2, top["y"] + top["height"] / 2)
    page.wait_for_url(f"**{made[2].get_absolute_url()}")
    assert not complaints
