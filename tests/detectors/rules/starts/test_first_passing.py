"""Methods that test few starts: the tests by their definitions, never, forks, evidence, lengths."""

from __future__ import annotations

import json
import math
from typing import Any

import numpy as np
import pytest

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
from detectors.intervals.spectrum import spectra_at_zero
from detectors.methods import heidelberger_welch
from detectors.methods.geweke import Geweke
from detectors.methods.heidelberger_welch import HeidelbergerWelch, chance_of_less
from detectors.methods.split_rhat import SplitRhat
from detectors.registry import get
from detectors.rules.starts.rank_rhat import SplitForks
from detectors.simulated.synthetic import KINDS, simulate
from evidence.oracles import mcmc_oracle as oracle
from tests.published_data import carried_vectors

EVERY = ("geweke", "heidelberger-welch", "split-rhat")
RHATS, HEIDEL = carried_vectors("rhat"), carried_vectors("heidel")


def noise(n: int, seed: int = 0) -> Values:
    return np.random.default_rng(seed).standard_normal(n)


@pytest.mark.parity("geweke")
@pytest.mark.parametrize("n", [300, 411])
@pytest.mark.parametrize("kind", ["decay", "flat", "spikes", "drift"])
def test_geweke_compares_the_ends_as_coda_does(kind: str, n: int) -> None:
    values = simulate(kind, n=n).values

    starts, figures = zip(*Geweke().figures(values, whole=True), strict=True)

    expected_starts, expected = zip(*oracle.geweke_figures(values), strict=True)
    assert starts == expected_starts
    np.testing.assert_allclose(figures, expected, rtol=1e-7)


@pytest.mark.parity("heidelberger-welch")
@pytest.mark.parametrize("n", [100, 155, 2001])
@pytest.mark.parametrize("kind", ["decay", "flat", "spikes", "drift"])
def test_heidelberger_and_welch_compare_sums_as_coda_does(kind: str, n: int) -> None:
    values = simulate(kind, n=n).values

    chances = list(HeidelbergerWelch().figures(values, whole=True))

    expected = [(start, chance_of_less(s)) for start, s in oracle.heidel_statistics(values)]
    assert [start for start, _ in chances] == [start for start, _ in expected]
    np.testing.assert_allclose([f for _, f in chances], [f for _, f in expected], rtol=1e-6)


@pytest.mark.parity("heidelberger-welch")
@pytest.mark.parametrize("case", HEIDEL["cases"], ids=lambda case: str(case["n"]))
def test_answers_are_codas_but_for_its_distribution(
    case: dict[str, Any], monkeypatch: pytest.MonkeyPatch
) -> None:
    """With the four terms that coda has everywhere; ours is 1 above 3, where they fall again."""
    monkeypatch.setattr(heidelberger_welch, "CERTAIN", math.inf)

    answers = {
        kind: [
            HeidelbergerWelch().answer(simulate(kind, n=case["n"], seed=seed).values).steady_start
            for seed in range(len(answers))
        ]
        for kind, answers in case["answers"].items()
    }

    assert answers == case["answers"]


@pytest.mark.parametrize(
    ("statistic", "chance"),
    [(0.0, 0.0), (0.02480, 0.01), (0.34730, 0.9), (0.46136, 0.95), (0.74346, 0.99), (4.0, 1.0)],
)
def test_the_distribution_is_the_published_table(statistic: float, chance: float) -> None:
    """Anderson & Darling 1952, table 1; coda's four terms fall to 0.9 again at 50."""
    assert chance_of_less(statistic) == pytest.approx(chance, abs=2e-5)


@pytest.mark.parametrize("kind", KINDS)
def test_rhat_of_forks_is_that_of_arviz(kind: str) -> None:
    forks = SplitForks([simulate(kind, n=RHATS["n"], seed=seed).values for seed in range(3)])

    rhats = [forks.rhat(start) for start in RHATS["starts"]]

    np.testing.assert_allclose(rhats, RHATS["rhat"][kind], rtol=1e-9)


def test_rhat_of_equal_values_and_of_constants_that_differ() -> None:
    constant, other_constant = np.full(40, 0.1), np.full(40, 0.3)

    assert SplitForks([constant]).rhat(0) == SplitForks([constant, constant]).rhat(3) == 1.0
    assert SplitForks([constant, other_constant]).rhat(0) == math.inf


