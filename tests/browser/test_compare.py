"""The comparison as a person meets it: figures, lists behind them, filters, narrow screens."""

from __future__ import annotations

import json
import zipfile
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Page, expect

from analysis.report.models import ReportUnit
from annotate.models import Campaign
from people.models import User
from tests.analysis.comparison.conftest import answered_tasks, compared_study, four_series, store
from tests.analysis.conftest import few_rank
from tests.analysis.work.units import work
from tests.browser.patience import fits, resting_box

__all__ = ["answered_tasks", "compared_study", "few_rank", "four_series", "store"]

pytestmark = pytest.mark.django_db(transaction=True)
COMPARE = "/s/startup-times/comparison/"


@pytest.fixture
def page(
    open_page: Callable[..., Page], vic: User, compared_study: Campaign, complaints: list[str]
) -> Iterator[Page]:
    page = open_page(vic)
    page.goto(COMPARE)
    yield page
    assert not complaints


def test_the_page_shows_the_figures_of_its_file(page: Page) -> None:
    with page.expect_download() as download:
        page.locator(".table-files", has_text="Leaderboard").get_by_role(
            "link", name="JSON"
        ).click()
    document = json.loads(Path(download.value.path()).read_text())

    figures = page.locator(".leaderboard tbody tr .key-figure").all_inner_texts()
    method_rows = [row for row in document["rows"] if row["kind"] == "method"]
    assert figures == [f"{row['median_abs']:.1f}" for row in method_rows]


def test_a_number_opens_the_series_behind_it_with_the_first_one_beside_them(page: Page) -> None:
    page.locator('tr[data-of="kb-kssd"] [data-cell=late]').click()
    page.wait_for_url("**/disagreements/**cell=late**")

    expect(page.locator(".title-line")).to_contain_text("KB-KSSD: late: 1 of")
    expect(page.locator('tr[data-line="kb-kssd"]')).to_contain_text("+28")


def test_keys_reach_the_series_behind_a_figure(page: Page) -> None:
    page.locator(".cell-form select[name=cell]").select_option("late")
    page.locator(".cell-form select[name=of]").select_option("kb-kssd")
    page.get_by_role("button", name="List its series").press("Enter")

    page.wait_for_url("**/disagreements/**cell=late**")
    expect(page.locator(".title-line")).to_contain_text("KB-KSSD: late: 1 of")


def open_fold(page: Page, name: str) -> None:
    page.locator(f"#{name} > summary").click()


def test_a_filter_applies_itself_and_the_address_says_it(page: Page) -> None:
    field = page.get_by_role("textbox", name="Tolerance").first
    field.fill("30")
    field.press("Enter")
    page.wait_for_url(f"**{COMPARE}?tol=30")
    expect(page.get_by_role("columnheader", name="Within ±30")).to_be_visible()
    open_fold(page, "ecdf")
    page.get_by_role("slider", name="Tolerance").press("Shift+ArrowRight")
    page.wait_for_url(f"**{COMPARE}?tol=40")
    expect(page.get_by_role("slider", name="Tolerance")).to_be_focused()
    expect(page.get_by_role("columnheader", name="Within ±40")).to_be_visible()
    page.get_by_label("Yardstick").first.select_option("person:first-look:a1")

    page.wait_for_url(f"**{COMPARE}?y=person%3Afirst-look%3Aa1&tol=40")
    expect(page.locator(".leaderboard")).to_contain_text("KB-KSSD")


def test_a_column_sorts_both_ways(page: Page) -> None:
    page.get_by_role("columnheader", name="Mean Δ").click()
    page.wait_for_url("**sort=mean_error")
    expect(page.get_by_role("columnheader", name="Mean Δ")).to_have_attribute(
        "aria-sort", "ascending"
    )
    page.locator("summary", has_text="Sort").click()
    page.locator(".leaderboard-sort").get_by_role("link", name="Mean Δ").press("Enter")
    page.wait_for_url("**sort=-mean_error")


def test_a_narrow_screen_gets_cards(page: Page) -> None:
    page.set_viewport_size({"width": 390, "height": 844})

    card = page.locator(".leaderboard tbody tr", has_text="KB-KSSD")
    expect(card.locator('[data-head="median |Δ|"]')).to_be_visible()
    expect(card.locator(".verdict-cell")).to_be_hidden()
    fits(page, 390)


