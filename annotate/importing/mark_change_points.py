"""Marks as change points of AnnotateChange (`formats.change_points`), and back.

An answer of a campaign that asks for all changes of level is its list. Elsewhere a mark "steady
from i" is one change point at i; steady from 0 is none. Never and unclear have no word there. Of
several change points the last one is where the steady state begins.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator
from typing import NamedTuple

from annotate import blind
from annotate.blind import Reader
from annotate.models import Annotator, Assignment, Campaign
from formats import FormatError
from formats.change_points import AnnotatedSeries
from formats.marks import MarkRow, changes_text
from people.models import Study
from series.models import Series


class ChangePoints(NamedTuple):
    """The answers that count, by series and pseudonym; and how many of a kind are left out."""

    by_series: dict[str, dict[str, list[int]]]
    left_out: Counter[str]


def marked_change_points(campaign: Campaign, reader: Reader) -> ChangePoints:
    """Collect, of what `reader` may see of the campaign, the latest answers of its annotators."""
    names = dict(Annotator.objects.filter(campaign=campaign).values_list("user_id", "pseudonym"))
    tasks = blind.without_open(reader, campaign.tasks.counted())
    answered_assignments = Assignment.objects.filter(task__in=tasks, latest__isnull=False)
    related_tables = "task__series__benchmark__dataset", "task__series__recording"
    change_points = ChangePoints(defaultdict(dict), Counter())
    for assignment in answered_assignments.select_related("latest", *related_tables).order_by(
        "task__position", "user"
    ):
        mark = assignment.latest
        assert mark is not None  # noqa: S101  # as the query asks
        if mark.changes is not None or mark.index is not None:
            points = [mark.index] if mark.index else mark.changes or []
            change_points.by_series[change_point_name(assignment.task.series)][
                names[assignment.user_id]
            ] = points
        else:
            change_points.left_out[mark.kind] += 1
    return change_points


def change_point_name(series: Series) -> str:
    """Name of a series in the file: no two of a study have the same."""
    benchmark = series.benchmark
    parts = (benchmark.dataset.slug, series.recording.label, benchmark.system, benchmark.name)
    return "/".join(
        name_part for name_part in (*parts, benchmark.params, str(series.fork)) if name_part
    )


def rows_of_annotations(
    study: Study, annotations: Iterable[AnnotatedSeries], file: str, *, all_changes: bool = False
) -> Iterator[MarkRow]:
    """A mark for each annotator of each series; raises FormatError for a series that is not there.

    all_changes  every change point becomes a change of level, but the trivial one at 0; without
                 it the last one is the steady start

    A series is named as `change_point_name` does, by its digest or public id, or by its benchmark
    where that has one series.
    """
    series_by_name = _series_by_name(study)
    for annotation in annotations:
        fitting_series = series_by_name.get(annotation.series, set())
        if len(fitting_series) != 1:
            raise FormatError(
                file,
                f"series {annotation.series[:80]!r}",
                found=f"{len(fitting_series) or 'no'} such series in the study",
                expected="exactly one",
                hint="name it as an export of change points does, or by its digest"
                if fitting_series
                else "import the measurements first",
            )
        yield _row(next(iter(fitting_series)), annotation, all_changes=all_changes)


def _series_by_name(study: Study) -> dict[str, set[Series]]:
    series_by_name: dict[str, set[Series]] = defaultdict(set)
    stored_series = Series.objects.filter(benchmark__dataset__study=study).defer("outline")
    for series in stored_series.select_related("benchmark__dataset", "recording"):
        for name in (
            change_point_name(series),
            series.digest,
            series.public_id,
            series.benchmark.name,
        ):
            series_by_name[name].add(series)
    return series_by_name


def _row(series: Series, annotation: AnnotatedSeries, *, all_changes: bool) -> MarkRow:
    benchmark = series.benchmark
    points = annotation.change_points
    return MarkRow(
        dataset=benchmark.dataset.slug,
        recording=series.recording.label,
        system=benchmark.system,
        benchmark=benchmark.name,
        params=benchmark.params,
        fork=series.fork,
        annotator=annotation.annotator,
        answer="changes" if all_changes else "steady",
        steady_start=None if all_changes else max(points, default=0),
        changes=changes_text(point for point in points if point) if all_changes else "",
        series_digest=series.digest,
    )
