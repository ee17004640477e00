"""Results of trying plans on forks that they were not made from, by precision.

Written by hand from the table of `docs/design/planner.md`, which
`python -m evidence.replication.kept_plans` prints; a test compares both. Pure.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Final


@dataclass(frozen=True, slots=True)
class PlanTrials:
    """Trials of plans that promise one precision, on published benchmarks.

    kept    share of plans of which 95 % of the results lie within the promised precision
    oracle  median machine time, as a multiple of the least that whoever knows all forks needs
    """

    precision: float
    kept: float
    oracle: float


TRIALS: Final = (
    PlanTrials(0.01, 0.83, 0.59),
    PlanTrials(0.02, 0.92, 1.00),
    PlanTrials(0.05, 0.95, 0.63),
    PlanTrials(0.1, 0.98, 1.01),
    PlanTrials(0.2, 0.97, 1.09),
)


def nearest_trials(precision: float) -> PlanTrials:
    """Trials of plans for the precision that is nearest by ratio."""
    return min(TRIALS, key=lambda trials: abs(math.log(trials.precision / max(precision, 1e-9))))