def test_a_finger_chooses_sorts_and_reads_a_curve_before_it_opens_it(
    open_page: Callable[..., Page], vic: User, compared_study: Campaign, complaints: list[str]
) -> None:
    page = open_page(vic, has_touch=True, is_mobile=True, viewport={"width": 390, "height": 844})
    page.goto(COMPARE)
    page.get_by_text("More", exact=True).tap()
    menu = page.locator(".menu[open] > .menu-list").bounding_box()
    assert menu
    assert 0 <= menu["x"] < menu["x"] + menu["width"] <= 390
    page.get_by_text("More", exact=True).tap()
    published_link = page.get_by_role("link", name="Published 2")
    published_link.tap()
    page.wait_for_url("**/comparison/?m=kb-kssd&m=sdm")
    expect(published_link).to_have_attribute("aria-current", "true")
    page.locator("summary", has_text="Sort").tap()
    page.locator(".leaderboard-sort").get_by_role("link", name="Method").tap()
    page.wait_for_url("**sort=title")

    page.locator("#ecdf > summary").tap()
    surface, distance = page.locator("[data-surface]"), page.locator("[data-reading-at]")
    surface.scroll_into_view_if_needed()
    expect(page.locator("#error-distribution .main-svg").first).to_be_visible()
    expect(distance).to_have_text("10")
    width, height = surface.evaluate("each => [each.clientWidth, each.clientHeight]")
    surface.tap(position={"x": width * 0.3, "y": height - 4})
    expect(distance).not_to_have_text("10")  # of the lower curve: read, and not opened
    surface.tap(position={"x": width * 0.9, "y": 4})
    expect(page.locator("[data-readings] li").first).to_contain_text("KB")
    surface.tap(position={"x": width * 0.9, "y": 4})

    page.wait_for_url("**/disagreements/**cell=within**of=kb-kssd")
    assert not complaints


def test_a_figure_draws_itself_and_opens_the_series_behind_a_curve(page: Page) -> None:
    open_fold(page, "ecdf")
    drawing = page.locator("#error-distribution .main-svg").first
    surface = page.locator("[data-surface]")
    surface.scroll_into_view_if_needed()
    expect(drawing).to_be_visible()
    box = resting_box(surface)

    page.mouse.move(box["x"] + box["width"] * 0.9, box["y"] + 4)
    expect(page.locator("[data-readings] li").first).to_contain_text("KB")
    page.mouse.down()
    page.mouse.up()

    page.wait_for_url("**/disagreements/**cell=within**of=kb-kssd")
    assert page.locator("[data-listed-case]").count() > 0


def test_one_method_is_raised_by_keyboard_and_lowered_again(page: Page) -> None:
    open_fold(page, "signed")
    figure = page.locator("#signed-error")
    figure.scroll_into_view_if_needed()
    choice, faint = figure.get_by_label("Raise"), figure.locator('.point[style*="opacity: 0.2"]')
    expect(choice).to_be_visible()  # the figure is drawn
    expect(faint).to_have_count(0)

    choice.focus()
    choice.press("S")
    expect(choice).to_have_value("sdm")
    expect(faint.first).to_be_attached()
    choice.press("Escape")

    expect(choice).to_have_value("")
    expect(faint).to_have_count(0)


def test_a_figure_follows_the_theme_and_is_a_file(page: Page) -> None:
    open_fold(page, "ecdf")
    figure = page.locator("#error-distribution")
    figure.scroll_into_view_if_needed()
    ticks = figure.locator(".xtick text").first
    expect(ticks).to_have_css("fill", "rgb(74, 85, 99)")
    page.emulate_media(color_scheme="dark")
    expect(ticks).to_have_css("fill", "rgb(183, 192, 204)")

    files = {}
    for name in ("SVG", "PNG"):
        for attempt in range(2):
            with page.expect_download() as download:
                figure.get_by_role("button", name=name).click()
            assert download.value.suggested_filename == f"error-distribution.{name.lower()}"
            files[name, attempt] = Path(download.value.path()).read_bytes()
    assert files["SVG", 0].startswith(b"<svg")
    assert b"@font-face{font-family:Inter;" in files["SVG", 0]
    assert files["PNG", 0].startswith(b"\x89PNG")
    assert all(files[name, 0] == files[name, 1] for name in ("SVG", "PNG"))


def test_a_bar_of_a_figure_that_came_later_opens_its_series(page: Page) -> None:
    page.get_by_text("Further figures").click()
    bars = page.locator("#error-histogram .bars .point")
    expect(bars.first).to_be_attached()
    page.locator("#error-histogram").scroll_into_view_if_needed()
    box = resting_box(bars.first)

    page.mouse.move(box["x"] + box["width"] / 2, box["y"] + box["height"] / 2, steps=3)
    expect(page.locator("#error-histogram .hovertext")).to_contain_text("1 series")
    page.mouse.click(box["x"] + box["width"] / 2, box["y"] + box["height"] / 2)

    page.wait_for_url("**/disagreements/**cell=error**")
    expect(page.locator("[data-listed-case]")).to_have_count(1)


