"""Kernels of the stopping rules: published vectors, and an oracle in another formulation."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np
import pytest
from hypothesis import given, strategies as st

from detectors.contract import Values, as_series
from detectors.kernels import laaber as kernels
from detectors.kernels.laaber import Places, Words
from detectors.rules.online.stopping import stream
from evidence.oracles import laaber_oracle as oracle
from tests.published_data import carried_vectors

RANDOM = np.random.default_rng(7)
SAMPLES: dict[str, tuple[Values, Values]] = {
    "noise": (RANDOM.normal(9, 1, 100), RANDOM.normal(9, 1, 100)),
    "few values": (RANDOM.choice([0.3, 0.4, 0.8], 100), RANDOM.choice([0.3, 0.5, 0.8], 80)),
    "giant": (np.append(RANDOM.normal(9, 1, 99), 1e9), RANDOM.normal(9, 1, 100)),
    "tiny": (RANDOM.normal(9, 1, 100) * 1e-12, RANDOM.normal(9, 1, 100) * 1e-12),
    "apart": (RANDOM.normal(9, 1, 100), RANDOM.normal(90, 1, 100)),
    "wide and narrow": (RANDOM.normal(90, 9, 100), RANDOM.normal(90, 0.001, 100)),
    "constant": (np.full(50, 0.1), np.full(60, 0.1)),
    "half constant": (np.full(50, 0.1), RANDOM.normal(0.1, 0.01, 60)),
    "shortest": (np.array([1.0, 2.0]), np.array([1.5, 2.0])),
}
weighted = st.lists(
    st.tuples(st.floats(1e-3, 1e3), st.integers(1, 40)), min_size=1, max_size=12
).map(lambda pairs: tuple(np.array(each, dtype=float) for each in zip(*pairs, strict=True)))


@pytest.fixture(scope="module")
def vectors() -> Any:
    return carried_vectors("laaber")


def ends(values: Values, iteration_time: float = 0.1, seconds: float = 0.0) -> Iterator[int]:
    values, begin = as_series(values), 0
    while True:
        end, _ = kernels.end_of_step(values, begin, 0.0, iteration_time, seconds, 1.0)
        if end < 0:
            return
        yield end
        begin = end + 1


def test_steps_end_where_the_published_ones_do(vectors: Any) -> None:
    for group in vectors["groups"]:
        expected = [stop - 1 for _, stop in group["groups_start_end"]]
        assert list(ends(np.array(group["values"], dtype=float))) == expected


def test_statistics_of_the_published_program(vectors: Any) -> None:
    statistics = vectors["statistics_from_published_java"]
    inlier_case = statistics["inliers_factor_10"]
    values = np.array(inlier_case["values"], dtype=float)
    x, weight_sums = kernels.inliers(as_series(values), np.ones(values.size), 10.0)
    assert x.tolist() == inlier_case["kept"]
    assert weight_sums.tolist() == [1, 2, 3, 4, 5]
    for cov_case in statistics["cov_sample_sd_over_mean"]:
        sample = np.array(cov_case["values"], dtype=float)
        variation = kernels.variation(sample, np.zeros(sample.size), 1)
        assert variation == pytest.approx(cov_case["cov"], rel=1e-14)
    kde = statistics["kde"]
    sample = np.sort(np.array(kde["sample"]))
    assert kernels.bandwidth(sample) == pytest.approx(kde["bandwidth"], rel=1e-12)
    for y, expected in kde["density"]:
        variation = kernels.density(sample, float(y), 1.0, 2)[0]
        assert variation == pytest.approx(expected, rel=1e-12)


def test_likeness_of_the_published_program(vectors: Any) -> None:
    divergences = vectors["statistics_from_published_java"]["divergence"]
    s1, s2 = (np.array(divergences["s1"], dtype=float), np.array(divergences["s2"], dtype=float))
    constant_values = np.full(12, 5.0)
    cases = {
        "s1_s2": (s1, s2),
        "s1_s1": (s1, s1),
        "s1_vs_s1_plus_1": (s1, s1 + 1),
        "s1_vs_s1_plus_10": (s1, s1 + 10),
        "twelve_5s_vs_twelve_5s": (constant_values, constant_values),
        "twelve_5s_vs_twelve_6s": (constant_values, constant_values + 1),
        "twelve_5s_vs_eleven_5s_and_a_9": (constant_values, np.append(constant_values[1:], 9)),
        "twelve_5s_vs_s1": (constant_values, s1),
    }
    for name, (a, b) in cases.items():
        likeness = kernels.likeness(np.sort(a), np.sort(b), 1000, 1.5)
        assert likeness == pytest.approx(divergences[name], rel=1e-11, abs=1e-300), name


def test_folded_index_of_the_published_tool(vectors: Any) -> None:
    for vector in vectors["folded_normal_index_probabilities"]:
        assert kernels.folded_chances(vector["l"]) == pytest.approx(vector["p"], abs=6e-7)


@pytest.mark.parametrize("count", [1, 2, 3, 20, 333])
def test_folded_index(count: int) -> None:
    chances = kernels.folded_chances(count)

    assert chances == pytest.approx(oracle.folded_chances(count), abs=1e-13)
    assert chances.sum() == pytest.approx(1, abs=1e-13)


@pytest.mark.parametrize("count", [1, 2, 7, 100])
def test_an_alias_table_gives_the_shares_that_it_is_made_from(count: int) -> None:
    shares = RANDOM.dirichlet(np.full(count, 0.5))

    aliases, cut_words = kernels.alias_table(shares)

    kept_shares = cut_words / 2**32
    chances = kept_shares / count
    np.add.at(chances, aliases, (1 - kept_shares) / count)
    assert chances == pytest.approx(shares, abs=1e-9)


@given(pairs=weighted, factor=st.floats(1.01, 100))
def test_inliers_and_moments(pairs: tuple[Values, Values], factor: float) -> None:
    values, weights = as_series(pairs[0]), pairs[1]
    expected = oracle.inliers(values, weights, factor)

    x, weight_sums = kernels.inliers(values, weights, factor)
    mean, variance = kernels.moments(values, weights, factor)

    assert np.repeat(x, np.diff(weight_sums, prepend=0).astype(int)).tolist() == expected.tolist()
    assert (mean, variance) == pytest.approx(
        oracle.moments(values, weights, factor), rel=1e-9, abs=1e-15
    )


def test_all_are_kept_where_the_median_is_near_none() -> None:
    """Only with a factor below 2: the upper of two values is less than twice their mean."""
    x, _ = kernels.inliers(as_series([1.0, 9.0]), np.ones(2), 1.5)

    assert x.tolist() == [1.0, 9.0]


@pytest.mark.parametrize("scale", [1e-300, 1.0, 1e300])
def test_variation_over_steps(scale: float) -> None:
    steps = [RANDOM.normal(9, 1, size) for size in (1, 10, 11, 3)]
    moments = [kernels.moments(as_series(scale * step), np.ones(step.size), 10.0) for step in steps]
    means, variances = (np.array(column) for column in zip(*moments, strict=True))

    assert kernels.variation(means, variances, 1000) == pytest.approx(oracle.variation(steps, 1000))


def test_variation_of_equal_values_is_zero() -> None:
    mean, variance = kernels.moments(as_series(np.full(11, 0.1)), np.ones(11), 10.0)

    assert (mean, variance) == (0.1, 0.0)
    assert kernels.variation(np.full(7, mean), np.zeros(7), 1000) == 0.0


def test_values_are_drawn_by_weight() -> None:
    shares = (np.arange(60) + 0.5) / 60

    values = kernels.values_at_shares(np.array([1.0, 2.0, 3.0]), np.array([1.0, 3.0, 6.0]), shares)

    assert [np.count_nonzero(values == x) for x in (1, 2, 3)] == [10, 20, 30]


def test_random_words() -> None:
    key = stream(3, 4)
    expected = oracle.random_words(int(key[0]), 5)

    assert kernels.hash_words(key, 5, 9).tolist() == [next(expected) for _ in range(9)]
    halves = oracle.halves_of_words(int(key[0]), 5)
    assert kernels.halves(key, 5, 7).tolist() == [next(halves) for _ in range(7)]
    shares = kernels.uniforms(key, 4000)
    assert shares.min() >= 0
    assert shares.max() < 1
    assert np.histogram(shares, 8, (0, 1))[0] == pytest.approx(500, abs=90)


def make_read_only(places: Places, cut_words: Words) -> tuple[Places, Words]:
    """Read-only, as a method keeps its table: for others the kernel would be compiled anew."""
    places.setflags(write=False)
    cut_words.setflags(write=False)
    return places, cut_words


@pytest.mark.parametrize("block", [0, 3])
def test_simulated_means(block: int) -> None:
    groups = [RANDOM.normal(9, 1, size) for size in (4, 1, 12)]
    pool = np.concatenate(groups)
    certain_words = np.full(pool.size, 1 << 32, dtype=np.uint64)
    key = stream(1, 2)
    places, coins = make_read_only(np.arange(3), certain_words[:3])

    with np.errstate(over="ignore"):
        simulated_means = kernels.simulated_means(
            pool, pool, certain_words, np.array([4, 1, 12]), places, coins, key, block, 6
        )

    expected = oracle.simulated_means(groups, int(key[0]), block, 6)
    assert simulated_means == pytest.approx(expected, rel=1e-12)


def test_simulated_means_take_the_other_value_above_the_coin() -> None:
    never_words, always_words = np.zeros(5, dtype=np.uint64), np.full(1, 1 << 32, dtype=np.uint64)
    pool, other_values = np.zeros(5), np.full(5, 3.0)
    places, coins = make_read_only(np.arange(1), always_words)

    with np.errstate(over="ignore"):
        simulated_means = kernels.simulated_means(
            pool, other_values, never_words, np.array([5]), places, coins, stream(0), 0, 4
        )

    assert simulated_means.tolist() == [3.0] * 4


@pytest.mark.parametrize("name", SAMPLES)
def test_densities(name: str) -> None:
    a, b = (np.sort(sample) for sample in SAMPLES[name])
    low, high = float(min(a[0], b[0])), float(max(a[-1], b[-1]))
    step = (high - low) / 199

    density = kernels.density(a, low, step, 200)

    expected = oracle.density(a, np.linspace(low, high, 200))
    assert density == pytest.approx(expected, rel=1e-9, abs=1e-12 * max(expected.max(), 1e-300))
    assert kernels.likeness(a, b, 300, 1.5) == pytest.approx(
        oracle.likeness(a, b, 300, 1.5), rel=1e-9, abs=1e-300
    )


@pytest.mark.parametrize("exponent", [-1000, -3, 900])
def test_likeness_does_not_depend_on_the_unit(exponent: int) -> None:
    a, b = (np.sort(sample) for sample in SAMPLES["noise"])

    likeness = kernels.likeness(np.ldexp(a, exponent), np.ldexp(b, exponent), 200, 1.5)

    assert likeness == kernels.likeness(a, b, 200, 1.5)
    assert 0 < likeness < 1


@pytest.mark.parametrize("n", [1, 2, 5, 20])
@pytest.mark.parametrize("percent", [0.5, 10, 25, 33, 75, 99])
def test_a_percentile_has_the_rank_among_one_more_than_there_are(n: int, percent: float) -> None:
    values = np.sort(np.random.default_rng(n).exponential(size=n))

    expected = np.percentile(values, percent, method="weibull")

    assert kernels.percentile(values, percent) == pytest.approx(expected)
