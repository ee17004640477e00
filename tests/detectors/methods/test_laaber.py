"""The stopping rules as detectors: published stops, lazy and complete answers, reading online."""

from __future__ import annotations

import csv
import json
import os
from collections.abc import Iterator
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings, strategies as st

from detectors.contract import (
    NEVER,
    BadSeries,
    Bands,
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
from detectors.kernels.laaber import end_of_step
from detectors.methods.laaber_cov import CovStatistic, LaaberCov
from detectors.methods.laaber_kld import KldStatistic, LaaberKld
from detectors.methods.laaber_rciw import LaaberRciw, RciwStatistic
from detectors.rules.online.stopping import StepStatistic, StoppingRule
from formats import RawSamples
from tests.published_data import carried_vectors, published_vectors, replication_folder

COMPILED = os.environ.get("NUMBA_DISABLE_JIT", "0") == "0"
RULES: tuple[type[StoppingRule], ...] = (LaaberCov, LaaberRciw, LaaberKld)
SECONDS = {"iteration_time": 0.0}  # every value is one operation; of 1 s, also one step
SMALL: dict[str, dict[str, Any]] = {
    "laaber-cov": SECONDS,
    "laaber-rciw": SECONDS | {"sample_size": 40, "bootstrap": 100},
    "laaber-kld": SECONDS | {"sample_size": 40, "grid": 50},
}

Fork = tuple[int, int, Values, dict[str, Any]]


@pytest.fixture(scope="module")
def vectors() -> Any:
    return carried_vectors("laaber")


@pytest.fixture(scope="module")
def forks() -> list[Fork]:
    """Row, number, values and published stops of every fork that has both."""
    folder = replication_folder()
    stops_by_name = json.loads((folder / "config_published.json").read_text())["benchmarks"]
    forks: list[Fork] = []
    with np.load(folder / "series.npz") as first_file, np.load(folder / "forks.npz") as fork_file:
        first_forks = first_file["fork0"]
        with (folder / "index.csv").open(encoding="utf-8") as lines:
            for line in csv.DictReader(lines):
                row = int(line["row"])
                stops = stops_by_name[f"{line['system']}#{line['benchmark']}#{line['params']}"]
                has_forks = line["has_forks"] == "1"
                for fork, x in enumerate(
                    fork_file[f"b{row:03d}"] if has_forks else first_forks[row : row + 1]
                ):
                    forks.append((row, fork, as_series(x), stops))
    return forks


def first_passing_steps(statistic: StepStatistic, least_steps: int, steps: int) -> int | None:
    return next((step for step in range(least_steps, steps + 1) if statistic.holds(step)), None)


def ends_from(values: Values, begin: int) -> Iterator[int]:
    while (end := end_of_step(values, begin, 0.0, 0.1, 0.0, 1.0)[0]) >= 0:
        yield end
        begin = end + 1


def differences_from_published(
    detector: StoppingRule, key: str, forks: list[Fork]
) -> tuple[Values, list[tuple[int, int]]]:
    """Differences ours - published, and (row, fork) of those that differ."""
    differences, unlike_forks = [], []
    for row, fork, values, stops in forks:
        if fork >= len(stops[key]):
            continue
        index = detector.answer(values).published_index
        assert index is not None
        differences.append(index - stops[key][fork][0])
        if differences[-1]:
            unlike_forks.append((row, fork))
    return np.array(differences), unlike_forks


# --- published figures ----------------------------------------------------------------------------


def test_every_published_stop_is_the_end_of_a_step(forks: list[Fork]) -> None:
    counts = dict.fromkeys(("cov", "rciw", "kld"), 0)
    for _, fork, values, stops in forks if COMPILED else forks[::20]:
        steps = set(ends_from(values, 0))
        for key in counts:
            if fork < len(stops[key]):
                last_warmup, measured_end = stops[key][fork]
                assert last_warmup in steps
                assert [*ends_from(values, last_warmup + 1)][9] == measured_end
                counts[key] += 1

    assert counts == {"cov": 477, "rciw": 529, "kld": 525} or not COMPILED


def test_cov_repeats_published_stops_where_iterations_are_operations(forks: list[Fork]) -> None:
    """The means are then the raw data; at the two others the statistic is within 2 % of 0.01."""
    single_forks = [fork for fork in forks if fork[2].min() >= 0.1]

    differences, unlike_forks = differences_from_published(LaaberCov(), "cov", single_forks)

    assert differences.size == 68
    assert unlike_forks == [(210, 1), (375, 0)]


@pytest.mark.skipif(not COMPILED, reason="the same, on every series")
def test_cov_repeats_as_many_published_stops_as_the_page_says(forks: list[Fork]) -> None:
    differences, _ = differences_from_published(LaaberCov(), "cov", forks)

    assert differences.size == 477
    shares = [np.count_nonzero(abs(differences) <= limit) for limit in (0, 10, 50)]
    assert shares == [131, 172, 275]


def test_cov_online_reading_is_not_the_published_one(forks: list[Fork]) -> None:
    single_forks = [fork for fork in forks if fork[2].min() >= 0.1]

    differences, _ = differences_from_published(LaaberCov(reading="online"), "cov", single_forks)

    assert np.count_nonzero(differences == 0) == 22


@pytest.mark.parametrize(
    ("rule", "key", "tolerance"), [(LaaberRciw, "rciw", 20), (LaaberKld, "kld", 150)]
)
@pytest.mark.skipif(not COMPILED, reason="too many draws for uncompiled kernels")
def test_random_rules_come_near_the_published_stops(
    rule: type[StoppingRule], key: str, tolerance: int, forks: list[Fork]
) -> None:
    first_forks = [fork for fork in forks if fork[1] == 0]

    differences, _ = differences_from_published(rule(), key, first_forks[::33])

    assert differences.size == 12
    assert np.count_nonzero(abs(differences) <= tolerance) >= 8


def test_coefficients_and_stops_of_published_prefixes(vectors: Any) -> None:
    for vector in published_vectors("laaber")["published_prefixes"]:
        for reading in ("signed", "absolute"):
            rule = LaaberCov(reading="offline" if reading == "signed" else "online")
            state = rule.start(Context())
            rule.update(state, as_series(vector["prefix"]))
            step_count = len(state.ends)
            assert step_count == vector[f"stop_step_{reading}"]
            coefficients = [state.statistic.figure_at(step + 1) for step in range(step_count)]
            assert coefficients == pytest.approx(
                vector["expected_cov_by_step_first_20"][:step_count], abs=1e-9
            )


@pytest.mark.parity("laaber-cov", "laaber-rciw", "laaber-kld")
def test_rules_stop_as_published(vectors: Any) -> None:
    for stop_vector in vectors["stop_cov_t0.01"]:
        for name, reading in (("stop_signed", "offline"), ("stop_absolute", "online")):
            cov = CovStatistic(LaaberCov.Params(reading=reading))
            cov.variations = stop_vector["cov_by_step"]
            assert first_passing_steps(cov, 5, len(cov.variations)) == stop_vector[name], (
                stop_vector
            )
    for width_vector in vectors["stop_rciw_t0.03"]:
        for name, reading in (("stop_width", "offline"), ("stop_delta", "online")):
            rciw = RciwStatistic(LaaberRciw.Params(reading=reading))
            rciw.widths = dict(enumerate(width_vector["rciw_by_step"], 1))
            assert first_passing_steps(rciw, 5, len(rciw.widths)) == width_vector[name], (
                width_vector
            )
    for vector in vectors["stop_kld_t0.99"]:
        kld = KldStatistic(LaaberKld.Params())
        kld.likeness = dict(enumerate(vector["p_by_step"], 1))
        assert first_passing_steps(kld, 6, len(kld.likeness)) == vector["stop"], vector


# --- lazy answers ---------------------------------------------------------------------------------


@given(
    levels=st.lists(st.sampled_from([1.0, 1.01, 1.1, 1.3, 2.0]), min_size=14, max_size=14),
    threshold=st.sampled_from([0.01, 0.03, 0.1, 0.3]),
    history=st.integers(2, 6),
    seed=st.integers(0, 9),
)
@settings(max_examples=25)
@pytest.mark.parametrize("rule", [LaaberRciw, LaaberKld])
def test_what_is_not_computed_does_not_matter(
    rule: type[LaaberRciw | LaaberKld],
    levels: list[float],
    threshold: float,
    history: int,
    seed: int,
) -> None:
    is_kld = rule is LaaberKld
    params: dict[str, float] = {"history": history, "seed": seed, "min_steps": history + is_kld}
    params["threshold"] = 1 - threshold if is_kld else threshold
    method = rule(**SMALL[rule.slug] | params)
    lazy_statistic, complete_statistic = method.statistic(), method.statistic()
    ripple = np.array([0.99, 1.0, 1.02])
    for step, level in enumerate(levels, 1):
        for statistic in (lazy_statistic, complete_statistic):
            statistic.add(level * ripple, np.ones(3))
        if step >= method.params.min_steps:
            figure = complete_statistic.judged(step)
            is_passing = (
                figure > method.params.threshold if is_kld else figure < method.params.threshold
            )
            assert lazy_statistic.holds(step) == is_passing


# --- answers --------------------------------------------------------------------------------------


@pytest.mark.parametrize(("rule", "stop"), [(LaaberCov, 5), (LaaberRciw, 5), (LaaberKld, 6)])
def test_equal_values_stop_at_the_first_possible_step(rule: type[StoppingRule], stop: int) -> None:
    assert rule(**SMALL[rule.slug]).answer(np.full(30, 2.5)) == Detection(
        stop, published_index=stop - 1, decided_at=stop - 1, flags=("adapted",)
    )


def test_steps_of_tenths_have_eleven_iterations() -> None:
    assert LaaberCov().answer(np.full(60, 0.1)).steady_start == 55


@pytest.mark.parametrize("rule", RULES)
def test_the_cap(rule: type[StoppingRule]) -> None:
    """The first value is an outlier among steps, none in its own: its weight falls slowly."""
    values = np.r_[2.0, np.ones(29)] if rule is LaaberCov else 2.0 ** np.arange(30)
    strict_params = {"threshold": 1e-9} if rule is LaaberRciw else {}
    method = rule(**SMALL[rule.slug] | strict_params | {"max_steps": 12})

    assert method.answer(values) == Detection(12, 11, 11, ("adapted", "capped"))
    assert method.answer(values[:13]).steady_start == 12
    assert method.answer(values[:12]) == Detection(NEVER, NEVER, None, ("adapted",))
    assert method.answer(values[:11]) == Detection(NEVER, NEVER, None, ("adapted",))


@pytest.mark.parametrize(("rule", "steps"), [(LaaberCov, 5), (LaaberRciw, 5), (LaaberKld, 6)])
def test_a_stop_after_which_nothing_comes_is_never(rule: type[StoppingRule], steps: int) -> None:
    method = rule(**SMALL[rule.slug])

    assert method.answer(np.full(steps, 2.5)).steady_start == NEVER
    with pytest.raises(TooShort, match=f"at least {steps} values; got {steps - 1}"):
        method.answer(np.full(steps - 1, 2.5))


@pytest.mark.parametrize(
    ("values", "least_length"),
    [([], 50), (np.full(20, 0.3), 500), (np.full(3, 20.0), 5), (np.full(2, 1e-320), 50)],
)
def test_too_short_says_how_long(values: Values, least_length: int) -> None:
    """Whole operations of 0.1 s, so that 0.3 s are three tenths of a step."""
    with pytest.raises(TooShort) as error:
        LaaberCov(step_time=30.0 if len(values) == 20 else 1.0).answer(values)

    assert error.value.needed == least_length


@pytest.mark.parametrize("rule", RULES)
def test_a_value_that_is_not_positive_is_named_if_it_is_reached(rule: type[StoppingRule]) -> None:
    method = rule(**SMALL[rule.slug])
    values = np.full(30, 2.5)
    values[[3, 9]] = 0.0, -1.0

    with pytest.raises(BadSeries, match="value 3 is 0"):
        method.answer(values)
    values[3] = 2.5
    assert method.answer(values).steady_start in {5, 6}


def test_random_numbers_hang_on_the_seed_alone() -> None:
    values = 1 + np.random.default_rng(1).gamma(2.0, 0.2, 400)
    small_params = SMALL["laaber-kld"] | {"threshold": 0.5}
    starts = [LaaberKld(**small_params, seed=seed).answer(values).steady_start for seed in range(8)]

    assert starts == [
        LaaberKld(**small_params, seed=seed).answer(values).steady_start for seed in range(8)
    ]
    assert len(set(starts)) > 1


def test_index_rules_and_readings_are_other_programs() -> None:
    values = 1 + np.random.default_rng(2).gamma(2.0, 0.02, 60)
    keys: list[dict[str, Any]] = [
        {},
        {"index_rule": "uniform"},
        {"reading": "online"},
        {"alpha": 0.3},
    ]
    rules = [LaaberRciw(**SMALL["laaber-rciw"] | {"threshold": 0.06} | key) for key in keys]
    starts = {rule.key: rule.answer(values).steady_start for rule in rules}

    assert len(starts) == 4
    assert len(set(starts.values())) > 1


def test_raw_samples_are_no_adaption() -> None:
    """Iterations alike, whose operations are not: one of ten takes nine tenths of a second."""
    n = 12
    pairs = np.tile([9.0, 1 / 9], n)
    raw_samples = RawSamples(
        values=pairs, counts=np.tile([1, 9], n), offsets=np.arange(0, 2 * n + 1, 2)
    )
    rule = LaaberCov(**SECONDS, outlier_factor=100.0)

    assert rule.answer(np.ones(n), Context(samples=raw_samples)) == Detection(5, 4, 4)
    state = rule.start(Context(samples=raw_samples))
    rule.update(state, np.ones(n))
    assert state.statistic.figure_at(1) > 2


def test_values_that_are_no_times_count_once() -> None:
    values = 1e9 + np.arange(80) % 7

    assert LaaberCov().answer(values, Context(unit="MB")).steady_start == 55
    context = Context(unit="MB", seconds_per_iteration=1.0)
    assert LaaberCov().answer(values, context).steady_start == 5


@given(
    values=st.lists(
        st.one_of(st.floats(5e-324, 1.7e308), st.sampled_from([0.05, 1.0, 1.0])), max_size=40
    ),
    rule=st.sampled_from(RULES),
    factor=st.floats(1.001, 1e6),
)
@settings(max_examples=60)
def test_any_positive_values_have_an_answer(
    values: list[float], rule: type[StoppingRule], factor: float
) -> None:
    method = rule(**SMALL[rule.slug] | {"outlier_factor": factor, "max_steps": 9})

    try:
        detection = method.answer(values)  # which refuses an answer out of range
    except TooShort:
        return
    assert detection.steady_start == NEVER or detection.decided_at == detection.steady_start - 1


@pytest.mark.parametrize(
    "wrong_params",
    [
        {"min_steps": 4},
        {"max_steps": 4},
        {"history": 6},
        {"threshold": 0.0},
        {"outlier_factor": 1.0},
    ],
)
def test_bounds(wrong_params: dict[str, float]) -> None:
    with pytest.raises(ParameterError):
        LaaberCov(**wrong_params)


def test_as_many_steps_as_are_judged_come_first() -> None:
    with pytest.raises(ParameterError, match=r"min_steps must be from 5 .* got 4"):
        LaaberCov(min_steps=4)
    with pytest.raises(ParameterError, match=r"min_steps must be from 6 .* got 5"):
        LaaberKld(min_steps=5)


# --- online, evidence -----------------------------------------------------------------------------


def test_a_stop_is_told_when_there_is_a_value_to_keep() -> None:
    values = as_series(np.full(8, 2.5))
    rule = LaaberCov(**SECONDS)
    state = rule.start(Context())

    decisions = [rule.update(state, values[i : i + 1]) for i in range(8)]

    assert [decision.final for decision in decisions] == [False] * 5 + [True] * 3
    assert [decision.figures["steps"] for decision in decisions] == [1, 2, 3, 4, 5, 5, 5, 5]
    assert decisions[5].detection == rule.finish(state).detection == rule.answer(values)


def test_never_is_final_at_the_end() -> None:
    values = as_series(np.full(5, 2.5))
    rule = LaaberCov(**SECONDS)
    state = rule.start(Context())

    assert not rule.update(state, values).final
    last_decision = rule.finish(state)
    assert (last_decision.final, last_decision.detection) == (True, rule.answer(values))
    assert last_decision.detection is not None
    assert last_decision.detection.steady_start == NEVER


@pytest.mark.parametrize("rule", RULES)
def test_evidence_shows_what_is_judged(rule: type[StoppingRule]) -> None:
    likely_params = {"threshold": 0.4} if rule is LaaberKld else {}
    method = rule(**SMALL[rule.slug] | likely_params | {"measurement_steps": 3})
    values = as_series(2.5 + np.arange(60) % 5 / 100)

    statistic, judged_curve, stop, measured_bands = method.evidence(values, Context())

    detection = method.answer(values)
    assert isinstance(statistic, Curve)
    assert isinstance(judged_curve, Curve)
    assert judged_curve.threshold == method.params.threshold
    compare = np.greater if rule is LaaberKld else np.less
    least_steps = method.params.min_steps
    assert compare(judged_curve.y[least_steps - 1 :], method.params.threshold).tolist() == [
        False
    ] * (judged_curve.y.size - least_steps) + [True]
    assert stop == Events((detection.steady_start - 1,), "last of the warm-up", ("the rule holds",))
    start = detection.steady_start
    assert measured_bands == Bands(((start, start + 3),), label="measured: the next 3 steps")
    json.dumps(
        [as_json(d) for d in (statistic, judged_curve, stop, measured_bands)], allow_nan=False
    )


def test_evidence_of_a_series_that_ends_before_the_stop() -> None:
    values = as_series(np.r_[2.0, np.ones(9)])

    assert len(LaaberCov(**SECONDS).evidence(values, Context())) == 2
