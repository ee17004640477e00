"""KB-KSSD as a detector: the published answers, reading online, evidence."""

from __future__ import annotations

import json
import os
from typing import Any

import numpy as np
import pytest
from hypothesis import given, strategies as st
from hypothesis.extra.numpy import arrays

from detectors.contract import (
    NEVER,
    Context,
    Curve,
    Detection,
    Events,
    ParameterError,
    TooShort,
    Values,
    as_json,
    as_series,
)
from detectors.kernels.kb_kssd import find_step, prepare_values
from detectors.methods.kb_kssd import KbKssd
from detectors.simulated.synthetic import simulate
from tests.published_data import replication_folder

COMPILED = os.environ.get("NUMBA_DISABLE_JIT", "0") == "0"
SMALL = {"outlier_window": 20, "prob_window": 12, "t_crit": 3.0, "step_window": 8}
ROW_1 = "777897997778788988987998834442423333322332424323322424"
ROW_12 = "877877899894444655645655445455333313123332"


def test_gives_the_published_index_and_step_on_every_published_series() -> None:
    """396 forks; the published program with the published parameters (Beseda et al. 2025)."""
    folder = replication_folder()
    expected = json.loads((folder / "expected.json").read_text())
    detector = KbKssd()
    with np.load(folder / "series.npz") as series_file:
        series = series_file["fork0"]
    stride = 1 if COMPILED else 20

    answers = [
        (
            detector.answer(x).steady_start,
            find_step(prepare_values(as_series(x), 100, 2.0, 98.0), 70, 15),
        )
        for x in series[::stride]
    ]

    assert len(series) == len(expected) == 396
    assert answers == [(row["kb_kssd"], row["kb_step"]) for row in expected[::stride]]


@given(
    values=arrays(
        np.float64,
        st.integers(0, 160),
        elements=st.one_of(
            st.floats(allow_nan=False, allow_infinity=False), st.integers(0, 2).map(float)
        ),
    ),
    parameters=st.fixed_dictionaries(
        {
            "outlier_window": st.integers(1, 50),
            "pct_low": st.floats(0, 50),
            "pct_high": st.floats(50, 100),
            "medfilt": st.integers(0, 9).map(lambda half: 2 * half + 1),
            "step_window": st.integers(1, 80),
            "short_half": st.integers(2, 30),
            "prob_window": st.integers(3, 90),
            "t_crit": st.floats(1e-6, 9),
            "prob_threshold": st.floats(0, 1),
            "min_steady_length": st.integers(0, 90),
        }
    ),
)
def test_any_values_under_any_parameters_have_an_answer(
    values: Values, parameters: dict[str, float]
) -> None:
    detector = KbKssd(**parameters)
    if values.size < detector.least_length:
        with pytest.raises(TooShort):
            detector.answer(values)
        return

    start = detector.answer(values).steady_start  # which refuses an answer out of range

    probability = detector.evidence(as_series(values), Context())[0]
    assert isinstance(probability, Curve)
    assert probability.x is not None
    if start != NEVER:
        is_steady = probability.x >= start
        assert probability.y[is_steady].min() >= detector.params.prob_threshold


def test_publication_and_plateau_count_alike() -> None:
    detection = KbKssd().answer(simulate("step").values)

    assert detection == Detection(657, published_index=657)


@pytest.mark.parametrize("n", [1, 30, 100])
def test_too_short_says_how_long(n: int) -> None:
    with pytest.raises(TooShort, match=f"needs at least 101 values; got {n}"):
        KbKssd().answer(np.arange(n, dtype=float))


@pytest.mark.parametrize(
    ("parameters", "least_length"),
    [({}, 101), ({"outlier_window": 5}, 30), ({"outlier_window": 5, "short_half": 40}, 80)],
)
def test_exactly_long_enough_is_answered(parameters: dict[str, int], least_length: int) -> None:
    values = 1 + np.arange(least_length) % 7 / 100

    assert KbKssd(**parameters).answer(values).steady_start >= NEVER
    with pytest.raises(TooShort, match=f"at least {least_length} "):
        KbKssd(**parameters).answer(values[1:])


def test_an_even_median_filter_is_refused() -> None:
    with pytest.raises(ParameterError, match=r"^medfilt must be odd; got 4$"):
        KbKssd(medfilt=4)


def test_a_threshold_of_zero_accepts_what_lies_before_the_step() -> None:
    assert KbKssd(prob_threshold=0.0).answer(simulate("step").values).steady_start == 0


