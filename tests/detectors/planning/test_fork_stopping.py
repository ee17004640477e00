"""The number of forks that the stopping rules ask for: published numbers, and worked cases."""

from __future__ import annotations

import csv
import json

import numpy as np
import pytest

from detectors.contract import BadSeries, Context, Values, as_series
from detectors.methods.laaber_cov import LaaberCov
from detectors.methods.laaber_kld import LaaberKld
from detectors.methods.laaber_rciw import LaaberRciw
from detectors.planning.fork_stopping import ForkStop, enough_forks
from detectors.rules.online.stopping import StoppingRule
from tests.published_data import replication_folder

SECONDS = {"iteration_time": 0.0}  # every value is one operation; of 1 s, also one step
RULES: tuple[StoppingRule, ...] = (
    LaaberCov(**SECONDS),
    LaaberRciw(**SECONDS, sample_size=40, bootstrap=100),
    LaaberKld(**SECONDS, sample_size=40, grid=50),
)


def published_forks() -> list[tuple[list[Values], int]]:
    """Forks and published number of forks, of every benchmark whose forks are there."""
    folder = replication_folder()
    records = json.loads((folder / "config_published.json").read_text())["benchmarks"]
    with np.load(folder / "forks.npz") as fork_file, (folder / "index.csv").open() as lines:
        return [
            (
                [as_series(x) for x in fork_file[f"b{int(row['row']):03d}"]],
                len(records[f"{row['system']}#{row['benchmark']}#{row['params']}"]["cov"]),
            )
            for row in csv.DictReader(lines)
            if row["has_forks"] == "1"
        ]


def test_as_many_forks_as_published() -> None:
    """In all where an iteration is one operation; else the means hide the operations' spread."""
    counts = [
        (enough_forks(LaaberCov(), forks).forks, number, min(x.min() for x in forks) >= 0.1)
        for forks, number in published_forks()
    ]

    assert [own_count for own_count, _, is_single in counts if is_single] == [2, 3, 2, 3, 2]
    assert all(
        own_count == their_count for own_count, their_count, is_single in counts if is_single
    )
    assert sum(own == their for own, their, _ in counts) == 18
    assert len(counts) == 40


@pytest.mark.parametrize("rule", RULES, ids=lambda rule: rule.slug)
def test_forks_that_are_alike_are_enough_at_the_second(rule: StoppingRule) -> None:
    fork_stop = enough_forks(rule, [as_series(np.ones(40))] * 5)

    assert (fork_stop.forks, fork_stop.holds) == (2, True)


def test_a_coefficient_that_changes_asks_for_another_fork() -> None:
    """Forks of 1, 2, 4, 8, 16: the coefficients of 1; 1 and 2; … worked by their definition."""
    levels = [1.0, 2.0, 4.0, 8.0, 16.0]
    rule = LaaberCov(step_time=1.0, **SECONDS)

    fork_stop = enough_forks(rule, [as_series(np.full(40, level)) for level in levels])

    pools = [np.repeat(levels[:f], 1000) for f in range(1, 6)]
    expected = [pool.std(ddof=1) / pool.mean() for pool in pools]
    assert (fork_stop.forks, fork_stop.holds) == (5, False)
    assert fork_stop.statistics == pytest.approx(expected)


def test_a_coefficient_that_rises_asks_for_another_fork_in_both_readings() -> None:
    forks = [as_series(np.full(40, level)) for level in (1.0, 1.0, 9.0)]

    for reading in ("offline", "online"):
        rule = LaaberCov(reading=reading, **SECONDS)
        assert enough_forks(rule, forks[1:]) == enough_forks(rule, forks[:0:-1])
        assert not enough_forks(rule, forks[1:]).holds


def test_forks_beyond_the_last_are_not_read() -> None:
    forks = iter([as_series(np.ones(40))] * 4)

    enough_forks(LaaberCov(**SECONDS), forks)

    assert len(list(forks)) == 2


def test_only_what_is_measured_counts() -> None:
    """Steps 6 to 15; a giant in the warm-up or after them changes nothing."""
    calm_values, spiked_values = np.ones(40), np.ones(40)
    spiked_values[[0, 20]] = 5.0
    rule = LaaberCov(**SECONDS)

    assert enough_forks(rule, [as_series(calm_values), as_series(spiked_values)]) == ForkStop(
        2, True, (0.0, 0.0)
    )


def test_no_forks_are_none() -> None:
    assert enough_forks(LaaberCov(), []) == ForkStop(0, False, ())


def test_a_fork_without_a_measurement_is_named() -> None:
    with pytest.raises(BadSeries, match="fork 2: its 5 values end before a measurement"):
        enough_forks(
            LaaberCov(**SECONDS), [as_series(np.ones(40)), (as_series(np.ones(5)), Context())]
        )
