"""Results of a comparison are kept for few inputs with many series, and for more with few."""

from __future__ import annotations

from collections.abc import Iterator
from types import SimpleNamespace
from typing import Any

import pytest

from analysis.comparison import inputs as reading, kept_results
from analysis.comparison.kept_results import keep_results, results_by_inputs
from analysis.web.latest_used import LatestUsed


class SizedInputs:
    """Stand-in for the inputs of a comparison of so many series and methods."""

    def __init__(self, series_count: int, method_count: int = 20) -> None:
        self.lines, self.methods, self.people = range(series_count), range(method_count), ()


@pytest.fixture(autouse=True)
def _no_results() -> Iterator[None]:
    results_by_inputs.clear()
    yield
    results_by_inputs.clear()


@pytest.mark.parametrize(
    ("series_count", "method_count", "kept_count"),
    [(10, 20, 26), (10, 51, 10), (600, 20, 14), (600, 51, 5), (60_000, 20, 4)],
)
def test_the_latest_inputs_are_kept_with_their_results(
    series_count: int, method_count: int, kept_count: int
) -> None:
    calls: list[Any] = []

    @keep_results
    def compute(inputs: Any, name: str) -> None:
        calls.append((inputs, name))

    looks: list[Any] = [SizedInputs(series_count, method_count) for _ in range(30)]
    for inputs in looks:
        compute(inputs, "mser")
        compute(inputs, "mser")

    assert calls == [(inputs, "mser") for inputs in looks]
    assert list(results_by_inputs) == looks[-kept_count:]


def test_results_of_one_comparison_are_bounded(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(kept_results, "MOST_RESULTS", 3)
    inputs: Any = SizedInputs(10)

    @keep_results
    def double(_: Any, number: int) -> int:
        return 2 * number

    assert [double(inputs, number) for number in range(5)] == [0, 2, 4, 6, 8]
    assert len(results_by_inputs.get(inputs, {})) == 2


@pytest.mark.parametrize(("series_count", "kept_count"), [(10, 16), (80, 4), (900, 2)])
def test_stored_answers_are_kept_of_few_large_comparisons(
    series_count: int, kept_count: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    cache: LatestUsed[Any, Any] = LatestUsed(1600, reading._answer_count, least=reading.MIN_ENTRIES)
    monkeypatch.setattr(reading, "_kept", cache)
    monkeypatch.setattr(reading, "MOST_ANSWERS", 1600)
    monkeypatch.setattr(reading, "_state", lambda universe: universe)
    monkeypatch.setattr(reading, "_read_detections", lambda *_: dict.fromkeys("abcde"))
    lines: Any = [SimpleNamespace(pk=0)] * series_count
    states: list[Any] = list(range(20))
    for state in states:
        reading._detections(state, lines, "steady_start")

    assert [state for _, state, _ in cache] == states[-kept_count:]
