"""Closed folds of a comparison say what their figures show."""

from __future__ import annotations

import re

import pytest
from django.test import Client

from analysis.comparison.figure_folds import figure_context
from analysis.comparison.leaderboard import Leaderboard
from analysis.comparison.query import ComparisonQuery
from analysis.comparison.table import ComparisonResult, compare_stored
from annotate.blind import EVERYTHING
from annotate.models import Campaign

pytestmark = pytest.mark.django_db
COMPARE = "/s/startup-times/comparison/"


@pytest.fixture
def comparison(compared_study: Campaign) -> ComparisonResult:
    comparison = compare_stored(compared_study.study, EVERYTHING, ComparisonQuery())
    assert comparison
    return comparison


def test_each_figure_is_folded_with_its_finding_and_a_drawing(comparison: ComparisonResult) -> None:
    folds = {fold.name: fold for fold in figure_context(comparison)["figure_folds"]}

    assert list(folds) == ["ecdf", "heat", "ranks", "signed"]
    assert folds["ecdf"].finding.replace("\u00a0", " ") == (
        "KB-KSSD is within 10 iterations most often: on 66.7 % of its steady series."
    )
    assert folds["signed"].finding == "In the median 2 of 3 methods are early, 0 late."
    assert folds["ranks"].finding.startswith("Average ranks need at least 3 methods")
    assert [len(fold.thumbnail) > 0 for fold in folds.values()] == [True, True, False, True]


def test_figures_of_the_table_are_no_links_but_can_be_chosen(
    compared_study: Campaign, comparison: ComparisonResult, as_vic: Client
) -> None:
    page = as_vic.get(COMPARE).text
    table = page[page.index("<table") : page.index("</table>")]
    form_text = page[page.index("data-cell-form") :]

    assert "<a " not in table
    board = Leaderboard(comparison, "startup-times")
    cell_names = set(re.findall(r'data-cell="([^"]+)"', table))
    assert {"early", "late", "n"} <= cell_names <= set(board.title_by_list)
    for figure in cell_names:
        assert f'<option value="{figure}">' in form_text
        response = as_vic.get(
            f"/s/startup-times/disagreements/?by=methods&cell={figure}&of=kb-kssd"
        )
        assert response.status_code == 200
