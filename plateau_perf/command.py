"""The command `plateau` of the wheel: of detectors, plans, trends, and what asks a server."""

from __future__ import annotations

import sys

from detectors.__main__ import main as run
from plateau_perf.planning import add_plan
from plateau_perf.push import add_push
from plateau_perf.trend import add_trend


def main() -> int:
    """The arguments of the process; gives the exit status."""
    return run(sys.argv[1:], program="plateau", extensions=[add_plan, add_push, add_trend])