@pytest.mark.parametrize(
    ("text", "n", "index", "step"),
    [
        (ROW_1, 30, 0, -1),
        (ROW_1, 34, -1, 18),
        (ROW_1, 38, -1, 22),
        (ROW_1, 42, 25, 24),
        (ROW_1, 46, 24, 23),
        (ROW_1, 50, 38, 25),
        (ROW_1, 54, 38, 25),
        (ROW_12, 30, 11, 10),
        (ROW_12, 34, -1, 10),
        (ROW_12, 38, 34, 21),
        (ROW_12, 42, 34, 21),
    ],
)
def test_reads_online_what_a_series_of_that_length_gives(
    text: str, n: int, index: int, step: int
) -> None:
    detector = KbKssd(**SMALL, stride=1)
    state = detector.start(Context())
    values = as_series([float(letter) for letter in text])

    decision = detector.update(state, values[:n])

    assert (decision.n, decision.figures["step"]) == (n, step)
    assert decision.detection == Detection(index, published_index=index)
    assert not decision.final


def test_online_answers_first_at_105_and_then_every_15_values() -> None:
    detector, values = KbKssd(), simulate("step", n=200).values
    state = detector.start(Context())

    counts = [detector.update(state, values[i : i + 1]).n for i in range(values.size)]

    assert sorted(set(counts)) == [0, 105, 120, 135, 150, 165, 180, 195]
    assert counts.index(105) == 104
    assert detector.finish(state).n == 200


def test_online_too_short_is_said_at_the_end() -> None:
    detector = KbKssd()
    state = detector.start(Context())

    assert detector.update(state, as_series(np.ones(50))).detection is None
    with pytest.raises(TooShort):
        detector.finish(state)


def test_evidence_shows_probabilities_kernels_and_the_step() -> None:
    series = simulate("step")

    drawings = KbKssd().evidence(series.values, Context())
    probability, large_curve, short_curve, *_ = drawings
    (step,) = (drawing for drawing in drawings if isinstance(drawing, Events))

    assert isinstance(probability, Curve)
    assert probability.threshold == 0.95
    assert probability.x is not None
    assert probability.x.tolist() == [0, 657, 1157, 1657, 2157, 2657, 3000]
    assert probability.y.tolist()[0] == 0
    assert min(probability.y[1:]) >= 0.95
    assert isinstance(large_curve, Curve)
    assert isinstance(short_curve, Curve)
    assert large_curve.x is not None
    assert short_curve.x is not None
    assert abs(int(large_curve.x[large_curve.y.argmin()]) - series.steady_start) <= 2
    assert abs(int(short_curve.x[short_curve.y.argmin()]) - series.steady_start) <= 2
    assert step == Events((656,), label="last iteration before the step")
    json.dumps([as_json(drawing) for drawing in drawings], allow_nan=False)


@pytest.mark.parametrize("scale", [1.0, 1e-300, 1e300])
@pytest.mark.parametrize(
    ("ramp", "taken_step"), [(np.full(300, 5.0), 199), (np.linspace(8.0, 3.1, 300), None)]
)
def test_evidence_draws_the_medians_that_decide_between_two_steps(
    ramp: Values, taken_step: int | None, scale: float
) -> None:
    """The level falls by 2 where twice the change around the later step is 4; then more slowly."""
    values = as_series(np.r_[np.full(200, 10.0), ramp, np.full(1000, 3.0)] * scale)
    drawings = evidence_by_label(values)
    level_between, level_behind = drawings[
        "medians between the two steps and behind the later one"
    ].pieces
    level_before, level_after = drawings["medians of 70 values around the later step"].pieces
    figures = {name: value for name, value, _ in drawings["what decided"].rows}
    early_step, late_step = (
        figures["step of the short kernel"],
        figures["step of the large kernel"],
    )

    assert (level_between[:2], level_behind[:2]) == (
        (early_step + 1, late_step),
        (late_step + 1, values.size),
    )
    assert (level_before[:2], level_after[:2]) == (
        (late_step - 70, late_step + 1),
        (late_step + 1, late_step + 71),
    )
    fall = level_between[2] - level_behind[2]
    assert figures["fall from between the steps to behind them"] == pytest.approx(fall)
    least_fall = figures["later step above a fall of"]
    assert least_fall == pytest.approx(2 * abs(level_before[2] - level_after[2]))
    assert figures["step taken"] == (late_step if fall > least_fall else early_step)
    assert (figures["step taken"] == 199) == (taken_step == 199)
    assert "medians of 70 values around the later step" not in evidence_by_label(
        simulate("step").values
    )


def evidence_by_label(values: Values, **parameters: Any) -> dict[str, Any]:
    return {drawing.label: drawing for drawing in KbKssd(**parameters).evidence(values, Context())}


