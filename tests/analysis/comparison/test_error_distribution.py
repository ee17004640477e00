"""The distribution of errors as a figure: its curves, its labels, the lists behind its table."""

from __future__ import annotations

import re
from collections.abc import Callable
from html import unescape
from itertools import pairwise
from typing import Any

import pytest
from django.test import Client

from analysis.comparison import drilldown
from analysis.comparison.figures import LABEL_STEP, error_distribution, shares_at_tolerance
from analysis.comparison.query import ComparisonQuery, DrilldownCell
from analysis.comparison.table import ComparisonResult, compare_stored
from annotate.blind import EVERYTHING
from annotate.models import Annotator, Assignment, Campaign, Task
from people.models import User
from series.models import Series
from tests.analysis.comparison.conftest import key_of, mark

COMPARE = "/s/startup-times/comparison/"


@pytest.fixture
def comparison(compared_study: Campaign) -> ComparisonResult:
    query = ComparisonQuery(common=False, tolerance=22)
    comparison = compare_stored(compared_study.study, EVERYTHING, query)
    assert comparison
    return comparison


def curves(comparison: ComparisonResult) -> dict[str, Any]:
    traces = error_distribution(comparison).document["data"]
    return {trace["legendgroup"]: trace for trace in traces if "legendgroup" in trace}


def test_curves_are_steps_from_nothing_to_the_share_that_is_not_missed(
    comparison: ComparisonResult,
) -> None:
    curve_by_method = curves(comparison)

    # Errors 0, 28 and 2 of three steady series; 12 and 1 of three, of which one is missed.
    assert curve_by_method["kb-kssd"]["x"][:4] == [1, 1, 3, 29]
    assert curve_by_method["kb-kssd"]["y"] == [0, 33.333, 66.667, 100, 100]
    assert curve_by_method["sdm"]["x"][:3] == [1, 2, 13]
    assert curve_by_method["sdm"]["y"] == [0, 33.333, 66.667, 66.667]
    assert {trace["line"]["shape"] for trace in curve_by_method.values()} == {"hv"}


def test_the_best_at_the_tolerance_is_raised_and_read_first(comparison: ComparisonResult) -> None:
    readings = shares_at_tolerance(comparison)

    assert [(look.name, round(share, 3)) for look, share in readings][:2] == [
        ("kb-kssd", 0.667),
        ("sdm", 0.667),
    ]
    assert error_distribution(comparison).meta["raised"] == "kb-kssd"
    assert error_distribution(comparison).meta["tolerance"] == 22


def test_every_figure_of_its_table_opens_as_many_series_as_it_says(
    compared_study: Campaign, as_vic: Client
) -> None:
    page = as_vic.get(COMPARE).text
    table = page.partition('id="error-distribution-table"')[2].partition("</table>")[0]
    row = table.partition("KB-KSSD")[2].partition("</tr>")[0]
    links = re.findall(r'<a href="([^"]*)">([\d.]+)', row)

    counts = [as_vic.get(unescape(href)).context["page"].paginator.count for href, _ in links]
    assert [round(float(share) * 3 / 100) for _, share in links] == counts
    assert set(counts) == {2, 3}


def test_labels_of_many_methods_are_apart_and_all_there(
    compared_study: Campaign, four_series: list[Series], store: Callable[..., None]
) -> None:
    for start in range(20, 50):
        store(key_of("fixed", iteration=start), four_series, [start, start, start, start])
    comparison = compare_stored(compared_study.study, EVERYTHING, ComparisonQuery(common=False))
    assert comparison

    figure = error_distribution(comparison)
    (labels,) = [trace for trace in figure.document["data"] if "ids" in trace]

    assert len(labels["ids"]) == len(curves(comparison)) == 33
    assert figure.height > 33 * LABEL_STEP
    heights = sorted(labels["y"])
    step = 100 * LABEL_STEP / (33 * LABEL_STEP)
    assert all(after - before >= step - 0.02 for before, after in pairwise(heights))


def test_a_curve_lists_what_it_counts_where_the_yardstick_lies_between_iterations(
    compared_study: Campaign, answered_tasks: list[Task], olga: User
) -> None:
    """Ana marks 40, 60, never, 100, Olga one later: their medians, and all errors, are halves."""
    Annotator.objects.create(campaign=compared_study, user=olga, pseudonym="a3")
    for task, index in zip(answered_tasks, (41, 61, None, 101), strict=True):
        Assignment.objects.create(task=task, user=olga, order=0)
        mark(task, olga, index)
    query = ComparisonQuery(yardstick="others:first-look:a2")
    comparison = compare_stored(compared_study.study, EVERYTHING, query)
    assert comparison

    # 42, 90 and 100 against 40.5, 60.5 and 100.5.
    assert curves(comparison)["kb-kssd"]["x"][1:-1] == [1.5, 2.5, 30.5]
    for bound, row_count in {0: 0, 1: 1, 2: 2, 29: 2, 30: 3}.items():
        cell = DrilldownCell(f"within~0~{bound}", "kb-kssd")
        assert len(drilldown.drilldown_for(comparison, cell).rows) == row_count
