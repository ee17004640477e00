"""Figures as plotly.py would write them, in bytes that repeat, and what stands in their frame."""

from __future__ import annotations

import json
import math
import sys
from types import ModuleType
from typing import Any

import numpy as np
import pytest
from django.template.loader import render_to_string
from plotly import io

from analysis.methods import symbols
from analysis.web.figures import (
    MOST_ROWS,
    FigureCell,
    FigureTable,
    WebFigure,
    axis_words,
    bars,
    drawn_digits,
    level,
    line_trace,
    load_plotly,
    log_ticks,
    points,
    spread_positions,
    tick_step,
    tick_text,
    ticks,
    upright,
    words_at,
)


def figure(**fields: Any) -> WebFigure:
    trace = bars([1, 2], [3, 4], {}, customdata=["/one/", "/two/"])
    default_fields = {
        "name": "few",
        "label": "Two bars",
        "traces": [trace],
        "layout": {"xaxis": ticks([1, 2], ["a", "</script>&"])},
        "table": FigureTable(["Bar", "n"], [[FigureCell("a"), FigureCell("3", "/one/")]]),
    }
    return WebFigure(**{**default_fields, **fields})


def test_parts_are_those_that_plotly_knows(check_figure: Any) -> None:
    parts = figure(
        layout={
            "xaxis": ticks([1], ["a"], type="log"),
            "shapes": [upright(1, "var(--ink-3)", dash="2px,3px"), level(2, "var(--hair)", 0, 3)],
            "annotations": [axis_words("n"), words_at(1, "mean", yanchor="top")],
        }
    )

    check_figure(parts)
    with pytest.raises(ValueError, match="Invalid property"):
        check_figure(figure(layout={"xaxes": {}}))


def test_the_looks_of_all_slots_are_those_that_plotly_knows(check_figure: Any) -> None:
    slots = [None, *range(41)]
    traces = [
        points([1], [1], {"symbol": symbols.marker(slot)}, line=line)
        for slot in slots
        for line in [{"dash": symbols.dash(slot), "color": symbols.colour(slot)}]
    ]

    check_figure(figure(traces=traces))
    assert symbols.marker(13) == "triangle-up-open"
    assert symbols.marker(20) == "triangle-up"  # as its class, shape-3, says
    assert symbols.colour(13) == "var(--slot-3)"
    assert len({(symbols.marker(slot), symbols.colour(slot)) for slot in range(20)}) == 20


def test_the_same_figure_is_the_same_bytes_and_cannot_end_its_element() -> None:
    text = figure().json

    assert text == figure().json
    assert not set("<>&") & set(text)
    assert json.loads(text)["layout"]["xaxis"]["ticktext"] == ["a", "</script>&"]


def test_a_number_that_is_none_is_a_gap() -> None:
    text = figure(traces=[bars([1, 2], [math.nan, 3], {}), bars([1], [math.inf], {})]).json

    assert [trace["y"] for trace in json.loads(text)["data"]] == [[None, 3], [None]]


