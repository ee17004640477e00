"""The chart as a person meets it: pointer, keys, labels, spikes; under the policy."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from pathlib import Path
from urllib.parse import parse_qs, urlparse

import numpy as np
import pytest
from django.template import engines
from numpy.typing import NDArray
from playwright.sync_api import Page, Route

from config.middleware import POLICY
from detectors.arrays.robust_range import plateau_band, robust_range
from series.values.downsampled_windows import bucket_figures

N = 3000
Values = NDArray[np.float64]
Open = Callable[[Values], Page]
PAGE = """{% extends "base.html" %}
{% block main %}{% include "_chart.html" with label="Trial" lanes=4 precision=True %}{% endblock %}
{% block scripts %}
  {% include "_plotly.html" %}<script type="module" src="/trial.js"></script>
{% endblock %}"""
SCRIPT = """import { createChart } from "/static/js/chart/chart.js"
import * as parts from "/static/js/chart/overlay.js"
import { Loupe } from "/static/js/chart/loupe.js"
window.picks = []
window.make = async (series, options = {}) => {
  const onPick = (index, phase) => { picks.push([index, phase]); chart.setMark(index) }
  window.chart = createChart(document.querySelector("[data-chart]"), { onPick, parts, ...options })
  await chart.show(series)
}
window.look = (at) => {
  const [host, words] = [document.createElement("div"), document.createElement("p")]
  words.id = "said"
  document.querySelector("[data-chart]").append(host, words)
  window.loupe = new Loupe(host, chart, { words })
  loupe.draw(at)
}
window.frame = () => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)))
"""


# Whether the finer picture of a window has arrived.
FINE = """([a, b]) => chart.stage.source.pictures.some((one) =>
  one.from <= a && one.to >= b && (one.values || one.to - one.from <= 1.5 * (b - a)))"""


def payload(values: Values, route: Route) -> None:
    """What the server answers: values, figures of buckets and where they are, or a range."""
    window = {
        key: int(text) for key, (text,) in parse_qs(urlparse(route.request.url).query).items()
    }
    start, stop = window.get("from", 0), window.get("to", len(values))
    body = values[start:stop].astype("<f4").tobytes()
    if window.get("buckets"):
        figures = bucket_figures(values, start, stop, window["buckets"])
        drawn_values = np.concatenate([figures.quantiles, figures.extremes])
        body = drawn_values.astype("<f4").tobytes() + figures.places.astype("<u4").tobytes()
    elif window and "buckets" not in window:
        limits = [*robust_range(values[start:stop]), *plateau_band(values[start:stop])]
        body = np.array(limits, "<f4").tobytes()
    route.fulfill(body=body, content_type="application/octet-stream")


@pytest.fixture
def open_chart(open_page: Callable[..., Page], complaints: list[str]) -> Iterator[Open]:
    """A page with a chart of these values; the whole of it as `chart` in the page."""

    def make(values: Values) -> Page:
        page = open_page()
        text = engines["django"].from_string(PAGE).render({})
        headers = {"Content-Security-Policy": POLICY, "Content-Type": "text/html"}
        page.route("**/trial/", lambda route: route.fulfill(body=text, headers=headers))
        script = {"body": SCRIPT, "content_type": "text/javascript"}
        page.route("**/trial.js", lambda route: route.fulfill(**script))
        page.route("**/payload/**", lambda route: payload(values, route))
        page.goto("/trial/")
        page.evaluate("series => window.make(series)", chart_description(values))
        return page

    yield make
    assert complaints == []


def chart_description(values: Values) -> dict[str, object]:
    return {
        "n": len(values),
        "scale": 1,
        "unit": "s",
        "digest": "trial",
        "payloadUrl": "/payload/trial.f32",
        "windowUrl": "/payload/trial/window",
        "robust": robust_range(values),
    }


def noise(n: int = N, centre: float = 100.0) -> Values:
    return np.random.default_rng(1).normal(centre, 1.0, n)


def surface(page: Page) -> tuple[float, float, float, float]:
    box = page.locator(".chart-surface").bounding_box()
    assert box
    return box["x"], box["y"], box["width"], box["height"]


def test_a_click_is_the_nearest_iteration_and_a_drag_is_none(open_chart: Open) -> None:
    page = open_chart(noise())
    x, y, width, height = surface(page)
    plot_box = page.locator(".nsewdrag").bounding_box()

    for share in (0.25, 0.5, 0.9):
        page.mouse.click(x + share * width, y + height / 2)
    page.mouse.down()
    page.mouse.move(x + 0.5 * width, y + height / 2)
    page.mouse.up()

    assert plot_box == {"x": x, "y": y, "width": width, "height": height}
    assert page.evaluate("picks") == [[750, "click"], [1500, "click"], [2700, "click"]]


@pytest.mark.parametrize("kind", ["svg", "png"])
def test_a_picture_carries_its_font_and_is_the_same_bytes_again(
    open_chart: Open, kind: str
) -> None:
    files = []
    for _ in range(2):
        page = open_chart(noise())
        page.evaluate("chart.setMark(700)")
        with page.expect_download() as download:
            page.evaluate(f"chart.act('download-{kind}')")
        files.append(Path(download.value.path()).read_bytes())

    assert files[0] == files[1]
    if kind == "svg":
        assert b"@font-face{font-family:Inter;" in files[0]
        return
    page.route("**/inter*.woff2", lambda route: route.abort())
    script = """async (svg) => {
      const { pngOf } = await import("/static/js/shared/picture.js")
      return (await pngOf(svg)).size
    }"""
    text = '<svg xmlns="http://www.w3.org/2000/svg" width="90" height="20">{}{}</svg>'
    words = '<text y="15" font-family="Inter, monospace">iteration</text>'
    picture = page.evaluate(
        "svg => import('/static/js/shared/picture.js').then((m) => m.withFont(svg))",
        text.format("", words),
    )
    assert page.evaluate(script, picture) != page.evaluate(script, text.format("", words))


def test_moving_the_mark_draws_nothing(open_chart: Open) -> None:
    page = open_chart(noise())
    page.evaluate("window.drawn = 0; chart.onDraw(() => drawn++)")

    page.evaluate("for (let i = 0; i < 100; i++) chart.setMark(500 + i)")

    assert page.evaluate("frame().then(() => drawn)") == 1  # the call at once, none after
    assert page.locator(".chart-mark-text").inner_text() == "steady from 599"


def test_a_prepared_series_is_shown_without_drawing(open_chart: Open) -> None:
    page = open_chart(noise())
    series = chart_description(noise()) | {"digest": "next"}
    page.evaluate("async s => { await chart.prepare(s); window.drawn = 0 }", series)
    page.evaluate(
        "() => { const { react } = Plotly; Plotly.react = (...a) => (drawn++, react(...a)) }"
    )

    page.evaluate("s => chart.show(s)", series)

    assert page.evaluate("[drawn, chart.stage.series.digest]") == [0, "next"]
    assert page.locator(".chart-stage:not(.is-hidden)").count() == 1


def test_one_giant_leaves_the_plateau_high_and_is_named(open_chart: Open) -> None:
    values = noise()
    values[1234] = 1_000_000.0
    page = open_chart(values)

    low, high = np.quantile(values, [0.05, 0.95])
    bottom, top = page.evaluate("chart.stage.yAxis")
    assert (high - low) / (top - bottom) * 420 >= 250
    assert page.evaluate("chart.stage.cut.highest.index") == 1234
    title = page.locator("[data-chart-cut]").get_attribute("title") or ""
    assert f"{(values > top).sum()} values above the view, highest" in title
    assert "iteration 1234; " in title


def test_a_spike_among_a_million_is_seen_at_every_zoom(open_chart: Open) -> None:
    values = noise(1_000_000)
    values[777_777] = 200.0
    page = open_chart(values)

    for half_width in (500_000, 100_000, 10_000, 1000, 100, 10):
        window = [max(0, 777_777 - half_width), min(len(values), 777_777 + half_width)]
        page.evaluate("([a, b]) => chart.setWindow(a, b)", window)
        page.wait_for_function(FINE, arg=window)
        page.evaluate("frame()")
        assert page.evaluate("Math.max(...chart.stage.points.y)") == 200.0, half_width
        assert page.evaluate("[...chart.stage.points.x].includes(777777)"), half_width
    assert page.locator("[data-chart-cut]").inner_text().endswith("iteration 777\u2009777")


def test_a_million_values_are_bands_and_their_range_is_that_of_the_values(open_chart: Open) -> None:
    values = noise(1_000_000)
    page = open_chart(values)
    bands = page.evaluate("chart.stage.points.bands.quantiles.map(row => Array.from(row))")

    assert [round(float(np.median(row)), 1) for row in bands] == [98.4, 99.3, 100.0, 100.7, 101.6]
    assert page.locator(".scatterlayer .js-fill").count() == 2
    page.evaluate("chart.setYMode('window'); chart.setWindow(200_000, 700_000)")
    page.wait_for_function("() => chart.stage.source.range(200_000, 700_000)")
    page.evaluate("frame()")
    y_axis = page.evaluate("chart.stage.yAxis")
    assert y_axis == pytest.approx(robust_range(values[200_000:700_000]), rel=1e-6)


def test_the_loupe_fetches_its_own_window_and_no_spike_flattens_it(open_chart: Open) -> None:
    values = noise(1_000_000)
    values[654_300] = 1e6
    page = open_chart(values)

    page.evaluate("look(654_321)")
    page.wait_for_selector(".loupe-line", state="attached")
    line = page.locator(".loupe-line").get_attribute("d") or ""
    heights = [float(number) for number in re.findall(r"(?<=V)-?[\d.]+", line)]

    assert np.ptp(sorted(heights)[2:-2]) > 50  # of 128 pixels; the spike reaches beyond them
    assert re.search(r", own y-range \(s\), \d above", page.locator("#said").inner_text())
    assert page.evaluate("chart.stage.points.bands !== null")  # the view itself stays as it is


def test_where_the_plateau_is_hardly_seen_p_shows_it(open_chart: Open) -> None:
    values = noise()
    values[:300] += 5000 * np.exp(-np.arange(300) / 60)
    page = open_chart(values)
    flat_note = page.locator("[data-chart-flat]")
    assert "Last half: 1 px" in flat_note.inner_text()

    page.keyboard.press("p")
    page.evaluate("frame()")

    assert page.evaluate("chart.view.mode") == "plateau"
    assert flat_note.is_hidden()
    low, high = plateau_band(values)
    bottom, top = page.evaluate("chart.stage.yAxis")
    assert (high - low) / (top - bottom) == pytest.approx(1 / 1.65, rel=1e-4)
    page.keyboard.press("0")
    page.evaluate("frame()")
    flat_note.get_by_role("button", name="Plateau").click()
    page.evaluate("frame()")
    assert page.evaluate("chart.view.mode") == "plateau"
    assert flat_note.is_hidden()
    assert page.evaluate("document.activeElement.matches('.chart-surface')")


@pytest.mark.parametrize("values", [[7.0], [1.0, 3.0], [5.0] * 14, [5.0] * 40])
def test_the_shortest_and_a_constant_series_are_drawn_in_every_range(
    open_chart: Open, values: list[float]
) -> None:
    page = open_chart(np.array(values))

    for mode in ("window", "full", "plateau", "robust"):
        page.evaluate("async mode => { chart.setYMode(mode); await frame() }", mode)
        low, high = page.evaluate("chart.stage.yAxis")
        assert low < values[-1] < high
        assert page.locator("[data-chart-flat]").is_hidden()
    page.evaluate("look(0)")
    assert page.locator(".loupe-line").count() == 1


def test_twenty_labels_do_not_touch_and_none_is_lost(open_chart: Open) -> None:
    page = open_chart(noise())
    indices = [40 + 37 * k**2 % 900 for k in range(20)]
    lines = [
        {"id": f"D{k}", "code": f"D{k}", "kind": "detector", "slot": k, "index": index}
        for k, index in enumerate(indices)
    ]
    page.evaluate("async lines => { chart.setLines(lines); await frame() }", lines)

    boxes = [label.bounding_box() for label in page.locator(".line-label .line-text").all()]
    line_labels = page.locator(".line-label, .chart-more [data-line]").all()
    line_names = [
        name for label in line_labels for name in (label.get_attribute("data-line") or "").split()
    ]
    assert sorted(line_names) == sorted(f"D{k}" for k in range(20))
    is_apart = [
        a["x"] + a["width"] <= b["x"] or b["x"] + b["width"] <= a["x"] or abs(a["y"] - b["y"]) >= 12
        for k, a in enumerate(boxes)
        for b in boxes[:k]
        if a and b
    ]
    assert all(is_apart)


def test_keys_move_the_cursor_the_range_and_the_window(open_chart: Open) -> None:
    page = open_chart(noise())
    page.locator(".chart-surface").focus()
    page.evaluate("chart.setCursor(100)")

    for key in ("ArrowRight", "Shift+ArrowRight", "y", "z"):
        page.keyboard.press(key)
    page.evaluate("frame()")

    assert page.evaluate("chart.stage.cursor") == 111
    assert page.evaluate("[chart.view.from, chart.view.to, chart.view.mode]") == [11, 212, "window"]
    page.keyboard.press("0")
    assert page.evaluate("[chart.view.from, chart.view.to, chart.view.mode]") == [0, N, "robust"]
