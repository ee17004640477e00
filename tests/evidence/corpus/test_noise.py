"""Recorded noise: the last calls beside the median around them, drawn in blocks."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from demo.catalogue import CATALOGUE
from evidence.corpus.inflation import corpus_noise, inflation_quantiles, inflation_table
from evidence.corpus.noise import (
    AROUND,
    BLOCK,
    KEPT,
    MEMORY,
    inflation_of_memory,
    noise_of_fork,
    recorded_noise,
    slow_noise,
    variance_inflation,
)
from evidence.corpus.series import CorpusSeries

CALLS = KEPT + AROUND - 1


def test_a_ratio_is_a_call_by_the_median_of_the_calls_around_it() -> None:
    calls = [200] * 50 + [100, 110, 90] * ((CALLS - 50) // 3 + 1)
    noise = noise_of_fork("w", "Runtime", 3, [7, *calls[:CALLS]], is_slow=False)

    assert (noise.workload, noise.system, noise.fork) == ("w", "Runtime", 3)
    assert noise.level == 100
    assert noise.ratios.shape == (KEPT,)
    assert noise.ratios[0] == calls[50] / np.median(calls[:AROUND])
    assert noise.ratios[-1] == calls[CALLS - 51] / 100
    assert noise.spread == pytest.approx(1.4826 * 0.1)


def test_slow_changes_are_not_in_the_quick_part() -> None:
    growing_noise = noise_of_fork("w", "Runtime", 0, list(range(10_000, 10_000 + CALLS)))

    assert (growing_noise.ratios == 1).all()


def test_slow_noise_makes_means_vary_as_those_of_the_recording() -> None:
    random = np.random.default_rng(5)
    slow_part = np.repeat(random.normal(0, 300, CALLS // 50 + 1), 50)[:CALLS]
    calls = np.rint(10_000 + slow_part + random.normal(0, 300, CALLS)).astype(int).tolist()
    fork = noise_of_fork("w", "Runtime", 0, calls)
    resampled_ratios = fork.resampled_ratios(np.random.default_rng(6), 100_000)

    recorded_inflation = variance_inflation(np.array(calls[50:-50], dtype=np.float64))
    assert fork.slow > 100 / 10_000
    assert variance_inflation(resampled_ratios) == pytest.approx(recorded_inflation, rel=0.35)
    assert fork.spread == pytest.approx(resampled_ratios.std(), rel=0.2)


def test_slow_noise_has_variance_1_and_the_inflation_of_its_memory() -> None:
    noise = slow_noise(np.random.default_rng(0), 200_000)

    assert noise.var() == pytest.approx(1, rel=0.05)
    assert variance_inflation(noise) == pytest.approx(inflation_of_memory(MEMORY), rel=0.1)
    assert variance_inflation(np.random.default_rng(0).random(200_000)) == pytest.approx(1, rel=0.1)


def test_slow_noise_is_no_level_of_a_short_series() -> None:
    medians = [np.median(slow_noise(np.random.default_rng(s), 100)) for s in range(200)]

    assert np.std(medians) < 0.5


def test_noise_is_one_nanosecond_at_least() -> None:
    assert noise_of_fork("w", "Runtime", 0, [500] * CALLS).spread == 1 / 500


def test_too_short_a_fork_is_refused() -> None:
    with pytest.raises(ValueError, match=r"^w, fork 2: found 1099 calls, expected 1100$"):
        noise_of_fork("w", "Runtime", 2, [500] * (CALLS - 1))


def test_blocks_keep_neighbours_together() -> None:
    calls = np.random.default_rng(1).integers(90, 111, CALLS).tolist()
    fork = noise_of_fork("w", "Runtime", 0, calls, is_slow=False)
    drawn_ratios = fork.resampled_ratios(np.random.default_rng(2), 2 * BLOCK + 7)

    assert drawn_ratios.size == 2 * BLOCK + 7
    recorded_blocks = np.lib.stride_tricks.sliding_window_view(fork.ratios, BLOCK)
    for first in (0, BLOCK):
        assert (recorded_blocks == drawn_ratios[first : first + BLOCK]).all(axis=1).any()


def test_every_fork_of_every_workload_has_noise() -> None:
    noise_by_workload = recorded_noise()

    assert list(noise_by_workload) == [workload.name for workload in CATALOGUE]
    assert {len(forks) for forks in noise_by_workload.values()} == {5}


def test_the_guide_states_the_inflation_of_the_corpus(corpus: list[CorpusSeries]) -> None:
    count, median, high_inflation = inflation_quantiles(corpus_noise(corpus))
    guide = Path("docs/guide/corpus.md").read_text("utf-8")

    assert f"| plateau-corpus-2 | {count} | {median:.1f} | {high_inflation:.1f} |" in guide


def test_inflation_is_printed_a_row_a_source() -> None:
    text = inflation_table({"white": [np.random.default_rng(0).random(5000)]})

    assert "| white | 1 | " in text
