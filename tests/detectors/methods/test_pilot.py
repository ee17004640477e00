"""Pilot as a detector: the stable phase, both readings, and the figures beside it."""

from __future__ import annotations

import json
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings, strategies as st
from hypothesis.extra.numpy import arrays

from detectors.contract import (
    NEVER,
    Bands,
    Context,
    Detection,
    Events,
    Evidence,
    Figures,
    Levels,
    ParameterError,
    TooShort,
    Values,
    as_json,
    as_series,
)
from detectors.methods.pilot import Pilot, dominant_phase
from detectors.simulated.synthetic import simulate
from tests.detectors.kernels.test_pilot import series
from tests.published_data import carried_vectors, published_vectors

I = np.arange(200)  # noqa: E741
STEPPED = as_series(10 + (7919 * I % 13 - 6) / 10 + np.where(I < 40, 3, 0))


@pytest.fixture(scope="module")
def vectors() -> dict[str, Any]:
    return carried_vectors("pilot")


def figures_of(evidence: tuple[Evidence, ...]) -> dict[str, float | int | str]:
    figures = evidence[-1]
    assert isinstance(figures, Figures)
    return {name: value for name, value, _ in figures.rows}


@pytest.mark.parity("pilot")
def test_the_stable_phase_of_every_vector(vectors: dict[str, Any]) -> None:
    for case in vectors["edm"]:
        values = series(case)
        names = ("min_size", "percent", "degree")

        detection = Pilot(**{name: case[name] for name in names}).answer(values)

        begin, end = case["dominant"] or (NEVER, values.size)
        assert (detection.steady_start, detection.published_index) == (begin, begin)
        flag = "cool-down" if end < values.size else ""
        flag = "no-dominant-segment" if begin == NEVER else flag
        assert detection.flags == ((flag,) if flag else ())


@pytest.mark.parametrize("cut", [60, 61])
def test_half_of_the_series_does_not_dominate(cut: int) -> None:
    assert dominant_phase((30,), 60) is None
    assert dominant_phase((30,), 61) == (30, 61)
    assert dominant_phase((31,), cut) == ((0, 31) if cut < 62 else None)
    assert dominant_phase((), 30) == (0, 30)


def test_the_last_changepoint_always_answers() -> None:
    detector = Pilot(reading="last_changepoint")

    assert detector.answer(np.repeat([1.1, 5.1, 1.1], 30)) == Detection(60, 60)
    assert detector.answer(np.full(60, 1.1)) == Detection(0, 0)


@pytest.mark.parametrize(("n", "start"), [(1, 0), (4, 0), (5, 1), (15, 2), (200, 20)])
def test_fixed_drops_a_tenth(n: int, start: int) -> None:
    assert Pilot(warmup_method="fixed").answer(STEPPED[:n]) == Detection(start, start)
    assert Pilot(warmup_method="none").answer(STEPPED[:n]) == Detection(0, 0)


def test_figures_of_the_stable_phase(vectors: dict[str, Any]) -> None:
    case = vectors["pipeline"]

    events, levels, bands, _ = evidence = Pilot().evidence(STEPPED, Context(unit="ms"))

    figures = figures_of(evidence)
    assert events == Events((37,), label="changepoints")
    assert isinstance(levels, Levels)
    assert [piece[:2] for piece in levels.pieces] == [(0, 37), (37, 200)]
    assert bands == Bands(((37, 200),), label="stable phase")
    assert (figures["end"], figures["n"], figures["subsession size"]) == (200, case["n"], 2)
    assert figures["mean"] == pytest.approx(case["mean"])
    assert figures["autocorrelation"] == pytest.approx(case["R1_q1"])
    assert figures["autocorrelation of subsessions"] == pytest.approx(case["R1_q"])
    width = float(figures["interval to"]) - float(figures["interval from"])
    assert width == pytest.approx(case["ci_width"])
    assert figures["interval width ÷ mean"] == pytest.approx(case["ci_width"] / case["mean"])
    assert (figures["required"], figures["enough"]) == (400, "no")


def test_enough_values(vectors: dict[str, Any]) -> None:
    q, k = vectors["pipeline"]["required"]
    evidence = Pilot(min_subsessions=1).evidence(STEPPED, Context())

    assert figures_of(evidence)["required"] == q * k
    assert figures_of(evidence)["enough"] == "yes"


def test_interval_of_the_published_proportion(vectors: dict[str, Any]) -> None:
    binomial = vectors["binomial20"]
    detector = Pilot(mean_method="proportion")

    quality = detector.quality(as_series(binomial["values"]))

    assert quality.width == pytest.approx(binomial["ci_width_95"], rel=1e-12)
    assert (quality.q, quality.mean) == (1, 0.55)


def test_a_proportion_is_one_of_zeros_and_ones() -> None:
    x = np.resize([0.0, 1.0, 1.0], 90)
    detector = Pilot(mean_method="proportion", warmup_method="none")

    assert figures_of(detector.evidence(as_series(x), Context()))["mean"] == pytest.approx(2 / 3)
    refusal = figures_of(detector.evidence(as_series(2 * x), Context()))["mean"]
    assert refusal == "not defined: a proportion needs values that are 0 or 1"


