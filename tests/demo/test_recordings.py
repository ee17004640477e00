"""What is promised of the shipped measurements, asked of the files themselves."""

from __future__ import annotations

from collections.abc import Callable
from functools import cache
from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray

from demo import card
from demo.catalogue import CATALOGUE, DATA_CARD, RECORDINGS, Workload
from demo.layout import read_recording
from demo.runtimes import RUNTIMES

Values = NDArray[np.float64]
Levels = Values  # see `levels`
Shown = NDArray[np.bool_]  # a fork each: does it show the shape?

MOST_BYTES = 4_000_000


@cache
def entry(workload: Workload) -> dict[str, Any]:
    return read_recording(workload.path)


def forks(workload: Workload) -> Values:
    """Forks by iterations, in nanoseconds."""
    return np.array(entry(workload)["primaryMetric"]["rawData"], dtype=np.float64)


def levels(workload: Workload) -> Levels:
    """Forks by blocks of 25: the block's median over the median of the last third."""
    values = forks(workload)
    blocks = values[:, : values.shape[1] // 25 * 25].reshape(len(values), -1, 25)
    return np.median(blocks, axis=2) / np.median(values[:, -len(values[0]) // 3 :], axis=1)[:, None]


def test_there_are_enough_workloads_on_enough_runtimes() -> None:
    assert len(CATALOGUE) >= 12
    assert {workload.runtime for workload in CATALOGUE} == {"java", "node", "pypy"}


def test_together_they_are_small() -> None:
    assert sum(path.stat().st_size for path in RECORDINGS.iterdir()) < MOST_BYTES


@pytest.mark.parametrize("workload", CATALOGUE, ids=lambda workload: workload.name)
def test_a_recording_holds_what_it_says(workload: Workload) -> None:
    header, values = entry(workload), forks(workload)

    assert header["benchmark"] == workload.benchmark
    assert header["params"] == {name: str(value) for name, value in workload.params.items()}
    assert header["jvmArgs"] == list(RUNTIMES[workload.runtime].flags)
    assert values.shape == (header["forks"], header["measurementIterations"])
    assert header["forks"] >= 3
    assert header["measurementIterations"] >= 2_000
    assert header["warmupIterations"] == 0
    assert np.isfinite(values).all()
    assert (values > 0).all()
    assert len(header["recording"]["secondsPerFork"]) == header["forks"]


@pytest.mark.parametrize("workload", CATALOGUE, ids=lambda workload: workload.name)
def test_score_and_error_are_those_of_the_raw_values(workload: Workload) -> None:
    metric, values = entry(workload)["primaryMetric"], forks(workload)
    low, high = metric["scoreConfidence"]

    assert metric["score"] == pytest.approx(values.mean(), abs=0.05)  # kept to 0.1 ns
    assert metric["scorePercentiles"]["50.0"] == pytest.approx(np.median(values), abs=0.05)
    assert (low + high) / 2 == pytest.approx(metric["score"], abs=0.1)
    # 3.29: the normal quantile, which Student's is close to for thousands of values.
    error = 3.2905 * values.std() / np.sqrt(values.size)
    assert metric["scoreError"] == pytest.approx(error, rel=0.01)


def test_forks_are_processes_of_their_own() -> None:
    for workload in CATALOGUE:
        rows = forks(workload)

        assert len(np.unique(rows, axis=0)) == len(rows), workload.name


def warms_up(levels: Levels) -> Shown:
    """A first block at least half as slow again, and most later blocks within a tenth."""
    return (levels[:, 0] > 1.5) & ((abs(levels[:, -20:] - 1) < 0.1).mean(axis=1) > 0.8)


def is_steady_at_once(levels: Levels) -> Shown:
    """From the second block on, nine blocks in ten within a twentieth."""
    return (abs(levels[:, 1:] - 1) < 0.05).mean(axis=1) > 0.9


def slows_down_in_steps(levels: Levels) -> Shown:
    """Blocks 10 to 20 and 44 to 54 both calm, and the later ones half as slow again."""
    early_levels, late_levels = levels[:, 10:20], levels[:, 44:54]
    is_calm = (np.ptp(early_levels, axis=1) < 0.3) & (np.ptp(late_levels, axis=1) < 0.5)
    return is_calm & (np.median(late_levels, axis=1) > 1.5 * np.median(early_levels, axis=1))


def drifts(levels: Levels) -> Shown:
    """Each fifth of the second half is slower than the one before."""
    fifth_medians = np.median(levels[:, -60:].reshape(len(levels), 5, 12), axis=2)
    return np.diff(fifth_medians, axis=1).min(axis=1) > 0.02


def never_rests(levels: Levels) -> Shown:
    """Blocks of the last third keep differing."""
    return levels[:, -40:].std(axis=1) > 0.15


@pytest.mark.parametrize(
    ("shape", "least_count"),
    [
        (warms_up, 5),
        (is_steady_at_once, 1),
        (slows_down_in_steps, 3),
        (drifts, 2),
        (never_rests, 2),
    ],
)
def test_real_shapes_appear(shape: Callable[[Levels], Shown], least_count: int) -> None:
    # Most forks: forks of one workload differ, and a busy machine adds its own.
    shown_names = [w.name for w in CATALOGUE if shape(levels(w)).mean() > 0.5]

    assert len(shown_names) >= least_count, shown_names


def test_outliers_appear() -> None:
    spiky_names = [w.name for w in CATALOGUE if ((forks(w) / np.median(forks(w))) > 5).sum() > 50]

    assert len(spiky_names) >= 2


def test_the_data_card_is_what_the_recordings_say() -> None:
    assert DATA_CARD.read_text() == card.recordings_card(RECORDINGS)


def test_the_data_card_names_every_workload_runtime_machine_and_load() -> None:
    text = DATA_CARD.read_text()

    for workload in CATALOGUE:
        assert f"| `{workload.name}` |" in text
        assert f"| {workload.runtime_title} | {entry(workload)['jdkVersion']} |" in text
        assert f"- Machine: {entry(workload)['recording']['machine']}" in text
    assert "Load average (1, 5, 15 minutes) before: " in text
    assert "the project's own licence" in text
