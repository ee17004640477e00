"""Files that are whole or not there, whatever ends the process that writes them."""

from __future__ import annotations

from pathlib import Path


def write_whole(path: Path, content: bytes) -> None:
    """Write a file that takes its name, or the place of an earlier one, only when it is complete.

    A process that is killed may leave `.NAME.partial`, which the next try replaces.
    """
    partial_path = path.with_name(f".{path.name}.partial")
    partial_path.write_bytes(content)
    partial_path.replace(path)
