"""Refusals of the comparison's commands, before anything is computed and after."""

from __future__ import annotations

from django.core.management.base import CommandError

from analysis.comparison.exports import LEADERBOARD
from analysis.comparison.table import ComparisonResult
from people.models import Study
from series.models import Series

SORTS = ("title", *LEADERBOARD)


def refuse_unknown_dataset(study: Study, slug: str) -> None:
    """CommandError where the study has no data set of that name; nothing is asked by ""."""
    if slug and not study.datasets.filter(slug=slug).exists():
        there = study.datasets.order_by("slug").values_list("slug", flat=True)
        names = ", ".join(there) or "none"
        raise CommandError(f"--dataset: found {slug!r}, expected one of: {names}", returncode=2)


def refuse_unknown_part(study: Study, *, dataset: str, recording: str, system: str) -> None:
    """CommandError where no series has that recording or system; nothing is asked by ""."""
    series = Series.objects.filter(benchmark__dataset__study=study)
    if dataset:
        series = series.filter(benchmark__dataset__slug=dataset)
    for option, value, column in (
        ("recording", recording, "recording__label"),
        ("system", system, "benchmark__system"),
    ):
        if value and not series.filter(**{column: value}).exists():
            there = series.order_by(column).values_list(column, flat=True).distinct()
            names = ", ".join(filter(None, there)) or "none"
            raise CommandError(
                f"--{option}: found {value!r}, expected one of: {names}", returncode=2
            )


def refuse_unknown_sort(sort: str) -> None:
    """CommandError unless it is a column of the leaderboard, with or without `-` before it."""
    if sort and sort.removeprefix("-") not in SORTS:
        raise CommandError(
            f"--sort: found {sort!r}, expected one of: {', '.join(SORTS)}", returncode=2
        )


def missing(scope: str, compared: ComparisonResult) -> str:
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


def _no_series(scope: str, compared: ComparisonResult) -> str:
    inputs, yardstick = compared.inputs, compared.yardstick.title
    if inputs.excluded:
        return f"{scope}: a review excluded every series of the yardstick {yardstick} here"
    if any(compared.asked.changed(dataset="").narrowed.values()):
        return f"{scope}: no series of the yardstick {yardstick} matches; ask for less"
    return (
        f"{scope}: the yardstick {yardstick} has no answer on any of these series; name another "
        "one by --yardstick, or let people mark them"
    )