def test_a_figure_is_drawn_while_another_thread_imports_pandas(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    def text() -> str:
        trace = bars(np.array([1, 2]), [3, 4], {}, hovertext=["one", "two"])
        return figure(traces=[trace, line_trace(None, np.array([0.5]), {})]).json

    text_before = text()
    monkeypatch.setitem(sys.modules, "pandas", ModuleType("pandas"))  # nothing in it yet

    assert text() == text_before


def test_the_template_of_all_figures_is_registered_and_goes_with_each() -> None:
    template = json.loads(figure().json)["layout"]["template"]

    assert template == io.templates["plateau"].to_plotly_json() == load_plotly()
    assert template["layout"]["paper_bgcolor"] == "var(--bg)"


@pytest.mark.parametrize(
    ("height", "expected_height"),
    [
        (0.0, 0.0),
        (-1.23456789, -1.23457),
        (123_456_789.0, 123_457_000.0),
        (9.999999, 10.0),
        (1.23456789e-300, 1.23457e-300),
        (1.7976931348623157e308, 1.79769e308),
        (5e-324, 5e-324),
        (0.1 + 0.2, 0.3),
    ],
)
def test_a_height_is_drawn_with_six_digits(height: float, expected_height: float) -> None:
    assert drawn_digits(np.array([height])).tolist() == [pytest.approx(expected_height, rel=1e-15)]


def test_heights_are_short_in_the_page() -> None:
    heights = np.random.default_rng(1).lognormal(0, 8, 10_000)

    assert max(len(repr(height).strip("0.")) for height in drawn_digits(heights).tolist()) < 13


def test_a_still_figure_leads_nowhere() -> None:
    linked_figure = figure(meta={"lists": "/s/x/", "href": "/{}", "raised": "kb"})
    still_figure = linked_figure.without_links

    assert "u002fone" in linked_figure.json
    assert "u002f" not in still_figure.json.replace("\\u002fscript", "")
    assert still_figure.document["layout"]["meta"]["raised"] == "kb"


def test_the_frame_has_the_table_with_its_links_and_the_room_of_the_drawing() -> None:
    page = render_to_string("analysis/_figure.html", {"figure": figure(file="/few.csv")})

    assert '<a href="/one/">3</a>' in page
    assert '<a href="/few.csv" download>' in page
    assert '<svg width="1" height="260">' in page
    assert page.count("<th ") == 3


@pytest.mark.parametrize(("row_count", "template_count"), [(MOST_ROWS, 0), (MOST_ROWS + 1, 1)])
def test_a_long_table_stands_in_a_template(row_count: int, template_count: int) -> None:
    table = FigureTable.from_rows(["Bar", "n"], [[str(row), "3"] for row in range(row_count)])
    page = render_to_string("analysis/_figure.html", {"figure": figure(table=table)})

    assert (page.count("<template>"), page.count("</template>")) == (template_count, template_count)
    assert page.count('<th scope="row">') == row_count


@pytest.mark.parametrize(
    ("heights", "expected_positions"),
    [
        ([], []),
        ([50], [50]),
        ([50, 50], [50, 60]),
        ([98, 99], [89, 99]),
        ([1, 2, 97, 98], [1, 11, 89, 99]),
    ],
)
def test_labels_are_apart_within_the_plot(
    heights: list[float], expected_positions: list[float]
) -> None:
    positions = spread_positions(
        {str(label_index): height for label_index, height in enumerate(heights)}, 10, 1, 99
    )

    assert list(positions.values()) == expected_positions


def test_more_labels_than_fit_go_beyond_and_stay_apart() -> None:
    positions = spread_positions({str(label_index): 50.0 for label_index in range(12)}, 10, 1, 99)

    assert list(positions.values()) == [1 + 10 * label_index for label_index in range(12)]


@pytest.mark.parametrize(("most", "step"), [(0, 0.2), (9, 2), (10, 2), (11, 2.5), (3000, 1000)])
def test_steps_of_ticks_are_round(most: float, step: float) -> None:
    assert tick_step(most, 5) == pytest.approx(step)


@pytest.mark.parametrize(
    ("number", "text"),
    [
        (0, "0"),
        (-0.5, "−0.5"),
        (10_000, "10\u2009000"),
        (99_999, "99\u2009999"),
        (100_000, "100\u2009k"),
        (-1_000_000, "−1\u2009M"),
        (2_500_000, "2.5\u2009M"),
        (999_999, "999\u2009999"),
    ],
)
def test_a_tick_of_a_long_series_is_short_where_it_is_round(number: float, text: str) -> None:
    assert tick_text(number) == text


def test_ticks_are_round_few_and_inside() -> None:
    assert log_ticks((0.9, 2.1)) == [10, 20, 30, 50, 100]
    assert log_ticks((-2.1, 3.2)) == [0.01, 0.1, 1, 10, 100, 1000]
    assert len(log_ticks((-20.0, 20.0))) <= 7
