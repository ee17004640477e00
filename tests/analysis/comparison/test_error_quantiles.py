"""Quantiles of signed errors as a figure: a row a method, in the order of the leaderboard."""

from __future__ import annotations

import pytest

from analysis.comparison.error_quantiles import error_strips, tolerance_band
from analysis.comparison.query import ComparisonQuery
from analysis.comparison.table import compare_stored
from analysis.web.figures import WebFigure
from annotate.blind import EVERYTHING
from annotate.models import Campaign


def strips(study: Campaign, tolerance: int | None) -> WebFigure:
    comparison = compare_stored(
        study.study, EVERYTHING, ComparisonQuery(common=False, tolerance=tolerance)
    )
    assert comparison
    return error_strips(comparison)


def test_a_row_has_its_quantiles_on_the_symmetric_axis(compared_study: Campaign) -> None:
    figure = strips(compared_study, 22)
    reach, half_bars, median, symbols = figure.document["data"]

    # Errors 0, 28 and −2: quantiles −1.8, −1, 0, 14 and 25.2.
    assert reach["base"][0] == pytest.approx(-0.4472, abs=1e-4)
    assert reach["base"][0] + reach["x"][0] == pytest.approx(1.4183, abs=1e-4)
    assert half_bars["base"][0] + half_bars["x"][0] == pytest.approx(1.1761, abs=1e-4)
    assert median["x"][0] == 0
    assert symbols["marker"]["symbol"][0] == "circle"
    assert figure.layout["yaxis"]["ticktext"][:2] == ["KB", "SDM"]
    assert "customdata" not in symbols  # a symbol raises its row, the others open its series
    assert all(trace["ids"] == list(figure.methods) for trace in figure.document["data"])


def test_the_band_is_there_where_all_series_have_one_tolerance(compared_study: Campaign) -> None:
    figure = strips(compared_study, 22)

    assert [shape["type"] for shape in figure.layout["shapes"]] == ["rect", "line"]
    assert tolerance_band(None, 2) == []
    assert tolerance_band(9, 2)[0]["x0"] == -1
    assert tolerance_band(10_000, 2)[0]["x1"] == 2.08  # no wider than the axis
