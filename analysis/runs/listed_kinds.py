"""Kinds of work that the list of runs shows: everything that computed answers, one list."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any, Final

from django.core.paginator import Page, Paginator
from django.db.models import QuerySet

from analysis.methods.models import ImportedMethod
from analysis.runs.models import Run
from analysis.runs.selection import SeriesSelection
from analysis.work.progress import JobLine, job_lines
from people.late_registry import LateRegistry
from people.models import Study, User
from people.query_settings import AddressSetting
from people.templatetags.writing import grouped, version

ROWS: Final = 25


@dataclass(frozen=True, slots=True)
class ListedRun:
    """One row of the list; `line` is None for answers that came in a file."""

    kind: str
    address: str
    name: str
    subject: str
    size: str  # methods and series, such as `7 × 110`
    created: datetime
    by: User | None
    line: JobLine | None = None


@dataclass(frozen=True, slots=True)
class ListedKind:
    """A kind with its rows in a study.

    moment   column by which its rows are sorted
    rows     of the primary keys given, as the list shows them
    empty    what the list says of the kind before its first row
    """

    code: str
    label: str
    empty: str
    moment: str
    of_study: Callable[[Study], QuerySet[Any]]
    rows: Callable[[QuerySet[Any]], Sequence[ListedRun]]


_kinds = LateRegistry[dict[str, ListedKind]]({})


def register_listed_kinds(*kinds: ListedKind) -> None:
    """Add kinds; packages above this one register theirs."""
    _kinds.present.update({kind.code: kind for kind in kinds})


def listed_setting() -> Mapping[str, AddressSetting]:
    """The setting of an address that shows one kind."""
    expected_words = f"one of: {', '.join(_kinds.entries)}"
    return {"kind": AddressSetting("kind", _kinds.entries.__getitem__, expected_words, "all kinds")}


def job_rows(
    label: str, describe_row: Callable[[Any], str]
) -> Callable[[QuerySet[Any]], Sequence[ListedRun]]:
    """Rows of jobs of one kind; `describe_row` is what stands below the name."""

    def rows(jobs: QuerySet[Any]) -> list[ListedRun]:
        return [
            ListedRun(
                kind=label,
                address=line.job.get_absolute_url(),
                name=line.job.name,
                subject=describe_row(line.job),
                size=f"{grouped(line.job.breadth)} × {grouped(line.job.series_count)}",  # type: ignore[attr-defined]  # of every listed kind
                created=line.job.created,
                by=line.job.started_by,
                line=line,
            )
            for line in job_lines(list(jobs.select_related("started_by", "study")))
        ]

    return rows


def imported_rows(methods: QuerySet[ImportedMethod]) -> list[ListedRun]:
    """Rows of methods whose answers came in a file."""
    return [
        ListedRun(
            kind="imported",
            address=method.get_absolute_url(),
            name=f"{method.title}, {version(method.version)}",
            subject=method.file_name,
            size=f"{grouped(method.answers)} answers",
            created=method.when,
            by=method.by,
        )
        for method in methods.select_related("by", "study")
    ]


def run_subject(run: Run) -> str:
    """Data set of a run, and whether it computed again what was stored."""
    dataset = SeriesSelection.from_json(run.selection).dataset
    return f"{dataset} · computed again" if run.again else dataset


register_listed_kinds(
    ListedKind(
        "detection",
        "Detection",
        "No run yet. A run computes the answers of methods for the series of a data set.",
        "created",
        lambda study: Run.objects.filter(study=study),
        job_rows("detection", run_subject),
    )
)
register_listed_kinds(
    ListedKind(
        "imported",
        "Imported",
        "No answers came from elsewhere yet.",
        "when",
        lambda study: ImportedMethod.objects.stored().filter(study=study),
        imported_rows,
    )
)


@dataclass(frozen=True, slots=True)
class RunList:
    """One page of the list.

    kinds  kinds that have rows: code, label, number of rows
    """

    kinds: tuple[tuple[str, str, int], ...]
    chosen_kind: ListedKind | None
    page: Page[Any]
    rows: tuple[ListedRun, ...]


def run_list(study: Study, code: str, number: str | None) -> RunList:
    """Read one page of all kinds, or of the kind with this code; the newest first."""
    run_index: list[tuple[datetime, str, int]] = []
    kind_counts = []
    for kind in _kinds.entries.values():
        kind_index = [
            (moment, kind.code, pk)
            for moment, pk in kind.of_study(study).order_by().values_list(kind.moment, "pk")
        ]
        run_index += kind_index if code in {"", kind.code} or code not in _kinds.entries else []
        kind_counts += [(kind.code, kind.label, len(kind_index))] if kind_index else []
    page = Paginator(sorted(run_index, reverse=True), ROWS).get_page(number)
    page_rows = list(page)
    rows: list[ListedRun] = []
    for kind in _kinds.entries.values():
        if pks := [pk for _, its_code, pk in page_rows if its_code == kind.code]:
            rows += kind.rows(kind.of_study(study).filter(pk__in=pks))
    rows.sort(key=lambda row: row.created, reverse=True)
    return RunList(tuple(kind_counts), _kinds.entries.get(code), page, tuple(rows))
