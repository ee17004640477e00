"""CP-SSD as a detector: the published change points, starts and classes; flags; evidence."""

from __future__ import annotations

import csv
import json
import os
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from detectors.contract import (
    NEVER,
    BadSeries,
    Bands,
    Context,
    Detection,
    Events,
    Figures,
    Levels,
    ParameterError,
    TooShort,
    Values,
    as_json,
    as_series,
)
from detectors.methods.cp_ssd import CpSsd, skipped
from detectors.rules.segments.benchmark_classes import class_of_starts
from detectors.simulated.synthetic import simulate
from tests.published_data import carried_vectors, replication_folder

COMPILED = os.environ.get("NUMBA_DISABLE_JIT", "0") == "0"
SHORT = {"window": 60, "least_steady": 40}


@dataclass(frozen=True)
class PublishedFork:
    """A published fork with its published results."""

    name: str
    number: int
    values: Values
    changes: list[int]
    start: int


def forks(folder: Path, rows: range | None) -> Iterator[PublishedFork]:
    """Fork 0 of these rows; all forks of the first benchmark that has them, without rows."""
    published_by_name = json.loads((folder / "cp_published.json").read_text())
    with (folder / "index.csv").open() as lines:
        index = list(csv.DictReader(lines))
    if rows is not None:
        with np.load(folder / "series.npz") as arrays:
            first_forks = arrays["fork0"]
        chosen_forks = [(index[row], 0, first_forks[row]) for row in rows]
    else:
        row = next(row for row in index if row["has_forks"] == "1")
        with np.load(folder / "forks.npz") as arrays:
            chosen_forks = [(row, i, x) for i, x in enumerate(arrays[f"b{int(row['row']):03d}"])]
    for row, number, values in chosen_forks:
        name = f"{row['system']}#{row['benchmark']}#{row['params']}"
        benchmark = published_by_name[name]
        yield PublishedFork(
            name, number, as_series(values), benchmark["cp"][number], benchmark["s"][number]
        )


@pytest.mark.skipif(not COMPILED, reason="minutes without compilation")
def test_published_change_points_and_starts() -> None:
    """Every 66th series (Traini et al. 2023); `python -m evidence.replication.parity` compares all.

    None of these is ambiguous, so the start hangs on no seed.
    """
    for fork in forks(replication_folder(), range(0, 396, 66)):
        detector = CpSsd()
        cut = detector.cut(fork.values)
        comparisons = list(detector.walk(fork.values, cut.ends))

        assert list(cut.ends) == fork.changes
        assert detector._printed_answer(comparisons, fork.values.size) == fork.start, fork.name


@pytest.mark.skipif(not COMPILED, reason="minutes without compilation")
def test_published_class_of_a_benchmark() -> None:
    folder = replication_folder()
    benchmark = list(forks(folder, None))
    detections = [CpSsd().answer(fork.values) for fork in benchmark]

    class_letter = json.loads((folder / "cp_published.json").read_text())[benchmark[0].name]["c"]
    assert len(detections) == 10
    assert class_of_starts(d.steady_start for d in detections)[0].upper() == class_letter


@pytest.mark.skipif(not COMPILED, reason="minutes without compilation")
def test_the_published_start_is_among_those_possible() -> None:
    """Forks in which resampling decides, with the published change points."""
    folder = replication_folder()
    ambiguous_by_name = json.loads((folder / "cp_ambiguous.json").read_text())
    chosen_forks = [
        fork
        for fork in forks(folder, range(0, 396, 3))
        if "0" in ambiguous_by_name.get(fork.name, {})
    ]

    assert len(chosen_forks) > 2
    for fork in chosen_forks:
        assert fork.start in CpSsd().possible(fork.values, tuple(fork.changes))


def vectors(name: str) -> list[Any]:
    return list(carried_vectors("cp_ssd")[name])


def test_values_at_the_start_that_are_not_judged() -> None:
    for mean, _, expected in vectors("skip"):
        assert skipped(mean, 200, 0.1) == expected
    assert skipped(0.0, 200, 0.1) == skipped(5e-324, 200, 0.1) == 0


@pytest.mark.parity("cp-ssd")
def test_outliers_are_the_published_ones() -> None:
    for vector in vectors("filter"):
        values = as_series(vector["series"])

        kept_indices, filtered_values = CpSsd().inlier_iterations(values)

        assert np.setdiff1d(np.arange(values.size), kept_indices).tolist() == vector["removed"]
        assert (kept_indices.size, filtered_values) == (vector["n_kept"], True)


@pytest.mark.parity("cp-ssd")
def test_starts_of_given_segments() -> None:
    for vector in vectors("classify"):
        runs = [np.full(int(count), level) for count, level in vector["runs_len_value"]]
        values = as_series(np.concatenate(runs))
        detector = CpSsd()

        comparisons = list(detector.walk(values, tuple(vector["changepoints"])))

        assert detector._printed_answer(comparisons, values.size) == vector["start"], vector["name"]
        assert (vector["start"] == NEVER) == (vector["fork_class"] == "no steady state")


