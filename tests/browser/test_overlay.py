"""The overlay as a person meets it: many lines, switches, keys, evidence, lists."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from itertools import combinations
from urllib.parse import quote

import pytest
from playwright.sync_api import Page, expect

from annotate.models import Campaign
from detectors.registry import registry
from people.models import User
from series.models import Series
from tests.analysis.comparison.conftest import (
    LENGTH,
    answered_tasks,
    compared_study,
    four_series,
    key_of,
    store,
)
from tests.analysis.conftest import few_rank
from tests.browser.browser_driver import wait_for
from tests.browser.conftest import A_PROCESS
from tests.browser.patience import HeldRequests, resting_box

__all__ = ["answered_tasks", "compared_study", "few_rank", "four_series", "store"]

pytestmark = pytest.mark.django_db(transaction=True)

BOXES = """() => [...document.querySelectorAll(".line-label")].map((label) =>
  [...label.querySelectorAll(".line-part")].map((part) => part.getBoundingClientRect()).map(
    (box) => [box.left, box.top, box.right, box.bottom]))"""


@pytest.fixture
def crowded_series(four_series: list[Series], store: Callable[..., None]) -> Series:
    """Twenty methods: some on one pixel, some crowded, some far apart."""
    slugs = [slug for slug in registry() if slug != "fixed"][:19]
    keys = [registry()[slug]().key for slug in slugs]
    keys += [registry()["fixed"](iteration=k).key for k in range(20 - len(keys))]
    for number, key in enumerate(keys):
        store(key, four_series[:1], [min(10 + number * number // 2, LENGTH - 1)])
    return four_series[0]


@pytest.fixture
def overlay(
    open_page: Callable[..., Page], vic: User, complaints: list[str]
) -> Iterator[Callable[[Series], Page]]:
    def make(series: Series, query: str = "") -> Page:
        page = open_page(vic)
        page.goto(series.get_absolute_url() + query)
        page.locator(".chart-overlay .line-group").first.wait_for(state="attached")
        return page

    yield make
    assert not complaints


def lines(page: Page) -> list[str]:
    names: list[str] = page.eval_on_selector_all(
        ".chart-overlay .line-group", "groups => groups.map((group) => group.dataset.line)"
    )
    return names


def unfold(page: Page) -> None:
    for button in page.locator("[data-fold][aria-expanded=false], [data-more]:visible").all():
        button.click()


def test_no_two_labels_of_twenty_lines_overlap(
    crowded_series: Series, overlay: Callable[..., Page]
) -> None:
    page = overlay(crowded_series)
    page.get_by_role("button", name="all", exact=True).click()
    expect(page.locator(".line-group")).to_have_count(20)

    boxes = [box for label in page.evaluate(BOXES) for box in label]
    assert len(lines(page)) == 20
    assert len(boxes) >= 10
    for a, b in combinations(boxes, 2):
        is_apart = a[2] <= b[0] or b[2] <= a[0] or a[3] <= b[1] or b[3] <= a[1]
        assert is_apart, f"{a} and {b} overlap"


def test_every_switch_takes_its_line_away_and_brings_it_back(
    crowded_series: Series, overlay: Callable[..., Page]
) -> None:
    page = overlay(crowded_series)
    page.get_by_role("button", name="all", exact=True).click()
    unfold(page)
    boxes = page.locator(".detections tbody input:enabled")

    expect(boxes).to_have_count(20)
    for number in range(20):
        row = boxes.nth(number).locator("xpath=ancestor::tr").get_attribute("data-line")
        boxes.nth(number).uncheck()
        expect(page.locator(f'.line-group[data-line="{row}"]')).to_have_count(0)
        boxes.nth(number).check()
        expect(page.locator(f'.line-group[data-line="{row}"]')).to_have_count(1)


def test_every_line_is_reached_by_keyboard(
    crowded_series: Series, overlay: Callable[..., Page]
) -> None:
    page = overlay(crowded_series)
    page.get_by_role("button", name="all", exact=True).click()
    unfold(page)

    raised_lines = set()
    boxes = page.locator(".detections tbody input:enabled")
    boxes.first.focus()
    for _ in range(40):
        raised_lines |= set(
            page.eval_on_selector_all(
                ".line-group.is-raised", "groups => groups.map((group) => group.dataset.line)"
            )
        )
        page.keyboard.press("Tab")

    assert raised_lines == set(lines(page))


def test_lines_come_however_late_their_script_is(
    open_page: Callable[..., Page], compared_study: Campaign, four_series: list[Series], vic: User
) -> None:
    page = open_page(vic)
    late_requests = HeldRequests(page, "**/series_page/overlay*.js")
    with page.expect_response("**/chart/words.js"):
        page.goto(four_series[0].get_absolute_url(), wait_until="commit")
    held_request = late_requests.next()
    page.wait_for_timeout(500)  # the chart's own script would have run by now
    held_request.continue_()

    expect(page.locator(".chart-overlay .line-group")).to_have_count(4)


def test_keys_switch_lines_and_the_choice_lasts(
    compared_study: Campaign, four_series: list[Series], overlay: Callable[..., Page]
) -> None:
    page = overlay(four_series[0])
    expect(page.locator(".line-group")).to_have_count(4)  # ground truth and three methods

    page.keyboard.press("2")
    expect(page.locator(".line-group")).to_have_count(3)
    page.reload()
    expect(page.locator(".line-group")).to_have_count(3)
    page.keyboard.press("a")
    expect(page.locator(".line-group")).to_have_count(4)
    page.get_by_role("button", name="agreeing").click()
    expect(page.locator(".line-group")).to_have_count(3)
    assert set(lines(page)) == {"truth", "kb-kssd", *fixed_lines(page)}
    page.get_by_role("button", name="none").click()
    expect(page.locator(".line-group")).to_have_count(1)
    assert lines(page) == ["truth"]
    page.goto(four_series[1].get_absolute_url())
    expect(page.locator(".line-group")).to_have_count(1)
    page.goto(four_series[0].get_absolute_url())
    page.get_by_role("button", name="all", exact=True).click()
    page.locator('tr[data-line="kb-kssd"] input').focus()
    page.keyboard.press("o")
    expect(page.locator(".line-group")).to_have_count(1)


def fixed_lines(page: Page) -> set[str]:
    return {line for line in lines(page) if line.startswith("fixed@")}


def test_few_lines_and_every_other_answer_as_a_symbol(
    crowded_series: Series, overlay: Callable[..., Page]
) -> None:
    page = overlay(crowded_series)
    symbols = page.locator(".strip-answer")
    # These methods have no ground truth: nearest and furthest.
    expect(page.locator(".line-group")).to_have_count(5)
    expect(symbols).to_have_count(15)
    lines_shown = lines(page)
    symbol = symbols.first
    name = symbol.get_attribute("data-line")
    box = resting_box(symbol)
    page.mouse.move(box["x"] + box["width"] / 2, box["y"] + box["height"] / 2)
    expect(page.locator(".line-peek")).to_have_count(1)
    assert lines(page) == lines_shown
    page.mouse.click(box["x"] + box["width"] / 2, box["y"] + box["height"] / 2)
    expect(page.locator(f'.line-group[data-line="{name}"]')).to_have_count(1)
    assert len(lines(page)) == 5
    expect(page.locator("[data-line-chips] .chip")).to_have_count(5)


def test_symbols_are_reached_by_keyboard(
    crowded_series: Series, overlay: Callable[..., Page]
) -> None:
    page = overlay(crowded_series)
    symbols = page.locator(".strip-answer")
    second = symbols.nth(1).get_attribute("data-line")

    symbols.first.focus()
    page.keyboard.press("ArrowRight")
    expect(symbols.nth(1)).to_be_focused()
    expect(page.locator(".line-peek")).to_have_count(1)
    page.keyboard.press("Enter")
    expect(page.locator(f'.line-group[data-line="{second}"]')).to_have_count(1)


def test_an_address_names_the_lines(
    compared_study: Campaign, four_series: list[Series], overlay: Callable[..., Page]
) -> None:
    page = overlay(four_series[0], "?on=sdm")

    assert lines(page) == ["sdm", "truth"]


def test_evidence_opens_under_the_chart_and_closes(
    compared_study: Campaign, four_series: list[Series], overlay: Callable[..., Page]
) -> None:
    page = overlay(four_series[0])
    button = page.locator('[data-evidence="sdm"]')

    button.click()
    evidence_row = page.locator('tr[data-line="sdm"] + .evidence-row')
    expect(evidence_row.locator(".evidence").first).to_be_visible(timeout=A_PROCESS)
    expect(button).to_have_attribute("aria-pressed", "true")
    page.set_viewport_size({"width": 390, "height": 844})
    expect(page.locator(".detections thead")).to_have_css("position", "absolute")  # as cards
    evidence = evidence_row.locator(".evidence").first
    wait_for(
        lambda: resting_box(evidence)["width"] == resting_box(evidence_row)["width"] > 300,
        "evidence as wide as the row",
    )
    page.set_viewport_size({"width": 1280, "height": 900})
    button.click()
    expect(page.locator(".evidence")).to_have_count(0)


def test_the_table_sorts_and_the_yardstick_stays_on_top(
    compared_study: Campaign, four_series: list[Series], overlay: Callable[..., Page]
) -> None:
    page = overlay(four_series[0])

    for _ in range(2):
        page.locator("[data-sort=start]").click()

    def starts() -> list[str]:
        slugs: list[str] = page.eval_on_selector_all(
            ".detections tr[data-line]:not([data-fixed])",
            "rows => rows.map((row) => row.dataset.start)",
        )
        return slugs

    # Groups stay: agree, early, never.
    wait_for(
        lambda: starts() == ["50", "42", "30", ""], "sorted rows", instead=lambda: f"{starts()}"
    )
    assert page.locator(".detections tbody tr").first.get_attribute("data-line") == "truth"
    expect(page.locator("#chart-description")).to_contain_text("Ground truth: steady from 42.")


def test_answers_without_room_in_the_strip_are_in_a_menu(
    compared_study: Campaign,
    four_series: list[Series],
    store: Callable[..., None],
    overlay: Callable[..., Page],
) -> None:
    """Twenty answers on one iteration are seven symbols and a menu of the others."""
    for number in range(20):
        store(key_of("fixed", iteration=60 + number), four_series[:1], [120])
    page = overlay(four_series[0])
    menu = page.locator(".chart-more:has([data-answer])")
    menu_answers = menu.locator("[data-answer]")

    menu.locator("summary").click()
    expect(menu.locator("summary")).to_have_text(f"+{menu_answers.count()}")
    assert page.locator(".strip-answer").count() + menu_answers.count() + len(lines(page)) - 1 >= 20
    chosen_answer = menu_answers.last
    name = chosen_answer.get_attribute("data-answer")
    expect(chosen_answer).to_contain_text("steady from 120")
    chosen_answer.click()

    expect(page.locator(f'.line-group[data-line="{name}"]')).to_have_count(1)


@pytest.fixture
def on_one_pixel(four_series: list[Series], store: Callable[..., None]) -> Series:
    """Four lines on iteration 120: only the first is written."""
    for number in range(4):
        store(key_of("fixed", iteration=60 + number), four_series[:1], [120])
    return four_series[0]


@pytest.mark.parametrize("how", ["mouse", "keyboard", "finger"])
def test_names_behind_a_number_of_lines_open_as_a_list(
    compared_study: Campaign,
    on_one_pixel: Series,
    open_page: Callable[..., Page],
    vic: User,
    complaints: list[str],
    how: str,
) -> None:
    page = open_page(vic, has_touch=how == "finger")
    page.goto(f"{on_one_pixel.get_absolute_url()}?on={'&on='.join(methods_at_120(on_one_pixel))}")
    number = page.get_by_label("+3 more lines on this iteration")
    {"mouse": number.click, "keyboard": lambda: number.press("Enter"), "finger": number.tap}[how]()

    items = page.locator(".chart-more[open] [data-line]")
    expect(items).to_have_count(4)
    expect(items.nth(1)).to_be_visible()
    assert all(text.endswith("120") for text in items.all_inner_texts())
    items.nth(1).focus()
    name = items.nth(1).get_attribute("data-line")
    expect(page.locator(f'.line-group[data-line="{name}"]')).to_have_class(re.compile("is-raised"))
    assert not complaints


def methods_at_120(series: Series) -> list[str]:
    """Names of the methods whose answer is 120."""
    detections = series.detections.filter(steady_start=120).order_by("pk")
    return [quote(key) for key in detections.values_list("detector_key", flat=True)]


def test_the_page_says_which_rule_chose_its_lines_and_goes_back_to_it(
    crowded_series: Series, overlay: Callable[..., Page]
) -> None:
    page = overlay(crowded_series)
    rule, begin = page.locator("[data-lines-rule]"), lines(page)
    expect(rule).to_have_text("different answers, and others")

    page.get_by_role("button", name="none", exact=True).click()
    expect(rule).to_have_text("lines chosen by hand")
    page.reload()
    expect(rule).to_have_text("lines chosen by hand")
    page.get_by_role("button", name="default lines").click()

    expect(rule).to_have_text("different answers, and others")
    assert sorted(lines(page)) == sorted(begin)
    page.reload()
    expect(rule).to_have_text("different answers, and others")
    page.get_by_role("link", name="change", exact=True).click()
    expect(page.get_by_role("heading", level=1)).to_have_text("Compare")
