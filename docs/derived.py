"""Files that are made by a program and kept in the tree: written afresh, or only checked."""

from __future__ import annotations

import sys
from pathlib import Path


def is_stale(path: Path, text: str, *, check: bool, part_name: str = "") -> bool:
    """Return whether a file held another text; it is written then, or only said with `check`.

    `part_name` names what of the file is out of date.
    """
    if path.is_file() and path.read_text("utf-8") == text:
        return False
    if check:
        subject = f"{path}: its {part_name} is" if part_name else f"{path} is"
        sys.stderr.write(f"{subject} out of date; run make docs\n")
    else:
        path.write_text(text, "utf-8")
    return True
