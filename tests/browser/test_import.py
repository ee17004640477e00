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
def _own_folder(settings: Any, tmp_path: Path) -> None:
    settings.DATA_DIR = tmp_path


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

    expect(page.get_by_role("heading", name="sort.json")).to_be_visible()
    expect(page.get_by_text("1 benchmark · 2 series · 120 iterations each")).to_be_visible()
    assert Series.objects.count() == 0

    page.get_by_label("Name of the new data set").fill("Sorting")
    page.get_by_label("Recording").fill("nightly 12")
    page.get_by_role("button", name="Import 2 series").click()

    expect(page.get_by_text("1 file imported: 2 series are new.")).to_be_visible()
    page.get_by_role("link", name="Sort.merge").click()
    page.get_by_role("link", name="Fork 1").click()
    expect(page.locator(".chart-graph .js-line")).to_be_visible()
    assert [each.array().tolist()[0] for each in Series.objects.order_by("fork")] == [0.003, 0.001]
    assert complaints == []


def test_many_dropped_files_are_confirmed_together(
    open_page: Callable[..., Page], complaints: list[str], study: Study, olga: User
) -> None:
    page = open_page(olga)
    page.goto(f"/s/{study.slug}/import/")

    drop(page, merge=jmh("org.example.Sort.merge"), quick=jmh("org.example.Sort.quick"))

    expect(page.get_by_text("2 files, not imported yet")).to_be_visible()
    page.get_by_label("Name of the new data set").fill("Sorting")
    page.get_by_role("button", name="Import", exact=True).click()
    expect(page.get_by_text("2 files imported: 4 series are new.")).to_be_visible()
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

    page.get_by_label("Files").set_input_files(file)
    page.get_by_role("button", name="Look into the files").click()
    page.get_by_label("Name of the new data set").fill("Sorting")
    page.get_by_role("button", name="Import 2 series").click()

    expect(page.get_by_text("1 file imported: 2 series are new.")).to_be_visible()
