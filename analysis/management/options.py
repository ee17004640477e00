"""What commands refuse before they compute anything; of a comparison, what it lacks after."""

from __future__ import annotations

import os
from pathlib import Path

from django.core.management.base import CommandError

from analysis.comparison.files import LEADERBOARD
from analysis.comparison.table import Compared
from people.models import Study

SORTS = ("title", *LEADERBOARD)


def refuse_unknown_dataset(study: Study, slug: str) -> None:
    """CommandError where the study has no data set of that name; nothing is asked by ""."""
    if slug and not study.datasets.filter(slug=slug).exists():
        there = study.datasets.order_by("slug").values_list("slug", flat=True)
        names = ", ".join(there) or "none"
        raise CommandError(f"--dataset: found {slug!r}, expected one of: {names}", returncode=2)


def refuse_unknown_sort(sort: str) -> None:
    """CommandError unless it is a column of the leaderboard, with or without `-` before it."""
    if sort and sort.removeprefix("-") not in SORTS:
        raise CommandError(
            f"--sort: found {sort!r}, expected one of: {', '.join(SORTS)}", returncode=2
        )


def refuse_negative(option: str, iterations: int | None) -> None:
    if iterations is not None and iterations < 0:
        raise CommandError(
            f"--{option}: found {iterations}, expected iterations, at least 0", returncode=2
        )


def refuse_unwritable(option: str, to: Path | None) -> None:
    """CommandError where no file can be written there."""
    if to is None:
        return
    if to.is_dir():
        raise CommandError(f"--{option}: found the folder {to}, expected a file", returncode=2)
    folder = to.parent
    if not folder.is_dir():
        raise CommandError(
            f"--{option}: found {to}, expected a file in a folder that is there; "
            f"there is no folder {folder}",
            returncode=2,
        )
    if not os.access(folder, os.W_OK | os.X_OK):
        raise CommandError(
            f"--{option}: found {to}, expected a folder that can be written to", returncode=2
        )


def missing(scope: str, compared: Compared) -> str:
    """Why there is nothing to compare or to cost, and what to do; empty where there is."""
    inputs, yardstick = compared.inputs, compared.yardstick.title
    if not inputs.lines:
        return _no_series(scope, compared)
    if not inputs.looks:
        return f"{scope}: no stored detections on these series; start a run first"
    if not inputs.methods:
        if compared.yardstick.kind == "method":
            return f"{scope}: no other method has an answer here; start a run of a second one"
        return (
            f"{scope}: the chosen methods have no answer on these series, only reasons why not; "
            "choose other methods or start another run"
        )
    if not compared.truth.given.any():
        return (
            f"{scope}: the yardstick {yardstick} has no answer on these series; name another one "
            "by --yardstick, or let people mark them"
        )
    return ""


def _no_series(scope: str, compared: Compared) -> str:
    inputs, yardstick = compared.inputs, compared.yardstick.title
    if inputs.excluded:
        return f"{scope}: a review excluded every series of the yardstick {yardstick} here"
    if any(compared.asked.changed(dataset="").narrowed.values()):
        return f"{scope}: no series of the yardstick {yardstick} matches; ask for less"
    return (
        f"{scope}: the yardstick {yardstick} has no answer on any of these series; name another "
        "one by --yardstick, or let people mark them"
    )
