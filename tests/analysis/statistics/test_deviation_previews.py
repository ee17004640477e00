"""Previews of many benchmarks at once are those of one after the other."""

from __future__ import annotations

import numpy as np
import pytest

from analysis.statistics import deviation_previews
from analysis.statistics.answers import Floats
from analysis.statistics.deviation_previews import ForkSummaries, PreviewTask, preview_batch
from analysis.statistics.measurement_deviation import CondensedForks, RatioInterval, previews

RELATIVE = 1e-12  # the matrix products sum in another order


def benchmarks(seed: int, count: int) -> list[PreviewTask]:
    """Forks of one to seven, of lengths 0 to 300, some with ties, outliers or zeros."""
    rng = np.random.default_rng(seed)

    def fork() -> Floats:
        values = rng.gamma(9, 1, rng.integers(0, 300))
        kind = rng.integers(0, 8)
        if kind == 0 and values.size:
            values[0] = 1e4
        if kind == 1 and values.size:
            values[-1] = 0.0
        return np.round(values, 1) + 0.1 if kind == 2 else values

    def forks() -> list[Floats]:
        return [fork() for _ in range(rng.integers(0, 8))]

    tasks = [
        PreviewTask([forks() for _ in range(rng.integers(0, 4))], forks()) for _ in range(count)
    ]
    constant_forks = [np.full(40, 3.0)] * 2
    huge_forks = [values * 1e300 for values in (np.arange(1.0, 50), np.arange(2.0, 60))]
    return [
        *tasks,
        PreviewTask([constant_forks, huge_forks], constant_forks),
        PreviewTask([huge_forks, []], huge_forks),
    ]


def check_interval(
    ratio_interval: RatioInterval | None, plain_interval: RatioInterval | None
) -> None:
    if ratio_interval is None or plain_interval is None:
        assert ratio_interval is plain_interval
        return
    assert ratio_interval.low == pytest.approx(plain_interval.low, rel=RELATIVE)
    assert ratio_interval.high == pytest.approx(plain_interval.high, rel=RELATIVE)
    assert (ratio_interval.close, ratio_interval.exact) == (plain_interval.close, False)


def test_a_batch_gives_the_preview_of_each(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(deviation_previews, "AT_ONCE", 7)  # several parts, the last not full
    tasks = benchmarks(5, 40)

    batch = preview_batch(tasks)

    interval_count = 0
    for task, batch_intervals in zip(tasks, batch, strict=True):
        plain_intervals = previews(
            [CondensedForks.from_forks(forks) for forks in task.measured],
            CondensedForks.from_forks(task.steady),
        )
        assert len(batch_intervals) == len(plain_intervals)
        for batch_interval, plain_interval in zip(batch_intervals, plain_intervals, strict=True):
            check_interval(batch_interval, plain_interval)
            interval_count += batch_interval is not None
    assert interval_count > 10


def test_summaries_of_forks_are_equal_to_the_bit() -> None:
    groups = [task.steady for task in benchmarks(6, 60)]

    batch = ForkSummaries.from_groups(groups)

    for group_index, forks in enumerate(groups):
        plain_forks = CondensedForks.from_forks(forks)
        group_slice = slice(
            batch.first_forks[group_index], batch.first_forks[group_index] + batch.k[group_index]
        )
        assert batch.k[group_index] == plain_forks.k
        assert batch.positive[group_index] == plain_forks.positive
        for name in ("n", "mean", "variance", "rare", "is_rare"):
            assert (
                getattr(batch, name)[group_slice].tobytes() == getattr(plain_forks, name).tobytes()
            ), name


def test_of_nothing_there_is_nothing() -> None:
    assert preview_batch([]) == []
    assert preview_batch([PreviewTask([], [])]) == [[]]
    assert preview_batch([PreviewTask([[], [np.ones(3)]], [])]) == [[None, None]]
