"""Answers of packages of simulation and process industry: `tests/vectors/simulation.json`.

    pip install pymser==1.0.22 kim-convergence==0.1.0 indsl==8.9.0
    python -m evidence.oracles.simulation_vectors > tests/vectors/simulation.json

in an environment of its own: the packages bring torch and pandas. Series are simulated.
"""

from __future__ import annotations

import json
import sys
import warnings
from collections.abc import Callable, Iterator
from contextlib import redirect_stdout
from importlib import import_module
from typing import Any, Final

from detectors.contract import Values
from detectors.simulated.synthetic import KINDS, simulate

N: Final = 403
SEEDS: Final = (0, 1)
SMALL: Final = (1, 5, 8)  # batches of MSER
LENIENT: Final = 20.0  # ten times the package's default deviation, for so short a series
EVERY: Final = 31  # of an average, one in so many values is kept


def main() -> None:
    warnings.simplefilter("ignore")
    methods = {"kim": mser_of_kim, "pymser": mser_of_pymser, "ssid": ssid, "vma": vma}
    methods |= {"ed_pelt": ed_pelt, "ssd_cpd": ssd_cpd}
    document: dict[str, Any] = {"n": N, "seeds": SEEDS, "batches": SMALL, "every": EVERY}
    with redirect_stdout(sys.stderr):  # pymser prints warnings
        document |= {
            name: dict(package_answers(ask_package)) for name, ask_package in methods.items()
        }
    json.dump(document, sys.stdout, separators=(",", ":"))
    sys.stdout.write("\n")


def package_answers(method: Callable[[Values], Any]) -> Iterator[tuple[str, Any]]:
    for kind in KINDS:
        yield kind, [method(simulate(kind, n=N, seed=seed).values) for seed in SEEDS]


def mser_of_kim(values: Values) -> list[int]:
    """Starts by batch size; -1 where the package says that nothing was truncated."""
    ask_package = import_module("kim_convergence").mser_m
    replies = [ask_package(values, batch_size=size) for size in SMALL]
    return [int(start) if is_sure else -1 for is_sure, start in replies]


def mser_of_pymser(values: Values) -> list[int]:
    """Starts by batch size, in units of the level: the package takes what is below 1e-9 for
    nothing.
    """
    ask_package = import_module("pymser").equilibrate
    options = {"LLM": False, "ADF_test": False, "print_results": False}
    scaled_values = values / values.mean()
    return [int(ask_package(scaled_values, batch_size=size, **options)["t0"]) for size in SMALL]


def ssid(values: Values) -> list[int]:
    """Iterations from which on the flag is another one; the first flag is of the first of them."""
    return as_changes(import_module("indsl.detect").ssid(minute_series(values)).tolist(), values)


def ssd_cpd(values: Values) -> list[int]:
    """Likewise. In units of the level: the package divides by no mean below 1e-4."""
    series = minute_series(values / values.mean())
    flags = import_module("indsl.detect").ssd_cpd(series, var_threshold=LENIENT)
    return as_changes(flags.astype(int).tolist(), values)


def ed_pelt(values: Values) -> list[int]:
    """First iterations of the segments but the first."""
    ask_package = import_module("indsl.detect.change_point_detector").ed_pelt
    return [int(iteration) for iteration in ask_package(values, min_distance=15)]


def as_changes(flags: list[int], values: Values) -> list[int]:
    missing_count = values.size - len(flags)
    changes = [i + missing_count for i in range(1, len(flags)) if flags[i] != flags[i - 1]]
    return [missing_count, flags[0], *changes]


def vma(values: Values) -> list[float]:
    average = import_module("indsl.detect").vma(minute_series(values)).to_numpy()
    return [float(average_value) for average_value in average[::EVERY]]


def minute_series(values: Values) -> Any:
    pandas = import_module("pandas")
    return pandas.Series(values, index=pandas.date_range("2020", periods=values.size, freq="min"))


if __name__ == "__main__":
    main()
