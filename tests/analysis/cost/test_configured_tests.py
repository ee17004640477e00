"""Measurements and forks as configured or until a rule has enough, and the publication's tables."""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import Any

import pytest
from django.test import Client

from analysis.comparison.query import ComparisonQuery
from analysis.comparison.table import compare_stored
from analysis.cost.method_pairs import pair_rows, segment_rows
from analysis.cost.query import CostQuery
from analysis.cost.table import ComparisonCosts, comparison_costs
from analysis.statistics.bootstrap import BootstrapSettings
from annotate.blind import EVERYTHING
from annotate.models import Campaign
from detectors.registry import get
from people.models import User
from series.models import Series
from tests.analysis.comparison.conftest import key_of
from tests.analysis.cost.test_cost import forks_of

BASE = "/s/startup-times/comparison/cost/"
LAABER = key_of("laaber-cov", min_steps=2, history=2, measurement_steps=2)


@pytest.fixture(autouse=True)
def _few_draws(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("analysis.cost.intervals.BOOTSTRAP", BootstrapSettings(repeats=200))
    monkeypatch.setattr("analysis.cost.exports.INTERVAL_SECONDS", 600.0)


def costs_of(campaign: Campaign, **cost_fields: object) -> ComparisonCosts:
    comparison = compare_stored(campaign.study, EVERYTHING, ComparisonQuery())
    costs = comparison_costs(comparison, CostQuery(**cost_fields))  # type: ignore[arg-type]
    assert costs is not None
    return costs


def configure(four_series: list[Series], **settings: object) -> None:
    for series in four_series:
        Series.objects.filter(pk=series.pk).update(settings=series.settings | settings)


MEASUREMENT = {
    "warmup_iterations": 1, "warmup_seconds": 1.0,
    "measurement_iterations": 5, "measurement_seconds": 2.0,
}  # fmt: skip


def test_each_benchmark_is_measured_as_its_developers_configured(
    compared_study: Campaign, four_series: list[Series]
) -> None:
    """Five times 2 s: of operations of 2 s five, of 2.01 s and more five."""
    configure(four_series, **MEASUREMENT)

    costs = costs_of(compared_study, measured=None)

    assert costs.runs.lengths.tolist() == [5, 5, 5, 5]
    rows = forks_of(costs, "kb-kssd")
    assert [row["stop"] - row["start"] for row in rows] == [5, 5, 0, 5]
    assert costs.runs.unconfigured_count == 0


def test_where_nothing_says_a_hundred_are_measured_and_it_is_told(
    compared_study: Campaign, four_series: list[Series]
) -> None:
    configure(four_series[:1], **MEASUREMENT)

    costs = costs_of(compared_study, measured=None)

    assert costs.runs.lengths.tolist() == [5, 100, 100, 100]
    assert costs.runs.unconfigured_count == 3


@pytest.mark.parametrize(("fork_count", "expected_count"), [(1, 1), (2, 2), (4, 4), (9, 4)])
def test_as_many_forks_are_run_as_are_configured(
    compared_study: Campaign, four_series: list[Series], fork_count: int, expected_count: int
) -> None:
    configure(four_series, forks=fork_count)

    row_by_method = costs_of(compared_study, forks="configured").method_cells

    assert row_by_method["sdm"]["forks"] == expected_count


def test_without_a_configuration_all_forks_are_run_and_it_is_told(compared_study: Campaign) -> None:
    costs = costs_of(compared_study, forks="configured")

    assert costs.method_cells["kb-kssd"]["forks"] == 4
    assert costs.runs.unconfigured_count == 4


def test_forks_are_run_until_a_rule_has_enough(
    compared_study: Campaign, four_series: list[Series], store: Callable[..., None]
) -> None:
    """What is measured of the forks is 1 s and a little: two of them are enough."""
    store(LAABER, four_series, [52, 52, 52, 52])

    costs = costs_of(compared_study, forks="dynamic")

    assert costs.runs.rule_title == get("laaber-cov").title
    assert {row["method"]: row["forks"] for row in costs.method_cells.values()} == {
        "kb-kssd": 2, "fixed": 2, "sdm": 2, "laaber-cov": 2,
    }  # fmt: skip
    assert costs.runs.unconfigured_count == 0


def test_without_a_rule_among_the_methods_all_forks_are_run(compared_study: Campaign) -> None:
    costs = costs_of(compared_study, forks="dynamic")

    assert (
        costs.runs.rule_title,
        costs.runs.unconfigured_count,
        costs.method_cells["kb-kssd"]["forks"],
    ) == ("", 4, 4)


def test_every_method_is_held_against_every_usual_baseline(
    compared_study: Campaign, four_series: list[Series], store: Callable[..., None]
) -> None:
    store(LAABER, four_series, [42, 90, 62, 103])

    costs = costs_of(compared_study, measured=20)
    rows: list[dict[str, Any]] = list(pair_rows(costs))

    looks = costs.compared.looks
    pairs = {
        (looks[str(row["method"])].slug, looks[str(row["baseline"])].slug): row for row in rows
    }
    assert set(pairs) == {
        *((slug, "fixed") for slug in ("kb-kssd", "sdm", "laaber-cov")),
        *((slug, "laaber-cov") for slug in ("kb-kssd", "sdm", "fixed")),
    }
    pair_row, reversed_row = pairs["fixed", "laaber-cov"], pairs["laaber-cov", "fixed"]
    assert pair_row["a12"] == pytest.approx(1 - reversed_row["a12"])
    assert pair_row["r"] == pytest.approx(-reversed_row["r"])
    assert pair_row["net"] == pytest.approx(-reversed_row["net"])


def test_learned_methods_have_a_row_of_their_models(
    compared_study: Campaign, four_series: list[Series], store: Callable[..., None]
) -> None:
    store(key_of("rocket"), four_series, [1, 2, 3, 4])
    store(key_of("rocket", weights="gone"), four_series, [1, 2, 3, 4])

    (row,) = segment_rows(costs_of(compared_study))

    assert (row["weights"], row["folds"], row["windows"]) == ("shipped", 5, 15600)
    assert row["balanced_accuracy"] == pytest.approx(0.585, abs=5e-4)


def test_files_of_the_publication_hold_its_models(
    client: Client,
    compared_study: Campaign,
    four_series: list[Series],
    store: Callable[..., None],
    vic: User,
) -> None:
    store(key_of("rocket"), four_series, [1, 2, 3, 4])
    client.force_login(vic)

    document = json.loads(client.get(f"{BASE}file/?what=segments&format=json").content)

    assert document["rows"][0]["balanced_accuracy"] == pytest.approx(0.585, abs=5e-4)
