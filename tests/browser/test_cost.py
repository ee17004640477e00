"""The scatter of costs as a person meets it: front, mark to reach, inset, ways on, a phone."""

from __future__ import annotations

from collections.abc import Callable, Iterator

import numpy as np
import pytest
from playwright.sync_api import Locator, Page, expect

from formats.iterations import ONE_OPERATION_EACH
from people.models import Study, User
from series.models import Series
from tests.analysis.comparison.conftest import key_of, store
from tests.browser.patience import fits, resting_box

__all__ = ["store"]

pytestmark = pytest.mark.django_db(transaction=True)
FORKS, STEADY = 12, 60
CROWD = {"f-test": 100, "r-test": 101, "t-test": 102, "georges": 103, "pilot": 104, "mser": 105}
ANSWERS = {"sdm": 20, "kb-kssd": STEADY, **CROWD, "fixed": 150}


@pytest.fixture
def costs(make_series: Callable[..., Series], store: Callable[..., None], study: Study) -> str:
    """Twelve forks that fall to a level after 60 iterations: one method is on time, one early,
    six wait long and alike, and a baseline waits longest. The page with 100 measured iterations.
    """
    random = np.random.default_rng(5)
    falling = np.maximum(2 - np.arange(300) / STEADY, 1)
    forks = [
        make_series(
            falling + random.normal(0, 0.01, 300),
            fork=fork,
            settings=dict(ONE_OPERATION_EACH),
            known_start=STEADY,
        )
        for fork in range(FORKS)
    ]
    for slug, start in ANSWERS.items():
        store(key_of(slug), forks, [start] * FORKS)
    return f"/s/{study.slug}/comparison/cost/"


@pytest.fixture
def page(
    open_page: Callable[..., Page], vic: User, costs: str, complaints: list[str]
) -> Iterator[Page]:
    page = open_page(vic)
    page.goto(costs)
    expect(page.locator("#cost-figures[hx-get]")).to_have_count(0)  # every interval is exact
    expect(page.locator("#cost-scatter .scatterlayer .point").first).to_be_attached()
    yield page
    page.wait_for_load_state("networkidle")
    assert not complaints


def symbol(page: Page, code: str) -> Locator:
    """The symbol of a method in the plot itself: symbols stand in the order of their trace."""
    at = page.evaluate(
        """(code) => document.querySelector("#cost-scatter .js-plotly-plot").data
          .find(({ids}) => ids).customdata.indexOf(code)""",
        code,
    )
    return page.locator("#cost-scatter .subplot.xy .trace:has(.point ~ .point) .point").nth(at)


def test_the_front_leads_from_the_shortest_to_the_most_exact_above_the_mark(page: Page) -> None:
    drawn = page.evaluate(
        """() => {
          const { data } = document.querySelector("#cost-scatter .js-plotly-plot")
          const of = ({ x, y }) => x.map((each, at) => [each, y[at]])
          const symbols = data.find(({ ids, xaxis }) => ids && !xaxis)
          return { front: of(data.find(({ line }) => line?.shape === "hv")).slice(1, -1),
            symbols: Object.fromEntries(of(symbols).map((at, i) => [symbols.ids[i], at])),
            mark: data.find(({ marker }) => marker?.symbol === "diamond").text }
        }"""
    )

    assert drawn["front"] == [drawn["symbols"]["sdm"], drawn["symbols"]["kb-kssd"]]
    assert drawn["mark"] == ["known answer"]
    expect(page.locator("#cost-scatter")).to_contain_text("known answer")
    expect(page.locator("[data-cost-sentence]")).to_contain_text("KB-KSSD would waste")


def test_a_crowd_is_larger_in_an_inset_where_alone_it_is_named(page: Page) -> None:
    plot, inset = (page.locator(f"#cost-scatter .subplot.{axes}") for axes in ("xy", "x2y2"))

    expect(inset.locator(".point")).to_have_count(len(CROWD))
    expect(inset).to_contain_text("GE")
    expect(plot).not_to_contain_text("GE")
    expect(plot).to_contain_text("KB")


def test_a_symbol_tells_its_sentence_and_opens_its_benchmarks(page: Page) -> None:
    early = symbol(page, "sdm")
    early.scroll_into_view_if_needed()
    box = resting_box(early)
    x, y = box["x"] + box["width"] / 2, box["y"] + box["height"] / 2

    page.mouse.move(x, y, steps=3)
    expect(page.locator("[data-cost-sentence]")).to_contain_text("SDM")
    expect(page.locator('[data-cost-row="sdm"]')).to_have_class("is-raised")
    page.mouse.click(x, y)

    page.wait_for_url("**/cost/benchmarks/?*of=sdm")
    expect(page.get_by_role("heading", level=1)).to_contain_text("SDM")


def test_a_phone_has_a_list_instead_of_the_inset_and_the_whole_table(page: Page) -> None:
    page.set_viewport_size({"width": 390, "height": 844})

    expect(page.locator("#cost-scatter .subplot.x2y2 .point")).to_have_count(0)
    expect(page.locator(".cost-crowded")).to_be_visible()
    expect(page.locator(".cost-crowded .symbol")).to_have_count(len(CROWD))
    table = page.locator(".cost-short")
    box = table.bounding_box()
    assert box
    assert box["x"] >= 0
    assert box["x"] + box["width"] <= 390
    expect(table.locator("[data-cost-row]")).to_have_count(len(ANSWERS))
    fits(page, 390)


def test_filters_of_every_day_apply_themselves_and_the_others_keep_them(page: Page) -> None:
    field = page.get_by_role("textbox", name="Warm-up at most")
    field.fill("80")
    field.press("Enter")
    page.wait_for_url("**/cost/?*cap=80*")
    page.locator("summary", has_text="More").click()
    page.get_by_label("Judged by").select_option("honest")
    page.get_by_role("button", name="Apply settings").click()

    page.wait_for_url("**how=honest**")
    assert "cap=80" in page.url
    expect(page.locator("summary", has_text="More")).to_have_class(
        "button button-small filter-active"
    )
    expect(page.get_by_role("textbox", name="Warm-up at most")).to_have_value("80")
