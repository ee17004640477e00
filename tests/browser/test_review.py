"""A review of twenty cases by keyboard alone, the files that come of it, and its network."""

from __future__ import annotations

import csv
import io
from collections.abc import Callable
from typing import Any
from uuid import uuid4

import numpy as np
import pytest
from django.contrib.sessions.models import Session
from django.test import Client
from playwright.sync_api import Page, expect
from pytest_django.live_server_helper import LiveServer

from analysis.references.models import ReviewDecision
from analysis.runs.models import Detection
from annotate.answering import reannotation
from annotate.answering.services import save_mark
from annotate.blind import EVERYTHING
from annotate.models import Campaign, Task
from annotate.truth import exports
from detectors.registry import registry
from people.models import User
from series.models import Series
from tests.browser.browser_driver import BrowserDriver, is_ready, reads, sign_in, until, wait_for
from tests.browser.conftest import sign_in as sign_in_again
from tests.browser.patience import HeldRequests

pytestmark = pytest.mark.django_db(transaction=True)
SERIES, CASES = 22, 20
ADDRESS = "/s/startup-times/disagreements/?why=scattered&order=name"
SHOWN = """
const shown = document.querySelector("[data-case-head]")?.innerText ?? ""
return shown.includes(arguments[0]) && Boolean(document.querySelector(
  ".chart-stage:not(.is-hidden) .js-line"))
"""


@pytest.fixture
def scattered_campaign(
    make_series: Callable[..., Series], make_task: Callable[[Series], Task], ana: User, ben: User
) -> Campaign:
    """Marks of two people 80 apart, and one method between them."""
    step = np.where(np.arange(200) < 50, 2.0, 1.0)
    key = registry()["kb-kssd"]().key
    for fork in range(SERIES):
        task = make_task(make_series(step + fork / 100, fork=fork))
        digest = task.series.digest
        for person, index in ((ana, 20), (ben, 100)):
            save_mark(task, by=person, client_id=uuid4(), digest=digest, kind="steady", index=index)
        Detection.objects.create(
            series=task.series, detector_key=key, slug="kb-kssd", steady_start=50
        )
    return task.campaign


def test_twenty_cases_by_keyboard_end_in_files_with_exclusions(
    led_browser: BrowserDriver,
    live_server: LiveServer,
    scattered_campaign: Campaign,
    olga: User,
    ana: User,
    client: Client,
    complaints: list[str],
) -> None:
    sign_in(led_browser, olga, live_server.url)
    led_browser.visit(f"{live_server.url}{ADDRESS}")
    is_ready(led_browser, "review")

    for number in range(CASES):
        until(led_browser, SHOWN, f"{SERIES - number} to go")
        led_browser.press(*keys_for(number))
    until(led_browser, SHOWN, f"{SERIES - CASES} to go")
    led_browser.press("Backspace")  # the last one again: it was asked again
    until(led_browser, SHOWN, f"{SERIES - CASES + 1} to go")
    led_browser.press("a")
    until(led_browser, SHOWN, f"{SERIES - CASES} to go")

    wait_for(lambda: ReviewDecision.objects.count() == CASES + 2, "all decisions stored")
    kinds = list(ReviewDecision.objects.order_by("series__fork", "pk").values_list("kind"))
    expected_kinds = [(KINDS[number % 5],) for number in range(CASES)]
    assert kinds == [*expected_kinds, ("undo",), ("accept",)]
    led_browser.visit(f"{live_server.url}{ADDRESS}&state=closed")
    reads(led_browser, "Kept or left out: 17 of 22 series", at="body")
    file = led_browser.run("return document.querySelector('a[download]').getAttribute('href')")
    client.force_login(olga)
    rows = csv.DictReader(io.StringIO(b"".join(client.get(file)).decode()))
    excluded_rows = [(row["fork"], row["text"]) for row in rows if row["state"] == "excluded"]
    assert excluded_rows == [(str(n), f"cut off at {n}") for n in (1, 6, 11, 16)]
    truth = csv.DictReader(
        io.StringIO("".join(exports.ground_truth_csv(scattered_campaign, EVERYTHING)))
    )
    assert sorted(row["excluded"] for row in truth if row["excluded"]) == sorted(
        text for _, text in excluded_rows
    )
    waiting_questions = [waiting_task.question for waiting_task in reannotation.waiting_tasks(ana)]
    assert waiting_questions == ["Before 4?", "Before 9?", "Before 14?"]
    led_browser.visit(f"{live_server.url}/s/startup-times/comparison/")
    reads(led_browser, "4 left out by a decision")
    assert complaints == []


KINDS = ("accept", "exclude", "accept", "accept", "look-again")


def keys_for(number: int) -> list[str]:
    """What closes a case; a reason and a question are typed as a person types them."""
    kind = KINDS[number % 5]
    if kind == "exclude":
        return ["x", *f"cut off at {number}", "Enter"]
    if kind == "look-again":
        return ["r", *f"Before {number}?", "Enter"]
    return ["a"]


