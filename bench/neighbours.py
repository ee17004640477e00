"""Methods of neighbouring fields beside their packages: the same answer first, then time.

    python -m bench.neighbours [--vectors]

Needs pymbar 4.0.3, red-molsim 0.2.0, kim-convergence 0.1.0 and arviz 0.23.4, which are no
requirements of development: they bring Matplotlib, pandas and others along that nothing here uses.
Install them beside `requirements.txt` in an environment of their own. R's coda is not asked; what
it does is written anew in `oracles/mcmc_oracle.py`. `--vectors` prints the packages' answers as the
cases of `tests/vectors/answers.json`, and R-hats of forks as `tests/vectors/rhat.json`. Exit
status 1: an answer differs, or ours is not at least ten times as fast where that is asked.
"""

from __future__ import annotations

import json
import logging
import sys
import warnings
from collections.abc import Callable, Iterator
from functools import partial
from typing import Any, Final, NamedTuple

import numpy as np

from bench.timing import Peer, machine, parser_of, print_peers
from detectors.best_start import BestStartDetector
from detectors.contract import NEVER, Detector, Values
from detectors.registry import get
from detectors.synthetic import KINDS, simulate
from oracles import mcmc_oracle

N: Final = 3000
LEAST: Final = 10.0  # times as fast as the package
ANY: Final = 0.0  # where the package looks at few starts itself, or there is none
SEEDS: Final = 3  # of each kind, in the vectors
PUBLISHED: Final = {"latest": 1.0}  # the packages have no start that is too late
STARTS: Final = (0, 101, 200)  # of R-hats
NORMAL: Final = 1.959963984540054  # quantiles 95 % of a normal deviation's size,
CRITICAL: Final = 0.46136  # and of the statistic of Cramér and von Mises (Anderson & Darling 1952)
TIMED: Final = ("flat", "decay", "step", "random-walk")

Ask = Callable[[Values], int]


class Asked(NamedTuple):
    """One call of a package, and the parameters of ours that mean the same.

    n: of the vectors, 0 for none. least: how many times as fast ours must be.
    """

    method: str
    params: dict[str, Any]
    n: int
    theirs: Ask
    least: float = LEAST


def calls() -> Iterator[Asked]:
    warnings.simplefilter("ignore")  # of the packages, about series that are hard to judge
    logging.disable(logging.WARNING)
    yield from of_pymbar()
    yield from of_red()
    yield from of_kim()
    yield from of_arviz()
    yield from of_coda()


def of_pymbar() -> Iterator[Asked]:
    from pymbar import timeseries  # noqa: PLC0415  # only this needs it

    every, binary = timeseries.detect_equilibration, timeseries.detect_equilibration_binary_search
    yield Asked("max-ess", {}, 1500, lambda x: every(x)[0])
    yield Asked("max-ess", {"nskip": 10}, 701, lambda x: every(x, nskip=10)[0])
    yield Asked("max-ess", {"fast": False}, 600, lambda x: every(x, fast=False)[0])
    yield Asked("max-ess", {"search": "binary"}, 900, lambda x: binary(x)[0], ANY)
    few = {"search": "binary", "nodes": 6}
    yield Asked("max-ess", few, 400, lambda x: binary(x, bs_nodes=6)[0], ANY)


def of_red() -> Iterator[Asked]:
    import red  # noqa: PLC0415  # only this needs it

    window, sequence = red.detect_equilibration_window, red.detect_equilibration_init_seq
    chodera = partial(sequence, sequence_estimator="positive")
    yield Asked("min-sse", {}, 1500, lambda x: window(x)[0])
    yield Asked("min-sse", {"padding": 0.3}, 601, lambda x: window(x, frac_padding=0.3)[0])
    yield Asked("min-sse", {"window": "geyer"}, 700, lambda x: sequence(x)[0])
    yield Asked("min-sse", {"window": "chodera"}, 700, lambda x: chodera(x)[0])


def of_kim() -> Iterator[Asked]:
    import kim_convergence  # noqa: PLC0415  # only this needs it

    length, mser = kim_convergence.estimate_equilibration_length, kim_convergence.mser_m

    def both(x: Values) -> int:
        enough, start = mser(x)
        return int(start + length(x[start:])[0]) if enough else NEVER

    def cut(x: Values) -> int:
        enough, start = mser(x, batch_size=7)
        return int(start) if enough else NEVER

    yield Asked("kim-convergence", {}, 1500, both)
    yield Asked("kim-convergence", {"stages": "mser", "batch": 7}, 701, cut, ANY)
    yield Asked("kim-convergence", {"stages": "length"}, 600, lambda x: length(x)[0])


