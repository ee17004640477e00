"""Georges et al.: the paper's sliding window, and the published script's blocks."""

from __future__ import annotations

import csv
import json
from dataclasses import dataclass
from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray

from detectors.contract import (
    NEVER,
    Bands,
    Context,
    Curve,
    Detection,
    ParameterError,
    TooShort,
    Values,
    as_json,
    as_series,
)
from detectors.methods.georges import Georges
from tests.published_data import carried_vectors, replication_folder

WARM_THEN_FLAT = [9, 8, 6, 5, 5.01, 5, 4.99, 5, 5.01]


@dataclass(frozen=True)
class Histograms:
    """Raw samples: (value, count) pairs of each iteration."""

    values: Values
    counts: NDArray[np.int64]
    offsets: NDArray[np.int64]


def vectors(name: str) -> Any:
    return carried_vectors("practice")[name]


@pytest.mark.parity("georges")
def test_sliding_as_published_vectors_say() -> None:
    cases = vectors("georges_sliding_reference")

    for case in cases:
        detector = Georges(k=case["k"], threshold=case["threshold"], ddof=case["ddof"])
        if case["k"] > len(case["values"]):
            with pytest.raises(TooShort):
                detector.answer(case["values"])
            continue
        detection = detector.answer(case["values"])
        assert [detection.steady_start, detection.decided_at] == case["steady_start_decided_at"]
    assert len(cases) == 8


def published_pair(detection: Detection, k: int = 30) -> list[int]:
    """What the published script prints."""
    first = detection.published_index
    assert first is not None
    return [-1, -1] if detection.steady_start == NEVER else [first, first + k]


@pytest.mark.parity("georges")
def test_blocks_as_published_vectors_say() -> None:
    cases = vectors("georges_blocks_of_30")

    for case in cases:
        x = np.concatenate([np.full(n, value) for value, n in case["values_run_length"]])
        if x.size < 30:
            continue
        detection = Georges(window="blocks").answer(x)
        assert published_pair(detection) == case["published"], case["note"]
        assert detection.flags == ("adapted",)
    assert len(cases) == 5


@pytest.mark.parametrize(
    ("threshold", "steady_count", "total", "median"),
    [(0.02, 357, 85_797, 136), (0.01, 307, 132_085, 257)],
)
def test_sliding_on_every_published_series(
    threshold: float, steady_count: int, total: int, median: int
) -> None:
    """Against counts made with two passes over every window."""
    with np.load(replication_folder() / "series.npz") as arrays:
        series = arrays["fork0"]

    starts = np.array([Georges(threshold=threshold).answer(x).steady_start for x in series])

    steady_starts = starts[starts != NEVER]
    assert (steady_starts.size, steady_starts.sum(), np.median(steady_starts)) == (
        steady_count,
        total,
        median,
    )


def test_blocks_on_published_series_of_one_operation_an_iteration() -> None:
    """Two of the 61 hold iterations of two operations, which means cannot show."""
    folder = replication_folder()
    records = json.loads((folder / "config_published.json").read_text())["benchmarks"]
    with np.load(folder / "series.npz") as arrays:
        series = arrays["fork0"]
    with (folder / "index.csv").open() as index:
        rows = list(csv.DictReader(index))

    unlike_pair_by_row = {}
    for row, x in zip(rows, series, strict=True):
        if x.min() >= 0.1:
            name = f"{row['system']}#{row['benchmark']}#{row['params']}"
            pair = published_pair(Georges(window="blocks").answer(x))
            if pair != records[name]["georges"][0]:
                unlike_pair_by_row[int(row["row"])] = pair

    assert unlike_pair_by_row == {188: [450, 480], 324: [60, 90]}


def test_answers_with_the_first_iteration_of_the_first_quiet_window() -> None:
    detection = Georges(k=4).answer(WARM_THEN_FLAT)

    assert detection == Detection(3, published_index=6, decided_at=6)


def test_never_when_nothing_is_quiet() -> None:
    assert Georges(k=2).answer([1.0, 2.0] * 9) == Detection(NEVER, NEVER, NEVER)


def test_no_more_than_max_iterations_are_looked_at() -> None:
    assert Georges(k=4, max_iterations=6).answer(WARM_THEN_FLAT).steady_start == NEVER
    assert Georges(k=4, max_iterations=7).answer(WARM_THEN_FLAT).steady_start == 3
    with pytest.raises(ParameterError, match=r"0 or at least k \(4\); got 3"):
        Georges(k=4, max_iterations=3)


@pytest.mark.parametrize("window", ["sliding", "blocks"])
def test_too_short_says_how_long(window: str) -> None:
    assert Georges(window=window).answer(np.ones(30)).steady_start == 0
    with pytest.raises(TooShort, match="at least 30 values; got 29"):
        Georges(window=window).answer(np.ones(29))


def test_blocks_count_operations_where_they_are_known() -> None:
    """Iterations of 4, 20, 12, 40 operations: with k 30 the blocks are 0–2 and 3."""
    raw_histograms = Histograms(
        np.array([9.0, 1.0, 1.0, 2.0, 5.0]), np.array([2, 2, 20, 12, 40]), np.array([0, 2, 3, 4, 5])
    )
    detection = Georges(window="blocks").answer(
        [5.0, 1.0, 2.0, 5.0], Context(samples=raw_histograms)
    )

    assert detection == Detection(3, published_index=3, decided_at=3)


def test_a_first_block_is_published_as_no_warmup() -> None:
    raw_histograms = Histograms(np.array([1.0, 1.0]), np.array([29, 1]), np.array([0, 1, 2]))

    detection = Georges(window="blocks").answer([1.0, 1.0], Context(samples=raw_histograms))

    assert detection == Detection(0, published_index=-1, decided_at=1)


def test_a_block_that_the_series_does_not_fill_is_not_judged() -> None:
    raw_histograms = Histograms(np.array([1.0, 1.0]), np.array([20, 9]), np.array([0, 1, 2]))

    detection = Georges(window="blocks").answer([1.0, 1.0], Context(samples=raw_histograms))

    assert detection == Detection(NEVER, NEVER, decided_at=1)


@pytest.mark.parametrize("scale", [1e-300, 1e-9, 1e300])
def test_the_unit_does_not_matter(scale: float) -> None:
    assert Georges(k=4).answer(scale * np.array(WARM_THEN_FLAT)).steady_start == 3


def test_evidence_shows_every_window_and_the_first_quiet_one() -> None:
    curve, band = Georges(k=4).evidence(as_series(WARM_THEN_FLAT), Context())

    assert isinstance(curve, Curve)
    assert curve.y.size == 6
    assert curve.threshold == 0.02
    assert np.flatnonzero(curve.y < 0.02)[0] == 3
    assert band == Bands(((3, 7),), label="first that varies little")
    json.dumps([as_json(curve), as_json(band)], allow_nan=False)
    assert len(Georges(window="blocks").evidence(as_series(np.ones(40)), Context())) == 1
