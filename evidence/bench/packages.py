"""Our kernels beside other programs: jumpavg, ruptures, and published forms in plain Python.

`python -m evidence.bench.packages [--slow]` prints Markdown tables, the same answer first, then
time, and at last the trend of ten thousand recordings. `--slow` has them answer for 3,000 values,
which takes minutes. Exit status 1: an answer differs, or a budget is missed.
"""

from __future__ import annotations

import math
import sys
import warnings
from collections.abc import Iterator
from functools import partial
from itertools import accumulate, chain

import jumpavg
import numpy as np

from analysis.statistics.answers import Floats
from detectors.contract import Values, as_series
from detectors.kernels.exact_bayes import COLUMNS, first_level_iteration
from detectors.methods.exact_bayes import ExactBayes
from detectors.rules.segments.crops import MeanAndVariance
from detectors.simulated.synthetic import simulate
from detectors.trends.trend import trend_of
from evidence.bench.timing import Peer, fastest_ms, machine, parser_of, print_peers
from evidence.oracles import exact_bayes_oracle as bayes, jumpavg_oracle, pelt_oracle

N = 3000
SHORT = 300  # values; the package jumpavg takes a third of a second for them
LONG = 1000  # values; `ruptures` takes a quarter of a minute for them
NIGHTS = 365  # recordings; the package jumpavg takes half a second for them
PELT_LEAST = 500  # our PELT is so many times faster than that of `ruptures`
TREND, TREND_BUDGET = 10_000, 2000.0  # recordings, milliseconds
BAND = 0.05  # slope of a level line: with the default one no probability is far from 0


def main() -> int:
    parser = parser_of("evidence.bench.packages", __doc__)
    parser.add_argument("--slow", action="store_true", help="3,000 values, in minutes")
    is_slow = parser.parse_args().slow
    print(f"Machine: {machine()}\n")
    if is_slow:
        return int(print_peers(chain(pelt_peers(N), exact_bayes_peers()), "other"))
    is_over_budget = print_peers(chain(jumpavg_peers(), pelt_peers(LONG)), "other")
    results, days = recordings(TREND), np.arange(float(TREND))
    trend_ms = fastest_ms(partial(trend_of, results, days, higher_is_better=False), rounds=3)
    is_within_budget = trend_ms < TREND_BUDGET
    print(
        f"Trend of {TREND:,} recordings: {trend_ms:.0f} ms, under {TREND_BUDGET:.0f} ms: ", end=""
    )
    print("yes" if is_within_budget else "NO")
    return int(is_over_budget or not is_within_budget)


# --- jumpavg --------------------------------------------------------------------------------------


def jumpavg_peers() -> Iterator[Peer]:
    """Starts of groups, and bits; then the groups of a trend."""
    for kind in ("step", "spikes", "random-walk"):
        values = simulate(kind, n=SHORT).values
        own_call, their_call = (
            partial(starts_and_bits, group_function, values) for group_function in JUMPAVG
        )
        yield Peer(f"jumpavg, series `{kind}`", SHORT, own_call, their_call, 3, rtol=0, atol=0)
    results, days = recordings(NIGHTS), np.arange(float(NIGHTS))
    trend = partial(trend_of, results, days, higher_is_better=False)
    yield Peer(
        "trend", NIGHTS, lambda: [level.start for level in trend().groups], partial(groups, results)
    )


JUMPAVG = (jumpavg_oracle.own_groups, jumpavg_oracle.package_groups)


def starts_and_bits(group_function: object, values: Values) -> list[float]:
    starts, _, bits = group_function(values)  # type: ignore[operator]
    return [*starts, bits]


def groups(results: Floats) -> list[int]:
    sizes = [group.stats.size for group in jumpavg.classify(results.tolist())]
    return list(accumulate([0, *sizes[:-1]]))


def recordings(n: int) -> Floats:
    """Levels that change every fifty recordings or so, with noise of one percent."""
    rng = np.random.default_rng(n)
    changes = rng.random(n) < 0.02
    levels = 10 * np.exp(np.cumsum(np.where(changes, rng.normal(0, 0.05, n), 0)))
    return np.asarray(levels * rng.normal(1, 0.01, n))


