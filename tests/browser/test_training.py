"""A person as an instrument: training, the campaign, the second pass, and what it tells."""

from __future__ import annotations

import csv
import io
from collections.abc import Callable
from uuid import uuid4

import numpy as np
import pytest
from django.test import Client
from pytest_django.live_server_helper import LiveServer

from annotate.answering import training
from annotate.answering.services import save_mark
from annotate.models import Campaign, Mark, Task
from people.models import User
from series.models import Series
from tests.browser.browser_driver import (
    BrowserDriver,
    follow,
    is_ready,
    reads,
    shown_series,
    sign_in,
    until,
    wait_for,
)

ANSWERS = {1: ("m", "Home"), 2: ("n",), 3: ("m", "End"), 4: ("m", "Home")}  # by position


@pytest.fixture
def trained_campaign(
    transactional_db: None,
    monkeypatch: pytest.MonkeyPatch,
    olga: User,
    ben: User,
    make_series: Callable[..., Series],
    make_task: Callable[[Series], Task],
) -> Campaign:
    """A campaign of four series that asks for a training of two shapes; guides were read.

    All of it is asked again, at once; ben has answered, 0 everywhere.
    """
    monkeypatch.setattr(training, "SHAPES", ("flat", "drift"))
    step = np.where(np.arange(200) < 90, 2.0, 1.0)
    tasks = [make_task(make_series(step + fork / 100, fork=fork)) for fork in range(4)]
    for task in tasks:
        digest = task.series.digest
        save_mark(task, by=ben, client_id=uuid4(), digest=digest, kind="steady", index=0)
    campaign = tasks[0].campaign
    training_campaign = training.create(campaign.study, seed=1, by=olga)
    Campaign.objects.filter(pk=campaign.pk).update(
        training=training_campaign, second_share=1, second_days=0
    )
    campaign.annotators.update(guide_seen=1)
    return training_campaign


def test_training_campaign_second_pass_and_agreement(
    led_browser: BrowserDriver,
    live_server: LiveServer,
    olga: User,
    ana: User,
    trained_campaign: Campaign,
    client: Client,
    complaints: list[str],
) -> None:
    sign_in(led_browser, ana, live_server.url)
    first = trained_campaign.trains.get()
    led_browser.visit(f"{live_server.url}{first.get_absolute_url()}annotate/")

    complete_training(led_browser, trained_campaign)
    follow(led_browser, f"Annotate {first}")
    answer_all(led_browser, ANSWERS)
    wait_for_marks(ana, first, 4)
    led_browser.visit(f"{live_server.url}{first.get_absolute_url()}annotate/")
    reads(led_browser, "All 4 answered. Thank you.", "The second pass is open")
    follow(led_browser, "Begin the second pass")
    second_pass = wait_for(first.second_passes.first, "a second pass")
    answer_all(led_browser, dict.fromkeys(range(1, 5), ("n",)))
    wait_for_marks(ana, second_pass, 4)

    sign_in(led_browser, olga, live_server.url)
    led_browser.visit(f"{live_server.url}{first.get_absolute_url()}agreement/")
    reads(led_browser, "Of 4 second votes 1 are the same yes or no as the first.")
    file = led_browser.run("return document.querySelector('a[download]').getAttribute('href')")
    client.force_login(olga)
    rows = list(csv.DictReader(io.StringIO(b"".join(client.get(file)).decode())))
    value_by_figure = {
        (row["figure"], row["first"], row["second"]): float(row["value"])
        for row in rows
        if row["value"]
    }
    # Ana says 0, never, 199, 0 and ben 0: the same yes or no on three of four.
    assert value_by_figure["pair-yes-no", "a1", "a2"] == 0.75
    assert value_by_figure["self-yes-no", "a1", ""] == 0.25
    assert Mark.objects.filter(task__campaign=first, annotator=ana).count() == 4  # none changed
    assert complaints == []


def complete_training(led_browser: BrowserDriver, trained_campaign: Campaign) -> None:
    """Both shapes are answered as known; what is known is said after the answer, not before."""
    follow(led_browser, "Begin")
    is_ready(led_browser, "annotate")
    follow(led_browser, "Start")
    until(led_browser, "return !document.querySelector('dialog[open]')")
    first = shown_series(led_browser)
    expected_answer = trained_campaign.tasks.get(position=1).expected
    assert (
        led_browser.run("return document.querySelector('[data-feedback]').checkVisibility()")
        is False
    )
    led_browser.press("m", "Home", "Enter")
    reads(
        led_browser,
        f"Inside the accepted band, {expected_answer.low} to {expected_answer.high}.",
        expected_answer.sentence,
        at="[data-feedback]",
    )
    accepted = ".chart-stage:not(.is-hidden) .chart-accepted"
    until(led_browser, "return document.querySelectorAll(arguments[0]).length === 1", accepted)
    assert first == "Series 1"
    led_browser.press("Enter")
    assert shown_series(led_browser, after=first) == "Series 2"
    led_browser.press("n", "Enter")
    reads(led_browser, "Never steady: as known.", at="[data-feedback]")
    led_browser.press("Enter")
    reads(led_browser, "You passed with 2 of 2 points.")


def answer_all(led_browser: BrowserDriver, answers: dict[int, tuple[str, ...]]) -> None:
    """Each series as its position says, by keys alone."""
    is_ready(led_browser, "annotate")
    heading_before = ""
    for _ in answers:
        heading = shown_series(led_browser, after=heading_before)
        led_browser.press(*answers[int(heading.removeprefix("Series "))], "Enter")
        heading_before = heading


def wait_for_marks(person: User, campaign: Campaign, count: int) -> None:
    marks = Mark.objects.filter(task__campaign=campaign, annotator=person)
    wait_for(lambda: marks.count() == count, f"{count} marks")
