"""What each method would cost: time to run, time wasted, how far the result is off."""

from __future__ import annotations

from analysis.costs.asked import Wanted
from analysis.costs.table import Costs, costs

__all__ = ["Costs", "Wanted", "costs"]
