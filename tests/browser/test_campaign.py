"""Making a campaign: outlines are picked by keys, and numbers stepped by buttons."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
import pytest
from playwright.sync_api import Page, expect

from annotate.models import Campaign
from people.models import User
from series.models import Series


@pytest.fixture
def forks_and_another(make_series: Callable[..., Series]) -> list[Series]:
    """Sixty forks of one benchmark, and one of another."""
    values = np.linspace(2.0, 1.0, 70)
    series = [make_series(values, name="Sort.merge", fork=fork) for fork in range(60)]
    return [*series, make_series(values, name="Json.read")]


def test_outlines_are_picked_by_keys_over_pages_and_filters(
    open_page: Callable[..., Page],
    forks_and_another: list[Series],
    olga: User,
    complaints: list[str],
) -> None:
    page = open_page(olga)
    page.goto("/s/startup-times/campaigns/new/")
    page.get_by_role("textbox", name="Name", exact=True).fill("Picked")
    page.get_by_text("Pick…").click()
    boxes = page.locator("[data-outlines] input")
    expect(boxes).to_have_count(48)
    heading = page.locator("#chosen-series h2")

    boxes.first.focus()
    for key in ("Space", "ArrowDown", "Space"):
        page.keyboard.press(key)
    expect(heading).to_have_text("2 picked")
    page.keyboard.press("PageDown")
    expect(boxes).to_have_count(13)
    expect(boxes.first).to_be_focused()
    page.keyboard.press("Space")
    expect(heading).to_have_text("3 picked")
    page.get_by_label("Words").fill("merge")
    expect(page.get_by_text("60 series match the filters")).to_be_visible()
    expect(heading).to_have_text("3 picked")
    boxes.first.focus()
    page.keyboard.press("n")
    expect(heading).to_have_text("1 picked")
    page.get_by_role("button", name="Save draft").click()
    expect(page.get_by_text("Saved as a draft.")).to_be_visible()

    campaign = Campaign.objects.get(name="Picked")
    assert campaign.tasks.count() == 1
    assert complaints == []


def test_numbers_are_stepped_and_kept_at_once(
    open_page: Callable[..., Page], campaign: Campaign, olga: User, complaints: list[str]
) -> None:
    Campaign.objects.update(state=Campaign.State.DRAFT)
    page = open_page(olga, viewport={"width": 390, "height": 844})
    page.goto(f"/s/startup-times/campaigns/{campaign.slug}/edit/")
    page.locator("#most > summary").click()
    answers = page.get_by_label("Answers per series", exact=False).and_(page.locator("input"))
    fewer_button = page.get_by_role("button", name="Answers per series: fewer")

    fewer_button.click()
    fewer_button.click()

    expect(answers).to_have_value("4")
    box = fewer_button.bounding_box()
    assert box
    assert min(box["width"], box["height"]) >= 44
    expect(page.locator("#words-most")).to_contain_text("four people a series")
    campaign.refresh_from_db()
    assert campaign.overlap == 4
    assert complaints == []


@pytest.mark.parametrize("has_touch", [True, False])
def test_a_phone_shares_a_link_and_a_desk_copies_it(
    open_page: Callable[..., Page], campaign: Campaign, olga: User, *, has_touch: bool
) -> None:
    page = open_page(
        olga, viewport={"width": 390, "height": 844}, has_touch=has_touch, is_mobile=has_touch
    )
    page.add_init_script("navigator.share = async (what) => { window.shared = what }")
    page.goto(f"/s/startup-times/campaigns/{campaign.slug}/edit/")
    page.get_by_role("button", name="Add a person").click()
    copy = page.get_by_role("button", name="Copy the link of person 1")
    share = page.get_by_role("button", name="Share the link of person 1")

    expect(share if has_touch else copy).to_be_visible()
    expect(copy if has_touch else share).to_be_hidden()
    if has_touch:
        share.click()
        page.wait_for_function("() => window.shared")

        assert page.evaluate("window.shared.url") == page.locator("code").inner_text()


def test_a_new_campaign_is_kept_as_it_is_filled_in_and_opened_at_once(
    open_page: Callable[..., Page],
    forks_and_another: list[Series],
    olga: User,
    complaints: list[str],
) -> None:
    page = open_page(olga)
    page.goto("/s/startup-times/campaigns/new/")
    page.get_by_role("textbox", name="Name", exact=True).fill("Kept")
    page.get_by_text("All forks", exact=True).click()
    expect(page.locator("#open-words")).to_contain_text("61 series, 5 people")
    expect(page.locator("#draft-state")).to_contain_text("saved as a draft")
    page.wait_for_url("**/campaigns/kept/edit/")
    page.reload()
    expect(page.get_by_role("textbox", name="Name", exact=True)).to_have_value("Kept")
    page.get_by_role("button", name="Open campaign").click()
    expect(page.get_by_text("5 to come")).to_be_visible()

    campaign = Campaign.objects.get()
    assert (campaign.state, campaign.tasks.count(), campaign.invitations.count()) == ("open", 61, 5)
    assert complaints == []
