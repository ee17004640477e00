"""The destination of a command's table: standard output, or a file that is whole or not there."""

from __future__ import annotations

import os
import sys
from argparse import ArgumentParser
from collections.abc import Iterable
from pathlib import Path

from django.core.management.base import CommandError, OutputWrapper


def add_argument(parser: ArgumentParser) -> None:
    parser.add_argument("--output", metavar="FILE", type=Path, help="instead of standard output")


def write_pieces(pieces: Iterable[str], output: Path | None, stdout: OutputWrapper) -> None:
    """Write `pieces`; a file takes its name only when it is complete.

    Whoever reads standard output may stop early, as `head` does: that is no error, and the rest is
    not computed (`config.leavable_output`).
    """
    if output is None:
        for piece in pieces:
            stdout.write(piece, ending="")
            if getattr(sys.stdout, "reader_left", False):
                return
        stdout.flush()
        return
    write_bytes((piece.encode() for piece in pieces), output)


def write_bytes(pieces: Iterable[bytes], output: Path) -> None:
    """Write a file that takes its name only when it is complete; a device or a pipe as it is."""
    refuse_unwritable("--output", output)
    if output.exists() and not output.is_file():  # a file of that name would take its place
        with output.open("wb") as stream:
            stream.writelines(pieces)
        return
    partial_path = output.with_name(f".{output.name}.partial")
    try:
        with partial_path.open("wb") as stream:
            stream.writelines(pieces)
        partial_path.replace(output)
    finally:
        partial_path.unlink(missing_ok=True)


def refuse_unwritable(option: str, path: Path | None) -> None:
    """CommandError where no file can be written there; `option` names it, such as `--output`."""
    if path is None:
        return
    if path.is_dir():
        raise CommandError(f"{option}: found the folder {path}, expected a file", returncode=2)
    folder = path.parent
    if not folder.is_dir():
        raise CommandError(
            f"{option}: found {path}, expected a file in a folder that is there; "
            f"there is no folder {folder}",
            returncode=2,
        )
    if not os.access(folder, os.W_OK | os.X_OK):
        raise CommandError(
            f"{option}: found {path}, expected a folder that can be written to", returncode=2
        )
