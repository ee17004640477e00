"""A page as a dialog over the page that leads to it: renaming and removing a data set."""

from __future__ import annotations

import re
from collections.abc import Callable

import pytest
from playwright.sync_api import Page, expect

from people.models import User
from series.models import Dataset, Series

pytestmark = pytest.mark.django_db(transaction=True)


@pytest.fixture
def data_page(open_page: Callable[..., Page], olga: User, dataset: Dataset, series: Series) -> Page:
    """Page of the data set of `series`, as its owner sees it."""
    page = open_page(olga)
    page.goto(dataset.get_absolute_url())
    return page


def ask_for_a_name(page: Page) -> None:
    page.get_by_text("Rename or remove").click()
    page.get_by_role("link", name="Rename").first.click()


def test_a_page_is_asked_as_a_dialog_and_closed_again(
    data_page: Page, complaints: list[str]
) -> None:
    ask_for_a_name(data_page)
    dialog = data_page.get_by_role("dialog")
    expect(dialog.get_by_label("Name")).to_be_visible()

    dialog.get_by_role("button", name="Close").click()

    expect(data_page.locator("dialog[aria-labelledby=asked-title]")).to_have_count(0)
    assert complaints == []


def test_a_page_that_cannot_be_a_dialog_is_gone_to(data_page: Page) -> None:
    data_page.context.clear_cookies()  # the session has ended meanwhile
    ask_for_a_name(data_page)

    expect(data_page).to_have_url(re.compile("sign-in"))
