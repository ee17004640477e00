"""Number of forks of a benchmark that are enough: the second decision of Laaber et al. 2020.

After a fork's warm-up a fixed number of steps is measured. What the forks measured so far is
judged by the statistic of the stopping rule, fork by fork as it is step by step within one.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Final

from detectors.contract import BadSeries, Context, Values
from detectors.rules.online.stopping import StoppingRule

FEWEST: Final = 2  # forks that are compared at all
MOST: Final = 5  # forks that the publication runs


@dataclass(frozen=True, slots=True)
class ForkStop:
    """Number of forks run; whether the rule held at the last, or they came to an end.

    statistics: of the measurements of forks 1, 1 and 2, …; NaN where there is none.
    """

    forks: int
    holds: bool
    statistics: tuple[float, ...]


def enough_forks(
    rule: StoppingRule, forks: Iterable[Values | tuple[Values, Context]], most_forks: int = MOST
) -> ForkStop:
    """Run through the forks (through `as_series`), as long as the rule asks for one more.

    A fork is read only if it is run. Raises BadSeries for one in which nothing is measured,
    because its values end with its warm-up, or before.
    """
    statistic, number, is_enough = rule.statistic(), 0, False
    for number, fork in enumerate(forks, 1):
        values, context = fork if isinstance(fork, tuple) else (fork, Context())
        measured_values, weights = rule.measurement(*rule.reads(values, context))
        if not measured_values.size:
            reason = f"fork {number}: its {values.size} values end before a measurement"
            raise BadSeries(f"{reason}; record longer forks")
        statistic.add(measured_values, weights)
        is_enough = number >= FEWEST and statistic.enough(number)
        if is_enough or number == most_forks:
            break
    return ForkStop(
        number, is_enough, tuple(statistic.figure_at(fork) for fork in range(1, number + 1))
    )
