"""A security key in a browser, with the setting on: `test_sso` runs it."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from django.urls import reverse
from playwright.sync_api import CDPSession, Page, expect

from people.models import User
from people.sso import security_keys
from tests.browser.conftest import (
    browser,
    complaints,
    context_pool,
    live_server,
    make_context,
    open_page,
)
from tests.conftest import PASSWORD

# Fixtures.
__all__ = ["browser", "complaints", "context_pool", "live_server", "make_context", "open_page"]
KEY = {
    "protocol": "ctap2",
    "transport": "usb",
    "automaticPresenceSimulation": True,
    "isUserVerified": True,
    "hasUserVerification": True,
}


def plug_key(devtools: CDPSession) -> str:
    """The id of a new key, which is touched whenever somebody asks it."""
    options = {"options": KEY}
    authenticator: str = devtools.send("WebAuthn.addVirtualAuthenticator", options)[
        "authenticatorId"
    ]
    return authenticator


def sign_in(page: Page) -> None:
    page.goto(reverse("sign-in"))
    page.get_by_label("User name").fill("ana")
    page.get_by_label("Password").fill(PASSWORD)
    page.get_by_role("button", name="Sign in", exact=True).click()
    page.get_by_role("button", name="Use a security key").click()


@pytest.mark.django_db(transaction=True)
def test_a_key_is_added_signs_in_and_another_one_does_not(
    ana: User, open_page: Callable[..., Page], complaints: list[str]
) -> None:
    page = open_page(ana)
    devtools = page.context.new_cdp_session(page)
    devtools.send("WebAuthn.enable")
    good_key = plug_key(devtools)
    page.goto(reverse("security-keys"))
    page.get_by_label("Name").fill("blue key")
    page.get_by_label("Current password").fill(PASSWORD)
    page.get_by_role("button", name="Add").click()
    expect(page.get_by_role("heading", name="Recovery codes")).to_be_visible()
    page.get_by_role("link", name="I have kept them").click()
    page.context.clear_cookies()

    sign_in(page)
    expect(page.get_by_role("heading", name="One more step")).to_have_count(0)
    page.goto(reverse("second-factor"))
    expect(page.get_by_role("row", name="blue key")).to_contain_text("just now")
    page.context.clear_cookies()
    devtools.send("WebAuthn.removeVirtualAuthenticator", {"authenticatorId": good_key})
    plug_key(devtools)
    sign_in(page)

    expect(page.locator("[data-key-status]")).to_contain_text("No key answered.")
    assert len(security_keys.list_keys(ana)) == 1
    assert complaints == []
