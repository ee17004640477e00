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
    is_dear  of plans that take more than twice what the forks suggest; else of those that do not
    """

    target: float
    kept: float
    oracle: float
    is_dear: bool


TRIALS: Final = (
    PlanTrials(0.01, 0.83, 0.59, is_dear=False),
    PlanTrials(0.01, 0.95, 7.68, is_dear=True),
    PlanTrials(0.02, 0.92, 1.00, is_dear=False),
    PlanTrials(0.02, 0.94, 13.59, is_dear=True),
    PlanTrials(0.05, 0.95, 0.63, is_dear=False),
    PlanTrials(0.05, 0.91, 6.03, is_dear=True),
    PlanTrials(0.1, 0.98, 1.01, is_dear=False),
    PlanTrials(0.1, 0.90, 3.98, is_dear=True),
)


def nearest_trials(target: float, *, is_dear: bool) -> PlanTrials:
    """Trials of such plans for the target that is nearest by ratio."""
    alike = [trials for trials in TRIALS if trials.is_dear == is_dear]
    return min(alike, key=lambda trials: abs(math.log(trials.target / max(target, 1e-9))))
