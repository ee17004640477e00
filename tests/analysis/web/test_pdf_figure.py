"""A figure as PDF: what is drawn where, in which colour, and no clock."""

from __future__ import annotations

import re
import zlib
from dataclasses import replace
from typing import Any

import pytest
from django.core.exceptions import ImproperlyConfigured
from matplotlib import get_data_path

from analysis.web.figures import (
    FigureTable,
    WebFigure,
    axis_words,
    bars,
    line_trace,
    log_axis,
    number_axis,
    points,
    upright,
)
from analysis.web.pdf_figure import Axis, figure_pdf
from analysis.web.pdf_sheet import NOTE_HEIGHT, legible, text_width
from config import environment

FIGURE = WebFigure(
    name="drawn",
    label="A step and a bar",
    traces=[
        line_trace([1, 10, None, 100], [0, 5, None, 10], {"shape": "hv", "color": "var(--slot-4)"}),
        points([10], [5], {"symbol": ["x-open"], "color": "#ff0000", "size": 8}),
        bars([50], [4], {"color": "var(--steady)"}, width=20, text=["$4 − 1$"]),
    ],
    layout={
        "xaxis": log_axis((0, 2)),
        "yaxis": number_axis([0, 10], 5, "ms"),
        "shapes": [upright(10, "var(--ink)")],
        "annotations": [axis_words("|Δ| ≤ 5")],
    },
    table=FigureTable((), ()),
)


def page(pdf: bytes) -> str:
    """Operators of the page, which is the first stream with text in it."""
    streams = re.findall(rb"stream\r?\n(.*?)\r?\nendstream", pdf, re.DOTALL)
    # The last byte of a stream may look like the end of its line.
    texts = [zlib.decompressobj().decompress(stream) for stream in streams if stream[:1] == b"x"]
    return " ".join(next(text for text in texts if b" Tf" in text).decode("latin-1").split())


def test_a_figure_is_drawn_with_its_fonts_and_without_a_clock() -> None:
    pdf = figure_pdf(FIGURE)
    drawn_page = page(pdf)

    assert pdf == figure_pdf(FIGURE)
    assert b"FontFile2" in pdf
    assert b"CreationDate" not in pdf
    assert b"(A step and a bar)" in pdf
    assert "0.1607843137 0.5921568627 0.368627451 RG" in drawn_page  # slot 4, green
    assert "33 30 m 232.5 30 l 232.5 105 l S" in drawn_page  # a step goes across, then up
    assert b"ToUnicode" in pdf  # text can be searched


def test_letters_without_a_font_are_codes_and_a_font_of_the_settings_has_more(
    settings: Any,
) -> None:
    words = "ů δ Sort.排序"
    assert legible(words) == "ů δ Sort.<U+6392 U+5E8F>"
    assert text_width(words, 12) == text_width(legible(words), 12)
    plain = replace(FIGURE, layout={**FIGURE.layout, "annotations": [axis_words("δ")]})
    coded = replace(FIGURE, layout={**FIGURE.layout, "annotations": [axis_words("Ⓐ")]})

    height = FIGURE.height * 0.75  # points
    assert page_height(figure_pdf(plain)) == height
    assert page_height(figure_pdf(coded)) == height + NOTE_HEIGHT * 0.75  # a sentence says so
    settings.PDF_FONT = f"{get_data_path()}/fonts/ttf/STIXGeneral.ttf"
    assert legible("Ⓐ") == "Ⓐ"
    assert page_height(figure_pdf(coded)) == height
    assert b"STIXGeneral" in figure_pdf(coded)


def test_a_font_that_is_not_there_is_refused_at_the_start(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PLATEAU_PDF_FONT", "/none.ttf")

    with pytest.raises(ImproperlyConfigured, match="expected a file that is there"):
        environment.file_setting("PLATEAU_PDF_FONT")


def page_height(pdf: bytes) -> float:
    box = re.search(rb"/MediaBox \[ 0 0 [\d.]+ ([\d.]+) \]", pdf)
    assert box is not None
    return float(box[1])


def test_a_place_of_an_axis_is_the_same_as_on_the_page() -> None:
    log = Axis({"type": "log", "range": [0, 2], "tickmode": "array", "tickvals": [1, 10, 1000],
                "ticktext": ["1", "10", "1000"]}, [], "x", 44, 244)  # fmt: skip

    assert [log.pixel_of(1), log.pixel_of(10), log.pixel_of_power(1), log.pixel_of_share(1)] == [
        44,
        144,
        144,
        244,
    ]
    assert log.ticks == [(44, "1"), (144, "10")]
    stacked_traces: list[dict[str, Any]] = [
        {"type": "bar", "x": [3, 1], "y": [0, 1]},
        {"type": "bar", "x": [2, None], "y": [0, 1]},
    ]
    assert Axis({"nticks": 6}, stacked_traces, "x", 0, 100).pixel_of(5) == pytest.approx(95)


def test_an_axis_of_dates_has_round_days_and_a_margin() -> None:
    dots: dict[str, Any] = {"type": "scatter", "x": ["2026-11-01", None, "2026-11-21 00:00"]}

    axis = Axis({"type": "date", "nticks": 8}, [dots], "x", 0, 220)

    assert [axis.pixel_of("2026-11-01"), axis.pixel_of("2026-11-21")] == [10, 210]
    days = [pixel / 10 for pixel, _ in axis.ticks]
    assert len(days) > 2
    assert days == [round(day) for day in days]


def test_a_line_of_equal_steps_and_an_interval_are_drawn() -> None:
    steps = line_trace(None, [0, 5], {"color": "#00ff00"}, x0=1, dx=9)
    interval = {"array": [2], "thickness": 1, "color": "#0000ff"}
    dot = points([10], [5], {"symbol": "circle", "color": "#ff0000"}, error_y=interval)

    drawn_page = page(figure_pdf(replace(FIGURE, traces=[steps, dot])))

    assert "33 30 m 232.5 105 l S" in drawn_page
    assert "232.5 75 m 232.5 135 l S" in drawn_page


def test_a_token_that_no_style_sheet_has_is_refused() -> None:
    unknown_figure = replace(FIGURE, traces=[line_trace([1], [1], {"color": "var(--nothing)"})])

    with pytest.raises(KeyError, match="nothing"):
        figure_pdf(unknown_figure)