def of_arviz() -> Iterator[Asked]:
    """The halves of one series: `rhat` asks for two chains, which it halves, so its parts here."""
    from arviz.stats import diagnostics  # noqa: PLC0415  # only this needs it

    def rhat(x: Values) -> float:
        halves = np.stack([x[: x.size // 2], x[-(x.size // 2) :]])
        folded = np.abs(halves - np.median(halves))
        return max(diagnostics._rhat(diagnostics._z_scale(each)) for each in (halves, folded))  # noqa: SLF001

    def first(x: Values, starts: int, most: float) -> int:
        places = (k * x.size // (2 * starts) for k in range(starts))
        return next((s for s in places if rhat(x[s:]) < most), NEVER)

    yield Asked("split-rhat", {}, 1500, lambda x: first(x, 20, 1.01), ANY)
    few = {"starts": 7, "most": 1.05}
    yield Asked("split-rhat", few, 401, lambda x: first(x, 7, 1.05), ANY)


def of_coda() -> Iterator[Asked]:
    def geweke(x: Values) -> int:
        passing = (start for start, z in mcmc_oracle.geweke_figures(x) if z < NORMAL)
        return next(passing, NEVER)

    def heidel(x: Values) -> int:
        passing = (at for at, found in mcmc_oracle.heidel_statistics(x) if found < CRITICAL)
        return next(passing, NEVER)

    yield Asked("geweke", {}, 0, geweke)
    yield Asked("heidelberger-welch", {}, 0, heidel, ANY)


def rhats() -> dict[str, Any]:
    """R-hat of three forks, from some starts on, by kind."""
    import arviz  # noqa: PLC0415  # only this needs it

    forks = {kind: np.stack([drawn(kind, 400, seed) for seed in range(SEEDS)]) for kind in KINDS}
    found = {k: [float(arviz.rhat(of[:, s:])) for s in STARTS] for k, of in forks.items()}
    about = "arviz.rhat of simulate(kind, n=400, seed=0, 1, 2).values from these starts on"
    return {"about": about, "n": 400, "starts": STARTS, "rhat": found}


def main() -> int:
    parser = parser_of("bench.neighbours", __doc__)
    parser.add_argument("--vectors", action="store_true", help="print the packages' answers")
    if parser.parse_args().vectors:
        for each in calls():
            if each.n:
                print(f"  {json.dumps(vector(each), separators=(',', ':'))},", flush=True)
        print(json.dumps(rhats(), indent=1))
        return 0
    print(f"Machine: {machine()}\n")
    return int(print_peers((peer(each, kind) for each in calls() for kind in TIMED), "package"))


def vector(asked: Asked) -> dict[str, Any]:
    """The package's answers by kind and seed, under our parameters."""
    answers = {
        kind: [int(asked.theirs(np.array(drawn(kind, asked.n, seed)))) for seed in range(SEEDS)]
        for kind in KINDS
    }
    params = asked.params | always(asked.method)
    return {"method": asked.method, "n": asked.n, "params": params, "answers": answers}


def peer(asked: Asked, kind: str) -> Peer:
    """Our method on a series beside the package: the same index."""
    values = drawn(kind, N, 0)
    method = get(asked.method)(**asked.params | always(asked.method))
    theirs = partial(asked.theirs, np.array(values))
    words = [f"{name} {value}" for name, value in asked.params.items()]
    name = f"{' '.join([asked.method, ', '.join(words)]).strip()}, series `{kind}`"
    return Peer(name, N, lambda: published(method, values), theirs, least=asked.least)


def published(method: Detector, values: Values) -> Values:
    return np.array(method.answer(values).published_index, np.float64)


def always(method: str) -> dict[str, float]:
    """Without a start that is too late, where a package always has one."""
    return PUBLISHED if issubclass(get(method), BestStartDetector) else {}


def drawn(kind: str, n: int, seed: int) -> Values:
    return simulate(kind, n=n, seed=seed).values


if __name__ == "__main__":
    sys.exit(main())