# --- PELT -----------------------------------------------------------------------------------------


def pelt_peers(n: int) -> Iterator[Peer]:
    """One search, penalty 15 ln n, segments of two values or more, every border possible."""
    y, penalty = changing_values(n), 15 * math.log(n)
    own_call, search_name = partial(our_pelt, y, penalty), "PELT, mean and variance"
    plain_call = partial(pelt_oracle.pelt, y, penalty)
    yield Peer(f"{search_name}; plain Python", n, own_call, lambda: plain_call()[0], 1)
    their_call = partial(ruptures_pelt, y, penalty)
    yield Peer(f"{search_name}; `ruptures`, jump 1", n, own_call, their_call, 1, PELT_LEAST)


def changing_values(n: int) -> Values:
    """Levels and noises that change every 100 values or so."""
    random = np.random.default_rng(1)
    piece = np.arange(n) // 97
    level, noise = random.uniform(1, 3, piece[-1] + 1), random.uniform(0.05, 0.5, piece[-1] + 1)
    return as_series(level[piece] + noise[piece] * random.standard_normal(n))


def our_pelt(y: Values, penalty: float) -> list[int]:
    return list(MeanAndVariance(y).best(penalty).ends)


def ruptures_pelt(y: Values, penalty: float) -> list[int]:
    """The package's search on the same cost: without the term that it adds to variances."""
    import ruptures  # noqa: PLC0415  # half a second that only this needs

    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        cost = ruptures.costs.CostNormal(add_small_diag=False)
        search = ruptures.Pelt(custom_cost=cost, min_size=2, jump=1)
        return [int(end) for end in search.fit(y).predict(penalty)]


# --- exact Bayes ----------------------------------------------------------------------------------


def exact_bayes_peers() -> Iterator[Peer]:
    """The probability at every iteration; default settings but for the band, the same draws."""
    p = ExactBayes().params
    values = 1e3 * simulate("step", n=N).values
    draws = np.random.default_rng(0).standard_exponential((N, p.m))
    settings = np.array([p.nu, p.gamma, 1 / p.sigma, p.p, BAND])
    own_call, their_call = (
        partial(judge, values, draws, settings)
        for judge in (kernel_probabilities, published_probabilities)
    )
    yield Peer(
        "exact-bayes, every probability; published form", N, own_call, their_call, 1, atol=1e-6
    )


def kernel_probabilities(values: Values, draws: Values, settings: Values) -> Values:
    probabilities = np.empty(values.size)
    first_level_iteration(
        values, 0, np.zeros((draws.shape[1], COLUMNS)), 0, draws, settings, np.inf, probabilities
    )
    return probabilities


def published_probabilities(values: Values, draws: Values, settings: Values) -> Values:
    """Each value: drop a place if all are taken, extend the others, begin one, judge all of them.

    draws: a row of exponential numbers for each value; whose weight waits longest is dropped.
    """
    nu, gamma, precision, change, level = settings.tolist()
    run_starts, weights, probabilities = [0], [1.0], [0.0]
    for t in range(1, values.size):
        values_so_far = values[: t + 1]
        if len(run_starts) == draws.shape[1]:
            with np.errstate(divide="ignore"):  # a weight that has vanished waits for ever
                last = int(np.argmax(np.log(draws[t]) - np.log(weights)))
            del run_starts[last], weights[last]
        total = sum(weights)
        weights = [
            bayes.growth(values_so_far, s, nu, gamma, 1 / precision) * (1 - change) * w / total
            for s, w in zip(run_starts, weights, strict=True)
        ]
        run_starts.append(t)
        weights.append(bayes.likelihood(values_so_far, nu, gamma, 1 / precision) * change)
        chances = [
            bayes.level(values_so_far, s, level, nu, gamma, 1 / precision) for s in run_starts
        ]
        probabilities.append(float(np.dot(weights, chances) / sum(weights)))
    return np.array(probabilities)


if __name__ == "__main__":
    sys.exit(main())