def test_print_opens_loads_and_draws_everything(page: Page) -> None:
    """What stood on paper is counted when the page asks to be printed; afterwards it is folded."""
    page.evaluate(
        """() => { window.print = () => { window.onPaper = {
          closed: document.querySelectorAll(".page-fold:not([open])").length,
          pending: document.querySelectorAll("[data-pending]").length,
          undrawn: document.querySelectorAll("[data-plot]:not(:has(.main-svg))").length }
          document.body.dataset.printed = "" } }"""
    )
    page.locator("summary", has_text="More").first.click()
    page.get_by_role("button", name="Print it all").click()
    expect(page.locator("body[data-printed]")).to_be_attached()

    assert page.evaluate("window.onPaper") == {"closed": 0, "pending": 0, "undrawn": 0}
    expect(page.locator(".page-fold[open]")).to_have_count(0)
    basis = page.locator(".paper").first
    expect(basis).to_be_hidden()
    page.emulate_media(media="print")
    expect(basis).to_contain_text("First look, ground truth · 4 series, 3 steady")
    expect(page.locator(".cell-form")).to_be_hidden()


def test_print_does_not_wait_for_figures_that_cannot_be_drawn(
    page: Page, complaints: list[str]
) -> None:
    page.evaluate(
        """() => { document.querySelector("meta[name=figure-library]").content = "data:,"
          window.print = () => { document.body.dataset.printed = "" } }"""
    )
    page.locator("summary", has_text="More").first.click()
    page.get_by_role("button", name="Print it all").click()

    expect(page.locator("body[data-printed]")).to_be_attached(timeout=10_000)  # not all 300 looks
    assert complaints
    complaints.clear()  # the library that cannot be loaded


def make_reports() -> None:
    """As a worker does."""
    for unit in ReportUnit.objects.open():
        assert work(unit) == "done"


def test_everything_is_saved_by_one_press(page: Page) -> None:
    """The button tells how far a worker is, and saves the file once it is there."""
    page.get_by_role("button", name="Download all (.zip)").click()
    expect(page.locator("#download")).to_contain_text("Making the .zip, 0 %")
    with page.expect_download() as download:
        make_reports()

    assert download.value.suggested_filename.endswith(".zip")
    expect(page.get_by_role("link", name="Download all (.zip)")).to_be_visible()


def test_a_report_is_whole_on_paper(page: Page, tmp_path: Path) -> None:
    page.emulate_media(color_scheme="dark")
    page.get_by_role("button", name="Download all (.zip)").click()
    expect(page.locator("#download")).to_contain_text("Making the .zip")
    with page.expect_download() as download:
        make_reports()
    with zipfile.ZipFile(download.value.path()) as archive:
        archive.extract("report.html", tmp_path)
    page.goto((tmp_path / "report.html").as_uri())
    figures = page.locator("[data-plot]")
    figures.first.scroll_into_view_if_needed()
    expect(figures.first.locator(".main-svg").first).to_be_attached()

    page.evaluate("dispatchEvent(new Event('beforeprint'))")

    assert figures.count() >= 6
    expect(page.locator("[data-plot]:has(.main-svg)")).to_have_count(figures.count())
    expect(figures.first.locator(".xtick text").first).to_have_css("fill", "rgb(74, 85, 99)")
    closed_folds = page.locator("details:not([open])")
    expect(closed_folds).to_have_count(0)
    page.evaluate("dispatchEvent(new Event('afterprint'))")
    expect(closed_folds).to_have_count(page.locator("details").count())
    assert page.locator("a[href]").count() == 0


def test_the_menu_of_methods_searches_and_ticks_all_or_none(page: Page) -> None:
    page.locator(".compare-menu > summary", has_text="Choose…").click()
    choices = page.locator(".compare-choices .choice:visible")
    expect(choices).to_have_count(4)

    page.get_by_role("searchbox", name="Search methods").fill("sdm")
    expect(choices).to_have_count(1)
    page.get_by_role("searchbox", name="Search methods").fill("")
    page.get_by_role("button", name="None").click()
    page.get_by_role("searchbox", name="Search methods").fill("sdm")
    page.get_by_role("button", name="All", exact=True).click()
    page.get_by_role("button", name="Compare these").first.click()

    page.wait_for_url("**/comparison/?m=sdm")


def test_a_set_is_one_press_and_people_alone_stay_when_something_else_changes(page: Page) -> None:
    sets = page.get_by_role("navigation", name="Sets of methods", exact=True)
    expect(sets.get_by_role("link", name="All 4")).to_have_attribute("aria-current", "true")
    sets.get_by_role("link", name="Published 2").click()
    page.wait_for_url("**/comparison/?m=kb-kssd&m=sdm")
    expect(sets.get_by_role("link", name="Published 2")).to_have_attribute("aria-current", "true")
    page.set_viewport_size({"width": 390, "height": 844})
    fits(page, 390)

    page.locator(".compare-menu > summary", has_text="Choose…").click()
    page.get_by_role("link", name="People 2").click()
    page.wait_for_url("**/comparison/?m=people")
    expect(page.locator(".leaderboard tbody tr.person")).to_have_count(2)
    field = page.get_by_role("textbox", name="Tolerance").first
    field.fill("30")
    field.press("Enter")

    page.wait_for_url("**/comparison/?m=people&tol=30")
    fits(page, 390)
