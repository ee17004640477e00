"""Throughput series that are stored: what methods answer to them, and what they learn of them."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from analysis.methods.series_context import context_of_series, durations_of
from analysis.runs.detect_unit import unsaved_detection
from analysis.runs.models import Detection
from analysis.training import labelled_series
from detectors.contract import Detector
from detectors.registry import get
from detectors.simulated.synthetic import simulate
from series.importing.services import set_direction
from series.models import Benchmark, Series


@pytest.fixture
def twins(make_series: Callable[..., Series]) -> tuple[Series, Series]:
    """The same series as times and, a million times more of it, as operations a microsecond."""
    values = simulate("step", n=400).values
    times, rates = make_series(values, "org.Times"), make_series(1e-6 / values, "org.Rates")
    Benchmark.objects.filter(pk=rates.benchmark_id).update(unit="ops/us", mode="thrpt")
    rates.refresh_from_db()
    return times, Series.objects.get(pk=rates.pk)


@pytest.mark.parametrize("method", [get("kb-kssd")(), get("fixed-time")(seconds=2.0)])
def test_a_run_answers_rates_as_the_times_that_they_stand_for(
    twins: tuple[Series, Series], method: Detector
) -> None:
    time_start, rate_start = (unsaved_detection(method, twin).steady_start for twin in twins)

    assert time_start == rate_start
    assert time_start not in {None, -1, 0}


def test_a_rate_that_stands_for_nothing_teaches_nothing(twins: tuple[Series, Series]) -> None:
    times, rates = twins

    durations = durations_of(rates, rates.array())
    assert durations is not None
    assert durations == pytest.approx(times.array(), rel=1e-12)
    assert context_of_series(rates).is_rate
    assert durations_of(rates, [1.0, -1.0]) is None


def test_what_is_learned_of_rates_are_durations(twins: tuple[Series, Series]) -> None:
    times, _ = twins
    dataset = times.benchmark.dataset

    labelled_rows = labelled_series.labelled_series_of_dataset(dataset, get("kb-kssd")())

    assert [row.first for row in labelled_rows] == [labelled_rows[0].first] * 2
    assert labelled_rows[0].values == pytest.approx(labelled_rows[1].values, rel=1e-12)


def test_what_an_owner_says_decides_and_makes_old_answers_go(twins: tuple[Series, Series]) -> None:
    _, rates = twins
    for slug in ("kb-kssd", "ensemble", "mser", "mine"):
        Detection.objects.create(series=rates, slug=slug, detector_key=f"{slug}@1", steady_start=1)

    set_direction(rates.benchmark, "more")  # as its unit says

    assert Detection.objects.count() == 4

    set_direction(rates.benchmark, "less")

    assert not context_of_series(rates).is_rate
    assert set(Detection.objects.values_list("slug", flat=True)) == {"mser", "mine"}
