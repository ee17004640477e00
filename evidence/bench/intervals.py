"""Share of intervals of a steady mean that hold the true mean.

    python -m evidence.bench.intervals

Series of thirteen kinds of noise with known means; of each the 95 % interval by every estimate,
and by the one that takes the values for independent. Then how often the default is given at all,
and how often an interval is given that misses. With `--output docs/design/intervals.md` the tables
of that page are written again. Ends with an error where the default holds the mean of a noise that
the page names in less than 93 % or more than 97 % of the series of 1,000 or 3,000 values, or misses
it in more than 7 % of those of 300, beyond twice the Monte Carlo error.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path
from typing import Final, NamedTuple

import numpy as np
from numpy.random import Generator
from scipy.signal import lfilter

from detectors.contract import Values
from detectors.intervals.quantiles import student_quantile
from detectors.intervals.steady_interval import (
    DEFAULT_INTERVAL,
    INTERVAL_METHODS,
    LEAST_EFFECTIVE,
    integrated_time,
    mean_error,
)
from evidence.bench.timing import parser_of
from formats.markdown import head, replace_between, row

LENGTHS: Final = (30, 100, 300, 1000, 3000)
HELD_TO: Final = (1000, 3000)
SERIES: Final = 2000
LOW, HIGH = 0.93, 0.97
MISSED_FROM: Final = 300
"""Values from which on hardly any interval that is given may miss."""
MOST_MISSED: Final = 0.07
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


def levels(rng: Generator, n: int, change: float = 0.05) -> Values:
    """Two levels, 0 and 1; a change after 1 / `change` values on average."""
    level = (np.cumsum(rng.random(n) < change) + rng.integers(2)) % 2
    return rng.normal(0, 0.2, n) + level


def drifting_noise(rng: Generator, n: int) -> Values:
    """A slow wandering under noise of twice its deviation."""
    wandering_values = autoregression(rng, n, 0.9) * math.sqrt(1 - 0.9**2)
    return np.asarray(wandering_values + rng.normal(0, 2, n), np.float64)


KINDS: Final[dict[str, tuple[Callable[[Generator, int], Values], float]]] = {
    "independent, normal": (lambda rng, n: rng.normal(size=n), 0.0),
    "independent, log-normal": (lambda rng, n: rng.lognormal(0, 0.5, n), math.exp(0.125)),
    "autoregression -0.5": (lambda rng, n: autoregression(rng, n, -0.5), 0.0),
    "autoregression 0.3": (lambda rng, n: autoregression(rng, n, 0.3), 0.0),
    "autoregression 0.5": (lambda rng, n: autoregression(rng, n, 0.5), 0.0),
    "autoregression 0.9": (lambda rng, n: autoregression(rng, n, 0.9), 0.0),
    "slow wandering and noise": (drifting_noise, 0.0),
    "spikes, one in fifty": (spikes, 0.08),
    "every tenth value high": (period, 0.3),
    "two levels": (levels, 0.5),
    "autoregression 0.99": (lambda rng, n: autoregression(rng, n, 0.99), 0.0),
    "a change in 200 values": (lambda rng, n: levels(rng, n, 0.005), 0.5),
    "a change in 1,000 values": (lambda rng, n: levels(rng, n, 0.001), 0.5),
}
UNSEEN: Final = frozenset(
    {"autoregression 0.99", "a change in 200 values", "a change in 1,000 values"}
)
"""Dependence as long as the series: the page makes no claim for these, and says what happens."""


class IntervalCoverage(NamedTuple):
    """Shares of the simulated series of one kind and length.

    held       the interval holds the true mean, one an estimate, the naive one last
    half       median half-width of the default, against 1.96 true standard errors
    effective  median of the effective sample size
    given      there are enough independent values for an interval
    missed     an interval is given, and misses
    """

    held: list[float]
    half: float
    effective: float
    given: float
    missed: float

    @property
    def default(self) -> float:
        """Share of all series whose default interval, given or not, holds the mean."""
        return self.held[INTERVAL_METHODS.index(DEFAULT_INTERVAL)]


def main() -> None:
    """Print the tables; end with an error where the default does not hold what it says."""
    parser = parser_of("evidence.bench.intervals", __doc__)
    parser.add_argument("--series", type=int, default=SERIES, help="of each kind and length")
    parser.add_argument("--output", type=Path, help="the page whose tables are written")
    options = parser.parse_args()
    coverage_by_kind = {
        (n, noise): coverage(noise, n, options.series) for n in LENGTHS for noise in KINDS
    }
    text = "\n".join(interval_tables(coverage_by_kind))
    print(text)
    if options.output is not None:
        options.output.write_text(replace_between(options.output.read_text(), BEGIN, END, text))
    if broken_lines := list(broken_claims(coverage_by_kind, options.series)):
        raise SystemExit(f"not as the page says: {', '.join(broken_lines)}")


Measured = Mapping[tuple[int, str], IntervalCoverage]


def interval_tables(coverage_by_kind: Measured) -> Iterator[str]:
    """One table a length: every estimate, then what is given."""
    for n in LENGTHS:
        yield f"\n**{n:,} values**\n"
        yield head(
            "noise",
            *INTERVAL_METHODS,
            "as if independent",
            "half-width",
            "independent values",
            "given",
            "given and misses",
        )
        for noise in KINDS:
            kind_coverage = coverage_by_kind[n, noise]
            yield row(
                noise,
                *(f"{100 * share:.1f}" for share in kind_coverage.held),
                f"{kind_coverage.half:.2f}",
                f"{kind_coverage.effective:,.0f}",
                *(f"{100 * share:.1f}" for share in (kind_coverage.given, kind_coverage.missed)),
            )


def broken_claims(coverage_by_kind: Measured, series: int) -> Iterator[str]:
    """Sentences of the page on the kinds that it names and these series do not show."""
    for (n, noise), kind_coverage in coverage_by_kind.items():
        if noise in UNSEEN:
            continue
        margin = 2 * math.sqrt(0.95 * 0.05 / series)
        if n in HELD_TO and not LOW - margin <= kind_coverage.default <= HIGH + margin:
            yield f"{noise}, {n} values: held {kind_coverage.default:.1%}"
        if n >= MISSED_FROM and kind_coverage.missed > MOST_MISSED + margin:
            yield f"{noise}, {n} values: given and missed {kind_coverage.missed:.1%}"


def coverage(noise: str, n: int, series: int) -> IntervalCoverage:
    """Simulate `series` series of `n` values, and count."""
    make, true_mean = KINDS[noise]
    rng = np.random.default_rng([n, *noise.encode()])
    is_covered = np.zeros((series, len(INTERVAL_METHODS) + 1), np.bool_)
    means, widths, effective_sizes = (np.empty(series) for _ in range(3))
    for series_index in range(series):
        values = make(rng, n)
        halves = [half_width(values, method) for method in INTERVAL_METHODS]
        halves.append(student_quantile(0.975, n - 1) * values.std(ddof=1) / math.sqrt(n))
        is_covered[series_index] = abs(values.mean() - true_mean) <= np.array(halves)
        means[series_index], widths[series_index] = (
            values.mean(),
            halves[INTERVAL_METHODS.index(DEFAULT_INTERVAL)],
        )
        effective_sizes[series_index] = n / integrated_time(values)
    is_given = effective_sizes >= LEAST_EFFECTIVE
    is_given_and_missed = is_given & ~is_covered[:, INTERVAL_METHODS.index(DEFAULT_INTERVAL)]
    return IntervalCoverage(
        is_covered.mean(axis=0).tolist(),
        float(np.median(widths) / (1.96 * np.std(means))),
        float(np.median(effective_sizes)),
        float(is_given.mean()),
        float(is_given_and_missed.mean()),
    )


def half_width(values: Values, method: str) -> float:
    error = mean_error(values, method)  # type: ignore[arg-type]
    assert error is not None  # noqa: S101  # no kind makes values that are all alike
    return student_quantile(0.975, error.freedom) * math.sqrt(error.squared)


if __name__ == "__main__":
    main()
