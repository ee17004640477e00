"""A run in the browser: started by keys, watched without reloading, from no worker to the end."""

from __future__ import annotations

import re
from collections.abc import Callable

import numpy as np
import pytest
from playwright.sync_api import Page, Request, expect

from analysis.runs import plan, services
from analysis.runs.models import Chunk, Detection, Run
from analysis.work import workers
from people.models import User
from series.models import Series
from tests.analysis.work.units import take, work

pytestmark = pytest.mark.django_db(transaction=True)
OpenPage = Callable[..., Page]
NEW = "/s/startup-times/runs/new/"


@pytest.fixture
def eight_series(
    make_series: Callable[..., Series], monkeypatch: pytest.MonkeyPatch
) -> list[Series]:
    """Eight forks; each chunk takes two of them."""
    monkeypatch.setattr(services, "CHUNK_SIZES", dict.fromkeys(plan.CHUNK_SIZES, 2))
    return [make_series(np.arange(10.0), fork=fork) for fork in range(8)]


def work_on(count: int) -> None:
    """What a worker does with the next chunks."""
    for chunk in Chunk.objects.filter(state="waiting").order_by("pk")[:count]:
        work(chunk, worker="w-1@here")


def wait_until(ready: Callable[[], bool], page: Page) -> None:
    """Let the page ask again until its visit has brought something about."""
    for _ in range(300):
        if ready():
            return
        page.wait_for_timeout(200)
    raise AssertionError("waited 60 s in vain")


def test_a_run_is_started_by_keys_and_watched_to_its_end(
    open_page: OpenPage, complaints: list[str], olga: User, eight_series: list[Series]
) -> None:
    page = open_page(olga)
    page.goto(NEW)
    page.get_by_role("button", name="None").focus()
    page.keyboard.press("Enter")
    page.locator("[name=methods][value=fixed]").focus()
    page.keyboard.press("Space")
    expect(page.locator("#run-plan")).to_contain_text("8 answers in about")
    page.keyboard.press("Tab")
    page.keyboard.press("Enter")
    page.get_by_label("iteration (iterations)").fill("3")
    expect(page.locator("[data-method=fixed] .dot[data-differs]")).to_be_visible()

    page.get_by_role("button", name="Run 1 method on 8 series").focus()
    page.keyboard.press("Enter")

    expect(page.get_by_text("No worker is connected")).to_be_visible()
    expect(page).to_have_title("(0 %) Fixed iteration on nightly · Runs · Plateau")
    run = Run.objects.get()
    assert run.detectors == ["fixed@1?iteration=3"]

    workers.register_worker("w-1@here")
    work_on(1)
    expect(page.get_by_text("No worker is connected")).to_be_hidden()
    expect(page).to_have_title("(25 %) Fixed iteration on nightly · Runs · Plateau")
    expect(page.locator("[data-job-status]")).to_have_text("25 % done.")

    claim = take(Chunk.objects.filter(state="waiting").earliest("pk"), worker="w-9@gone")
    assert claim is not None
    Chunk.objects.filter(pk=claim.unit.pk).update(lease=run.created)  # it died long ago
    wait_until(lambda: Chunk.objects.filter(state="waiting").count() == 3, page)
    work_on(3)
    expect(page.locator("[data-job-status]")).to_have_text("The run is done.")
    expect(page).to_have_title("Fixed iteration on nightly · Runs · Plateau")
    expect(page.get_by_role("button", name="Stop run")).to_have_count(0)
    assert Detection.objects.filter(steady_start=3).count() == 8
    assert complaints == []


def test_an_ended_run_asks_nobody_any_more(
    open_page: OpenPage, olga: User, eight_series: list[Series]
) -> None:
    run = services.start_run(
        eight_series[0].benchmark.dataset.study,
        user=olga,
        selection=plan.SeriesSelection("nightly"),
        keys=["fixed"],
        queued=False,
    )
    page = open_page(olga)
    page.goto(run.get_absolute_url())
    work_on(4)
    expect(page.locator("#job-progress")).to_have_attribute("data-state", "done")
    requests: list[Request] = []

    def note(request: Request) -> None:
        requests.append(request)

    page.on("request", note)

    page.wait_for_timeout(2500)

    assert [request.url for request in requests] == []


