"""`plateau push FILE... --to URL`: measurements into a data set of an installation."""

from __future__ import annotations

import argparse
import os
from pathlib import Path
from typing import Any, Final

from detectors.__main__ import ANSWERED, ERRORS, UsageError, add_command
from formats import FormatError, measurement_files
from formats.companion_files import add_neighbour_options
from formats.options import ReadOptions
from plateau_perf.client import Client, ClientError

TOKEN: Final = "PLATEAU_TOKEN"  # noqa: S105  # a variable: arguments stand in lists of processes
OF_THE_FILE: Final = (413, 422)  # what a server answers because of one file
RECORDING: Final = ("label", "build", "measured-at", "machine", "instance", "duet", "runtime")


def add_push(commands: Any) -> None:
    parser = add_command(commands, "push", push)
    parser.add_argument("files", metavar="FILE", nargs="+", help="files or folders")
    parser.add_argument("--to", metavar="URL", required=True, help="home page of the installation")
    parser.add_argument("--dataset", metavar="NAME", required=True, help="made if there is none")
    for name in RECORDING:
        parser.add_argument(f"--{name}", metavar="TEXT", help="where the files do not say it")
    parser.add_argument(
        "--run",
        dest="methods",
        metavar="METHOD",
        action="append",
        help="let it answer; several, or again",
    )
    parser.add_argument("--no-wait", action="store_true", help="do not wait for imports to end")


def push(options: argparse.Namespace) -> int:
    """Send files to an installation; with --run let methods answer. PLATEAU_TOKEN holds the token.

    A file sent again changes nothing: a push that broke off is repeated. Status 1 where a file
    was refused, or not imported; the others are in.
    """
    if not (token := os.environ.get(TOKEN, "")):
        raise UsageError(f"{TOKEN} is not set: make a token under People > Tokens for programs")
    with Client(options.to, token) as plateau:
        try:
            paths = list(measurement_files(map(Path, options.files)))
            outcomes = [_send_file(plateau, path, options) for path in paths]
            if options.methods:
                run = plateau.run(options.dataset, options.methods, wait=not options.no_wait)
                answer_words = f"{run.done:,} of {run.total:,} answers, {run.failed:,} failed"
                print(f"run {run.id}: {run.state}, {answer_words}")
        except FormatError as error:
            raise UsageError(str(error)) from None
        except (ClientError, OSError) as error:
            raise UsageError(str(error)) from error
    return ANSWERED if all(outcomes) else ERRORS


def _send_file(plateau: Client, path: Path, options: argparse.Namespace) -> bool:
    """Send a file, and print its line; return whether it was imported, or waits to be."""
    recording_options = {
        name.replace("-", "_"): getattr(options, name.replace("-", "_")) for name in RECORDING
    }
    recording_options["benchmark"] = add_neighbour_options(path, ReadOptions()).benchmark
    recording = {name: value for name, value in recording_options.items() if value}
    try:
        pushed_file = plateau.push(
            path, dataset=options.dataset, wait=not options.no_wait, **recording
        )
    except ClientError as error:
        if error.status not in OF_THE_FILE:
            raise
        print(f"{path}: refused: {error}")
        return False
    counts = f"{pushed_file.new:,} new series, {pushed_file.known:,} known"
    outcome = (
        counts if pushed_file.state == "done" else f"{pushed_file.state}, import {pushed_file.id}"
    )
    print(f"{path}: {pushed_file.error or outcome}")
    return not pushed_file.error
