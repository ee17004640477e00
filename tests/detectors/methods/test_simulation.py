"""Methods of discrete-event simulation: worked by hand, and against the publications' formulas."""

from __future__ import annotations

import json
from typing import Any

import numpy as np
import pytest

from detectors.contract import (
    NEVER,
    Context,
    Curve,
    Detection,
    Events,
    Figures,
    ParameterError,
    TooShort,
    Values,
    as_series,
)
from detectors.methods import schruben, spc
from detectors.methods.crossing_mean import CrossingMean, crossings
from detectors.methods.mser import Mser
from detectors.methods.schruben import Schruben
from detectors.methods.spc import Spc
from detectors.methods.welch import Welch, average_of_forks, moving_average
from detectors.registry import registry
from detectors.rules.starts.steady_flags import first_steady
from detectors.simulated.synthetic import KINDS, simulate
from evidence.oracles import simulation_oracle as oracle
from tests.published_data import carried_vectors, replication_folder

PACKAGES = carried_vectors("simulation")
NOISE = np.random.default_rng(4).normal(1.0, 0.1, 400)
FALLS = np.r_[np.linspace(2.0, 1.0, 100), NOISE]


def simulated_values(kind: str, n: int = 240, seed: int = 1) -> Values:
    return simulate(kind, n=n, seed=seed).values


# --- flags ----------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("flags", "alarms", "start"),
    [
        ("", 0.5, NEVER),
        ("-", 0.5, NEVER),
        ("+", 0.0, 0),
        ("--++", 0.0, 2),
        ("++--", 1.0, 0),  # the first of two starts with two flags against them
        ("-+---+++-+++", 0.2, 5),
        ("-+---+++-+++", 0.1, NEVER),
        ("+++++-----", 0.4, NEVER),
    ],
)
def test_the_start_is_where_fewest_flags_contradict(flags: str, alarms: float, start: int) -> None:
    is_steady = [flag == "+" for flag in flags]

    assert first_steady(np.array(is_steady, np.bool_), alarms) == start
    assert oracle.least_contradicted_start(is_steady, alarms) == start


# --- Welch ----------------------------------------------------------------------------------------


@pytest.mark.parity("welch")
@pytest.mark.parametrize("window", [1, 7, 60])
def test_the_curve_is_welchs(window: int) -> None:
    values = simulated_values("decay")

    averages = moving_average(values, window)

    np.testing.assert_allclose(averages, oracle.welch_means(values, window), rtol=1e-12)


@pytest.mark.parametrize(
    ("values", "parameters", "start"),
    [
        ([9, 6, 3, 3, 3, 3, 3, 3], {"window": 1}, 3),  # 9 6 4 3 3 3 3 about a level of 3
        ([9, 6, 3, 3, 3, 3, 3, 3], {"window": 1, "tolerance": 0.4}, 2),
        ([3, 3, 3, 3, 9, 9, 9, 9], {"window": 1}, NEVER),
        ([3, 3, 3, 3], {}, 0),
        ([0, 0, 0, 0], {}, 0),
        ([1e300, -1e300, 1e-3, 1e-3, 1e-3, 1e-3, 1e-3, 1e-3], {"window": 1}, 3),
    ],
)
def test_welch_by_hand(values: list[float], parameters: dict[str, Any], start: int) -> None:
    assert Welch(**parameters).answer(values) == Detection(start, published_index=start)


def test_forks_are_averaged_as_far_as_all_of_them_go() -> None:
    forks = [np.array([1.0, 3.0, 5.0]), np.array([3.0, 5.0]), np.array([5.0, 1e308])]

    assert average_of_forks(forks[:2]).tolist() == [2, 4]
    assert average_of_forks(forks).tolist() == [3, (8 + 1e308) / 3]


# --- MSER -----------------------------------------------------------------------------------------


