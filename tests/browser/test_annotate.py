"""Annotating in a browser: what is shown is what is stored, and nothing is lost on the way."""

from __future__ import annotations

import re
import time
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
from django.contrib.sessions.models import Session
from django.db import connection
from django.urls import reverse
from django.utils import timezone
from playwright.sync_api import BrowserContext, Dialog, Locator, Page, Position, Route, expect
from pytest_django.live_server_helper import LiveServer

from annotate.drafts.campaign_forms import INSTRUCTIONS
from annotate.models import Campaign, Mark, Task
from people.models import User
from series.models import Series, SeriesValues
from tests.browser.conftest import PATIENCE, sign_in
from tests.browser.patience import HeldRequests, tap
from tests.locks import write_lock_held

N = 400
Make = Callable[..., list[Task]]
OpenPage = Callable[..., Page]


@pytest.fixture
def make_tasks(
    transactional_db: None, make_series: Callable[..., Series], make_task: Callable[[Series], Task]
) -> Make:
    """Series with a step at 90, all different; the instructions have been read."""

    def make(count: int, n: int = N) -> list[Task]:
        step = np.where(np.arange(n) < 90, 2.0, 1.0)
        tasks = [
            make_task(make_series(step + np.arange(n) % 7 * 0.01 * (fork + 1), fork=fork))
            for fork in range(count)
        ]
        tasks[0].campaign.annotators.update(guide_seen=1)
        return tasks

    return make


def visit(page: Page, task: Task) -> None:
    page.goto(task.get_absolute_url())
    page.wait_for_selector("html[data-annotate=ready]")


def values_are_here(page: Page, count: int) -> None:
    """Until the values of so many series have come: of the one shown, and of the next ones."""
    page.wait_for_function(
        """series => performance.getEntriesByType("resource").filter(({ name, responseEnd }) =>
          name.includes("/values/") && responseEnd).length >= series""",
        arg=count,
    )


def is_shown(page: Page, position: int) -> None:
    """The heading alone may be that of a series whose values are still to come."""
    expect(page.get_by_role("heading", level=1)).to_have_text(f"Series {position}")
    expect(page.locator("[data-face]")).to_have_attribute("data-face", "series")


def surface(page: Page) -> Locator:
    return page.locator(".chart-stage:not(.is-hidden) .chart-surface")


def click_iteration(page: Page, index: float, n: int = N) -> None:
    """A real click where an iteration is drawn."""
    box = surface(page).bounding_box()
    assert box
    page.mouse.click(box["x"] + (index + 0.5) / n * box["width"], box["y"] + box["height"] / 2)


def shown_answer(page: Page) -> tuple[str, str]:
    """The answer on the screen: kind, and what the number field says."""
    kind = page.locator("[data-answer]").get_attribute("data-kind") or ""
    return kind, page.get_by_label("Steady from").input_value()


def heading(page: Page) -> str:
    return page.get_by_role("heading", level=1).inner_text()


def stored_marks(task: Task) -> list[tuple[str, int | None]]:
    return list(task.marks.order_by("revision").values_list("kind", "index"))


def listen(page: Page) -> None:
    """Keep what the page says in passing: it goes away by itself."""
    page.evaluate("""() => {
      const place = document.querySelector("[data-status]")
      const hear = () => window.heard.push(place.textContent)
      window.heard = []
      new MutationObserver(hear).observe(place, { childList: true })
    }""")


def heard(page: Page, sentence: str) -> None:
    """Until the page has said it."""
    page.wait_for_function(
        "sentence => window.heard.some((each) => each.includes(sentence))", arg=sentence
    )


def wait_for_marks(page: Page, count: int) -> None:
    """Until the database has so many; the page is given time to send them."""
    deadline = time.monotonic() + PATIENCE / 1000
    while Mark.objects.count() < count:
        if time.monotonic() > deadline:
            pytest.fail(f"found {Mark.objects.count()} marks, expected {count}")
        page.wait_for_timeout(50)


