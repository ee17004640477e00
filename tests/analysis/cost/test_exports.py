"""Cells of cost files where there is nothing to say, and parameters of their methods."""

from __future__ import annotations

import pytest

from analysis.cost.exports import COST_TABLES, ratio_cells
from analysis.cost.method_pairs import error_cells, pair_rows
from analysis.cost.table import tally_cells
from analysis.statistics.bootstrap import BootstrapSettings
from analysis.statistics.measurement_deviation import RatioInterval
from annotate.models import Campaign
from tests.analysis.cost.test_cost import costs_of


@pytest.fixture(autouse=True)
def _few_draws(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("analysis.cost.intervals.BOOTSTRAP", BootstrapSettings(repeats=200))


def test_methods_have_their_parameters(compared_study: Campaign) -> None:
    rows = COST_TABLES.table(costs_of(compared_study), "methods").records()

    params = {row["method"]: row["params"] for row in rows}
    assert params["fixed"] == "iteration=50"
    assert params["sdm"] == "slope_crit=1e-08&batch=15"


def test_a_pair_without_errors_or_tally_has_zeros_and_empty_cells(compared_study: Campaign) -> None:
    row = next(pair_rows(costs_of(compared_study)))

    empty_cells = error_cells(None) | tally_cells(None, is_exact=True)

    assert tuple(row) == tuple(COST_TABLES.columns(None, "pairs"))
    assert set(row) - set(empty_cells) == {"method", "baseline", "judged"}
    assert {name: cell for name, cell in empty_cells.items() if cell is not None} == {"pairs": 0}
    assert row["tally_interval"] == "preview"


def test_a_ratio_says_how_it_was_drawn() -> None:
    cells = ratio_cells(RatioInterval(1.25, 1.75, close=False))
    assert tuple(cells.values()) == (1.25, 1.75, 1, 0, 0.5, "exact")
    assert set(ratio_cells(None).values()) == {None}