@pytest.mark.parity("mser")
@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("index", range(len(PACKAGES["batches"])))
def test_mser_m_is_that_of_the_packages(kind: str, index: int) -> None:
    """kim-convergence keeps a batch more than it ignores, pymser three and any cut."""
    batch, n = PACKAGES["batches"][index], PACKAGES["n"]
    least_count = max(1, min(batch, n // batch // 4)) + 1
    methods = {
        "kim": Mser(batch=batch, least=least_count),
        "pymser": Mser(batch=batch, least=3, latest=1.0),
    }

    for package, method in methods.items():
        expected = [answers[index] for answers in PACKAGES[package][kind]]
        detections = [method.answer(simulated_values(kind, n, seed)) for seed in PACKAGES["seeds"]]
        assert [detection.steady_start for detection in detections] == expected, package


@pytest.mark.parametrize(("part", "key"), [("series", "fork0"), ("stage1", "shown")])
def test_mser_5_on_every_published_series(part: str, key: str) -> None:
    folder = replication_folder()
    peers = json.loads((folder / "peers.json").read_text("utf-8"))["mser-batch-5"][key]
    with np.load(folder / f"{part}.npz") as file:
        series = file[key]

    start_by_row = {row: Mser(least=6).answer(series[int(row)]).steady_start for row in peers}

    assert len(start_by_row) > 200
    assert start_by_row == peers


# --- crossing of the mean -------------------------------------------------------------------------


@pytest.mark.parity("crossing-mean")
@pytest.mark.parametrize("n", [2, 3, 5, 64, 65, 200])
def test_crossings_are_counted_as_stated(n: int) -> None:
    random = np.random.default_rng(n)
    tied_values: Values = random.integers(0, 3, n).astype(np.float64)
    for values in (random.normal(size=n), tied_values, np.full(n, 7.0)):
        assert crossings(values).tolist() == oracle.crossings(values)


@pytest.mark.parametrize(
    ("values", "start"),
    [
        ([9, 1, 9, 1], 2),  # means 9, 5, 6.3, 5: 0, 1, 2, 3 crossings
        ([9, 9, 9, 9], NEVER),
        ([9, 8, 1, 1], NEVER),  # it only falls: never more than one
        ([9, 8, 1, 9], 3),
        ([2.0**1000, -(2.0**1000), 2.0**1000], 2),
    ],
)
def test_crossing_mean_by_hand(values: list[float], start: int) -> None:
    assert CrossingMean(crossings=2).answer(values) == Detection(start, start, start)


# --- Schruben -------------------------------------------------------------------------------------


@pytest.mark.parity("schruben")
@pytest.mark.parametrize("form", ["area", "maximum", "max-variance"])
@pytest.mark.parametrize("kind", ["decay", "step", "flat", "spikes"])
def test_schrubens_statistics_are_those_of_the_publications(form: str, kind: str) -> None:
    values = simulated_values(kind)
    expected, critical = oracle.schruben(values, form, 0.05, 20)

    start, share = next(Schruben(form=form).judged(values))

    assert (start, share) == (0, pytest.approx(expected / critical, rel=1e-9))
    assert schruben.critical_value(form, 0.05, 20) == pytest.approx(critical, rel=1e-9)


@pytest.mark.parametrize("form", ["area", "maximum", "max-variance"])
def test_a_beginning_that_bends_the_bridge_is_left_out(form: str) -> None:
    method = Schruben(form=form)

    assert method.answer(NOISE).steady_start == 0
    assert 50 <= method.answer(FALLS).steady_start <= 100
    assert method.answer(np.arange(400.0)).steady_start == (0 if form == "max-variance" else NEVER)
    assert method.answer(np.full(100, 0.1)).steady_start == 0
    if form != "max-variance":  # a step between two batches leaves each of them as it was
        assert method.answer(np.r_[np.full(90, 2.0), np.full(110, 1.0)]).steady_start == 90


def test_schruben_takes_an_even_number_of_batches() -> None:
    with pytest.raises(ParameterError, match="batches must be even; got 5"):
        Schruben(batches=5)


# --- SPC ------------------------------------------------------------------------------------------


@pytest.mark.parity("spc")
@pytest.mark.parametrize("kind", KINDS)
def test_the_chart_is_robinsons(kind: str) -> None:
    values = simulated_values(kind, n=700)
    size, is_passing, is_controlled = oracle.robinson(values, 20)

    signed_size, deviations = Spc().chart(values)

    assert signed_size == (size if is_passing else -size)
    assert (~spc.signal_batches(deviations)).tolist() == is_controlled
    start = oracle.least_contradicted_start(is_controlled, 0.25)
    is_never = start == NEVER or start > len(is_controlled) // 2
    expected_start = NEVER if is_never else start * size
    assert Spc().answer(values).steady_start == expected_start


@pytest.mark.parametrize(
    ("deviations", "signals"),
    [
        ([0, 3.1, 0, -3.1, 3.0], [1, 3]),
        ([2.1, 0, 2.1, 0, 0, 2.1, -2.1], [0, 2]),
        ([1.1, 1.1, 0, 1.1, 1.1, 0, -1.1], [0, 1, 3, 4]),
        ([0.1] * 7 + [-0.1], []),
        ([-0.1] * 8 + [0.1], list(range(8))),
    ],
)
def test_rules_of_thechart(deviations: list[float], signals: list[int]) -> None:
    assert np.flatnonzero(spc.signal_batches(np.array(deviations))).tolist() == signals


@pytest.mark.parametrize(
    ("flags", "spans"),
    [("", ()), ("-", ()), ("+", ((0, 4),)), ("+--++", ((0, 4), (12, 20))), ("-+-", ((4, 8),))],
)
def test_batches_that_signal_are_drawn_as_stretches(
    flags: str, spans: tuple[tuple[int, int], ...]
) -> None:
    assert spc.flagged_stretches(np.array([flag == "+" for flag in flags], np.bool_), 4) == spans


def test_spc_finds_where_control_begins_and_says_when_no_size_passes() -> None:
    assert Spc().answer(FALLS) == Detection(99, 99)
    assert Spc().answer(np.full(100, 0.1)) == Detection(0, 0)
    assert Spc().answer(np.arange(100.0)) == Detection(NEVER, NEVER, flags=("untested",))


# --- all of them ----------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("slug", "least_length"), [("welch", 4), ("crossing-mean", 26), ("schruben", 80), ("spc", 20)]
)
def test_too_short_says_how_long(slug: str, least_length: int) -> None:
    method, values = registry()[slug](), np.arange(least_length) % 3.0

    assert method.answer(values).steady_start >= NEVER
    with pytest.raises(TooShort, match=f"at least {least_length} values; got {least_length - 1}"):
        method.answer(values[1:])


@pytest.mark.parametrize(
    ("slug", "start", "kinds"),
    [
        ("welch", 0, "Curve Levels Events"),
        ("crossing-mean", 0, "Curve"),
        ("schruben", 0, "Curve"),
        ("spc", 0, "Curve Bands Figures"),
    ],
)
def test_evidence_is_what_decided(slug: str, start: int, kinds: str) -> None:
    values, method = as_series(FALLS), registry()[slug]()

    evidence = method.evidence(values, Context())
    curve = evidence[0]

    assert " ".join(type(drawing).__name__ for drawing in evidence) == kinds
    assert isinstance(curve, Curve)
    assert curve.y.size > start
    assert isinstance(evidence[-1], (Curve, Events, Figures))
