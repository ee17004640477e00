"""Programs that a test puts on the path of what it starts."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Final

from evidence.bench.processes import ROOT

PLATEAU: Final = (
    f"#!{sys.executable}\nimport sys\nsys.path.insert(0, {str(ROOT)!r})\n"
    "from plateau_perf.command import main\nsys.exit(main())\n"
)
"""The command `plateau` of this checkout."""


def write_program(folder: Path, name: str, text: str) -> None:
    """Write an executable file."""
    path = folder / name
    path.write_text(text, "utf-8")
    path.chmod(0o755)
