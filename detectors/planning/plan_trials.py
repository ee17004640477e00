"""Results of trying plans on forks that they were not made from, by target.

Written by hand from the table of `docs/design/planner.md`, which
`python -m evidence.replication.kept_plans` prints; a test compares both. Pure.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Final


@dataclass(frozen=True, slots=True)
class PlanTrials:
    """Trials of plans for one target, on published benchmarks.

    kept    share of plans of which 95 % of the results lie within the target
    oracle  median machine time, as a multiple of the least that whoever knows all forks needs
    """

    target: float
    kept: float
    oracle: float


TRIALS: Final = (
    PlanTrials(0.01, 0.90, 4.22),
    PlanTrials(0.02, 0.89, 7.68),
    PlanTrials(0.05, 0.90, 2.65),
    PlanTrials(0.1, 0.94, 1.33),
)


def nearest_trials(target: float) -> PlanTrials:
    """Trials of the target that is nearest by ratio."""
    return min(TRIALS, key=lambda trials: abs(math.log(trials.target / max(target, 1e-9))))