def test_evidence_has_the_percentiles_of_each_section_and_what_they_replace() -> None:
    values = np.r_[9.0, np.arange(100.0), np.arange(101.0) + 1000]  # value 0 is in no section

    drawings = evidence_by_label(as_series(values))

    assert drawings["median of each section"].pieces == ((1, 102, 50.0), (102, 202, 1050.5))
    assert drawings["percentile 98 of each section"].pieces[0][2] == pytest.approx(98.0)
    assert drawings["percentile 2 of each section"].pieces[0][2] == pytest.approx(2.0)
    replaced_bands = drawings["8 replaced values"]
    assert [start for start, _ in replaced_bands.spans][:2] == [1, 2]
    assert replaced_bands.notes[0].startswith("0 → ")


@pytest.mark.parametrize("scale", [1.0, 1e-200, 1e200])
def test_what_is_said_to_be_replaced_lies_beyond_the_percentiles_in_any_unit(scale: float) -> None:
    values = as_series(simulate("spikes", n=700).values * scale)

    drawings = evidence_by_label(values, pct_low=5.0, pct_high=90.0)
    low, high = (drawings[f"percentile {p} of each section"].pieces for p in (5, 90))
    indices_beyond = [
        i
        for (start, stop, least_value), (_, _, most_value) in zip(low, high, strict=True)
        for i in range(start, stop)
        if not least_value <= values[i] <= most_value
    ]

    (replaced_bands,) = (
        drawing for label, drawing in drawings.items() if label.endswith("replaced values")
    )
    assert [start for start, _ in replaced_bands.spans] == indices_beyond
    assert len(indices_beyond) > 0.1 * values.size


def test_evidence_says_what_each_kernel_proposed_and_what_was_enough() -> None:
    series = simulate("step")

    drawings = evidence_by_label(series.values)

    rows = {name: value for name, value, _ in drawings["what decided"].rows}
    assert rows["step of the large kernel"] == rows["step of the short kernel"] == 656
    assert rows["step taken"] == 656
    assert rows["length of a window"] == 500
    windows = drawings["windows of Kelly's test"]
    assert windows.spans[0] == (657, 1157)
    assert windows.notes[0].endswith("≥ 0.95")
    assert rows["replaced values"] == len(
        drawings[f"{rows['replaced values']} replaced values"].spans
    )


def test_without_a_step_and_without_substitution_the_evidence_says_so() -> None:
    flat_values = as_series(1 + np.arange(300) % 7 / 100)

    drawings = evidence_by_label(flat_values, substitute=False, kernels="short", prob_threshold=1.0)

    assert not any("section" in label or "replaced values" in label for label in drawings)
    rows = {name: value for name, value, _ in drawings["what decided"].rows}
    assert rows["step taken"] == "none"
    assert "step of the large kernel" not in rows
    assert rows["replaced values"] == 0


VARIANTS: list[dict[str, Any]] = [
    {"direction": "either"},
    {"kernels": "large"},
    {"kernels": "short"},
    {"kernels": "none"},
    {"substitute": False},
    {"ar_order": 10},
    {"direction": "either", "kernels": "large", "substitute": False, "ar_order": 3, "medfilt": 5},
]


@pytest.mark.parametrize("variant", VARIANTS)
def test_variants_answer_online_as_at_once_and_explain_themselves(variant: dict[str, Any]) -> None:
    detector = KbKssd(**variant, prob_window=120)
    values = simulate("two-steps", n=600).values
    state = detector.start(Context())

    for begin in range(0, values.size, 50):
        detector.update(state, values[begin : begin + 50])

    assert detector.finish(state).detection == detector.answer(values)
    drawings = detector.evidence(values, Context())
    curves = [drawing.label for drawing in drawings if isinstance(drawing, Curve)]
    kernels = variant.get("kernels", "both")
    assert ("large kernel, mean change" in curves) == (kernels in {"both", "large"})
    assert ("short kernel, mean change" in curves) == (kernels in {"both", "short"})


@pytest.mark.parametrize("seed", range(5))
def test_upward_steps_count_when_asked_for(seed: int) -> None:
    series = simulate("slowdown", seed=seed)

    start = KbKssd(direction="either").answer(series.values).steady_start

    assert abs(start - series.steady_start) <= 2
    assert KbKssd(direction="either").answer(simulate("step", seed=seed).values) == (
        KbKssd().answer(simulate("step", seed=seed).values)
    )


@pytest.mark.parametrize(
    ("parameters", "least_length"),
    [
        ({"substitute": False}, 30),
        ({"substitute": False, "kernels": "large"}, 3),
        ({"substitute": False, "kernels": "none"}, 3),
        ({"kernels": "none"}, 101),
    ],
)
def test_variants_need_what_they_use(parameters: dict[str, Any], least_length: int) -> None:
    values = as_series(1 + np.arange(least_length) % 7 / 100)
    detector = KbKssd(**parameters)

    assert detector.answer(values).steady_start >= NEVER
    assert detector.evidence(values, Context())
    with pytest.raises(TooShort, match=f"at least {least_length} "):
        detector.answer(values[1:])
