"""The kernels of KB-KSSD against vectors worked out from the definition, and the oracle."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from hypothesis import assume, example, given, strategies as st
from hypothesis.extra.numpy import arrays

from detectors.contract import NEVER, Values, as_series
from detectors.kernels import kb_kssd as kernels
from detectors.methods.kb_kssd import KbKssd
from evidence.oracles import kb_kssd_oracle as oracle

SMALL: dict[str, Any] = {"outlier_window": 20, "prob_window": 12, "t_crit": 3.0, "step_window": 8}


def digits(text: str) -> Values:
    return as_series([float(digit) for digit in text])


# series, substituted values, (Lg, Sh), step, runs, index
WHOLE = [
    (
        "777897997778788988987998834442423333322332424323322424",
        {25: 8},
        (25, 25),
        25,
        [(0, 25, 0), (26, 37, 0.75), (38, 53, 1)],
        38,
    ),
    (
        "5333488898777799879777887788855354553555334",
        {},
        (28, 27),
        27,
        [(0, 27, 0), (28, 39, 1), (40, 42, 2 / 3)],
        -1,
    ),
    ("6545446655646666655644466644664456655555564666646", {}, (19, 19), -1, [(0, 48, 1)], 0),
    (
        "3224323234343423444222224333234322223443324245545312",
        {50: 3},
        (18, 18),
        -1,
        [(0, 23, 1), (24, 35, 7 / 12), (36, 47, 1), (48, 51, 0.25)],
        -1,
    ),
    (
        "76776575774553543454454433553442233332342422424234",
        {},
        (21, 14),
        21,
        [(0, 21, 0), (22, 49, 1)],
        22,
    ),
    (
        "575767757675675557677556445656556446656555446122112",
        {},
        (38, 35),
        38,
        [(0, 38, 0), (39, 50, 0.75)],
        -1,
    ),
    (
        "9754655445464464455664644555445546656664544220121",
        {1: 5, 45: 4.5},
        (38, 33),
        33,
        [(0, 33, 0), (34, 48, 1)],
        34,
    ),
    ("11224334433353343533535533535533343445353434543", {1: 3}, (45, 29), -1, [(0, 46, 1)], 0),
    (
        "11110110010102110211111002010222977722110201121102",
        {32: 1.5},
        (37, 34),
        34,
        [(0, 34, 0), (35, 49, 1)],
        35,
    ),
    (
        "9231321211113654645566445446465646666444664445464",
        {},
        (0, 33),
        33,
        [(0, 33, 0), (34, 48, 1)],
        34,
    ),
    (
        "65645465455466545465456455656656544244424343333322",
        {},
        (32, 34),
        32,
        [(0, 32, 0), (33, 44, 1), (45, 49, 0.6)],
        -1,
    ),
    (
        "877877899894444655645655445455333313123332",
        {},
        (10, 21),
        21,
        [(0, 21, 0), (22, 33, 2 / 3), (34, 41, 1)],
        34,
    ),
    ("92313222331113121313111211221331233132313221", {}, (9, 14), -1, [(0, 43, 1)], 0),
    (
        "9354553543453355455345445443455444453453453443545533433224",
        {},
        (35, 41),
        35,
        [(0, 35, 0), (36, 57, 1)],
        36,
    ),
    ("4" * 40, {}, (-1, 14), 14, [(0, 14, 0), (15, 39, 1)], 15),
]


@pytest.mark.parametrize(("text", "changed_values", "places", "step", "runs", "index"), WHOLE)
def test_whole_method_step_by_step(
    text: str,
    changed_values: dict[int, float],
    places: tuple[int, int],
    step: int,
    runs: list[tuple[int, int, float]],
    index: int,
) -> None:
    x = digits(text)

    s = kernels.prepare_values(x, 20, 2.0, 98.0)
    starts, probability = kernels.probabilities(s, step, 12, 3.0)

    assert {i: s[i] for i in np.flatnonzero(s != x)} == changed_values
    assert oracle.kernel_indices(s) == places
    assert (kernels.large_step(s, s.mean()), kernels.short_step(s, 15)) == places
    assert kernels.find_step(s, 8, 15) == step
    values = np.repeat(probability, np.diff(starts).astype(int))
    padded_probabilities = np.r_[np.zeros(max(step + 1, 0)), values]
    assert oracle.equal_runs_of(padded_probabilities, step) == [
        (a, b, pytest.approx(p)) for a, b, p in runs
    ]
    assert KbKssd(**SMALL).answer(x).steady_start == index
    assert oracle.kb_kssd(x, **SMALL) == (index, step)


def test_the_scale_does_not_matter() -> None:
    assert KbKssd(**SMALL).answer(1e-6 * digits(WHOLE[0][0])).steady_start == 38


@pytest.mark.parametrize("exponent", [-1060, -1000, -400, 400, 1000, 1018])
def test_the_scale_does_not_matter_even_where_squares_leave_the_range(exponent: int) -> None:
    for text, _, _, _, _, index in WHOLE:
        x = as_series(np.ldexp(digits(text), exponent))
        assert KbKssd(**SMALL).answer(x).steady_start == index


@pytest.mark.parametrize(
    ("values_before", "window", "low", "high", "values_after"),
    [
        ([50, 1, 2, 3, 4, 5, 6, 7, 8, 9, 90], 5, 10, 90, [50, 3, 2, 3, 4, 3, 8, 7, 8, 9, 8]),
        (
            [50, 9, 8, 7, 1, 2, 3, 30, 2, 1, 0, 5, 6, 4],
            6,
            10,
            90,
            [50, 9, 8, 7, 7, 2, 3, 7, 2, 1, 2.5, 5, 3, 4],
        ),
        ([3] * 11, 5, 2, 98, [3] * 11),
    ],
)
def test_outliers_become_the_median_that_their_section_then_has(
    values_before: list[float], window: int, low: float, high: float, values_after: list[float]
) -> None:
    x = np.array(values_before, dtype=np.float64)

    assert oracle.substitute_outliers(x, window, low, high).tolist() == values_after
    kernels.substitute(x, window, float(low), float(high))
    assert x.tolist() == values_after


@pytest.mark.parametrize(
    ("z", "window", "t_crit", "expected"),
    [
        ([1, 2, 3, 4, 5, 6, 7], 7, 3, [0] * 7),
        ([5, 1, 1, 1, 2, 1, 1, 1], 4, 1, [0.25] * 8),
        ([5, 1, 1, 1, 2, 1, 1, 1, 1], 4, 1, [0.25] * 4 + [0.2] * 5),
        ([5, 1, 1, 1, 2, 1, 1, 1, 1, 9], 4, 1, [0.25] * 4 + [0] * 6),
        ([5, 1, 1, 1, 2, 1, 1, 1, 1, 9, 1], 4, 1, [0.25] * 8 + [1] * 3),
        ([1, 2], 5, 3, [-1, -1]),
        ([1, 1, 1], 5, 3, [1] * 3),
        ([1, 2, 9], 5, 1, [0] * 3),
    ],
)
def test_kelly_windows(z: list[float], window: int, t_crit: float, expected: list[float]) -> None:
    values = np.array(z, dtype=np.float64)

    starts, probabilities = kernels.probabilities(values, -1, window, float(t_crit))

    assert np.repeat(probabilities, np.diff(starts).astype(int)).tolist() == expected
    assert oracle.kelly_values(values, window, t_crit).tolist() == expected


@pytest.mark.parametrize(
    ("p", "step", "shortest_run", "index"),
    [
        ([0.5, 0.5, 0.97, 0.97, 1, 1, 1], -1, 1, 2),
        ([1, 1, 1, 0, 0.9, 0.9, 1, 1], 3, 1, 6),
        ([0.2, 1, 1], -1, 1, 1),
        ([0.2, 1, 1], -1, 2, -1),
        ([0.2, 1, 1], -1, 0, 1),
        ([1, 1, 1, 1], -1, 3, 0),
        ([1, 1, 1, 1], -1, 4, -1),
        ([1, 1, 1, 1], -1, 500, -1),
        ([0.2, 0.2, 0.2, 1], -1, 1, -1),
    ],
)
def test_the_oracle_reads_the_index_as_published(
    p: list[float], step: int, shortest_run: int, index: int
) -> None:
    assert oracle.index_of(np.array(p, dtype=np.float64), step, 0.95, shortest_run) == index


@pytest.mark.parametrize(
    ("shortest_run", "start"),
    [(0, 10), (19, 10), (20, NEVER), (21, NEVER)],  # 29 - 10: what follows the first value
)
def test_a_steady_part_may_be_as_short_as_the_parameter_says(shortest_run: int, start: int) -> None:
    level = as_series(np.full(30, 2.0))

    assert kernels.steady_from(level, 9, 500, 1.0, 0.95, shortest_run) == start


def ripple(n: int) -> Values:
    i = np.arange(n)
    return ((7 * i * i + 3 * i) % 11) / 10


def test_published_parameters_on_one_section() -> None:
    i = np.arange(120)
    x = as_series(np.where(i < 3, 9, np.where(i < 40, 6, 2)) + ripple(120))

    s = kernels.prepare_values(x, 100, 2.0, 98.0)

    assert {int(k): s[k] for k in np.flatnonzero(s != x)} == {
        1: pytest.approx(2.6),
        2: pytest.approx(2.6),
    }
    assert s.mean() == pytest.approx(3.6925)
    assert kernels.find_step(s, 70, 15) == 39
    assert KbKssd().answer(x).steady_start == 40


def test_published_parameters_with_spikes() -> None:
    i = np.arange(1500)
    x = as_series(np.where(i < 3, 9, np.where(i < 140, 6, 2)) + ripple(1500) + 25 * (i % 61 == 17))

    s = kernels.prepare_values(x, 100, 2.0, 98.0)
    changed_indices = np.flatnonzero(s != x)

    assert changed_indices.size == 26
    assert [s[k] for k in (1, 17, 78, 139, 200)] == pytest.approx([6.3, 6.3, 6.3, 2.6, 2.6])
    assert oracle.kernel_indices(s) == (140, 138)
    assert kernels.find_step(s, 70, 15) == 138
    assert KbKssd().answer(x).steady_start == 139


@pytest.mark.parametrize(
    ("row", "medfilt", "index", "step"),
    [
        (7, 5, 34, 33),
        (7, 15, 34, 33),
        (11, 5, -1, 32),
        (11, 15, -1, 32),
        (12, 15, -1, 26),
        (1, 5, 38, 25),
        (1, 15, 38, 25),
    ],
)
def test_median_filter_before_the_step(row: int, medfilt: int, index: int, step: int) -> None:
    x = digits(WHOLE[row - 1][0])
    smoothed_values = kernels.smooth_values(kernels.prepare_values(x, 20, 2.0, 98.0), medfilt)

    assert kernels.find_step(smoothed_values, 8, 15) == step
    assert KbKssd(**SMALL, medfilt=medfilt).answer(x).steady_start == index


@given(
    values=arrays(np.float64, st.integers(1, 80), elements=st.floats(-1e6, 1e6)),
    half=st.integers(0, 10),
)
def test_median_filter_pads_with_zeros(values: Values, half: int) -> None:
    padded_values = np.pad(values, half)
    windows = np.lib.stride_tricks.sliding_window_view(padded_values, 2 * half + 1)

    assert np.array_equal(kernels.smooth_values(values, 2 * half + 1), np.sort(windows)[:, half])


@given(
    values=arrays(np.float64, st.integers(8, 260), elements=st.floats(-1e6, 1e6)),
    window=st.integers(3, 120),
    low=st.floats(0, 50),
    high=st.floats(50, 100),
)
@example(values=np.r_[1e9, np.arange(50.0)], window=20, low=50.0, high=50.0)
@example(values=np.arange(40.0) % 3, window=10, low=0.0, high=100.0)
@example(values=np.arange(9.0), window=3, low=33.0, high=66.0)
def test_substitution_agrees_with_the_list_of_the_definition(
    values: Values, window: int, low: float, high: float
) -> None:
    assume(window < values.size)
    expected = oracle.substitute_outliers(values, window, low, high)

    kernels.substitute(values, window, float(low), float(high))

    assert np.array_equal(values, expected)


@st.composite
def benchmark_like(draw: st.DrawFn) -> Values:
    """A few levels, noise, and some outliers: what the method is for."""
    random = np.random.default_rng(draw(st.integers(0, 2**32 - 1)))
    n = draw(st.integers(101, 900))
    edges = np.sort(random.integers(0, n, 3))
    level = random.uniform(1, 3, 4)[np.searchsorted(edges, np.arange(n), side="right")]
    x = level + draw(st.sampled_from([0.01, 0.3, 2.0])) * random.standard_normal(n)
    x[random.integers(0, n, n // 50)] *= random.uniform(2, 1000)
    return as_series(x)


@given(x=benchmark_like(), prob_window=st.integers(3, 300), t_crit=st.sampled_from([1.0, 2.0, 4.0]))
@example(x=as_series(np.r_[1e9, 2 + 0.1 * ripple(400)]), prob_window=50, t_crit=4.0)
@example(x=as_series(np.full(300, 0.1)), prob_window=50, t_crit=4.0)
@example(
    x=as_series(1e-12 * (3 - 2 * (np.arange(300) > 99) + ripple(300))), prob_window=50, t_crit=4.0
)
@example(x=as_series(ripple(101)), prob_window=500, t_crit=4.0)
def test_agrees_with_the_definition(x: Values, prob_window: int, t_crit: float) -> None:
    s = oracle.substitute_outliers(x, 100, 2.0, 98.0)
    is_flat = np.ptp(s) == 0  # whose responses are all alike, and whose answer is stated below
    assume(is_flat or not oracle.is_tied(oracle.short_responses(s)))
    assume(is_flat or not oracle.is_tied(oracle.large_responses(s)[:-1]))

    own_answer = kernels.kb_kssd(x, 100, 2.0, 98.0, 1, 70, 15, prob_window, t_crit, 0.95, 1)

    expected = (15, 14) if is_flat else oracle.kb_kssd(x, prob_window=prob_window, t_crit=t_crit)
    assert own_answer == expected


@pytest.mark.parametrize("n", [101, 102, 103, 104, 505, 1001])
@pytest.mark.parametrize("prob_window", [3, 4, 5, 100])
def test_windows_cover_the_right_side_once(n: int, prob_window: int) -> None:
    for step in (-1, 0, 14, n - 5, n - 4, n - 3, n - 2):
        starts = kernels.window_starts(step + 1, n, prob_window)

        assert starts[0] == step + 1
        assert starts[-1] == n
        lengths = np.diff(starts)
        assert lengths.min() >= min(3, n - 1 - step)
        assert lengths.max() <= prob_window + 2
