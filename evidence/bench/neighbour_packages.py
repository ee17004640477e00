"""The packages of neighbouring fields as they are called: asked by `evidence.bench.neighbours`.

Runs where they are installed: `PYTHON -m evidence.bench.neighbour_packages` reads a JSON line for
each series and call, and writes one: the package's answer and its time, or that it is not
installed. It imports NumPy and no method of ours.
"""

from __future__ import annotations

import json
import logging
import sys
import warnings
from collections.abc import Callable, Mapping
from importlib.metadata import PackageNotFoundError, version
from typing import Any, Final

import numpy as np

from detectors.contract import NEVER, Values
from evidence.bench.timing import median_ms

ROUNDS: Final = 5

Call = Callable[..., Any]


def detect_equilibration(x: Values, search: str = "every", **settings: Any) -> int:
    from pymbar import timeseries  # noqa: PLC0415  # here and below: one call, one package

    if search == "binary":
        return int(timeseries.detect_equilibration_binary_search(x, **settings)[0])
    return int(timeseries.detect_equilibration(x, **settings)[0])


def indsl_window(x: Values, **settings: Any) -> int:
    import red  # noqa: PLC0415

    return int(red.detect_equilibration_window(x, **settings)[0])


def init_seq(x: Values, **settings: Any) -> int:
    import red  # noqa: PLC0415

    return int(red.detect_equilibration_init_seq(x, **settings)[0])


def equilibrium_start(x: Values) -> int:
    """Both stages, one on what the other leaves."""
    import kim_convergence  # noqa: PLC0415

    is_equilibrated, start = kim_convergence.mser_m(x)
    return int(start + equilibration_length(x[start:])) if is_equilibrated else NEVER


def equilibration_length(x: Values) -> int:
    import kim_convergence  # noqa: PLC0415

    return int(kim_convergence.estimate_equilibration_length(x)[0])


def mser_m(x: Values, **settings: Any) -> int:
    import kim_convergence  # noqa: PLC0415

    is_equilibrated, start = kim_convergence.mser_m(x, **settings)
    return int(start) if is_equilibrated else NEVER


def mser_index(x: Values) -> int:
    """Index from which `equilibrate` takes its start; that also tests and averages what is left.

    It takes errors below 10^-9 for the largest, and so gets the series divided by its level.
    """
    from pymser import pymser  # noqa: PLC0415

    return int(pymser.MSERm_index(pymser.calculate_MSEm(x / x.mean(), 5), 5))


def first_converged_start(x: Values, starts: int = 20, most_rhat: float = 1.01) -> int:
    """The halves of one series: `rhat` asks for two chains, which it halves, so its parts here."""
    from arviz.stats import diagnostics  # noqa: PLC0415

    def rhat(x: Values) -> float:
        halves = np.stack([x[: x.size // 2], x[-(x.size // 2) :]])
        folded_halves = np.abs(halves - np.median(halves))
        return max(
            diagnostics._rhat(diagnostics._z_scale(chains))  # noqa: SLF001
            for chains in (halves, folded_halves)
        )

    start_candidates = (k * x.size // (2 * starts) for k in range(starts))
    return next((s for s in start_candidates if rhat(x[s:]) < most_rhat), NEVER)


def rhat_of_forks(forks: Values) -> float:
    import arviz  # noqa: PLC0415

    return float(arviz.rhat(forks))


def vma(x: Values) -> list[int]:
    """Iterations where the average rests; the package gives no start."""
    from indsl.detect import vma as average  # noqa: PLC0415

    return np.flatnonzero(np.diff(average(_signal(x)).to_numpy()) == 0).tolist()


def ssid(x: Values) -> list[int]:
    """Transient values, counted from the first that has a flag."""
    from indsl.detect import ssid as flags  # noqa: PLC0415

    return np.flatnonzero(flags(_signal(x)).to_numpy()).tolist()


def _signal(x: Values) -> Any:
    import pandas as pd  # noqa: PLC0415

    return pd.Series(x, index=pd.date_range("2024-01-01", periods=x.size, freq="s"))


CALLS: Final[Mapping[str, tuple[str, Call]]] = {
    "detect_equilibration": ("pymbar", detect_equilibration),
    "detect_equilibration_window": ("red-molsim", indsl_window),
    "detect_equilibration_init_seq": ("red-molsim", init_seq),
    "mser_m + estimate_equilibration_length": ("kim-convergence", equilibrium_start),
    "estimate_equilibration_length": ("kim-convergence", equilibration_length),
    "mser_m": ("kim-convergence", mser_m),
    "calculate_MSEm + MSERm_index": ("pymser", mser_index),
    "_rhat_rank, start by start": ("arviz", first_converged_start),
    "rhat": ("arviz", rhat_of_forks),
    "vma": ("indsl", vma),
    "ssid": ("indsl", ssid),
}
"""By what is called: the distribution that has it, and how."""


def package_answer(
    call: str, values: Values, settings: Mapping[str, Any], rounds: int
) -> dict[str, Any]:
    name, ask_package = CALLS[call]
    try:
        package = f"{name} {version(name)}"
    except PackageNotFoundError:
        return {"missing": name}
    answer = ask_package(values, **settings)
    milliseconds = median_ms(lambda: ask_package(values, **settings), rounds) if rounds else 0.0
    return {"package": package, "answer": answer, "ms": milliseconds}


def main() -> int:
    warnings.simplefilter("ignore")  # of the packages, about series that are hard to judge
    logging.disable(logging.WARNING)
    for line in sys.stdin:
        request = json.loads(line)
        values = np.array(request.pop("values"))
        print(json.dumps(package_answer(values=values, **request)), flush=True)
    return 0


if __name__ == "__main__":
    sys.exit(main())
