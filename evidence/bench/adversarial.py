"""Random and adversarial series for every method: none may crash, hang, or answer out of range.

    python -m evidence.bench.adversarial [--minutes 3] [--seed 0] [--method SLUG] [--uncompiled]

Constants, single spikes, subnormals, 1e300, sawtooth, few digits, lengths from 0 to 10 and longer
ones, under default, small and random parameters; answers, evidence and reading online. Exit
status 1: something fell; each line names the method's key and how to make the series again.
"""

from __future__ import annotations

import faulthandler
import os
import sys
import time
import warnings
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any, Final

import numpy as np

from detectors.command import checks
from detectors.contract import (
    DeclaredParameter,
    Detector,
    ParameterError,
    ParameterKind,
    Values,
    as_series,
)
from detectors.registry import registry
from evidence.bench.timing import parser_of

HANGS: Final = 60.0  # seconds for one method on one series; then the process ends, with a trace
CHECKS: Final = (
    checks.check_answer_is_in_range,
    checks.check_too_short_says_how_long,
    checks.check_evidence_can_be_drawn,
    checks.check_evidence_agrees_with_the_answer,
    checks.check_online_ends_with_the_same_answer,
)
LENGTHS: Final = (*range(11), 29, 30, 31, 60, 101, 200, 501, 600, 1100)
LONGEST_ONLINE: Final = 101  # reading one by one takes n times as long
LONGEST_SLOW: Final = 200  # where kernels run as they are written
FACTORS: Final = (1.0, 1.0, 1e-310, 5e-324, 1e-30, 1e30, 1e150, 1e300)

SMALL: Final[Mapping[str, Mapping[str, Any]]] = {
    "barrett": {"window": 6, "least_steady": 3},
    "cp-ssd": {"window": 10, "least_steady": 3, "draws": 200},
    "ensemble": {"members": ("fixed", "mser", "sdm")},
    "exact-bayes": {"m": 20},
    "fcn": {"cap": 5},
    "fixed": {"iteration": 2},
    "georges": {"k": 4},
    "jumpavg": {"block": 1},
    "geweke": {"first": 0.4},
    "kb-kssd": {"outlier_window": 4, "prob_window": 5, "short_half": 3, "kernels": "large"},
    "kelly": {"prob_window": 5, "ar_order": 2},
    "laaber-cov": {"iteration_time": 0.0, "step_time": 0.01},
    "laaber-kld": {"iteration_time": 0.0, "step_time": 0.01, "sample_size": 20, "grid": 20},
    "laaber-rciw": {"iteration_time": 0.0, "step_time": 0.01, "sample_size": 20, "bootstrap": 100},
    "kim-convergence": {"batch": 2},
    "max-ess": {"fast": False},
    "min-sse": {"window": "geyer"},
    "mser": {"batch": 2},
    "pilot": {"min_size": 2},
    "rocket": {"cap": 5},
}
"""Parameters with which a method has something to do on a few values."""


def main() -> int:
    parser = parser_of("evidence.bench.adversarial", __doc__)
    parser.add_argument("--minutes", type=float, default=3.0)
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--method", action="append", choices=sorted(registry()))
    parser.add_argument("--uncompiled", action="store_true", help="kernels as they are written")
    options = parser.parse_args()
    if options.uncompiled:
        os.environ["NUMBA_DISABLE_JIT"] = "1"
    warnings.simplefilter("error")  # an overflow that nobody expected is a fall, too
    max_length = LONGEST_SLOW if options.uncompiled else LENGTHS[-1]
    broken_lines = run_adversarial(
        options.method or list(registry()), options.seed, 60 * options.minutes, max_length
    )
    return int(bool(broken_lines))


def run_adversarial(slugs: Sequence[str], seed: int, seconds: float, max_length: int) -> list[str]:
    """One series after the other for every method, until the time is over; what fell."""
    deadline, fallen, done_by_method = time.monotonic() + seconds, list[str](), Counter[str]()
    number = 0
    while time.monotonic() < deadline:
        name, values = adversarial_series(seed, number, max_length)
        for slug in slugs:
            detector = drawn_detector(slug, np.random.default_rng([seed, number, len(slug)]))
            faulthandler.dump_traceback_later(HANGS, exit=True)
            broken_lines = [
                f"{detector.key}: {line} ({name})" for line in broken_checks(detector, values)
            ]
            faulthandler.cancel_dump_traceback_later()
            for line in broken_lines:
                print(line, flush=True)
            fallen += broken_lines
            done_by_method[slug] += 1
        number += 1
    print(f"{number} series, {done_by_method.total()} answers, {len(fallen)} fallen, seed {seed}")
    return fallen