def test_an_arrow_begins_a_mark_and_a_number_out_of_range_says_the_range(
    open_page: OpenPage,
    ana: User,
    make_tasks: Make,
    make_series: Callable[..., Series],
    make_task: Callable[[Series], Task],
    complaints: list[str],
) -> None:
    (first,) = make_tasks(1)
    make_task(make_series([2.0, 1.0, 1.5] * 20, fork=1))
    page = open_page(ana)
    visit(page, first)
    field, obstacle = page.get_by_label("Steady from"), page.locator("[data-answer-obstacle]")
    description = page.locator("#chart-description")

    field.fill(str(N))
    page.get_by_role("button", name="Save and next").click()
    expect(obstacle).to_have_text(f"Series 1 has iterations 0 to {N - 1}.")
    page.get_by_role("button", name="Withdraw").focus()
    page.keyboard.press("ArrowRight")
    assert shown_answer(page) == ("steady", str(round((N - 1) / 2)))
    expect(obstacle).to_have_text("")
    expect(description).to_contain_text(f"{N} iterations")
    page.keyboard.press("n")
    page.keyboard.press("ArrowRight")
    assert shown_answer(page) == ("never", "")
    page.keyboard.press("Enter")
    is_shown(page, 2)
    expect(description).to_contain_text("60 iterations")


def test_several_changes_are_placed_moved_taken_away_and_saved(
    open_page: OpenPage, ana: User, make_tasks: Make, complaints: list[str]
) -> None:
    (task,) = make_tasks(1)
    Campaign.objects.update(purpose=Campaign.Purpose.CHANGES)
    page = open_page(ana)
    visit(page, task)
    changes = page.locator("[data-change]")

    for index in (90, 200, 300):
        click_iteration(page, index)
    page.keyboard.press("Shift+ArrowRight")
    click_iteration(page, 200)
    expect(changes).to_have_text(["90 ×", "310 ×"])
    page.keyboard.press("Control+z")
    page.keyboard.press("n")
    expect(changes).to_have_count(0)
    page.keyboard.press("Control+z")
    changes.nth(1).click()
    page.keyboard.press("Enter")
    wait_for_marks(page, 1)

    assert list(task.marks.values_list("kind", "index", "changes")) == [
        ("changes", None, [90, 310])
    ]


def test_the_guide_opens_at_its_beginning_and_a_waiting_page_goes_on_by_itself(
    open_page: OpenPage, ana: User, make_tasks: Make, live_server: LiveServer
) -> None:
    (task,) = make_tasks(1)
    task.campaign.annotators.update(guide_seen=0)
    Campaign.objects.update(state=Campaign.State.DRAFT, instructions=INSTRUCTIONS)
    page = open_page(ana)
    page.set_viewport_size({"width": 390, "height": 600})
    page.goto(reverse("annotate", args=[task.campaign.study.slug, task.campaign.slug]))
    expect(page.locator("main")).to_contain_text("has not started yet")

    Campaign.objects.update(state=Campaign.State.OPEN)

    page.wait_for_url(f"**{task.get_absolute_url()}")
    guide = page.get_by_role("dialog", name="How to answer")
    expect(guide.get_by_role("heading", name="How to answer")).to_be_in_viewport()
    expect(guide.get_by_role("button", name="Start")).not_to_be_in_viewport()
    expect(guide).to_contain_text("choose Unclear")


