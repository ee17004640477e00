"""The plot and table of cost against length, from costs that are given."""

from __future__ import annotations

from xml.etree import ElementTree as ET

import pytest

from detectors.registry import registry
from evidence.bench.growth import (
    FAMILIES,
    OTHERS,
    cost_table,
    families,
    foreseen_seconds,
    picture,
    power,
    seconds_words,
    spread_heights,
)

COSTS = {
    "sdm": {300: 2e-5, 3_000: 3e-5, 30_000: 3e-4},
    "pilot": {300: 1e-3, 3_000: 0.1},
    "cp-ssd": {},
}


def test_every_method_that_needs_nothing_has_a_family() -> None:
    ready_slugs = {
        slug for slug, method in registry().items() if not method.needs and not method.missing()
    }

    assert ready_slugs <= {slug for slugs in FAMILIES.values() for slug in slugs}
    assert families({"unheard-of": {}}) == {OTHERS: ["unheard-of"]}


@pytest.mark.parametrize(
    ("points", "seconds"),
    [
        ([], 0.0),
        ([(300, 9.0)], 0.0),
        ([(300, 1.0), (3_000, 10.0)], 100.0),
        ([(1, 2.0), (2, 1.0)], 1),
    ],
)
def test_cost_is_foreseen_from_the_last_two_points(
    points: list[tuple[int, float]], seconds: float
) -> None:
    assert foreseen_seconds(points, 30_000) == pytest.approx(seconds)


def test_the_table_has_a_cell_for_every_point_and_what_it_grows_with() -> None:
    lines = cost_table(COSTS).splitlines()

    assert "| sdm | 20 µs |  | 30 µs |  | 300 µs |  |  |  | n^1.0 |" in lines
    assert "| pilot | 1 ms |  | 100 ms |  |  |  |  |  | n^2.0 |" in lines
    assert power({300: 1.0}) == ""
    assert seconds_words(2.5) == "2.5 s"


def test_the_picture_is_whole_and_names_every_measured_method() -> None:
    drawing = ET.fromstring(picture(COSTS))  # noqa: S314  # our own

    names = [element.text for element in drawing.iter() if element.tag.endswith("text")]
    assert {"sdm", "pilot"} <= set(names)
    assert "cp-ssd" not in names


def test_names_keep_apart_in_the_order_of_the_lines() -> None:
    assert spread_heights({"b": 10.0, "a": 9.0, "c": 50.0}, 5.0) == {"a": 9.0, "b": 14.0, "c": 50.0}