def broken_checks(detector: Detector, values: Values) -> Iterator[str]:
    for check in CHECKS:
        if "online" in check.__name__ and values.size > LONGEST_ONLINE:
            continue
        try:
            check(detector, values)
        except Exception as error:  # noqa: BLE001  # whatever is raised is the finding
            yield f"{check.__name__}: {type(error).__name__}: {error}"


# --- series ---------------------------------------------------------------------------------------


Shape = Callable[[np.random.Generator, int], Values]


def adversarial_series(seed: int, number: int, max_length: int) -> tuple[str, Values]:
    """The numbered series of a seed, and its name, from which it can be made again."""
    random = np.random.default_rng([seed, number])
    shape = list(SHAPES)[number % len(SHAPES)]
    n = int(random.choice([length for length in LENGTHS if length <= max_length]))
    factor = float(random.choice(FACTORS))
    with np.errstate(all="ignore"):
        values = SHAPES[shape](random, n) * factor
    values = np.nan_to_num(values, nan=0.0, posinf=1e308, neginf=-1e308)
    return f"seed {seed}, number {number}: {shape}, n = {n}, times {factor:g}", as_series(values)


def spike(random: np.random.Generator, n: int) -> Values:
    values = np.ones(n)
    if n:
        values[random.integers(n)] = random.choice([1e9, 1e-9, 0.0, 1e300, -1.0])
    return values


def steps(random: np.random.Generator, n: int) -> Values:
    levels = random.uniform(0.5, 5, 1 + n // 20)
    noise = random.choice([0.0, 1e-12, 0.05]) * random.standard_normal(n)
    return np.array(np.resize(np.repeat(levels, 20), n) + noise, dtype=np.float64)


def mixed_scales(random: np.random.Generator, n: int) -> Values:
    scales = [0.0, -0.0, 5e-324, 1e-300, 1.0, 1.0 + 2**-52, 1e300, 1.7e308]
    return np.asarray(random.choice(scales, n))


SHAPES: Final[Mapping[str, Shape]] = {
    "constant": lambda random, n: np.full(n, random.choice([0.1, 1.0, 3.7])),
    "zeros": lambda _, n: np.zeros(n),
    "spike": spike,
    "sawtooth": lambda random, n: np.arange(float(n)) % float(random.integers(2, 40)) + 1,
    "alternating": lambda _, n: np.resize([1.0, 1e6], n),
    "few digits": lambda random, n: random.integers(1, 4, n).astype(np.float64),
    "steps": steps,
    "falling": lambda random, n: 1 + np.exp(-np.arange(float(n)) / random.uniform(1, 300)),
    "rising": lambda _, n: np.arange(float(n)) + 1,
    "heavy tails": lambda random, n: np.exp(random.standard_cauchy(n).clip(-600, 600)),
    "walk": lambda random, n: random.standard_normal(n).cumsum(),
    "negative": lambda random, n: -random.gamma(4.0, 0.25, n),
    "mixed": mixed_scales,
}


# --- parameters -----------------------------------------------------------------------------------


def drawn_detector(slug: str, random: np.random.Generator) -> Detector:
    """Build a detector with its defaults, small parameters, or one parameter drawn between its
    bounds.
    """
    detector, choice = registry()[slug], random.integers(3)
    if choice == 0:
        return detector()
    parameters = dict(SMALL.get(slug, {}))
    if choice == 2 and (parameters_declared := detector.Params.declared()):
        declared_parameter = parameters_declared[random.integers(len(parameters_declared))]
        parameters |= {declared_parameter.name: draw_parameter(declared_parameter, random)}
    try:
        return detector(**parameters)
    except ParameterError:
        return detector()  # two that do not go together


def draw_parameter(parameter: DeclaredParameter, random: np.random.Generator) -> Any:
    if parameter.kind is ParameterKind.CHOICE:
        return str(random.choice(list(parameter.choices)))
    if parameter.kind is ParameterKind.BOOLEAN:
        return bool(random.integers(2))
    if parameter.kind not in {ParameterKind.INTEGER, ParameterKind.NUMBER} or parameter.low is None:
        return parameter.default
    high = min(parameter.low + 50, parameter.high if parameter.high is not None else np.inf)
    value = random.uniform(parameter.low, high)
    return int(value) if parameter.kind is ParameterKind.INTEGER else float(value)


if __name__ == "__main__":
    sys.exit(main())
