"""One method under many parameter sets: the answers of `detect`, whatever way they are found."""

from __future__ import annotations

import os
from typing import Any

import numpy as np
import pytest
from hypothesis import example, given, settings, strategies as st
from hypothesis.extra.numpy import arrays

from detectors.contract import NEVER, BadSeries, Context, Values, as_series
from detectors.methods.developer import Developer
from detectors.methods.f_test import FTest
from detectors.methods.georges import Georges
from detectors.methods.kb_kssd import KbKssd
from detectors.parameter_sets.evaluation import NO_ANSWER, answering, answers, single_answerer
from detectors.simulated.synthetic import simulate, simulate_all
from tests.published_data import replication_folder

Sets = list[KbKssd.Params]
COMPILED = os.environ.get("NUMBA_DISABLE_JIT", "0") == "0"


def choice_of(*values: Any) -> st.SearchStrategy[Any]:
    """One of few values: sets then share stages, as those of a sensitivity do."""
    return st.sampled_from(values)


published_sets = st.builds(
    KbKssd.Params,
    outlier_window=choice_of(5, 20, 33),
    pct_low=choice_of(0.0, 2.0, 30.0),
    pct_high=choice_of(60.0, 85.0, 100.0),
    medfilt=choice_of(1, 3, 9, 61),
    step_window=st.integers(1, 60),
    short_half=choice_of(2, 5, 15),
    prob_window=choice_of(3, 4, 7, 30, 400),
    t_crit=st.one_of(st.floats(1e-6, 5), choice_of(1.0, 2.0)),
    prob_threshold=st.one_of(st.floats(0, 1), choice_of(0.0, 0.5, 1.0)),
    min_steady_length=choice_of(0, 1, 12, 50),
)
any_sets = st.one_of(
    published_sets,
    st.builds(KbKssd.Params, outlier_window=choice_of(5, 20), kernels=choice_of("large", "none")),
    st.builds(
        KbKssd.Params,
        outlier_window=choice_of(5, 20),
        direction=choice_of("either"),
        medfilt=choice_of(3),
    ),
)
any_values = arrays(
    np.float64,
    st.integers(1, 130),
    elements=st.one_of(
        st.floats(allow_nan=False, allow_infinity=False), st.integers(0, 3).map(float)
    ),
)


@settings(max_examples=30)
@given(values=any_values, sets=st.lists(any_sets, min_size=1, max_size=12))
@example(values=np.full(60, 4.0), sets=[KbKssd.Params(outlier_window=5, prob_threshold=0.0)] * 2)
@example(values=np.arange(30.0), sets=[KbKssd.Params(outlier_window=w) for w in (29, 30)])
def test_stages_that_are_shared_change_no_answer(values: Values, sets: Sets) -> None:
    series = as_series(values)

    answers = answering(KbKssd, sets)(series, Context())

    assert answers.tolist() == single_answerer(KbKssd, sets)(series, Context()).tolist()


def drawn_sets(count: int, seed: int) -> Sets:
    """Sets as a sensitivity and a grid have them: few windows, any limits."""
    draw = np.random.default_rng(seed)
    return [
        KbKssd.Params(
            outlier_window=int(draw.integers(40, 61)) * 2 - 1,
            pct_high=float(draw.choice([85.0, 98.0])),
            medfilt=int(draw.choice([1, 1, 101])),
            step_window=int(draw.integers(50, 91)),
            prob_window=int(draw.integers(8, 13)) * 50,
            t_crit=float(draw.uniform(2.5, 5.5)),
            prob_threshold=float(draw.uniform(0.75, 1.0)),
        )
        for _ in range(count)
    ]


def test_stages_give_the_answers_of_every_kind_of_simulated_series() -> None:
    sets = drawn_sets(40 if COMPILED else 2, 1)
    series = [simulated.values for simulated in simulate_all(n=700)]

    starts = answers(KbKssd, sets, series)

    assert starts.tolist() == single_answers(sets, series)
    assert starts.dtype == np.int32
    assert np.unique(starts).size > 5


def test_stages_give_the_answers_of_published_series() -> None:
    """Measured values have ties, giants and steps that simulated ones have not."""
    with np.load(replication_folder() / "series.npz") as series_file:
        series = list(series_file["fork0"][:: 33 if COMPILED else 330])
    sets = drawn_sets(40 if COMPILED else 2, 2)

    assert answers(KbKssd, sets, series).tolist() == single_answers(sets, series)


def single_answers(sets: Sets, series: list[Values]) -> list[list[int]]:
    return [
        [KbKssd.with_params(params).answer(values).steady_start for values in series]
        for params in sets
    ]


def test_every_method_has_a_table() -> None:
    series = [simulate("step").values, simulate("step").values[:20]]

    starts = answers(Georges, [Georges.Params(k=k) for k in (10, 30)], series)

    start = Georges(k=10).answer(series[0]).steady_start
    assert starts[0, 0] == start
    assert starts[1, 1] == NO_ANSWER
    assert (starts[:, 0] >= NEVER).all()


def test_a_subclass_is_asked_by_itself() -> None:
    class Later(KbKssd):
        def detect(self, values: Values, context: Context) -> Any:
            return super().detect(values[10:], context)

    values = simulate("step", n=300).values

    starts = answers(Later, [Later.Params()], [values])

    assert starts.tolist() == [[Later().answer(values).steady_start]]
    assert starts.tolist() != answers(KbKssd, [KbKssd.Params()], [values]).tolist()


def test_the_context_reaches_the_method() -> None:
    values = np.ones(100)
    configured_context = Context(settings={"warmup_iterations": 7, "warmup_seconds": 1.0})

    starts = answers(Developer, [Developer.Params()], [values] * 2, [configured_context, Context()])

    assert starts.tolist() == [[7, NO_ANSWER]]


def test_threads_change_no_answer() -> None:
    sets, series = drawn_sets(10, 3), [simulate("step", n=400, seed=s).values for s in range(4)]

    assert np.array_equal(answers(KbKssd, sets, series), answers(KbKssd, sets, series, threads=3))


def test_no_sets_and_no_series_are_empty_tables() -> None:
    assert answers(FTest, [], [np.ones(50)]).shape == (0, 1)
    assert answers(KbKssd, [KbKssd.Params()], []).shape == (1, 0)


def test_values_that_are_no_series_are_refused() -> None:
    with pytest.raises(BadSeries, match="must be finite"):
        answers(KbKssd, [KbKssd.Params()], [np.array([1.0, np.nan])])
