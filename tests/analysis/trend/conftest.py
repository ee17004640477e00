"""A benchmark that is measured every night: two forks, a warm-up of twenty values, then a level."""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Sequence
from datetime import UTC, datetime, timedelta

import numpy as np
import pytest

from analysis.runs.models import Detection
from series.models import Benchmark, Dataset, Recording, Series, SeriesValues
from series.outlines import draw
from series.services import refresh_shown

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
        for night, level in enumerate(levels):
            recording, _ = Recording.objects.get_or_create(
                dataset=dataset,
                label=f"night {night + 1}",
                defaults={
                    "build": f"b{night + 1}",
                    "measured_at": FIRST + timedelta(days=night) if dated else None,
                },
            )
            for fork in range(2):
                store(benchmark, recording, fork, level, seed=10 * night + fork)
        refresh_shown([benchmark.pk])
        return benchmark

    return record


def store(benchmark: Benchmark, recording: Recording, fork: int, level: float, seed: int) -> Series:
    noise = np.random.default_rng(seed).normal(1, 0.004, N)
    values = np.where(np.arange(N) < WARM_UP, 2.0, 1.0) * level * noise
    data = values.astype("<f8").tobytes()
    series = Series.objects.create(
        benchmark=benchmark,
        recording=recording,
        fork=fork,
        n=N,
        digest=hashlib.sha256(data).hexdigest(),
        minimum=values.min(),
        median=float(np.median(values)),
        maximum=values.max(),
        median_last_half=float(np.median(values[N // 2 :])),
        robust_low=0.0,
        robust_high=3 * level,
        scale=1.0,
        outline=draw(values).outline,
    )
    SeriesValues.objects.create(series=series, data=data)
    Detection.objects.create(series=series, detector_key=KEY, slug="fixed", steady_start=WARM_UP)
    return series
