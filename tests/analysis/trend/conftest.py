"""A benchmark that is measured every night: two forks, a warm-up of twenty values, then a level."""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Sequence
from datetime import UTC, datetime, timedelta
from functools import cache
from typing import Any

import numpy as np
import pytest

from analysis.runs.models import Detection
from series.drawings.outlines import draw_outline
from series.importing.services import choose_shown
from series.models import Benchmark, Dataset, Recording, Series, SeriesValues

FIRST = datetime(2026, 3, 1, 2, tzinfo=UTC)
WARM_UP, N = 20, 60
KEY = "fixed@1?iteration=20"

Nights = Callable[..., Benchmark]


@pytest.fixture
def nights(dataset: Dataset) -> Nights:
    """Recordings `night 1`, `night 2`, …, one a day, with these levels; a detection on each."""

    def record(
        levels: Sequence[float],
        name: str = "org.example.Sort.merge",
        *,
        unit: str = "s/op",
        mode: str = "avgt",
        dated: bool = True,
    ) -> Benchmark:
        benchmark = Benchmark.objects.create(
            dataset=dataset, system="example", name=name, unit=unit, mode=mode
        )
        series_and_data = []
        for night, level in enumerate(levels):
            recording, _ = Recording.objects.get_or_create(
                dataset=dataset,
                label=f"night {night + 1}",
                defaults={
                    "build": f"b{night + 1}",
                    "measured_at": FIRST + timedelta(days=night) if dated else None,
                },
            )
            series_and_data += [
                one_fork(benchmark, recording, fork, level, seed=10 * night + fork)
                for fork in range(2)
            ]
        keep(series_and_data)
        choose_shown([benchmark.pk])
        return benchmark

    return record


def store(benchmark: Benchmark, recording: Recording, fork: int, level: float, seed: int) -> Series:
    return keep([one_fork(benchmark, recording, fork, level, seed)])[0]


def keep(series_and_data: Sequence[tuple[Series, bytes]]) -> list[Series]:
    """Stores them with a detection on each: three statements, however many there are."""
    stored_series = Series.objects.bulk_create(series for series, _ in series_and_data)
    SeriesValues.objects.bulk_create(
        SeriesValues(series=series, data=data) for series, data in series_and_data
    )
    Detection.objects.bulk_create(
        Detection(series=series, detector_key=KEY, slug="fixed", steady_start=WARM_UP)
        for series in stored_series
    )
    return stored_series


def one_fork(
    benchmark: Benchmark, recording: Recording, fork: int, level: float, seed: int
) -> tuple[Series, bytes]:
    data, facts = measured_at(level, seed)
    return Series(benchmark=benchmark, recording=recording, fork=fork, **facts), data


@cache
def measured_at(level: float, seed: int) -> tuple[bytes, dict[str, Any]]:
    noise = np.random.default_rng(seed).normal(1, 0.004, N)
    values = np.where(np.arange(N) < WARM_UP, 2.0, 1.0) * level * noise
    data = values.astype("<f8").tobytes()
    return data, {
        "n": N,
        "digest": hashlib.sha256(data).hexdigest(),
        "minimum": values.min(),
        "median": float(np.median(values)),
        "maximum": values.max(),
        "median_last_half": float(np.median(values[N // 2 :])),
        "robust_low": 0.0,
        "robust_high": 3 * level,
        "scale": 1.0,
        "outline": draw_outline(values).outline,
    }
