"""The small pictures of the first page say what their series and their methods say."""

from __future__ import annotations

import re
import xml.etree.ElementTree as ET  # reads what this project has drawn

import numpy as np
import pytest

from analysis.methods.baselines import BASELINES
from analysis.statistics.multiple_comparisons import LEAST_SERIES
from demo.methods import FAST
from detectors.registry import registry
from docs import landing_verbs as verbs
from docs.landing_data import every_series, landing_ground_truth, one_series


def errors(slug: str) -> list[int]:
    """How far a method lies from the ground truth, wherever both say steady."""
    return [
        abs(start - row.truth)
        for row in every_series()
        if row.truth is not None and row.truth >= 0 and (start := row.answer(slug)) >= 0
    ]


def test_each_row_is_the_median_of_the_errors_on_the_shipped_series() -> None:
    rows = {method.title: method.interval for method in verbs.ranking()}

    for slug in set(FAST) - BASELINES:
        title, distances = registry()[slug].title, errors(slug)
        assert (title in rows) == (len(distances) >= LEAST_SERIES)
        if title in rows:
            assert rows[title].median == np.median(distances)
            assert rows[title].low <= rows[title].median <= rows[title].high


def test_at_most_five_stand_in_their_order() -> None:
    medians = [method.interval.median for method in verbs.ranking()]

    assert 1 < len(medians) <= verbs.MOST
    assert medians == sorted(medians)


def test_a_mark_stands_where_it_was_set() -> None:
    series = one_series(verbs.MARKED)
    drawing = ET.fromstring(verbs.annotation_drawing())  # noqa: S314  # our own

    texts = [text_element.text for text_element in drawing.iter("text")]
    assert f"steady from {series.marks[0]}" in texts
    line = next(
        path_element
        for path_element in drawing.iter("path")
        if path_element.get("class") == "landing-set"
    )
    place = float(re.match(r"M([\d.]+)", line.attrib["d"]).group(1))  # type: ignore[union-attr]
    assert place == pytest.approx(verbs.WIDTH * series.marks[0] / series.values.size, abs=0.1)


@pytest.mark.parametrize(
    ("marks", "truth"),
    [((-1, -1, -1, -1, 7), -1), ((10, 10, 10, 10, 10), 10), ((-1, -1, 5, 5), None)],
)
def test_ground_truth_may_be_never_or_undecided(marks: tuple[int, ...], truth: int | None) -> None:
    assert landing_ground_truth(marks) == truth
