"""The stopping rules of Laaber et al.: kernels beside oracles, whole answers, published answers.

    python -m bench.stopping [FOLDER]

FOLDER (else PLATEAU_REPLICATION, else ../shared/replication) holds published measurements and
stops; without them the last table is not computed, and the exit status is 1.
"""

from __future__ import annotations

import sys
from argparse import ArgumentParser
from collections.abc import Callable, Iterator, Sequence
from functools import partial
from typing import Any

import numpy as np

from bench.kernels import N
from bench.timing import fastest, machine
from detectors.contract import Context, Detector, Values
from detectors.kernels import laaber as kernels
from detectors.methods.laaber_cov import LaaberCov
from detectors.methods.laaber_kld import LaaberKld
from detectors.methods.laaber_rciw import LaaberRciw
from detectors.stopping import StoppingRule, stream
from detectors.synthetic import simulate_all
from replication.available_comparisons import lacking
from replication.published_files import NotPublishedData, folder_argument, read
from replication.published_study import PublishedStudy
from tests.detectors.kernels import laaber_oracle as oracle

RULES: tuple[type[StoppingRule], ...] = (LaaberCov, LaaberRciw, LaaberKld)
CAP = 499  # published index of a warm-up of 50 steps of ten iterations
SHARES = (5, 25, 50, 75, 95)


def main(arguments: Sequence[str] | None = None) -> int:
    parser = ArgumentParser(prog="python -m bench.stopping", description=__doc__.partition("\n")[0])
    folder_argument(parser)
    folder = parser.parse_args(arguments).folder
    print(f"Machine: {machine()}\n")
    against_the_oracle()
    whole_answers()
    try:
        study = read(folder)
    except NotPublishedData as complaint:
        print(f"Not computed: published answers. {complaint}")
        return 1
    if why := lacking(study, ("series", "CV", "RCIW", "KLD")):
        print(f"Not computed: published answers: {why}.")
        return 1
    against_the_published(study)
    return 0


def against_the_oracle() -> None:
    print("Kernels of the stopping rules, with the published sizes; oracle: plain NumPy or lists\n")
    print("| kernel | ms | oracle ms | ratio |")
    print("|---|---|---|---|")
    for name, ours, theirs in stages():
        if not np.allclose(ours(), theirs(), rtol=1e-9):
            sys.exit(f"{name}: kernel and oracle disagree")
        kernel, plain = fastest(ours), fastest(theirs, rounds=5)
        print(f"| {name} | {kernel:.3f} | {plain:.2f} | {plain / kernel:.0f} |")
    print()


def stages() -> Iterator[tuple[str, Callable[[], Any], Callable[[], Any]]]:
    random = np.random.default_rng(0)
    values, weights = random.gamma(9.0, 1e-4, 11), np.ceil(random.gamma(9.0, 20.0, 11))
    yield (
        "moments of one step",
        partial(kernels.moments, values, weights, 10.0),
        partial(oracle.moments, values, weights, 10.0),
    )
    a, b = (np.sort(random.choice(random.normal(9, 1, 200), 1000)) for _ in range(2))
    yield (
        "likeness of two densities",
        partial(kernels.likeness, a, b, 1000, 1.5),
        partial(oracle.likeness, a, b, 1000, 1.5),
    )
    groups = [random.normal(9, 1, 40) for _ in range(25)]
    key, all_values = stream(1), np.concatenate(groups)
    certain = np.full(1000, kernels.CERTAIN, dtype=np.uint64)
    sizes, others = np.full(25, 40), np.arange(25)
    ours = (all_values, all_values, certain, sizes, others, certain[:25], key, 0, 25)
    yield (
        "25 simulations of a mean",
        partial(kernels.simulated_means, *ours),
        partial(oracle.simulated_means, groups, int(key[0]), 0, 25),
    )
    yield "folded index, 200 elements", partial(kernels.folded, 200), partial(oracle.folded, 200)


def whole_answers() -> None:
    print(f"Whole answers, {N} values; complete: the statistic of every step up to the stop\n")
    print("| series | " + " | ".join(f"{each.slug} ms | complete ms" for each in RULES) + " |")
    print("|---" * (2 * len(RULES) + 1) + "|")
    for series in simulate_all(n=N):
        cells = [
            f"{fastest(partial(work, series.values), rounds=5):.2f}"
            for rule in RULES
            for work in (rule().answer, partial(complete, rule()))
        ]
        print(f"| {series.kind} | {' | '.join(cells)} |")
    print()


def complete(rule: StoppingRule, values: Values) -> None:
    rule.evidence(values, Context())


def against_the_published(study: PublishedStudy) -> None:
    print("Published answers: ours − published, in iterations\n")
    print("| rule | forks | n | equal | within 10 | within 50 | 5, 25, 50, 75, 95 % | at the cap |")
    print("|---|---|---|---|---|---|---|---|")
    for rule, technique in zip(RULES, ("CV", "RCIW", "KLD"), strict=True):
        known = [
            (values, stop)
            for each in study.measured
            for values, (stop, _) in zip(each.forks, each.stops.get(technique, ()), strict=False)
        ]
        single = [(values, stop) for values, stop in known if values.min() >= 0.1]
        print(row(rule(), "all", known))
        print(row(rule(), "one operation an iteration", single))
    print()


def row(detector: Detector, name: str, known: list[tuple[Values, int]]) -> str:
    if not known:
        return f"| {detector.slug} | {name} | 0 | | | | | not computed: no such fork |"
    theirs = np.array([stop for _, stop in known])
    ours = np.array([detector.answer(values).published_index for values, _ in known])
    off = ours - theirs
    within = " | ".join(str(np.count_nonzero(abs(off) <= most)) for most in (0, 10, 50))
    spread = ", ".join(f"{each:.0f}" for each in np.percentile(off, SHARES))
    capped = f"{np.count_nonzero(theirs == CAP)}, ours {np.count_nonzero(ours == CAP)}"
    return f"| {detector.slug} | {name} | {off.size} | {within} | {spread} | {capped} |"


if __name__ == "__main__":
    sys.exit(main())