def test_five_by_keyboard_and_five_by_mouse_are_stored_as_shown(
    open_page: OpenPage, ana: User, make_tasks: Make, complaints: list[str]
) -> None:
    tasks = make_tasks(10)
    page = open_page(ana)
    visit(page, tasks[0])
    answers: list[tuple[str, str]] = []

    def arrived() -> None:
        is_shown(page, len(answers) + 1)

    def save(*keys: str) -> None:
        arrived()
        for key in keys:
            page.keyboard.press(key)
        answers.append(shown_answer(page))
        page.keyboard.press("Enter")

    save("m", "ArrowRight", "Shift+ArrowRight", "PageUp")
    save("m", "Home")  # the first iteration
    save("m", "End")  # the last one
    save("n", "f")
    arrived()
    page.keyboard.press("u")
    expect(page.locator("dialog[open] textarea")).to_be_focused()
    page.keyboard.type("Two levels, in turn.")
    page.keyboard.press("Enter")
    expect(page.locator("dialog[open]")).to_have_count(0)
    save()
    for index in (0, 90, 91, 250, N - 1):
        arrived()
        click_iteration(page, index)
        text = page.locator(".chart-stage:not(.is-hidden) .chart-mark-text")
        expect(text).to_have_text(f"steady from {index}")
        answers.append(shown_answer(page))
        page.get_by_role("button", name="Save and next").click()

    expect(page.get_by_text("All 10 answered. Thank you.")).to_be_visible()
    wait_for_marks(page, 10)
    middle = round((N - 1) / 2)
    assert answers[:5] == [
        ("steady", str(middle + 111)),
        ("steady", "0"),
        ("steady", str(N - 1)),
        ("never", ""),
        ("unclear", ""),
    ]
    marks = [task.marks.get() for task in tasks]
    assert [(mark.kind, "" if mark.index is None else str(mark.index)) for mark in marks] == answers
    assert [mark.index for mark in marks[5:]] == [0, 90, 91, 250, N - 1]
    assert (marks[3].unsure, marks[4].note) == (True, "Two levels, in turn.")
    assert all(mark.seconds is not None and mark.seconds >= 0 for mark in marks)
    assert sum(mark.seconds or 0 for mark in marks) > 0
    assert {mark.view["to"] for mark in marks} == {N}
    assert all(mark.view["width"] > 1000 for mark in marks)
    assert complaints == []


def test_forty_series_follow_one_another_in_order(
    open_page: OpenPage, ana: User, make_tasks: Make
) -> None:
    tasks = make_tasks(40, n=100)
    page = open_page(ana)
    visit(page, tasks[0])

    for position in range(1, 41):
        is_shown(page, position)
        line = page.locator(".chart-stage:not(.is-hidden) .js-line")
        expect(line).to_have_attribute("d", re.compile(r"^M.{100,}"))
        page.keyboard.press("n")
        page.keyboard.press("Enter")

    wait_for_marks(page, 40)
    assert [task.marks.count() for task in tasks] == [1] * 40


def test_without_a_network_work_goes_on_and_is_sent_once_in_order(
    open_page: OpenPage, ana: User, make_tasks: Make
) -> None:
    tasks = make_tasks(6)
    page = open_page(ana)
    visit(page, tasks[0])
    values_are_here(page, 4)

    page.context.set_offline(True)
    for position, index in ((1, 10), (2, 20), (3, 30)):
        is_shown(page, position)
        click_iteration(page, index)
        page.keyboard.press("Enter")
    strip = page.locator("[data-page-status]")
    expect(strip).to_contain_text("Offline since")
    expect(strip).to_contain_text("3 answers are kept here and will be sent.")
    assert not Mark.objects.exists()
    page.context.set_offline(False)

    wait_for_marks(page, 3)
    expect(strip).to_have_text("")
    assert list(Mark.objects.order_by("pk").values_list("task__position", "index")) == [
        (1, 10),
        (2, 20),
        (3, 30),
    ]


