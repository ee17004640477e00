"""Every planted change of simulated builds is found with its sign, and none is invented."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from django.core.management import call_command

from analysis.trend.starts import find_start
from analysis.trend.table import trends
from annotate.blind import EVERYTHING
from demo.builds import BUILDS, COLUMNS, SimulatedTest, as_csv, history
from detectors.trends.trend import trend_of
from detectors.trends.trend_groups import USUAL, TrendPrecision
from people.models import User
from series.models import Dataset, Series


def planted(test: SimulatedTest) -> list[tuple[int, str]]:
    return [(change.at, change.kind) for change in test.planted]


SHORTEST_PRECISION = TrendPrecision(bits=12.0)
MOST_INVENTED = 2  # of 40 tests, by the t test: each a step of less than 2 %


@pytest.mark.parametrize("seed", [1, 2])
@pytest.mark.parametrize("precision", [USUAL, SHORTEST_PRECISION], ids=str)
def test_planted_changes_are_found_and_none_is_invented(
    precision: TrendPrecision, seed: int
) -> None:
    tests = history(tests=40, seed=seed)
    assert {len(test.planted) for test in tests} == {0, 1, 2}

    invented_count = 0
    for test in tests:
        days = np.arange(float(BUILDS))
        trend = trend_of(test.results, days, higher_is_better=True, precision=precision)
        changes = [(jump.at, jump.kind) for jump in trend.jumps]
        if precision == USUAL and changes != planted(test):
            assert changes[:-1] == planted(test), test.name
            assert abs(trend.jumps[-1].share) < 0.02
            invented_count += 1
            continue
        assert changes == planted(test), test.name
        shares = [jump.share for jump in trend.jumps]
        assert shares == pytest.approx([change.share for change in test.planted], abs=0.01)
        if len(test.planted) == 2:
            assert [jump.pattern for jump in trend.jumps] == ["reverted", "reversal"]
    assert invented_count <= MOST_INVENTED


def test_the_same_seed_gives_the_same_file() -> None:
    text = as_csv(history(tests=2, builds=30))

    assert text == as_csv(history(tests=2, builds=30))
    assert text.splitlines()[0] == ",".join(COLUMNS)
    assert len(text.splitlines()) == 1 + 2 * 30


def test_a_file_of_builds_gives_the_planted_changes(
    dataset: Dataset, olga: User, tmp_path: Path
) -> None:
    """Through the product: file, import, trend. Rates in pps, so less is a regression."""
    tests = history(tests=4)
    file = tmp_path / "builds.csv"
    file.write_text(as_csv(tests))
    dataset_name = f"{dataset.study.slug}/{dataset.slug}"
    call_command("import_series", dataset_name, str(file), verbosity=0)

    dataset_trends = trends(dataset, EVERYTHING, find_start(dataset))

    assert Series.objects.count() == 4 * BUILDS
    assert dataset_trends.read_count == BUILDS
    assert dataset_trends.is_dated
    assert {
        row.benchmark.name: [(jump.at, jump.kind) for jump in row.trend.jumps]
        for row in dataset_trends.rows
        if row.trend
    } == {test.name: planted(test) for test in tests}
