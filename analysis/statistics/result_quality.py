"""Quality of a result and time of a test, for one method and for one against another.

Source: Traini, Di Menna & Cortellessa 2024, sections 4.3 and 5.2 to 5.3.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Final, Literal, get_args

import numpy as np

from analysis.statistics.answers import Floats
from analysis.statistics.measurement_deviation import RatioInterval

Better = Literal[
    "quality improvement", "time improvement", "quality regression", "time regression", "none"
]
Over = Literal["differing", "all", "zeroed"]
OVER: Final[dict[Over, str]] = {
    "differing": "benchmarks that differ",
    "all": "all benchmarks",
    "zeroed": "all benchmarks, 0 where they do not differ",
}


@dataclass(frozen=True, slots=True)
class Quartiles:
    """Quartiles of n numbers, by linear interpolation; None without a number."""

    n: int
    q25: float | None
    q50: float | None
    q75: float | None

    def cells(self, column: str) -> dict[str, float | None]:
        """Cells of three columns whose names begin with `column`."""
        return {
            f"{column}_{quartile}": getattr(self, quartile) for quartile in ("q25", "q50", "q75")
        }


def quartiles(numbers: Iterable[float]) -> Quartiles:
    """NaN is no number."""
    finite_numbers = np.array(list(numbers), np.float64)
    finite_numbers = finite_numbers[~np.isnan(finite_numbers)]
    if not finite_numbers.size:
        return Quartiles(0, None, None, None)
    return Quartiles(
        finite_numbers.size, *map(float, np.quantile(finite_numbers, [0.25, 0.5, 0.75]))
    )


# --- the warm-up ------------------------------------------------------------------------------
def warm_up_errors(signed_errors: Floats, *, missed_count: int = 0) -> dict[str, float | None]:
    """Warm-up estimation errors of one method, in seconds, on forks that are steady, by column.

    signed_errors       predicted - truth; NaN where there is none
    over, under, exact  forks on which it estimated too much, too little, or the very iteration
    missed              steady forks that it calls never: they have no error
    error               total and quartiles of the errors' sizes
    """
    finite_errors = signed_errors[~np.isnan(signed_errors)]
    error_sizes = np.abs(finite_errors)
    return {
        "over": int((finite_errors > 0).sum()),
        "under": int((finite_errors < 0).sum()),
        "exact": int((finite_errors == 0).sum()),
        "missed": missed_count,
        "error_total": float(error_sizes.sum()) if error_sizes.size else None,
        **quartiles(error_sizes).cells("error"),
    }


# --- the result -------------------------------------------------------------------------------
@dataclass(frozen=True, slots=True)
class Deviations:
    """Measurement deviations of one method over benchmarks.

    n        benchmarks with an interval
    differs  of these, so many whose interval does not hold 1
    close    of these, so many that another seed might judge otherwise
    sizes    quartiles of the relative deviation, a share, over the benchmarks of `over`
    exact    whether every interval is drawn as published
    """

    n: int
    differs: int
    close: int
    over: Over
    sizes: Quartiles
    exact: bool


def deviations(intervals: Iterable[RatioInterval | None], over: Over = "differing") -> Deviations:
    """Summarize the intervals of a method, one a benchmark; None for a benchmark without one."""
    known_intervals = [interval for interval in intervals if interval is not None]
    differing_intervals = [interval for interval in known_intervals if interval.differs]
    sizes_by_scope = {
        "differing": [interval.deviation for interval in differing_intervals],
        "all": [interval.deviation for interval in known_intervals],
        "zeroed": [interval.deviation if interval.differs else 0.0 for interval in known_intervals],
    }
    return Deviations(
        n=len(known_intervals),
        differs=len(differing_intervals),
        close=sum(interval.close for interval in known_intervals),
        over=over,
        sizes=quartiles(sizes_by_scope[over]),
        exact=all(interval.exact for interval in known_intervals),
    )


# --- one method against another -------------------------------------------------------------
@dataclass(frozen=True, slots=True)
class BenchmarkOutcome:
    """One method on one benchmark: whether its result differs (None if unknown), and its time."""

    differs: bool | None
    seconds: float


def gain_verdict(method: BenchmarkOutcome, baseline: BenchmarkOutcome) -> Better | None:
    """Gain or loss of a method on one benchmark against a baseline; None if unknown.

    Quality comes first; only where both results are those of the steady state, time decides.
    """
    if method.differs is None or baseline.differs is None:
        return None
    if method.differs != baseline.differs:
        return "quality regression" if method.differs else "quality improvement"
    if method.differs or method.seconds == baseline.seconds:
        return "none"
    return "time improvement" if method.seconds < baseline.seconds else "time regression"


@dataclass(frozen=True, slots=True)
class QualityTally:
    """So many benchmarks of each verdict. Shares are of n, all benchmarks that were judged."""

    quality_improvement: int
    time_improvement: int
    quality_regression: int
    time_regression: int
    none: int

    @property
    def n(self) -> int:
        return self.improvements + self.regressions + self.none

    @property
    def improvements(self) -> int:
        return self.quality_improvement + self.time_improvement

    @property
    def regressions(self) -> int:
        return self.quality_regression + self.time_regression

    @property
    def net(self) -> float | None:
        """Improvements less regressions, a share of n."""
        return (self.improvements - self.regressions) / self.n if self.n else None


def tally(verdicts: Sequence[Better | None]) -> QualityTally:
    """Count the verdicts; those that are unknown are not counted."""
    counts = Counter(verdicts)
    return QualityTally(*(counts[verdict] for verdict in get_args(Better)))
