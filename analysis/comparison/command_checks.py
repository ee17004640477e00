"""Refusals of the comparison's commands, before anything is computed and after."""

from __future__ import annotations

from collections.abc import Iterable

from django.core.management.base import CommandError

from analysis.comparison.drilldown import UnknownCell
from analysis.comparison.inputs import UnknownMethod
from analysis.comparison.query import ComparisonQuery
from analysis.comparison.table import ComparisonResult, compare_stored
from analysis.references.yardsticks import UnknownYardstick, usual_yardstick
from analysis.web.command_options import mistakes
from annotate.blind import EVERYTHING
from annotate.named_arguments import part_named
from people.models import Study
from series.models import Dataset, Series


def refuse_unknown_part(study: Study, query: ComparisonQuery) -> None:
    """CommandError for a data set that the study has not, or a part that no series is in."""
    series = Series.objects.filter(benchmark__dataset__study=study)
    if slug := query.dataset:
        datasets = study.datasets.order_by("slug").values_list("slug", flat=True)
        _refuse_unknown_value("dataset", slug, datasets)
        series = series.filter(benchmark__dataset__slug=slug)
    for name, setting in query.declared().items():
        value = getattr(query, name)
        if name != "dataset" and setting.column and value:
            stored_values = (
                series.order_by(setting.column).values_list(setting.column, flat=True).distinct()
            )
            _refuse_unknown_value(setting.option_name, value, stored_values)


def _refuse_unknown_value(option: str, value: str, stored_values: Iterable[str]) -> None:
    choices = list(filter(None, stored_values))
    if value not in choices:
        names = ", ".join(choices) or "none"
        raise CommandError(f"--{option}: found {value!r}, expected one of: {names}", returncode=2)


def no_comparison_reason(comparison: ComparisonResult) -> str:
    """Why there is nothing to compare or to cost, and what to do; empty where there is."""
    inputs, yardstick_title = comparison.inputs, comparison.yardstick.title
    if not inputs.lines:
        return _no_series_sentence(comparison)
    if not inputs.looks:
        return "no stored detections on these series; start a run first"
    if not inputs.methods:
        if comparison.yardstick.kind == "method":
            return "no other method has an answer here; start a run of a second one"
        return (
            "the chosen methods have no answer on these series, only reasons why not; "
            "choose other methods or start another run"
        )
    if not comparison.truth.given.any():
        return (
            f"the yardstick {yardstick_title} has no answer on these series; name another one "
            "by --yardstick, or let people mark them"
        )
    return ""


def _no_series_sentence(comparison: ComparisonResult) -> str:
    inputs, yardstick_title = comparison.inputs, comparison.yardstick.title
    if inputs.excluded:
        return f"decisions leave out every series of the yardstick {yardstick_title} here"
    if any(comparison.asked.changed(dataset="").narrowed.values()):
        return f"no series of the yardstick {yardstick_title} matches; remove a filter"
    return (
        f"the yardstick {yardstick_title} has no answer on any of these series; name another "
        "one by --yardstick, or let people mark them"
    )


def command_comparison(scope: str, query: ComparisonQuery) -> ComparisonResult:
    """The comparison in STUDY/CAMPAIGN or STUDY/DATASET.

    STUDY alone is all of it, by the yardstick that is named or that its page begins with.
    """
    study, part = part_named(scope)
    dataset = query.dataset or (part.slug if isinstance(part, Dataset) else "")
    query = query.changed(dataset=dataset, yardstick=query.yardstick or usual_yardstick(part))
    refuse_unknown_part(study, query)
    with mistakes(UnknownMethod, UnknownYardstick, UnknownCell):
        comparison = compare_stored(study, EVERYTHING, query)
    if comparison is None:
        raise CommandError(
            f"{scope}: no yardstick yet; a campaign needs complete answers", returncode=2
        )
    return comparison
