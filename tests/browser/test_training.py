"""Training in a browser: answers, what is known of each, and then the campaign."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
import pytest
from playwright.sync_api import Page, expect

from annotate import training
from annotate.models import Campaign, Task
from people.models import User
from series.models import Series


@pytest.fixture
def trained(
    transactional_db: None,
    monkeypatch: pytest.MonkeyPatch,
    olga: User,
    make_series: Callable[..., Series],
    make_task: Callable[[Series], Task],
) -> Campaign:
    """A campaign of one series that asks for a training of two shapes; guides were read."""
    monkeypatch.setattr(training, "SHAPES", ("step", "drift"))
    task = make_task(make_series(np.where(np.arange(200) < 90, 2.0, 1.0)))
    made = training.create(task.campaign.study, seed=1, by=olga)
    Campaign.objects.filter(pk=task.campaign.pk).update(training=made)
    task.campaign.annotators.update(guide_seen=1)
    return made


def test_training_is_answered_explained_passed_and_opens_the_campaign(
    open_page: Callable[..., Page], ana: User, trained: Campaign, complaints: list[str]
) -> None:
    page = open_page(ana)
    first = trained.trains.get()

    page.goto(f"{first.get_absolute_url()}annotate/")
    page.get_by_role("button", name="Begin").click()
    page.wait_for_selector("html[data-annotate=ready]")
    page.get_by_role("button", name="Start").click()
    known = trained.tasks.get(position=1).expected
    feedback = page.locator("[data-feedback]")
    expect(feedback).to_be_hidden()
    page.get_by_label("Steady from").fill(str(known.low))
    page.keyboard.press("Enter")
    page.keyboard.press("Enter")

    expect(feedback).to_contain_text(f"Inside the accepted band, {known.low} to {known.high}.")
    expect(feedback).to_contain_text(known.sentence)
    expect(page.locator(".chart-stage:not(.is-hidden) .chart-accepted")).to_have_count(1)
    expect(page.get_by_role("heading", level=1)).to_have_text("Series 1")
    page.keyboard.press("Enter")
    expect(page.get_by_role("heading", level=1)).to_have_text("Series 2")
    page.keyboard.press("n")
    page.keyboard.press("Enter")
    expect(feedback).to_contain_text("Never steady: as known.")
    page.get_by_role("button", name="Next").click()

    expect(page.locator("main")).to_contain_text("You passed with 2 of 2 points.")
    page.get_by_role("link", name=f"Annotate {first}").click()
    page.wait_for_selector("html[data-annotate=ready]")
    assert page.url.endswith(first.tasks.get().get_absolute_url())
    assert complaints == []