# --- what a network or a server does to a decision -------------------------------------------
FIRST = "/s/startup-times/disagreements/?why=scattered&order=name"
SAID, STRIP = "[data-review-said]", "[data-page-status]"
OpenPage = Callable[..., Page]


@pytest.fixture
def case(open_page: OpenPage, scattered_campaign: Campaign, olga: User) -> Page:
    """The first case, as an owner has it before them."""
    page = open_page(olga)
    page.goto(FIRST)
    wait_until_ready(page)
    return page


def wait_until_ready(page: Page) -> None:
    expect(page.locator("html")).to_have_attribute("data-review", "ready")
    page.wait_for_load_state("networkidle")


def wait_for_count(page: Page, count: int) -> None:
    expect(page.locator("[data-case-head]")).to_contain_text(f"{count} to go")


def test_a_row_shows_its_case_beside_the_list_and_keys_move_on(case: Page) -> None:
    rows = case.locator("[data-listed-case]")
    current_case = case.locator("[data-listed-case][aria-current]")

    rows.nth(3).click()
    expect(current_case).to_contain_text("fork 3")
    wait_for_count(case, SERIES - 3)
    case.keyboard.press("j")
    expect(current_case).to_contain_text("fork 4")
    case.wait_for_url(f"**{rows.nth(4).get_attribute('href')}")
    case.go_back()
    expect(current_case).to_contain_text("fork 3")
    case.keyboard.press("a")
    expect(rows.nth(3)).to_have_attribute("data-decided", "kept")


def test_a_phone_shows_the_list_first_and_a_case_as_its_own_page(
    open_page: OpenPage, scattered_campaign: Campaign, olga: User
) -> None:
    page = open_page(olga, viewport={"width": 390, "height": 800})
    page.goto(FIRST)
    expect(page.locator("[data-case-column]")).to_be_hidden()

    page.locator("[data-listed-case]").nth(1).click()

    wait_until_ready(page)
    expect(page.locator("[data-list]")).to_be_hidden()
    wait_for_count(page, SERIES - 1)


def test_without_a_network_decisions_are_kept_and_sent_after_a_reload(case: Page) -> None:
    case.route("**/decisions/**", lambda route: route.abort())

    case.keyboard.press("a")
    expect(case.locator(STRIP)).to_contain_text("1 decision is kept here and will be sent.")
    wait_for_count(case, SERIES - 1)
    case.on("dialog", lambda dialog: dialog.accept())  # it warns before it is left
    case.unroute("**/decisions/**")
    case.reload()
    wait_until_ready(case)

    wait_for(ReviewDecision.objects.exists, "the decision of before the reload")
    assert [review_decision.kind for review_decision in ReviewDecision.objects.all()] == ["accept"]


def test_what_stands_between_may_refuse_and_costs_no_decision(case: Page) -> None:
    sent_requests = HeldRequests(case, "**/decisions/**")
    case.keyboard.press("a")

    block_reply: dict[str, Any] = {"body": "<h1>Blocked</h1>", "headers": {"Retry-After": "1"}}
    for status in (403, 429):
        sent_requests.next().fulfill(status=status, **block_reply)
        refusal_words = f"(it says {status}). 1 decision is kept here"
        expect(case.locator(STRIP)).to_contain_text(refusal_words)
    sent_requests.next().continue_()
    expect(case.locator(SAID)).to_contain_text("Sent 1 decision.")
    assert ReviewDecision.objects.count() == 1


def test_signed_out_a_decision_waits_for_the_sign_in(
    case: Page, olga: User, live_server: LiveServer
) -> None:
    Session.objects.all().delete()
    case_requests = HeldRequests(case, "**/disagreements/*/?*")

    case.keyboard.press("a")
    expect(case.locator(STRIP)).to_have_text("You were signed out. Sign in to send 1 decision.")
    with case.expect_response("**/sign-in/**"):
        case_requests.next().continue_()
    case.wait_for_load_state("networkidle")
    expect(case.locator(f"{SAID} a")).to_have_text("Sign in in a new tab")
    sign_in_again(case.context, olga, live_server.url)
    case.evaluate("dispatchEvent(new Event('focus'))")  # the person comes back to this tab

    expect(case.locator(STRIP)).to_have_text("")
    assert [review_decision.kind for review_decision in ReviewDecision.objects.all()] == ["accept"]


def test_a_refused_decision_says_why_and_repeats_what_was_typed(
    case: Page, scattered_campaign: Campaign
) -> None:
    Campaign.objects.filter(pk=scattered_campaign.pk).update(state=Campaign.State.CLOSED)

    case.keyboard.press("r")
    case.keyboard.type("Before 4?")
    case.keyboard.press("Control+Enter")

    expect(case.locator(f"{SAID} [role=alert]")).to_contain_text("is closed")
    expect(case.locator(f"{SAID} [role=alert]")).to_contain_text("You wrote: “Before 4?”")
    expect(case.locator(f"{SAID} a")).to_have_text("Back to the case")
    assert not ReviewDecision.objects.exists()
