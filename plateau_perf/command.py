"""The command `plateau` of the wheel: the command line of the detectors under its own name."""

from __future__ import annotations

import sys

from detectors.__main__ import main as run


def main() -> int:
    """The arguments of the process; gives the exit status."""
    return run(sys.argv[1:], program="plateau")