def test_intervals_of_ferraris_response_times(vectors: dict[str, Any]) -> None:
    ferrari = published_vectors("pilot")["ferrari48"]
    x = np.array(ferrari["values"])

    assert Pilot().quality(x).width == pytest.approx(ferrari["ci_width_95_q4"])
    strict_quality = Pilot(confidence_level=0.99).quality(x)
    assert strict_quality.width == pytest.approx(ferrari["ci_width_99_q4"])
    loose_quality = Pilot(max_autocorrelation=0.8).quality(x)
    assert (loose_quality.q, loose_quality.width) == (1, pytest.approx(ferrari["ci_width_95_q1"]))
    for case in ferrari["required"]:
        detector = Pilot(ci_percent_of_mean=0.0, ci_absolute=case["ci_width"], min_subsessions=1)
        quality = detector.quality(x)
        assert (quality.q, quality.required) == (case["q"], case["samples_without_floor"])


def test_the_narrower_interval_counts() -> None:
    def required_count(**limits: float) -> int | None:
        return Pilot(min_subsessions=1, **limits).quality(STEPPED[37:]).required

    narrower_count = required_count(ci_percent_of_mean=0.05, ci_absolute=0.1)

    assert narrower_count == required_count(ci_percent_of_mean=0.0, ci_absolute=0.1)
    assert required_count(ci_percent_of_mean=0.05, ci_absolute=5.0) == required_count(
        ci_percent_of_mean=0.05
    )
    with pytest.raises(ParameterError, match="ci_percent_of_mean or ci_absolute must be above 0"):
        Pilot(ci_percent_of_mean=0.0)


def test_without_a_subsession_size_nothing_is_known() -> None:
    figures = figures_of(Pilot().evidence(as_series(np.full(60, 1.1)), Context()))

    assert (figures["subsession size"], figures["required"], figures["enough"]) == ("unknown",) * 3
    assert Pilot().quality(as_series([1.0, 2.0])).q is None
    assert Pilot().quality(as_series([1.0, 2.0])).r1 == -0.5
    assert Pilot().quality(as_series(np.tile([1.0, -1.0, -1.0, 1.0], 30))).required is None


def test_harmonic_means() -> None:
    detector = Pilot(mean_method="harmonic")

    assert figures_of(detector.evidence(STEPPED, Context()))["mean"] == pytest.approx(
        1 / np.mean(1 / STEPPED[37:])
    )
    figures = figures_of(detector.evidence(STEPPED - 10, Context()))
    assert str(figures["mean"]).startswith("not defined: the harmonic mean needs")


def test_without_a_stable_phase_there_are_no_figures() -> None:
    evidence = Pilot().evidence(as_series(np.repeat([1.1, 5.1, 1.1], 30)), Context())

    assert [type(drawing) for drawing in evidence] == [Events, Levels]


def test_not_enough_data() -> None:
    assert Pilot().answer(STEPPED[:30]) == Detection(0, 0)
    with pytest.raises(TooShort, match="needs at least 30 values; got 29"):
        Pilot().answer(STEPPED[:29])
    with pytest.raises(TooShort, match="needs at least 1 values; got 0"):
        Pilot(warmup_method="none").answer([])


@pytest.mark.parametrize("exponent", [-1000, -400, 400, 1000])
def test_the_unit_does_not_matter(exponent: int) -> None:
    scaled_values = np.ldexp(STEPPED, exponent)

    assert Pilot().answer(scaled_values) == Pilot().answer(STEPPED)
    figures = figures_of(Pilot().evidence(as_series(scaled_values), Context()))
    expected = figures_of(Pilot().evidence(STEPPED, Context()))
    for name in ("mean", "interval from", "interval to"):
        assert figures[name] == np.ldexp(float(expected[name]), exponent)
    assert figures["required"] == expected["required"]


def test_a_shift_changes_no_phase() -> None:
    assert Pilot().answer(STEPPED + 1024.0) == Pilot().answer(STEPPED)


def test_a_step_is_found_nearly() -> None:
    step = simulate("step", n=600)

    assert abs(Pilot().answer(step.values).steady_start - step.steady_start) <= 3


@settings(max_examples=50)
@given(
    values=arrays(
        np.float64,
        st.integers(2, 50),
        elements=st.one_of(
            st.floats(allow_nan=False, allow_infinity=False), st.integers(0, 2).map(float)
        ),
    ),
    reading=st.sampled_from(["dominant", "last_changepoint"]),
    ci_absolute=st.sampled_from([0.0, 1e-300, 1e12]),
)
def test_any_finite_values_get_an_answer(values: Values, reading: str, ci_absolute: float) -> None:
    detector = Pilot(min_size=2, reading=reading, ci_absolute=ci_absolute)

    assert NEVER <= detector.answer(values).steady_start < values.size
    json.dumps([as_json(drawing) for drawing in detector.evidence(as_series(values), Context())])
