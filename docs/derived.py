"""Files that are made by a program and kept in the tree: written afresh, or only checked."""

from __future__ import annotations

import sys
from pathlib import Path


def is_stale(path: Path, text: str, *, check: bool, part: str = "") -> bool:
    """Whether a file held another text; it is written then, or only said with `check`.

    `part` names what of the file is out of date.
    """
    if path.is_file() and path.read_text("utf-8") == text:
        return False
    if check:
        what = f"{path}: its {part} is" if part else f"{path} is"
        sys.stderr.write(f"{what} out of date; run make docs\n")
    else:
        path.write_text(text, "utf-8")
    return True
