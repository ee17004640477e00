"""What is too slow to be measured each time: peers on 3,000 values, once, on demand.

`python -m bench.slow` prints a Markdown table: PELT beside `ruptures` and plain Python, and exact
Bayes beside its published form, which builds every matrix anew. Same answer first, then time.
Exit status 1: an answer differs. It takes minutes, so `make bench` leaves it out.
"""

from __future__ import annotations

import math
import sys
from collections.abc import Iterator
from functools import partial
from typing import NamedTuple

import numpy as np

from bench.changes import levels, our_pelt, ruptures_pelt
from bench.timing import fastest, machine, timed
from detectors.contract import Values
from detectors.kernels.exact_bayes import COLUMNS, read
from detectors.methods.exact_bayes import ExactBayes
from detectors.synthetic import simulate
from tests.detectors.kernels import exact_bayes_oracle as bayes, pelt_oracle as pelt

N = 3000
CLOSE = 1e-6  # of two probabilities
BAND = 0.05  # slope of a level line: with the default one no probability is far from 0


class Peer(NamedTuple):
    """One comparison: milliseconds of ours and of the peer, and whether they answer the same."""

    method: str
    peer: str
    ours: float
    theirs: float
    same: bool


def main() -> int:
    """Print the table as it grows; the exit status."""
    print(f"Machine: {machine()}\n")
    print(f"| method, {N} values | peer | ours ms | peer ms | ratio | same answer |")
    print("|---|---|---|---|---|---|")
    same = True
    for each in (*of_exact_bayes(), *of_pelt()):
        same &= each.same
        print(
            f"| {each.method} | {each.peer} | {each.ours:.2f} | {each.theirs:.0f} "
            f"| {each.theirs / each.ours:.0f} | {'yes' if each.same else 'NO'} |",
            flush=True,
        )
    return int(not same)


def of_pelt() -> Iterator[Peer]:
    """One search, penalty 15 ln n, segments of two values or more, every border possible."""
    y, penalty = levels(N), 15 * math.log(N)
    ends = our_pelt(y, penalty)
    ours = fastest(partial(our_pelt, y, penalty))
    plain, (found, _) = timed(partial(pelt.pelt, y, penalty))
    yield Peer("PELT, mean and variance", "plain Python", ours, plain, found == ends)
    taken, peer = timed(partial(ruptures_pelt, y, penalty))
    yield Peer("PELT, mean and variance", "`ruptures`, jump 1", ours, taken, peer == ends)


def of_exact_bayes() -> Iterator[Peer]:
    """The probability at every iteration; default settings but for the band, the same draws."""
    p = ExactBayes().params
    values = 1e3 * simulate("step", n=N).values
    draws = np.random.default_rng(0).standard_exponential((N, p.m))
    settings = np.array([p.nu, p.gamma, 1 / p.sigma, p.p, BAND])
    ours = fastest(partial(by_kernel, values, draws, settings))
    plain, found = timed(partial(as_published, values, draws, settings))
    off = np.abs(found - by_kernel(values, draws, settings)).max()
    yield Peer("exact-bayes, every probability", "published form", ours, plain, bool(off < CLOSE))


def by_kernel(values: Values, draws: Values, settings: Values) -> Values:
    out = np.empty(values.size)
    read(values, 0, np.zeros((draws.shape[1], COLUMNS)), 0, draws, settings, np.inf, out)
    return out


def as_published(values: Values, draws: Values, settings: Values) -> Values:
    """Each value: drop a place if all are taken, extend the others, begin one, judge all of them.

    draws: a row of exponential numbers for each value; whose weight waits longest is dropped.
    """
    nu, gamma, precision, change, level = settings.tolist()
    places, weights, found = [0], [1.0], [0.0]
    for t in range(1, values.size):
        sofar = values[: t + 1]
        if len(places) == draws.shape[1]:
            with np.errstate(divide="ignore"):  # a weight that has vanished waits for ever
                last = int(np.argmax(np.log(draws[t]) - np.log(weights)))
            del places[last], weights[last]
        total = sum(weights)
        weights = [
            bayes.growth(sofar, s, nu, gamma, 1 / precision) * (1 - change) * w / total
            for s, w in zip(places, weights, strict=True)
        ]
        places.append(t)
        weights.append(bayes.likelihood(sofar, nu, gamma, 1 / precision) * change)
        chances = [bayes.level(sofar, s, level, nu, gamma, 1 / precision) for s in places]
        found.append(float(np.dot(weights, chances) / sum(weights)))
    return np.array(found)


if __name__ == "__main__":
    sys.exit(main())
