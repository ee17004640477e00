"""plateau-result: the start whose test costs least, against plain loops."""

from __future__ import annotations

import math
from pathlib import Path

import numpy as np
import pytest

from detectors.contract import NEVER, Context, Curve, Figures, TooShort, Values
from detectors.intervals.quantiles import student_quantile
from detectors.intervals.steady_interval import rising
from detectors.methods.plateau_result import LEAST, PlateauResult, chance_within, tried
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
def half_at(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> str:
    """A model by which the panel says 0 or 1,080 with equal probabilities, and steady by 0.73."""
    monkeypatch.setenv(panel.VARIABLE, str(tmp_path))
    starts, always = split(0, 1040.0, 0.5, 1.0), split(0, 1e9, 1.0, 1.0)
    content = PanelModels(PanelModel(starts, always, always, always, (0.15, 0.85))).as_bytes()
    name = name_for("half", content)
    (tmp_path / f"plateau-{name}.npz").write_bytes(content)
    return name


def decaying(n: int = 3000, noise: float = 0.02) -> Values:
    rng = np.random.default_rng(1)
    return np.asarray(10 + 6 * np.exp(-np.arange(n) / 150) + noise * rng.standard_normal(n))


def by_loops(values: Values, start: int, error: float, measured: int) -> tuple[int, float]:
    """Where the test ends, and the probability that it is right, for the model `half_at`."""
    n = values.size
    lengths = [measured] if measured else rising(LEAST, n, 1.05).tolist()
    for length in lengths:
        window = values[start : start + length]
        share = batch_precision(window) if window.size >= 10 else None
        if measured or (share is not None and share <= error) or start + length >= n:
            break
    mean, total = window.mean(), 0.0
    scatter = (share or 0.0) * mean / student_quantile(0.975, 9)
    for at in (1, 1080):
        level = values[at * n // 3000 :].mean()
        off, reach = mean - level, error * level
        if scatter:
            ends = [math.erf((each - off) / scatter / math.sqrt(2)) / 2 for each in (-reach, reach)]
            total += (ends[1] - ends[0]) / 2
        else:
            total += (abs(off) <= reach) / 2
    return start + window.size, total


@pytest.mark.parametrize(
    ("error", "measured", "noise", "shift"),
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
    half_at: str, error: float, measured: int, noise: float, shift: float
) -> None:
    values = decaying(noise=noise)
    starts = tried(values.size, measured or LEAST).tolist()
    tests = [by_loops(values, each, error, measured) for each in starts]
    asked = {"model": half_at, "error": error, "measured": measured, "worth": 0.5}
    method = PlateauResult(**asked, shift=shift)

    right, stops, losses, _ = method.evidence(values, Context())

    assert isinstance(right, Curve)
    assert isinstance(stops, Curve)
    assert isinstance(losses, Curve)
    assert stops.y.tolist() == [stop for stop, _ in tests]
    assert right.y == pytest.approx([p for _, p in tests], abs=1e-9)
    pairs = list(zip(starts, tests, strict=True))
    costs = []
    for start in starts:
        reach = shift * (start + 25)
        near = [(at, *test) for at, test in pairs if abs(at - start) <= reach]
        rest = [stop - at + 0.5 * 3000 * (1 - p) for at, stop, p in near]
        costs.append(start + sum(rest) / len(rest))
    assert losses.y == pytest.approx(costs)
    assert method.answer(values).steady_start == starts[int(np.argmin(costs))]


def test_what_more_a_result_is_worth_takes_no_less_time_and_is_no_less_sure(half_at: str) -> None:
    """The least of time and loss: along the worth both rise."""
    values = decaying(noise=0.3)
    told = []
    for worth in (0, 0.1, 1, 100):
        method = PlateauResult(model=half_at, worth=worth, shift=0.0)
        right, stops = (
            dict(zip(item.x.tolist(), item.y.tolist(), strict=True))
            for item in method.evidence(values, Context())[:2]
            if isinstance(item, Curve) and item.x is not None
        )
        start = method.answer(values).steady_start
        told.append((stops[start], right[start]))

    assert told == sorted(told)
    assert [right for _, right in told] == sorted(right for _, right in told)
    assert told[0] < told[-1]


def test_what_more_error_is_tolerated_begins_earlier(half_at: str) -> None:
    starts = [
        PlateauResult(model=half_at, error=each).answer(decaying()).steady_start
        for each in (0.02, 0.1, 0.5)
    ]

    assert starts == sorted(starts, reverse=True)
    assert starts[0] > starts[-1]


def test_rates_are_answered_as_times() -> None:
    values = simulate("decay", seed=3).values
    rates = Context(unit="ops/s", mode="throughput")

    assert PlateauResult().answer(1 / values, rates) == PlateauResult().answer(values)


def test_never_where_the_panel_would_probably_say_so(half_at: str) -> None:
    assert PlateauResult(model=half_at, chance=0.79).answer(decaying()).steady_start == NEVER
    assert PlateauResult(model=half_at, chance=0.78).answer(decaying()).steady_start > 0


def test_a_result_that_no_start_makes_likely_is_flagged(half_at: str) -> None:
    falling = np.linspace(3, 1, 3000)  # no window has the mean of any rest, but the last
    detection = PlateauResult(model=half_at, error=0.0001).answer(falling)

    assert "unlikely" in detection.flags
    assert "unlikely" not in PlateauResult(model=half_at).answer(np.ones(3000)).flags


@pytest.mark.parametrize("n", [10, 29, 100, 101, 150, 2999, 20_000])
@pytest.mark.parametrize("measured", [0, 1, 100, 5000])
def test_every_length_from_10_on_has_an_answer(n: int, measured: int) -> None:
    values = simulate("decay", n=max(n, 100)).values[:n]

    assert 0 <= PlateauResult(measured=measured, chance=0).answer(values).steady_start < n


def test_too_short_says_how_long() -> None:
    with pytest.raises(TooShort, match="needs at least 10 values; got 9"):
        PlateauResult().answer(np.ones(9))


def test_a_constant_series_is_measured_from_the_beginning() -> None:
    for level in (0.25, 1e-300, 1e300, 3.1):
        assert PlateauResult(chance=0).answer(np.full(3000, level)).steady_start == 0


def test_starts_that_are_tried_lie_within_the_series_and_close_together() -> None:
    for n, measured in ((100, 100), (100, 99), (149, 100), (3000, 100), (200_000, 100)):
        starts = tried(n, measured)

        assert (starts[0], starts[-1]) == (0, n - measured)
        assert (np.diff(starts) <= 1 + 0.05 * starts[:-1]).all()
        assert starts.size < 700


def test_without_scatter_a_result_is_right_or_not() -> None:
    off, reach = np.array([-0.2, -0.1, 0.0, 0.2]), np.full(4, 0.1)

    assert chance_within(off, reach, np.zeros(4)).tolist() == [0, 1, 1, 0]


def test_evidence_says_what_the_test_takes() -> None:
    values = simulate("step", seed=5).values
    figures = PlateauResult().evidence(values, Context())[-1]

    assert isinstance(figures, Figures)
    rows = {name: value for name, value, _ in figures.rows}
    start = PlateauResult().answer(values).steady_start
    measured = int(rows["measured from there"])
    assert rows["answer"] == start
    share = batch_precision(values[start : start + measured])
    assert share is not None
    assert rows["half of the interval"] == pytest.approx(100 * share)
    flat = PlateauResult(measured=5).evidence(np.ones(3000), Context())[-1]
    assert isinstance(flat, Figures)
    assert "half of the interval" not in {name for name, _, _ in flat.rows}