def falling_values(n: int = 300, step: int = 100) -> Values:
    i = np.arange(n)
    return as_series(2.0 - (i >= step) + 0.01 * np.sin(i**2.0))


def test_the_steady_state_begins_after_the_printed_iteration() -> None:
    detection = CpSsd(**SHORT).answer(falling_values())

    assert detection == Detection(100, published_index=99)


def test_steady_from_the_beginning_is_zero_in_both() -> None:
    assert CpSsd(**SHORT).answer(falling_values(step=0)) == Detection(0, published_index=0)


@pytest.mark.parametrize(("least_size", "start"), [(199, 100), (200, 100), (201, NEVER)])
def test_too_little_after_the_warm_up_is_never(least_size: int, start: int) -> None:
    detection = CpSsd(window=60, least_steady=least_size).answer(falling_values())

    assert detection.steady_start == start


def test_a_slowdown_ends_a_warm_up_too() -> None:
    assert CpSsd(**SHORT).answer(4.0 - falling_values()).steady_start == 100


@pytest.mark.parametrize(("difference", "start"), [(49.0, 100), (55.0, 0)])
def test_means_that_differ_by_less_are_the_same(difference: float, start: int) -> None:
    assert CpSsd(**SHORT, difference=difference).answer(falling_values()).steady_start == start


def test_a_series_shorter_than_a_window_is_not_filtered_and_says_so() -> None:
    detection = CpSsd(window=1000, least_steady=40).answer(falling_values())

    assert detection == Detection(100, published_index=99, flags=("unfiltered",))


def test_listed_takes_the_segmentation_with_fewer_change_points() -> None:
    values = simulate("drift", n=600).values

    listed_cut, published_cut = CpSsd(tie="listed").cut(values), CpSsd().cut(values)

    assert listed_cut.penalty == published_cut.penalty
    assert len(listed_cut.ends) <= len(published_cut.ends)
    assert len(listed_cut.ends) - 1 in listed_cut.path.changes


def test_the_seed_decides_only_what_is_ambiguous() -> None:
    for kind in ("step", "drift", "cyclic", "random-walk"):
        values = simulate(kind, n=600).values
        detections = [CpSsd(seed=seed).answer(values) for seed in range(3)]
        if not any(detection.flags for detection in detections):
            assert len(set(detections)) == 1


def test_negative_values_are_refused() -> None:
    with pytest.raises(BadSeries, match=r"must not be negative, .*; value 7 is -1"):
        CpSsd(**SHORT).answer(np.r_[falling_values()[:7], -1.0, falling_values()[8:]])


def test_too_short_says_how_long() -> None:
    with pytest.raises(TooShort, match="needs at least 501 values; got 500"):
        CpSsd().answer(falling_values(500))
    assert CpSsd().answer(falling_values(501)).steady_start == NEVER


def test_prices_are_in_order() -> None:
    with pytest.raises(ParameterError, match=r"pen_high must be larger than pen_low \(4\); got 3"):
        CpSsd(pen_high=3.0)


@pytest.mark.parametrize("exponent", [-1060, -400, 400, 1015])
def test_values_whose_squares_leave_the_range_have_change_points(exponent: int) -> None:
    values = as_series(np.ldexp(falling_values(), exponent))

    assert CpSsd(**SHORT).cut(values).ends == CpSsd(**SHORT).cut(falling_values()).ends


def test_evidence_shows_every_stage() -> None:
    values = np.array(falling_values(900, 150))
    values[600] = 50
    events, changes, levels, bands, price, rows = CpSsd().evidence(as_series(values), Context())

    assert isinstance(events, Events)
    assert events.at == (600,)
    assert isinstance(changes, Events)
    assert changes.at == (149,)
    assert isinstance(levels, Levels)
    assert [(a, b) for a, b, _ in levels.pieces] == [(0, 150), (150, 900)]
    assert levels.pieces[1][2] == pytest.approx(values[150:].mean())
    assert isinstance(bands, Bands)
    assert bands.spans == ((0, 150),)
    assert isinstance(price, Figures)
    assert ("change points", 1, "") in price.rows
    assert ("outliers", 1, "") in price.rows
    assert isinstance(rows, Figures)
    assert rows.rows[0][0].startswith("iterations 0 to 149: different")
    assert [as_json(drawing)["kind"] for drawing in (events, rows)] == ["events", "figures"]


def test_values_whose_sum_leaves_the_range_are_judged() -> None:
    plain_values, giant_values = falling_values(900), as_series(np.ldexp(falling_values(900), 1022))

    assert CpSsd().answer(giant_values) == CpSsd().answer(plain_values)
    assert CpSsd().evidence(giant_values, Context())
