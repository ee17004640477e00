"""Where a command's table goes: standard output, or a file that is whole or not there."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path

from django.core.management.base import OutputWrapper


def write(pieces: Iterable[str], output: Path | None, stdout: OutputWrapper) -> None:
    """Write `pieces`; a file takes its name only when it is complete."""
    if output is None:
        for piece in pieces:
            stdout.write(piece, ending="")
        return
    partial = output.with_name(f".{output.name}.partial")
    try:
        with partial.open("w", encoding="utf-8", newline="") as stream:
            stream.writelines(pieces)
        partial.replace(output)
    finally:
        partial.unlink(missing_ok=True)
