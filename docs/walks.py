"""Page walks.md: files, functions and records on three ways through the house, as real requests
enter them: `python -m docs.walks [--check]`, part of `make docs`.
"""

from __future__ import annotations

import os
import sys
import tempfile
from collections.abc import Mapping
from pathlib import Path
from typing import Final

from docs.derived import is_stale
from docs.walk_trace import WalkTrace, code_list

PAGE: Final = Path(__file__).resolve().parent / "design" / "walks.md"
INTRODUCTION: Final = """# Walks

Three ways through the house, as real requests took them: files in the order in which they were
entered, with their functions. `python -m docs.walks`, part of `make docs`, walks and writes. A
record *carries* what is on its way if it holds the mark, the answer of the method or its distance
from the ground truth, or the values or their digest. Rows of tables say so. Sign-in, access and
settings (`people`, `config`) are on every way and left out."""


def set_up(folder: str) -> None:
    """Make an empty installation in `folder`, which serves scripts as they are."""
    os.environ |= {
        "PLATEAU_DATA": folder,
        "PLATEAU_MODE": "development",
        "DATABASE_URL": f"sqlite:///{folder}/walks.sqlite3",
        "DJANGO_SETTINGS_MODULE": "config.settings",
    }
    import django  # noqa: PLC0415  # its settings are known now

    django.setup()
    from django.conf import settings  # noqa: PLC0415
    from django.core.management import call_command  # noqa: PLC0415

    settings.STORAGES["staticfiles"]["BACKEND"] = (
        "django.contrib.staticfiles.storage.StaticFilesStorage"
    )
    call_command("migrate", verbosity=0)


def page(traces: Mapping[str, WalkTrace]) -> str:
    """Text of walks.md."""
    parts = [INTRODUCTION]
    for title, trace in traces.items():
        types = trace.types
        count = f"{len(types)} records carry it through {len(trace.functions)} files"
        parts += [f"## {title}", f"{count}: {code_list(types)}.", trace.table()]
    return "\n\n".join(parts) + "\n"


def main() -> int:
    check = "--check" in sys.argv
    with tempfile.TemporaryDirectory() as folder:
        set_up(folder)
        from docs.walked_requests import walk_traces  # noqa: PLC0415  # it imports models

        text = page(walk_traces())
    return int(is_stale(PAGE, text, check=check) and check)


if __name__ == "__main__":
    sys.exit(main())