def test_forks_must_agree_with_one_another() -> None:
    alike_forks, unlike_forks = [noise(400, 1), noise(400, 2)], [noise(400, 1), noise(900, 2) + 1]
    warming_forks = [np.r_[np.full(60, 9.0), noise(340, seed)] for seed in (1, 2)]

    assert SplitRhat().of_forks(alike_forks) == Detection(0, 0)
    assert SplitRhat().of_forks(unlike_forks) == Detection(NEVER, NEVER)
    assert 10 < SplitRhat().of_forks(warming_forks).steady_start <= 60
    assert SplitRhat().of_forks(alike_forks[:1]) == SplitRhat().answer(alike_forks[0])


@pytest.mark.parametrize(
    ("slug", "detection"),
    [
        ("geweke", Detection(79, 79)),  # the fall within the first tenth makes its mean uncertain
        ("heidelberger-welch", Detection(200, 200, flags=("wide",))),
        ("split-rhat", Detection(100, 100)),
    ],
)
def test_a_level_that_falls_is_left_out_until_the_test_passes(
    slug: str, detection: Detection
) -> None:
    values = np.r_[np.full(130, 4.0) + 0.1 * noise(130), noise(870, 1)]

    assert get(slug)().answer(values) == detection


@pytest.mark.parametrize("slug", EVERY)
def test_a_line_is_never_steady(slug: str) -> None:
    assert get(slug)().answer(np.arange(1000.0)) == Detection(NEVER, NEVER)


@pytest.mark.parametrize("slug", EVERY)
def test_equal_values_are_steady_from_the_first(slug: str) -> None:
    assert get(slug)().answer(np.full(100, 0.1)) == Detection(0, 0)


def test_a_mean_that_is_known_badly_is_flagged() -> None:
    values = noise(200) + 0.3

    assert HeidelbergerWelch().answer(values) == Detection(0, 0, flags=("wide",))
    assert HeidelbergerWelch().answer(values + 10) == Detection(0, 0)
    assert HeidelbergerWelch(half_width=1.0).answer(values).flags == ()


def test_the_model_of_a_line_or_an_alternation_does_not_break() -> None:
    samples = [np.arange(40.0), np.full(12, 0.1), np.tile([1.0, -1.0], 30), noise(60)]

    line_density, level_density, alternation_density, white_density = spectra_at_zero(samples)

    assert line_density == level_density == 0
    assert 0 <= alternation_density < 0.01  # sums of an even number of them are 0
    assert 0.3 < white_density < 3


def test_parts_of_gewekes_test_must_not_overlap() -> None:
    with pytest.raises(ParameterError, match="1 at most together; got 1"):
        Geweke(first=0.6, last=0.5)


@pytest.mark.parametrize(
    ("slug", "params", "least_length"),
    [
        ("geweke", {}, 60),
        ("geweke", {"first": 0.4}, 15),
        ("heidelberger-welch", {}, 6),
        ("split-rhat", {}, 8),
    ],
)
def test_too_short_says_how_long(slug: str, params: dict[str, Any], least_length: int) -> None:
    values = noise(least_length)

    assert get(slug)(**params).answer(values).steady_start >= NEVER
    with pytest.raises(TooShort, match=f"at least {least_length} values; got {least_length - 1}"):
        get(slug)(**params).answer(values[1:])


@pytest.mark.parametrize("slug", EVERY)
@pytest.mark.parametrize(("times", "plus"), [(1e-9, 0.0), (-1.0, 0.0), (2.0**900, 0.0)])
def test_unit_and_sign_do_not_matter(slug: str, times: float, plus: float) -> None:
    values = simulate("decay", n=500, seed=2).values

    assert get(slug)().answer(times * values + plus) == get(slug)().answer(values)


@pytest.mark.parametrize("slug", EVERY)
def test_evidence_shows_every_start_and_the_first_that_passes(slug: str) -> None:
    values = as_series(simulate("decay", n=500, seed=2).values)
    method = get(slug)()

    curve, first = method.evidence(values, Context())

    assert isinstance(curve, Curve)
    assert isinstance(first, Events)
    assert curve.x is not None
    assert curve.threshold is not None
    indices_below = curve.x[curve.y < curve.threshold]
    assert first.at == (indices_below[0],) == (method.answer(values).steady_start,)
    json.dumps([as_json(curve), as_json(first)], allow_nan=False)
