"""plateau-result: the start whose test costs least, against plain loops."""

from __future__ import annotations

import math
from pathlib import Path

import numpy as np
import pytest

from detectors.contract import NEVER, Context, Curve, Figures, TooShort, Values
from detectors.intervals.quantiles import student_quantile
from detectors.intervals.steady_interval import rising_numbers
from detectors.methods.plateau_result import LEAST, PlateauResult, candidate_starts, chance_within
from detectors.panel import panel_models as panel
from detectors.panel.forests import Forest
from detectors.panel.panel_models import PanelModel, PanelModels, name_for
from detectors.simulated.synthetic import simulate
from tests.detectors.batch_precision import batch_precision


def split(feature: int, threshold: float, low: float, high: float) -> Forest:
    """One tree: `low` up to the threshold of a feature, `high` beyond."""
    return Forest(
        baseline=np.zeros(1),
        roots=np.array([0]),
        feature=np.array([feature, -1, -1]),
        threshold=np.array([threshold, 0.0, 0.0]),
        left=np.array([1, 1, 2]),
        right=np.array([2, 1, 2]),
        value=np.array([0.0, low, high]),
    )


@pytest.fixture
def half_model(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> str:
    """A model by which the panel says 0 or 1,080 with equal probabilities, and steady by 0.73."""
    monkeypatch.setenv(panel.VARIABLE, str(tmp_path))
    starts, certain_split = split(0, 1040.0, 0.5, 1.0), split(0, 1e9, 1.0, 1.0)
    content = PanelModels(
        PanelModel(starts, certain_split, certain_split, certain_split, (0.15, 0.85))
    ).as_bytes()
    name = name_for("half", content)
    (tmp_path / f"plateau-{name}.npz").write_bytes(content)
    return name


def decaying_values(n: int = 3000, noise: float = 0.02) -> Values:
    rng = np.random.default_rng(1)
    return np.asarray(10 + 6 * np.exp(-np.arange(n) / 150) + noise * rng.standard_normal(n))


def defined_result(
    values: Values, start: int, error: float, measured_count: int
) -> tuple[int, float]:
    """Where the test ends, and the probability that it is right, for the model `half_model`."""
    n = values.size
    lengths = [measured_count] if measured_count else rising_numbers(LEAST, n, 1.05).tolist()
    for length in lengths:
        window = values[start : start + length]
        share = batch_precision(window) if window.size >= 10 else None
        if measured_count or (share is not None and share <= error) or start + length >= n:
            break
    mean, probability = window.mean(), 0.0
    scatter = (share or 0.0) * mean / student_quantile(0.975, 9)
    for level_start in (1, 1080):
        level = values[level_start * n // 3000 :].mean()
        offset, reach = mean - level, error * level
        if scatter:
            ends = [
                math.erf((sign - offset) / scatter / math.sqrt(2)) / 2 for sign in (-reach, reach)
            ]
            probability += (ends[1] - ends[0]) / 2
        else:
            probability += (abs(offset) <= reach) / 2
    return start + window.size, probability


@pytest.mark.parametrize(
    ("error", "measured_count", "noise", "shift"),
    [
        (0.01, 0, 0.02, 0.0),
        (0.01, 0, 0.6, 0.2),
        (0.05, 0, 0.6, 0.0),
        (0.01, 100, 0.02, 1.0),
        (0.01, 400, 0.6, 0.2),
        (0.2, 7, 0.02, 0.0),
    ],
)
def test_the_answer_costs_least(
    half_model: str, error: float, measured_count: int, noise: float, shift: float
) -> None:
    values = decaying_values(noise=noise)
    starts = candidate_starts(values.size, measured_count or LEAST).tolist()
    tests = [defined_result(values, start, error, measured_count) for start in starts]
    params = {"model": half_model, "error": error, "measured": measured_count, "worth": 0.5}
    method = PlateauResult(**params, shift=shift)

    right_curve, stops, losses, _ = method.evidence(values, Context())

    assert isinstance(right_curve, Curve)
    assert isinstance(stops, Curve)
    assert isinstance(losses, Curve)
    assert stops.y.tolist() == [stop for stop, _ in tests]
    assert right_curve.y == pytest.approx([p for _, p in tests], abs=1e-9)
    tests_by_start = list(zip(starts, tests, strict=True))
    costs = []
    for start in starts:
        reach = shift * (start + 25)
        near_tests = [(s, *test) for s, test in tests_by_start if abs(s - start) <= reach]
        near_costs = [stop - s + 0.5 * 3000 * (1 - p) for s, stop, p in near_tests]
        costs.append(start + sum(near_costs) / len(near_costs))
    assert losses.y == pytest.approx(costs)
    assert method.answer(values).steady_start == starts[int(np.argmin(costs))]


def test_what_more_a_result_is_worth_takes_no_less_time_and_is_no_less_sure(
    half_model: str,
) -> None:
    """The least of time and loss: along the worth both rise."""
    values = decaying_values(noise=0.3)
    stops_and_shares = []
    for worth in (0, 0.1, 1, 100):
        method = PlateauResult(model=half_model, worth=worth, shift=0.0)
        right_shares, stops = (
            dict(zip(curve.x.tolist(), curve.y.tolist(), strict=True))
            for curve in method.evidence(values, Context())[:2]
            if isinstance(curve, Curve) and curve.x is not None
        )
        start = method.answer(values).steady_start
        stops_and_shares.append((stops[start], right_shares[start]))

    assert stops_and_shares == sorted(stops_and_shares)
    assert [right_shares for _, right_shares in stops_and_shares] == sorted(
        right_shares for _, right_shares in stops_and_shares
    )
    assert stops_and_shares[0] < stops_and_shares[-1]


def test_what_more_error_is_tolerated_begins_earlier(half_model: str) -> None:
    starts = [
        PlateauResult(model=half_model, error=error).answer(decaying_values()).steady_start
        for error in (0.02, 0.1, 0.5)
    ]

    assert starts == sorted(starts, reverse=True)
    assert starts[0] > starts[-1]


def test_rates_are_answered_as_times() -> None:
    values = simulate("decay", seed=3).values
    rates = Context(unit="ops/s", mode="throughput")

    assert PlateauResult().answer(1 / values, rates) == PlateauResult().answer(values)


def test_never_where_the_panel_would_probably_say_so(half_model: str) -> None:
    assert (
        PlateauResult(model=half_model, chance=0.79).answer(decaying_values()).steady_start == NEVER
    )
    assert PlateauResult(model=half_model, chance=0.78).answer(decaying_values()).steady_start > 0


def test_a_result_that_no_start_makes_likely_is_flagged(half_model: str) -> None:
    falling_values = np.linspace(3, 1, 3000)  # no window has the mean of any rest, but the last
    detection = PlateauResult(model=half_model, error=0.0001).answer(falling_values)

    assert "unlikely" in detection.flags
    assert "unlikely" not in PlateauResult(model=half_model).answer(np.ones(3000)).flags


@pytest.mark.parametrize("n", [10, 29, 100, 101, 150, 2999, 20_000])
@pytest.mark.parametrize("measured_count", [0, 1, 100, 5000])
def test_every_length_from_10_on_has_an_answer(n: int, measured_count: int) -> None:
    values = simulate("decay", n=max(n, 100)).values[:n]

    assert 0 <= PlateauResult(measured=measured_count, chance=0).answer(values).steady_start < n


def test_too_short_says_how_long() -> None:
    with pytest.raises(TooShort, match="needs at least 10 values; got 9"):
        PlateauResult().answer(np.ones(9))


def test_a_constant_series_is_measured_from_the_beginning() -> None:
    for level in (0.25, 1e-300, 1e300, 3.1):
        assert PlateauResult(chance=0).answer(np.full(3000, level)).steady_start == 0


def test_starts_that_are_tried_lie_within_the_series_and_close_together() -> None:
    for n, measured_count in ((100, 100), (100, 99), (149, 100), (3000, 100), (200_000, 100)):
        starts = candidate_starts(n, measured_count)

        assert (starts[0], starts[-1]) == (0, n - measured_count)
        assert (np.diff(starts) <= 1 + 0.05 * starts[:-1]).all()
        assert starts.size < 700


def test_without_scatter_a_result_is_right_or_not() -> None:
    offsets, reach = np.array([-0.2, -0.1, 0.0, 0.2]), np.full(4, 0.1)

    assert chance_within(offsets, reach, np.zeros(4)).tolist() == [0, 1, 1, 0]


def test_evidence_says_what_the_test_takes() -> None:
    values = simulate("step", seed=5).values
    figures = PlateauResult().evidence(values, Context())[-1]

    assert isinstance(figures, Figures)
    rows = {name: value for name, value, _ in figures.rows}
    start = PlateauResult().answer(values).steady_start
    measured_count = int(rows["measured from there"])
    assert rows["answer"] == start
    share = batch_precision(values[start : start + measured_count])
    assert share is not None
    assert rows["half of the interval"] == pytest.approx(100 * share)
    flat_figures = PlateauResult(measured=5).evidence(np.ones(3000), Context())[-1]
    assert isinstance(flat_figures, Figures)
    assert "half of the interval" not in {name for name, _, _ in flat_figures.rows}
