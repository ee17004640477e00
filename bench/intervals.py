"""How often the interval of a steady mean holds the true mean: `python -m bench.intervals`.

Series of ten kinds of noise with known means; of each the 95 % interval by every estimate, and by
the one that takes the values for independent. With `--output docs/design/intervals.md` the tables
of that page are written again. Ends with an error where the default holds the mean in less than
93 % or more than 97 % of the series of 1,000 or 3,000 values, beyond twice the Monte Carlo error.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Final

import numpy as np
from numpy.random import Generator
from scipy import stats
from scipy.signal import lfilter

from bench.timing import parser_of
from detectors.contract import Values
from detectors.steady_interval import DEFAULT_INTERVAL, INTERVAL_METHODS, mean_error
from formats.markdown import head, replaced, row

LENGTHS: Final = (30, 100, 300, 1000, 3000)
HELD_TO: Final = (1000, 3000)
SERIES: Final = 2000
LOW, HIGH = 0.93, 0.97
BEGIN, END = "<!-- tables -->", "<!-- /tables -->"


def autoregression(rng: Generator, n: int, phi: float) -> Values:
    """Unit innovations; what comes before the first value has been forgotten."""
    lead = int(20 / (1 - abs(phi)))
    return np.asarray(lfilter([1], [1, -phi], rng.normal(size=n + lead))[lead:], np.float64)


def spikes(rng: Generator, n: int) -> Values:
    """One value in fifty is four higher."""
    return rng.normal(0, 0.1, n) + 4 * (rng.random(n) < 0.02)


def period(rng: Generator, n: int) -> Values:
    """Every tenth value is three higher, from an unknown one on, as with garbage collections."""
    return rng.normal(0, 0.3, n) + 3.0 * ((np.arange(n) + rng.integers(10)) % 10 == 0)


def levels(rng: Generator, n: int) -> Values:
    """Two levels, 0 and 1; a change after twenty values on average."""
    level = (np.cumsum(rng.random(n) < 0.05) + rng.integers(2)) % 2
    return rng.normal(0, 0.2, n) + level


def drifting(rng: Generator, n: int) -> Values:
    """A slow wandering under noise of twice its deviation."""
    wandering = autoregression(rng, n, 0.9) * math.sqrt(1 - 0.9**2)
    return np.asarray(wandering + rng.normal(0, 2, n), np.float64)


KINDS: Final[dict[str, tuple[Callable[[Generator, int], Values], float]]] = {
    "independent, normal": (lambda rng, n: rng.normal(size=n), 0.0),
    "independent, log-normal": (lambda rng, n: rng.lognormal(0, 0.5, n), math.exp(0.125)),
    "autoregression -0.5": (lambda rng, n: autoregression(rng, n, -0.5), 0.0),
    "autoregression 0.3": (lambda rng, n: autoregression(rng, n, 0.3), 0.0),
    "autoregression 0.5": (lambda rng, n: autoregression(rng, n, 0.5), 0.0),
    "autoregression 0.9": (lambda rng, n: autoregression(rng, n, 0.9), 0.0),
    "slow wandering and noise": (drifting, 0.0),
    "spikes, one in fifty": (spikes, 0.08),
    "every tenth value high": (period, 0.3),
    "two levels": (levels, 0.5),
}


def main() -> None:
    """Print the tables; end with an error where the default does not hold what it says."""
    asked = parser_of("bench.intervals", __doc__)
    asked.add_argument("--series", type=int, default=SERIES, help="of each kind and length")
    asked.add_argument("--output", type=Path, help="the page whose tables are written")
    options = asked.parse_args()
    missed: list[str] = []
    told = "\n".join(tables(options.series, missed))
    print(told)
    if options.output is not None:
        options.output.write_text(replaced(options.output.read_text(), BEGIN, END, told))
    if missed:
        raise SystemExit(f"outside of {LOW:.0%} to {HIGH:.0%}: {', '.join(missed)}")


def tables(series: int, missed: list[str]) -> Iterator[str]:
    """One table a length; kinds that the default misses are added to `missed`."""
    slack = 2 * math.sqrt(0.95 * 0.05 / series)
    for n in LENGTHS:
        yield f"\n**{n:,} values**\n"
        yield head("noise", *INTERVAL_METHODS, "as if independent", "half-width")
        for kind in KINDS:
            held, width = coverage(kind, n, series)
            yield row(kind, *(f"{100 * one:.1f}" for one in held), f"{width:.2f}")
            default = held[INTERVAL_METHODS.index(DEFAULT_INTERVAL)]
            if n in HELD_TO and not LOW - slack <= default <= HIGH + slack:
                missed.append(f"{kind}, {n} values: {default:.1%}")


def coverage(kind: str, n: int, series: int) -> tuple[list[float], float]:
    """The share of intervals that hold the mean, one an estimate, the naive one last.

    Also the median half-width of the default against 1.96 true standard errors.
    """
    make, true = KINDS[kind]
    rng = np.random.default_rng([n, *kind.encode()])
    held = np.zeros(len(INTERVAL_METHODS) + 1)
    means, widths = [], []
    for _ in range(series):
        values = make(rng, n)
        halves = [half_width(values, method) for method in INTERVAL_METHODS]
        halves.append(stats.t.ppf(0.975, n - 1) * values.std(ddof=1) / math.sqrt(n))
        held += abs(values.mean() - true) <= np.array(halves)
        means.append(values.mean())
        widths.append(halves[INTERVAL_METHODS.index(DEFAULT_INTERVAL)])
    return list(held / series), float(np.median(widths) / (1.96 * np.std(means)))


def half_width(values: Values, method: str) -> float:
    error = mean_error(values, method)  # type: ignore[arg-type]
    assert error is not None  # noqa: S101  # no kind makes values that are all alike
    return float(stats.t.ppf(0.975, error.freedom)) * math.sqrt(error.squared)


if __name__ == "__main__":
    main()