def test_answers_wait_in_the_page_while_the_database_takes_none(
    open_page: OpenPage, ana: User, make_tasks: Make, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(connection.settings_dict["OPTIONS"], "timeout", 0.1)
    tasks = make_tasks(4)
    page = open_page(ana)
    visit(page, tasks[0])
    values_are_here(page, 4)
    strip = page.locator("[data-page-status]")

    with write_lock_held():
        for position, index in ((1, 10), (2, 20)):
            is_shown(page, position)
            click_iteration(page, index)
            page.keyboard.press("Enter")
        expect(strip).to_contain_text("(it says 503). 2 answers are kept here and will be sent.")
        is_shown(page, 3)
        assert not Mark.objects.exists()

    wait_for_marks(page, 2)
    expect(strip).to_have_text("")
    assert [stored_marks(task) for task in tasks[:2]] == [[("steady", 10)], [("steady", 20)]]


def test_what_stands_between_may_refuse_and_costs_no_answer(
    open_page: OpenPage, ana: User, make_tasks: Make
) -> None:
    """A firewall's 403 and a proxy's 429 are no word of Plateau's."""
    tasks = make_tasks(2)
    page = open_page(ana)
    visit(page, tasks[0])
    sent_requests = HeldRequests(page, "**/marks/")
    click_iteration(page, 33)
    page.keyboard.press("Enter")

    strip = page.locator("[data-page-status]")
    block_reply: dict[str, Any] = {"body": "<h1>Blocked</h1>", "headers": {"Retry-After": "1"}}
    for status in (403, 429):
        sent_requests.next().fulfill(status=status, **block_reply)
        status_words = f"(it says {status}). 1 answer is kept here and will be sent."
        expect(strip).to_contain_text(status_words)
    sent_requests.next().continue_()
    wait_for_marks(page, 1)
    assert stored_marks(tasks[0]) == [("steady", 33)]


def test_an_unsent_answer_survives_a_reload(
    open_page: OpenPage, ana: User, make_tasks: Make
) -> None:
    tasks = make_tasks(3)
    page = open_page(ana)
    dialogs: list[str] = []

    def leave(dialog: Dialog) -> None:
        dialogs.append(dialog.type)
        dialog.accept()

    page.on("dialog", leave)
    visit(page, tasks[0])
    page.route("**/marks/", lambda route: route.abort())
    click_iteration(page, 33)
    page.keyboard.press("Enter")
    expect(page.locator("[data-unsent]")).to_have_text("1 not yet sent")
    page.reload()
    page.wait_for_selector("html[data-annotate=ready]")
    expect(page.locator("[data-counts]")).to_have_text("1 done, 2 to go")
    page.unroute("**/marks/")
    page.evaluate("window.dispatchEvent(new Event('online'))")

    wait_for_marks(page, 1)
    assert stored_marks(tasks[0]) == [("steady", 33)]
    assert dialogs == ["beforeunload"]


def test_a_lost_reply_does_not_make_a_second_mark(
    open_page: OpenPage, ana: User, make_tasks: Make
) -> None:
    tasks = make_tasks(2)
    page = open_page(ana)
    visit(page, tasks[0])
    tries: list[int] = []

    def lose_the_first_reply(route: Route) -> None:
        tries.append(route.fetch().status)
        if len(tries) == 1:
            route.abort()
        else:
            route.fulfill(status=tries[-1], json={"revision": 1})

    page.route("**/marks/", lose_the_first_reply)
    listen(page)
    click_iteration(page, 33)
    page.keyboard.press("Enter")
    heard(page, "Sent 1 answer.")

    assert tries == [201, 201]
    assert stored_marks(tasks[0]) == [("steady", 33)]


def test_a_closed_campaign_says_so_and_the_draft_stays(
    open_page: OpenPage, ana: User, olga: User, make_tasks: Make
) -> None:
    tasks = make_tasks(2)
    page = open_page(ana)
    visit(page, tasks[0])
    Campaign.objects.update(state=Campaign.State.CLOSED, closed_by=olga, closed_at=timezone.now())

    click_iteration(page, 33)
    page.keyboard.press("Enter")

    notice = page.locator("[data-notice]")
    expect(notice).to_contain_text("First look was closed by olga at")
    expect(notice).to_contain_text("Your answer to series 1 was not stored.")
    notice.get_by_role("button", name="Show series 1").click()
    is_shown(page, 1)
    expect(page.locator("[data-answer-phase]")).to_contain_text("was closed by olga")
    assert shown_answer(page) == ("steady", "33")
    page.reload()
    page.wait_for_selector("html[data-annotate=ready]")
    assert shown_answer(page) == ("steady", "33")
    assert not Mark.objects.exists()


def test_a_replaced_series_is_not_marked_and_the_new_one_is_shown(
    open_page: OpenPage, ana: User, make_tasks: Make, make_series: Callable[..., Series]
) -> None:
    tasks = make_tasks(2)
    page = open_page(ana)
    visit(page, tasks[0])
    series = make_series(np.arange(200.0), name="org.example.Other")
    Task.objects.filter(pk=tasks[0].pk).update(series=series)

    click_iteration(page, 33)
    page.keyboard.press("Enter")
    notice = page.locator("[data-notice]")
    expect(notice).to_contain_text(
        "This series was replaced after you opened it. Nothing was saved."
    )
    notice.get_by_role("button", name="Show the new one").click()
    is_shown(page, 1)
    expect(page.locator("[data-chart-readout]")).to_contain_text("200 iterations")
    page.keyboard.press("n")
    page.keyboard.press("Enter")

    wait_for_marks(page, 1)
    assert Mark.objects.get().series_digest == series.digest


def test_signed_out_in_between_costs_nothing(
    open_page: OpenPage, ana: User, make_tasks: Make, live_server: LiveServer
) -> None:
    tasks = make_tasks(2)
    page = open_page(ana)
    visit(page, tasks[0])
    values_are_here(page, 2)
    Session.objects.all().delete()

    click_iteration(page, 33)
    page.keyboard.press("Enter")
    dialog = page.get_by_role("dialog", name="Signed out")
    expect(dialog).to_contain_text("You were signed out. Sign in to send 1 answer.")
    sign_in(page.context, ana, live_server.url)
    dialog.get_by_role("button", name="Send again").click()

    wait_for_marks(page, 1)
    assert stored_marks(tasks[0]) == [("steady", 33)]


def test_what_was_asked_before_the_sign_in_may_be_answered_after_it(
    open_page: OpenPage, ana: User, make_tasks: Make, live_server: LiveServer
) -> None:
    """A late answer leaves the new session alone, and what the page says of the answer kept."""
    tasks = make_tasks(3)
    page = open_page(ana)
    late_requests = [
        HeldRequests(page, f"**/annotate/{path}") for path in ("2/values/**", "3/data/")
    ]
    visit(page, tasks[0])
    held_requests = [requests.next() for requests in late_requests]
    Session.objects.all().delete()
    answers = [route.fetch() for route in held_requests]
    assert [answer.status for answer in answers] == [401, 401]
    click_iteration(page, 33)
    page.keyboard.press("Enter")
    dialog = page.get_by_role("dialog", name="Signed out")
    expect(dialog).to_contain_text("Sign in to send 1 answer.")
    sign_in(page.context, ana, live_server.url)
    for route, answer in zip(held_requests, answers, strict=True):
        route.fulfill(response=answer)

    expect(page.locator("[data-face]")).to_have_attribute("data-face", "failed")
    expect(dialog).to_contain_text("Sign in to send 1 answer.")
    dialog.get_by_role("button", name="Send again").click()
    late_requests[0].next().continue_()
    wait_for_marks(page, 1)
    assert stored_marks(tasks[0]) == [("steady", 33)]
    is_shown(page, 2)


def test_two_tabs_know_of_each_other_and_both_are_heard(
    make_context: Callable[..., BrowserContext], ana: User, make_tasks: Make
) -> None:
    tasks = make_tasks(4)
    context = make_context(ana)
    first_tab, second_tab = context.new_page(), context.new_page()
    visit(first_tab, tasks[0])
    visit(second_tab, tasks[1])

    click_iteration(second_tab, 22)
    second_tab.keyboard.press("Enter")
    expect(second_tab.locator("[data-tabs]")).to_have_text("Also open in another tab")
    expect(first_tab.locator("[data-counts]")).to_have_text("1 done, 3 to go")
    first_tab.bring_to_front()
    click_iteration(first_tab, 11)
    first_tab.keyboard.press("Enter")

    wait_for_marks(first_tab, 2)
    expect(first_tab.get_by_role("heading", level=1)).to_have_text(
        "Series 3"
    )  # 2 is done over there
    assert [stored_marks(task) for task in tasks[:2]] == [[("steady", 11)], [("steady", 22)]]


def test_steps_can_be_undone_and_drafts_come_back(
    open_page: OpenPage, ana: User, make_tasks: Make
) -> None:
    tasks = make_tasks(3)
    page = open_page(ana)
    visit(page, tasks[0])

    click_iteration(page, 50)
    click_iteration(page, 60)
    page.keyboard.press("Control+z")
    assert shown_answer(page) == ("steady", "50")
    page.keyboard.press("Control+Shift+z")
    assert shown_answer(page) == ("steady", "60")
    page.keyboard.press("Backspace")
    assert shown_answer(page) == ("empty", "")
    page.keyboard.press("Enter")
    expect(page.locator("[data-answer-obstacle]")).to_have_text("No answer yet: click, n or u.")
    field = page.get_by_label("Steady from")
    field.fill(str(N))
    field.press("Enter")
    sentence = f"Series 1 has iterations 0 to {N - 1}."
    expect(page.locator("[data-answer-obstacle]")).to_have_text(sentence)
    field.fill("77")
    field.press("Enter")
    assert shown_answer(page) == ("steady", "77")

    page.keyboard.press("z")
    page.reload()
    page.wait_for_selector("html[data-annotate=ready]")
    assert shown_answer(page) == ("steady", "77")
    expect(page.locator("[data-answer-draft]")).to_contain_text("Draft from")
    page.get_by_role("button", name="Discard").click()
    assert shown_answer(page) == ("empty", "")
    assert not Mark.objects.exists()


def test_back_jump_skip_and_report(open_page: OpenPage, ana: User, make_tasks: Make) -> None:
    tasks = make_tasks(5)
    page = open_page(ana)
    visit(page, tasks[0])

    page.keyboard.press("n")
    page.keyboard.press("Enter")
    is_shown(page, 2)
    page.keyboard.press("s")  # skipped: comes again last
    is_shown(page, 3)
    page.keyboard.press("b")
    is_shown(page, 1)
    assert shown_answer(page) == ("never", "")
    click_iteration(page, 5)
    page.keyboard.press("Enter")  # a second revision; on to the next open one
    is_shown(page, 3)
    page.keyboard.press("g")
    jump = page.get_by_role("dialog", name="Jump to a series")
    expect(jump.get_by_label("Number of the series")).to_be_focused()
    page.keyboard.type("9")
    page.keyboard.press("Enter")
    expect(jump).to_contain_text("Series 9 is not yours: you have 1 to 5.")
    jump.get_by_label("Number of the series").fill("5")
    page.keyboard.press("Enter")
    is_shown(page, 5)
    listen(page)
    page.get_by_role("button", name="Report a problem").click()
    expect(page.locator("dialog[open] textarea")).to_be_focused()
    page.keyboard.type("Cut off at 80.")
    page.keyboard.press("Enter")
    heard(page, "Reported · series 5")
    page.go_back()
    is_shown(page, 3)
    page.keyboard.press("]")
    is_shown(page, 4)

    wait_for_marks(page, 2)
    assert stored_marks(tasks[0]) == [("never", None), ("steady", 5)]
    assert tasks[1].assignments.get(user=ana).skipped_at
    assert tasks[4].problems.get().text == "Cut off at 80."


def test_a_giant_value_is_cut_off_and_the_plateau_fills_the_chart(
    open_page: OpenPage, ana: User, make_tasks: Make
) -> None:
    (task,) = make_tasks(1)
    values = np.random.default_rng(8).normal(100.0, 1.0, 3000)
    values[1234] = 1e6
    plateau = np.delete(values, 1234)
    SeriesValues.objects.filter(series=task.series).update(data=values.astype("<f8").tobytes())
    span = float(np.ptp(plateau))
    low, high = float(plateau.min() - 0.05 * span), float(plateau.max() + 0.05 * span)
    Series.objects.filter(pk=task.series.pk).update(
        n=3000, digest="8" * 64, robust_low=low, robust_high=high, maximum=1e6, scale=2.0**19
    )
    page = open_page(ana)
    visit(page, task)

    cut = page.locator(".chart-stage:not(.is-hidden) .chart-cut")
    expect(cut).to_have_attribute("d", re.compile(r"^M[^M]+$"))  # exactly one triangle
    cut_label = page.locator("[data-chart-cut]")
    expect(cut_label).to_have_attribute("title", re.compile("iteration 1234"))
    box = surface(page).bounding_box()
    assert box
    band = float(np.subtract(*np.quantile(plateau, [0.95, 0.05])))
    assert band / (high - low) * box["height"] >= 120


def test_a_phone_annotates_with_one_finger(
    open_page: OpenPage, ana: User, make_tasks: Make
) -> None:
    """A finger places the mark, then moves it by an iteration for eight pixels; all is in reach."""
    (task,) = make_tasks(1)
    page = open_page(ana, has_touch=True, is_mobile=True, viewport={"width": 390, "height": 844})
    visit(page, task)
    box = surface(page).bounding_box()
    assert box
    x, y = box["x"] + box["width"] / 2, box["y"] + box["height"] * 0.8
    touch = page.context.new_cdp_session(page)

    def send(kind: str, *points: tuple[float, float]) -> None:
        touches = [{"x": px, "y": py, "id": number} for number, (px, py) in enumerate(points)]
        touch.send("Input.dispatchTouchEvent", {"type": kind, "touchPoints": touches})

    send("touchStart", (x, y))
    loupe = page.locator(".panel-loupe.is-floating")
    expect(loupe).to_be_visible()
    loupe_box = loupe.bounding_box()
    assert loupe_box
    assert loupe_box["y"] + loupe_box["height"] < y
    send("touchEnd")
    _, marked_iteration = shown_answer(page)
    expect(loupe).to_have_count(0)
    send("touchStart", (x + 10, y))
    send("touchMove", (x + 30, y))
    send("touchMove", (x + 10 + 3 * 8, y))
    send("touchEnd")
    expect(page.get_by_label("Steady from")).to_have_value(str(int(marked_iteration) + 3))
    assert shown_answer(page)[0] == "steady"
    for button in page.locator(".panel button:visible, .panel label:visible").all():
        size = button.bounding_box()
        assert size
        assert size["height"] >= 44 or button.get_attribute("for") == "answer-index"
        assert size["y"] + size["height"] <= 844
    assert page.evaluate("document.documentElement.scrollWidth") == 390
    tap(
        page.get_by_role("button", name="Save and next"),
        until_locator=page.locator("[data-face=end]"),
    )


GLYPHS = """texts => texts.map((text) => {
  const [first, last] = [text.textContent.search(/\\S/), text.textContent.trimEnd().length - 1]
  const at = (index, end) => text[end](index).matrixTransform(text.getScreenCTM()).x
  return [at(first, "getStartPositionOfChar"), at(last, "getEndPositionOfChar")]
})"""
"""Where on the screen each text begins and ends, without spaces."""

PHONES = {
    "upright": {"width": 390, "height": 844},
    "aside": {"width": 844, "height": 390},
    "small aside": {"width": 640, "height": 360},
}
CUT = "at => at.scrollWidth > at.clientWidth || at.scrollHeight > at.clientHeight"


@pytest.mark.parametrize("orientation", PHONES)
def test_on_a_phone_the_chart_goes_to_the_edge_and_nothing_scrolls(
    open_page: OpenPage, ana: User, make_tasks: Make, orientation: str
) -> None:
    (task,) = make_tasks(1)
    page = open_page(ana, has_touch=True, is_mobile=True, viewport=PHONES[orientation])
    visit(page, task)
    plot, panel = surface(page).bounding_box(), page.locator(".panel").bounding_box()
    assert plot
    assert panel

    assert plot["x"] == 0
    if orientation == "upright":
        assert plot["width"] == 390
    else:
        assert panel["width"] == pytest.approx(300, abs=30)
        assert panel["x"] > plot["x"] + plot["width"]
    for left_edge, right_edge in page.locator(".chart-inside, .xtick text").evaluate_all(GLYPHS):
        assert plot["x"] <= left_edge < right_edge <= plot["x"] + plot["width"]
    assert page.locator(".chart-inside").count() >= 2
    surface(page).tap(position={"x": 100, "y": 40})
    expect(page.locator("[data-chart-readout] .chart-at")).to_have_count(2)
    assert not page.locator(".chart-words").evaluate(CUT)
    size = "[document.documentElement.scrollWidth, document.documentElement.scrollHeight]"
    assert page.evaluate(size) == list(PHONES[orientation].values())
    expect(page.get_by_role("button", name="Save and next")).to_be_in_viewport(ratio=1)


def test_a_phone_is_pushed_for_each_iteration_and_unclear_opens_a_sheet(
    open_page: OpenPage, ana: User, make_tasks: Make
) -> None:
    (task,) = make_tasks(1)
    page = open_page(ana, has_touch=True, is_mobile=True, viewport=PHONES["upright"])
    page.add_init_script("navigator.vibrate = (ms) => (window.pushes ??= []).push(ms)")
    visit(page, task)
    box = surface(page).bounding_box()
    assert box
    x, y = box["x"] + box["width"] / 2, box["y"] + box["height"] * 0.8
    touch = page.context.new_cdp_session(page)

    def send(kind: str, *at: float) -> None:
        points = [{"x": x, "y": y} for x in at]
        touch.send("Input.dispatchTouchEvent", {"type": kind, "touchPoints": points})

    field = page.locator("[data-answer-index]")
    send("touchStart", x)
    expect(field).not_to_have_value("")
    expected_text = str(int(field.input_value()) + 3)
    for distance in (8, 12, 16, 24):
        send("touchMove", x + distance)
    expect(field).to_have_value(expected_text)  # while the finger is down
    send("touchEnd")

    assert page.evaluate("window.pushes") == [10, 10, 10]
    assert shown_answer(page) == ("steady", expected_text)
    note = page.locator("dialog[open]")
    tap(page.get_by_role("button", name="Unclear"), until_locator=note)
    sheet = note.bounding_box()
    assert sheet
    assert (sheet["x"], sheet["width"]) == (0, 390)
    assert sheet["y"] + sheet["height"] == pytest.approx(844, abs=1)


def test_a_touch_that_becomes_a_scroll_or_a_pan_is_no_answer(
    open_page: OpenPage, ana: User, make_tasks: Make
) -> None:
    (task,) = make_tasks(1)
    page = open_page(ana, has_touch=True, viewport={"width": 800, "height": 900})
    visit(page, task)
    box = surface(page).bounding_box()
    assert box
    x, y = box["x"] + box["width"] / 2, box["y"] + box["height"] / 2
    touch = page.context.new_cdp_session(page)

    def send(kind: str, *points: tuple[float, float]) -> None:
        touches = [{"x": px, "y": py, "id": number} for number, (px, py) in enumerate(points)]
        touch.send("Input.dispatchTouchEvent", {"type": kind, "touchPoints": touches})

    send("touchStart", (x, y))
    send("touchCancel")
    assert shown_answer(page) == ("empty", "")
    send("touchStart", (x - 40, y), (x + 40, y))
    for gap in (60, 80, 120, 160):
        send("touchMove", (x - gap, y), (x + gap, y))
    send("touchEnd")
    page.wait_for_timeout(200)
    assert shown_answer(page) == ("empty", "")
    tap_position: Position = {"x": x - box["x"], "y": y - box["y"]}
    tap(
        surface(page),
        until_locator=page.locator("[data-answer][data-kind=steady]"),
        position=tap_position,
    )
