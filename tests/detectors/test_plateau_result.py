"""plateau-result: the earliest start after which the result is right, against plain loops."""

from __future__ import annotations

import math
from pathlib import Path

import numpy as np
import pytest

from detectors import panel
from detectors.contract import NEVER, Context, Curve, Figures, TooShort, Values
from detectors.forests import Forest
from detectors.methods.plateau_result import PlateauResult, result_scatter, tried, within
from detectors.panel import PanelModel, PanelModels, name_for
from detectors.synthetic import simulate


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


def right_by_loops(values: Values, start: int, error: float, measured: int) -> float:
    """The probability, for the model `half_at`: the definition."""
    n = values.size
    means = [
        values[at : at + measured].mean()
        for at in np.linspace(n // 2, n - measured, 150).astype(int).tolist()
    ]
    scatter = 1.4826 * np.median(np.abs(means - np.median(means)))
    total = 0.0
    for at in (1, 1080):
        level = values[at * n // 3000 :].mean()
        off, reach = values[start : start + measured].mean() - level, error * level
        ends = [math.erf((each - off) / scatter / math.sqrt(2)) / 2 for each in (-reach, reach)]
        total += (ends[1] - ends[0]) / 2
    return total


@pytest.mark.parametrize(("error", "measured"), [(0.01, 100), (0.05, 100), (0.01, 400), (0.2, 7)])
def test_the_answer_is_the_first_start_that_is_right_often_enough(
    half_at: str, error: float, measured: int
) -> None:
    values = decaying()
    starts = tried(values.size, measured).tolist()
    right = [right_by_loops(values, each, error, measured) for each in starts]
    method = PlateauResult(model=half_at, error=error, measured=measured, sure=0.8)

    curve = method.evidence(values, Context())[0]

    assert isinstance(curve, Curve)
    assert curve.y == pytest.approx(right, abs=1e-9)
    first = next(at for at, p in zip(starts, right, strict=True) if p >= 0.8 * max(right))
    assert method.answer(values).steady_start == first


def test_what_more_error_is_tolerated_begins_earlier(half_at: str) -> None:
    starts = [
        PlateauResult(model=half_at, error=each).answer(decaying()).steady_start
        for each in (0.02, 0.1, 0.5)
    ]

    assert starts == sorted(starts, reverse=True)
    assert starts[0] > starts[-1] == 0


def test_rates_are_answered_as_times() -> None:
    values = simulate("decay", seed=3).values
    rates = Context(unit="ops/s", mode="throughput")

    assert PlateauResult().answer(1 / values, rates) == PlateauResult().answer(values)


def test_never_where_the_panel_would_probably_say_so(half_at: str) -> None:
    assert PlateauResult(model=half_at, chance=0.74).answer(decaying()).steady_start == NEVER
    assert PlateauResult(model=half_at, chance=0.73).answer(decaying()).steady_start > 0


def test_a_result_that_no_start_makes_likely_is_flagged(half_at: str) -> None:
    falling = np.linspace(3, 1, 3000)  # no window has the mean of any rest, but the last
    found = PlateauResult(model=half_at, error=0.0001).answer(falling)

    assert "unlikely" in found.flags
    assert "unlikely" not in PlateauResult(model=half_at).answer(np.ones(3000)).flags


@pytest.mark.parametrize("n", [100, 101, 150, 2999, 20_000])
@pytest.mark.parametrize("measured", [1, 100, 5000])
def test_every_length_from_100_on_has_an_answer(n: int, measured: int) -> None:
    values = simulate("decay", n=n).values

    assert 0 <= PlateauResult(measured=measured, chance=0).answer(values).steady_start < n


def test_too_short_says_how_long() -> None:
    with pytest.raises(TooShort, match="needs at least 100 values; got 99"):
        PlateauResult().answer(np.ones(99))


def test_a_constant_series_is_measured_from_the_beginning() -> None:
    for level in (0.25, 1e-300, 1e300, 3.1):
        assert PlateauResult(chance=0).answer(np.full(3000, level)).steady_start == 0


def test_starts_that_are_tried_lie_within_the_series_and_close_together() -> None:
    for n, measured in ((100, 100), (100, 99), (149, 100), (3000, 100), (200_000, 100)):
        starts = tried(n, measured)

        assert (starts[0], starts[-1]) == (0, n - measured)
        assert (np.diff(starts) <= 1 + 0.02 * starts[:-1]).all()
        assert starts.size < 700


def test_the_scatter_of_a_result_holds_the_dependence_of_its_values() -> None:
    rng = np.random.default_rng(0)
    steps = rng.standard_normal(20_000)
    related = np.convolve(steps, np.ones(50), "valid") / 50**0.5  # as much noise, of 50 neighbours

    def scatter(values: Values) -> float:
        return result_scatter(np.append(np.cumsum(values[::-1])[::-1], 0.0), 100)

    assert scatter(steps) == pytest.approx(0.1, rel=0.2)
    assert scatter(related) > 5 * scatter(steps)
    assert result_scatter(np.zeros(101), 60) == 0  # the half has fewer


def test_without_scatter_a_result_is_right_or_not() -> None:
    off, reach = np.array([-0.2, -0.1, 0.0, 0.2]), np.full(4, 0.1)

    assert within(off, reach, 0.0).tolist() == [0, 1, 1, 0]


def test_evidence_says_how_many_iterations_an_interval_takes() -> None:
    figures = PlateauResult().evidence(simulate("step", seed=5).values, Context())[-1]

    assert isinstance(figures, Figures)
    rows = {name: value for name, value, _ in figures.rows}
    assert rows["answer"] == PlateauResult().answer(simulate("step", seed=5).values).steady_start
    assert int(rows["iterations for a 95 % interval of ±1 %"]) > 0
