"""Cells of cost files where there is nothing to say, and parameters of their methods."""

from __future__ import annotations

from dataclasses import replace

import pytest

from analysis.cost.exports import FILES, _pair, _ratio, cost_rows
from analysis.cost.pairs import pair_rows
from analysis.statistics.bootstrap import BootstrapSettings
from analysis.statistics.measurement_deviation import RatioInterval
from annotate.models import Campaign
from tests.analysis.cost.test_cost import found


@pytest.fixture(autouse=True)
def _few_draws(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("analysis.cost.intervals.BOOTSTRAP", BootstrapSettings(repeats=200))


def test_methods_have_their_parameters(compared_study: Campaign) -> None:
    rows = [
        dict(zip(FILES["methods"], row, strict=True))
        for row in cost_rows(found(compared_study), "methods")
    ]

    params = {row["method"]: row["params"] for row in rows}
    assert params["fixed"] == "iteration=50"
    assert params["sdm"] == "slope_crit=1e-08&batch=15"


def test_a_pair_without_errors_or_tally_has_zeros_and_empty_cells(
    compared_study: Campaign,
) -> None:
    row = next(each for each in pair_rows(found(compared_study)) if each.errors and each.tally)
    assert row.errors is not None
    columns = FILES["pairs"]

    whole, bare = (
        dict(zip(columns, _pair(each), strict=True))
        for each in (row, replace(row, errors=None, tally=None))
    )

    assert {name for name, cell in bare.items() if cell is None} == set(columns[3:]) - {
        *(name for name, cell in bare.items() if cell == 0)
    }
    assert [name for name, cell in bare.items() if cell == 0] == [columns[2], columns[9]]
    assert whole[columns[2]] == row.errors.pairs > 0
    assert row.tally is not None
    assert whole[columns[9]] == row.tally.n > 0
    assert whole[columns[-1]] == ("exact" if row.exact else "preview")


def test_a_ratio_says_how_it_was_drawn() -> None:
    assert _ratio(RatioInterval(1.25, 1.75, close=False)) == (1.25, 1.75, 1, 0, 0.5, "exact")
    assert set(_ratio(None)) == {None}
