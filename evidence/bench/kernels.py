"""Kernels beside their oracles, the definitions in plain Python or NumPy that the tests use.

`python -m evidence.bench.kernels` prints a Markdown table, the same numbers first. Times are the
fastest of many rounds: all else on the machine only adds. Series are simulated, with fixed seeds.
Exit status 1: a kernel and its oracle disagree.
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator
from functools import partial
from itertools import chain
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from detectors.contract import Context, Curve, Values
from detectors.kernels import laaber
from detectors.kernels.cov import all_window_covs
from detectors.kernels.kb_kssd import kb_kssd, probabilities
from detectors.kernels.kb_kssd_variants import residuals
from detectors.kernels.mser import batch_means, standard_errors
from detectors.kernels.pilot import edm
from detectors.kernels.variance_ratio import all_ratios
from detectors.learned.crossfit import set_named
from detectors.learned.rocket import RocketModel
from detectors.learned.windows import windows_from
from detectors.methods.crossing_mean import crossings
from detectors.methods.exact_bayes import ExactBayes
from detectors.methods.schruben import Schruben
from detectors.methods.spc import Spc
from detectors.methods.ssd_cpd import change_points
from detectors.methods.ssid import ratios
from detectors.methods.vma import variable_average
from detectors.methods.welch import moving_average
from detectors.panel.panel_models import SHIPPED
from detectors.rules.online.stopping import stream
from detectors.simulated.synthetic import simulate, simulate_all
from evidence.bench.timing import Peer, machine, parser_of, print_peers
from evidence.oracles import (
    batches_oracle as batches,
    cov_oracle as quiet,
    kb_kssd_oracle,
    kb_kssd_variants_oracle as variants,
    laaber_oracle,
    mser_oracle as mser,
    pilot_oracle,
    process_oracle,
    ratio_oracle as ratio,
    rocket_oracle as rocket,
    simulation_oracle,
)
from evidence.oracles.exact_bayes_oracle import level_probabilities

N = 3000  # values, as in the published data sets
TENFOLD = 10.0  # a rule of another field is so many times faster than its oracle
FEW = 100  # values for an oracle whose cost grows with their cube
PUBLISHED = (100, 2.0, 98.0, 1, 70, 15, 500, 4.0, 0.95, 1)  # settings of KB-KSSD


def main() -> int:
    parser_of("evidence.bench.kernels", __doc__).parse_args()
    print(f"Machine: {machine()}\n")
    values = 1e3 * simulate("step", n=N).values
    parts = (
        peers_of_kb_kssd(),
        baseline_peers(values),
        simulation_peers(values),
        stopping_peers(),
        learned_peers(values),
    )
    return int(print_peers(chain(*parts), "oracle"))


def peers_of_kb_kssd() -> Iterator[Peer]:
    for series in simulate_all(n=N):
        own_call = partial(kb_kssd, series.values, *PUBLISHED)
        their_call = partial(kb_kssd_oracle.kb_kssd, series.values)
        yield Peer(f"KB-KSSD, series `{series.kind}`", N, own_call, their_call, rtol=0, atol=0)


def baseline_peers(values: Values) -> Iterator[Peer]:
    for name in ("slope", "means", "variances"):
        kernel_and_oracle = batches.kernel_statistics, batches.defined_statistics
        yield peer_of_calls(f"batches, {name}", *kernel_and_oracle, name, values, 15)
    both_ratios = all_ratios, ratio.ratios_by_definition
    yield peer_of_calls("filtered variances", *both_ratios, values, 0.03, 0.05, 0.05)
    yield peer_of_calls("windows' CoV", all_window_covs, quiet.covs, values, 30, 1)
    yield peer_of_calls("MSER", standard_errors, mser.mser_by_definition, batch_means(values, 5), 5)
    yield peer_of_calls("Kelly windows", kelly, kb_kssd_oracle.kelly_values, values, 500, 1.0)
    both_residuals = residuals, variants.residuals_by_definition
    yield peer_of_calls("autoregressive residuals", *both_residuals, values[-500:], 20)
    yield peer_of_calls("exact Bayes", levels, levels_by_definition, values[:FEW])
    short_values = simulate("step", n=200).values
    yield peer_of_calls("EDM", edm, pilot_oracle.changepoints, short_values, 30, 0.25, 1)


def simulation_peers(values: Values) -> Iterator[Peer]:
    """Rules of simulation and of the process industry, with their defaults where they have any."""
    both_means = moving_average, simulation_oracle.welch_means
    yield peer_of_calls("Welch's curve", *both_means, values, 50, factor=TENFOLD)
    both_counts = crossings, simulation_oracle.crossings
    yield peer_of_calls("crossings of the mean", *both_counts, values, rounds=1, factor=TENFOLD)
    for form in ("area", "maximum", "max-variance"):
        own_call = partial(first_share, Schruben(form=form), values)
        their_call = partial(schruben_by_definition, values, form)
        yield Peer(f"Schruben's {form}", N, own_call, their_call, 1, TENFOLD)
    chart = partial(Spc().chart, values)
    plain_call = partial(simulation_oracle.robinson, values, 20)
    yield Peer("SPC, batch size", N, lambda: abs(chart()[0]), lambda: plain_call()[0], 1, TENFOLD)
    filters = values, 0.2, 0.1, 0.1
    ssid_oracle = partial(process_oracle.filtered_ratios, *filters)
    yield Peer("SSID, ratios", N, lambda: ratios(*filters)[51:], ssid_oracle, least=TENFOLD)
    average_pair = variable_average, process_oracle.variable_average_by_definition
    yield peer_of_calls("VMA", *average_pair, values, 10, factor=TENFOLD)
    both_points = change_points, process_oracle.change_points
    yield peer_of_calls("ED-PELT", *both_points, values[500:800], 15, rounds=1, factor=TENFOLD)


def first_share(method: Schruben, values: Values) -> float:
    return next(method.judged(values))[1]


def schruben_by_definition(values: Values, form: str) -> float:
    statistic, critical = simulation_oracle.schruben(values, form, 0.05, 20)
    return statistic / critical


def peer_of_calls(
    name: str,
    own_call: Callable[..., ArrayLike],
    their_call: Callable[..., ArrayLike],
    *arguments: Any,
    rounds: int = 5,
    tolerance: float = 1e-6,
    factor: float = 0.0,
) -> Peer:
    """Kernel and oracle with the same arguments; the first array among them is the series."""
    n = next(argument.size for argument in arguments if isinstance(argument, np.ndarray))
    kernel_and_oracle = partial(own_call, *arguments), partial(their_call, *arguments)
    return Peer(
        name, n, *kernel_and_oracle, rounds, factor, rtol=tolerance, atol=min(tolerance, 1e-12)
    )


def kelly(values: Values, window: int, t_crit: float) -> Values:
    starts, kelly_probabilities = probabilities(values, -1, window, t_crit)
    return np.repeat(kelly_probabilities, np.diff(starts).astype(np.int64))


def levels(values: Values) -> Values:
    curve = ExactBayes(s_0=0.05, m=FEW + 1).evidence(values, Context())[0]
    if not isinstance(curve, Curve):
        raise TypeError(f"the first evidence of exact Bayes is {curve!r}, expected a Curve")
    return curve.y


def levels_by_definition(values: Values) -> list[float]:
    return level_probabilities(values, 0.05, 0.2, 20.0, 0.2, 1e4)[0]


def stopping_peers() -> Iterator[Peer]:
    """Peers of the stopping rules, with the published sizes."""
    random = np.random.default_rng(0)
    step = random.gamma(9.0, 1e-4, 11), np.ceil(random.gamma(9.0, 20.0, 11)), 10.0
    yield peer_of_calls("moments of one step", laaber.moments, laaber_oracle.moments, *step)
    a, b = (np.sort(random.choice(random.normal(9, 1, 200), 1000)) for _ in range(2))
    kernel_and_oracle = laaber.likeness, laaber_oracle.likeness
    yield peer_of_calls("likeness of two densities", *kernel_and_oracle, a, b, 1000, 1.5)
    groups = [random.normal(9, 1, 40) for _ in range(25)]
    key, values = stream(1), np.concatenate(groups)
    no_words = np.full(1000, laaber.CERTAIN, dtype=np.uint64)
    sizes, group_aliases = np.full(25, 40), np.arange(25)
    kernel = (values, values, no_words, sizes, group_aliases, no_words[:25], key, 0, 25)
    own_call = partial(laaber.simulated_means, *kernel)
    plain_call = partial(laaber_oracle.simulated_means, groups, int(key[0]), 0, 25)
    yield Peer("25 simulations of a mean", 1000, own_call, plain_call)
    yield Peer(
        "folded index",
        200,
        partial(laaber.folded_chances, 200),
        partial(laaber_oracle.folded_chances, 200),
    )


def learned_peers(values: Values) -> Iterator[Peer]:
    model = set_named("rocket", SHIPPED).folds[0].model
    if not isinstance(model, RocketModel):
        raise TypeError(f"the shipped weights of rocket are {model!r}, expected a RocketModel")
    window_and_kernels = windows_from(values, 0, 1)[0], model.kernels
    yield Peer(
        "ROCKET, greatest values of a window",  # how many are positive hangs on the last bit
        100,
        lambda: rocket.features_by_model(*window_and_kernels)[1::2],
        lambda: rocket.features(*window_and_kernels)[1::2],
        rtol=1e-4,
        atol=1e-4,
    )


if __name__ == "__main__":
    sys.exit(main())
