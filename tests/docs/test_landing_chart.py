"""The chart of the first page is that of today, and says only what is computed."""

from __future__ import annotations

import xml.etree.ElementTree as ET  # reads what this project has drawn
from dataclasses import replace
from itertools import pairwise

import numpy as np
import pytest

from demo.methods import FAST
from docs import landing_chart as chart


def test_no_file_is_out_of_date() -> None:
    assert chart.write_landing_chart(check=True) == 0


@pytest.mark.parametrize(
    ("starts", "slugs"),
    [
        ({"a": 300, "b": 90, "c": 120, "d": 101}, ["b", "d", "a"]),
        ({"a": 101, "b": 300, "c": -1}, ["a", "b"]),
        ({"a": 100}, ["a"]),
        ({"a": -1}, []),
        ({"a": 5, "b": 5}, ["a", "b"]),
    ],
)
def test_it_shows_the_earliest_the_nearest_and_the_latest_answer(
    starts: dict[str, int], slugs: list[str]
) -> None:
    assert chart.telling_slugs(starts, truth=100) == slugs


def test_the_answers_drawn_are_those_of_the_demo_s_methods() -> None:
    answers = chart.scene().answers

    assert 0 < len(answers) <= 3
    assert {answer.slug for answer in answers} < set(FAST)


@pytest.mark.parametrize(
    ("start", "words"),
    [
        (500, "agrees"),
        (505, "agrees"),
        (700, "too late, 2e+02 s measured for nothing"),
        (0, "too early, the result would be 50 % off"),
    ],
)
def test_a_consequence_is_that_of_the_values(start: int, words: str) -> None:
    values = np.r_[np.full(500, 2.0), np.ones(500)]

    assert chart._consequence(values, start, 500) == words


@pytest.mark.parametrize("layout", [chart.WIDE, chart.NARROW])
@pytest.mark.parametrize("marks", [(), (-1, -1), (785, 785, 786, -1, 2999)])
def test_no_two_marks_cover_one_another(
    layout: chart.LandingLayout, marks: tuple[int, ...]
) -> None:
    scene = replace(chart.scene(), marks=marks)
    drawing = ET.fromstring(chart.landing_svg(scene, layout))  # noqa: S314  # our own

    positions = [
        float(path.attrib["d"][1:].split(" ")[0])
        for path in drawing.iter("path")
        if path.get("class") == "landing-mark"
    ]
    assert len(positions) == sum(mark >= 0 for mark in marks)
    assert all(b - a >= chart.PITCH - 0.2 for a, b in pairwise(positions))