def test_stop_and_go_on(
    open_page: OpenPage, complaints: list[str], olga: User, eight_series: list[Series]
) -> None:
    run = services.start_run(
        eight_series[0].benchmark.dataset.study,
        user=olga,
        selection=plan.SeriesSelection("nightly"),
        keys=["fixed"],
        queued=False,
    )
    work_on(1)
    page = open_page(olga)
    page.goto(run.get_absolute_url())

    page.get_by_role("button", name="Stop run").click()
    expect(page.get_by_text("Stopped at 2 of 8.")).to_be_visible()
    page.get_by_role("button", name="Resume").click()
    expect(page.get_by_role("button", name="Stop run")).to_be_visible()
    work_on(3)

    expect(page.locator("#job-progress")).to_have_attribute("data-state", "done")
    assert Detection.objects.count() == 8
    assert complaints == []


def test_focus_and_open_folds_outlast_the_news(
    open_page: OpenPage, complaints: list[str], olga: User, eight_series: list[Series]
) -> None:
    run = services.start_run(
        eight_series[0].benchmark.dataset.study,
        user=olga,
        selection=plan.SeriesSelection("nightly"),
        keys=["fixed"],
        queued=False,
    )
    page = open_page(olga)
    page.goto(run.get_absolute_url())
    page.locator("#run-times > summary").click()
    stop = page.get_by_role("button", name="Stop run")
    stop.focus()
    pressed = stop.element_handle()

    work_on(1)
    expect(page).to_have_title("(25 %) Fixed iteration on nightly · Runs · Plateau")

    assert pressed.evaluate("button => button.isConnected && button === document.activeElement")
    assert page.locator("#run-times").evaluate("fold => fold.open")
    assert page.locator(".run-map .run-answered").count() == 2
    assert complaints == []


def test_methods_are_ticked_by_family_and_by_group(
    open_page: OpenPage, complaints: list[str], olga: User, eight_series: list[Series]
) -> None:
    page = open_page(olga)
    page.goto(NEW)
    ticked_boxes = page.locator("[name=methods]:checked")
    baselines = page.get_by_label("All of Baselines")
    expect(ticked_boxes).to_have_count(1)  # the default method
    page.get_by_role("button", name=re.compile("^All")).click()
    expect(baselines).to_be_checked()

    page.get_by_role("button", name="None", exact=True).click()
    expect(ticked_boxes).to_have_count(0)
    expect(baselines).not_to_be_checked()
    baselines.check()
    expect(page.get_by_role("button", name="Run 4 methods on 8 series")).to_be_visible()
    expect(page.locator("[name=methods][value=fixed]")).to_be_checked()
    page.locator("[name=methods][value=fixed]").uncheck()
    assert baselines.evaluate("box => box.indeterminate")

    published_button = page.get_by_role("button", name="Published")
    published_button.click()
    expect(published_button).to_have_attribute("aria-pressed", "true")
    expect(page.locator("[name=methods][value=kb-kssd]")).to_be_checked()
    expect(page.locator("[name=methods][value=ruptures-pelt]")).not_to_be_checked()
    expect(baselines).not_to_be_checked()
    expect(page.locator("#run-start")).to_contain_text("Run 14 methods on 8 series")
    expect(published_button).to_be_focused()
    assert complaints == []


def test_parameters_open_on_their_chip(
    open_page: OpenPage, complaints: list[str], olga: User, eight_series: list[Series]
) -> None:
    page = open_page(olga)
    page.goto(NEW)
    summary = page.locator("[data-method=fixed] summary")
    expect(summary).to_be_hidden()

    page.locator("[name=methods][value=fixed]").check()
    page.get_by_label("Parameters", exact=True).check()
    summary.click()
    page.get_by_label("iteration (iterations)").fill("3")
    page.get_by_label("Parameters", exact=True).uncheck()

    expect(page.get_by_label("iteration (iterations)")).to_be_visible()
    expect(page.locator("#run-method-facts")).to_contain_text("1 with changed parameters")
    assert complaints == []


def test_the_form_is_one_screen_with_few_controls(
    open_page: OpenPage, olga: User, eight_series: list[Series]
) -> None:
    page = open_page(olga)
    page.set_viewport_size({"width": 1280, "height": 900})
    page.goto(NEW)

    controls = page.locator("main :is(a, button, input, select, summary):visible").count()
    assert controls <= 80
    bottom = page.locator("#run-sample").evaluate("part => part.getBoundingClientRect().bottom")
    assert bottom <= 900

    page.get_by_role("searchbox", name="Find a method").fill("ruptures pelt")
    expect(page.locator(".run-chip:visible")).to_have_count(1)
    expect(page.locator(".run-family:visible")).to_have_count(1)
    page.keyboard.press("Enter")
    expect(page).to_have_url(re.compile(re.escape(NEW)))
