"""Dropping a file: seen before it is stored, stored when confirmed, drawn at the end."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Page, expect

from people.models import Study, User
from series.models import Series
from series.reading import file_readers
from tests.browser.conftest import A_PROCESS
from tests.browser.patience import fits

DROP = """([names, texts]) => {
  const transfer = new DataTransfer()
  names.forEach((name, at) => transfer.items.add(new File([texts[at]], name)))
  const area = document.querySelector("[data-drop]")
  const how = { dataTransfer: transfer, bubbles: true, cancelable: true }
  for (const kind of ["dragenter", "dragover", "drop"])
    area.dispatchEvent(new DragEvent(kind, how))
}"""
STEP = [3.0] * 40 + [1.0] * 80


@pytest.fixture(autouse=True)
def _own_folder(settings: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    settings.DATA_DIR = tmp_path
    monkeypatch.setattr(file_readers.readers, "seconds", A_PROCESS / 1000)


def jmh(name: str) -> str:
    metric = {"scoreUnit": "ms/op", "rawData": [STEP, STEP[::-1]]}
    return json.dumps([{"benchmark": name, "mode": "avgt", "primaryMetric": metric}])


def drop(page: Page, **files: str) -> None:
    names = [f"{stem}.json" for stem in files]
    page.evaluate(DROP, [names, list(files.values())])


def test_a_dropped_file_is_seen_confirmed_and_drawn(
    open_page: Callable[..., Page], complaints: list[str], study: Study, olga: User
) -> None:
    page = open_page(olga)
    page.goto(f"/s/{study.slug}/import/")

    drop(page, sort=jmh("org.example.Sort.merge"))

    reading = page.locator("[data-reading]")
    expect(reading).to_contain_text("2 series of 120 iterations", timeout=A_PROCESS)
    expect(page.locator("[data-into]")).to_have_text("New data set sort, recording sort.")
    assert Series.objects.count() == 0

    page.get_by_text("Change", exact=True).click()
    page.get_by_label("Name of the new data set").fill("Sorting")
    page.get_by_label("Recording").fill("nightly 12")
    page.locator("[data-import-now]").click()

    page.locator("[data-told]").get_by_role("link", name="Sorting").click()
    page.get_by_role("link", name="Sort.merge").click()
    page.get_by_role("link", name="Fork 1").click()
    expect(page.locator(".chart-graph .js-line")).to_be_visible()
    assert [series_row.array().tolist()[0] for series_row in Series.objects.order_by("fork")] == [
        0.003,
        0.001,
    ]
    assert complaints == []


def test_many_dropped_files_are_confirmed_together(
    open_page: Callable[..., Page], complaints: list[str], study: Study, olga: User
) -> None:
    page = open_page(olga)
    page.goto(f"/s/{study.slug}/import/")

    drop(page, merge=jmh("org.example.Sort.merge"), quick=jmh("org.example.Sort.quick"))

    expect(page.locator("[data-file]")).to_have_count(2, timeout=A_PROCESS)
    expect(page.locator("[data-import-now]")).to_have_text("Import 4 series")
    page.get_by_label("Import quick.json").uncheck()
    expect(page.locator("[data-import-now]")).to_have_text("Import 2 series")
    expect(page.locator("[data-outlook]")).to_contain_text("2 series, all new")
    page.get_by_label("Import quick.json").check()
    page.locator("[data-import-now]").click()
    expect(page.locator("[data-imported]")).to_have_count(2)
    assert Series.objects.count() == 4
    assert complaints == []


EXCEL = "checkout ms;search ms\r\n" + "18,028;36,104\r\n19,123;40,111\r\n" * 40


@pytest.mark.parametrize("width", [1280, 390])
def test_a_doubt_is_settled_by_one_click_with_the_button_to_import_in_view(
    open_page: Callable[..., Page], complaints: list[str], study: Study, olga: User, width: int
) -> None:
    page = open_page(olga)
    page.set_viewport_size({"width": width, "height": 800})
    page.goto(f"/s/{study.slug}/import/")
    fits(page, width)
    page.evaluate(DROP, [["nightly.csv"], [EXCEL]])
    reading, doubt = page.locator("[data-reading]"), page.locator("[data-doubt]")
    expect(reading).to_contain_text("Medians from 18.58 ms to 38.11 ms", timeout=A_PROCESS)
    expect(page.locator("[data-import-now]")).to_be_in_viewport(ratio=1)

    doubt.get_by_role("button").first.click()

    expect(reading).to_contain_text("Medians from 18.58 s to 38.11 s", timeout=A_PROCESS)
    expect(doubt).to_have_count(0)
    page.locator("[data-reading] a", has_text="in ms").click()
    expect(page.get_by_label("Unit")).to_be_focused()
    page.locator("[data-import-now]").click()
    expect(page.locator("[data-next]")).to_be_visible()
    assert [series_row.array().tolist()[0] for series_row in Series.objects.order_by("pk")] == [
        18.028,
        36.104,
    ]
    assert complaints == []


def test_the_table_filters_as_one_types_and_is_walked_by_keys(
    open_page: Callable[..., Page],
    complaints: list[str],
    make_series: Callable[..., Series],
    vic: User,
) -> None:
    for number in range(60):
        series = make_series(STEP, f"org.example.Some.work{number:02}")
    page = open_page(vic)
    page.goto(series.benchmark.dataset.get_absolute_url())

    page.get_by_role("link", name="Load 10 more").click()
    expect(page.get_by_role("link", name="Some.work59")).to_be_visible()
    page.keyboard.press("/")
    page.keyboard.type("work3")
    expect(page.get_by_text("10 benchmarks found")).to_be_visible()
    expect(page).to_have_url(series.benchmark.dataset.get_absolute_url() + "?q=work3")
    page.get_by_role("searchbox").blur()
    page.keyboard.press("j")
    page.keyboard.press("j")
    page.keyboard.press("Enter")
    expect(page.get_by_role("heading", name="Some.work31")).to_be_visible()
    assert complaints == []


def test_nothing_needs_a_script(
    open_page: Callable[..., Page], study: Study, olga: User, tmp_path: Path
) -> None:
    file = tmp_path / "sort.json"
    file.write_text(jmh("org.example.Sort.merge"))
    page = open_page(olga, java_script_enabled=False)
    page.goto(f"/s/{study.slug}/import/")

    page.get_by_label("Choose files").set_input_files(file)
    page.get_by_role("button", name="Preview the files").click(timeout=A_PROCESS)
    page.locator("[data-import-now]").click(timeout=A_PROCESS)

    expect(page.locator("[data-told]")).to_contain_text("2 series are new")
