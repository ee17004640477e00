"""Files of a study: what there is, which columns, and the same rows as the command line."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any, Final

from django.db.models import Exists, OuterRef, QuerySet

from analysis.composition.exports import SHAPE_COLUMNS, shape_rows
from analysis.runs import exports
from analysis.runs.imported_methods.series_to_answer import series_of_scope
from analysis.runs.models import Detection
from annotate.models import Campaign, GroundTruth, Mark
from annotate.truth import exports as annotated
from formats import marks, series_table, tables
from formats.tables import TableColumn
from people import downloads
from people.models import Study, User
from series.models import Dataset, Series
from series.values import exports as values


@dataclass(frozen=True, slots=True)
class StudyExport:
    """Table to export, with its campaign or data set and its reader."""

    what: str
    scope: Any  # a campaign or a data set, as the table is of
    reader: User
    latest: bool = False  # marks: only the revision that counts

    @property
    def study(self) -> Study:
        return self.scope.study

    @property
    def file_name(self) -> str:
        return f"{downloads.download_name(self.study.slug, self.scope.slug, self.what)}.csv"


@dataclass(frozen=True, slots=True)
class StudyTable:
    """A table of each campaign or data set.

    rows    what it has rows of, for a scope in a query
    pieces  the file, as pieces of text
    """

    title: str
    of: type[Campaign | Dataset]
    rows: QuerySet[Any]
    columns: Sequence[TableColumn[Any]]
    pieces: Callable[[StudyExport], Iterator[str]]


_SERIES: Final = Series.objects.filter(benchmark__dataset=OuterRef("pk"))
TABLES: Final = {
    "ground-truth": StudyTable(
        "Ground truth of a campaign",
        Campaign,
        GroundTruth.objects.settled().filter(task__campaign=OuterRef("pk")),
        annotated.ground_truth_table(),
        lambda asked: annotated.ground_truth_csv(asked.scope, asked.reader),
    ),
    "marks": StudyTable(
        "Marks of a campaign",
        Campaign,
        Mark.objects.filter(task__campaign=OuterRef("pk")),
        marks.COLUMNS,
        lambda asked: annotated.marks_csv(asked.scope, asked.reader, latest=asked.latest),
    ),
    "detections": StudyTable(
        "Detections on a data set",
        Dataset,
        Detection.objects.filter(series__benchmark__dataset=OuterRef("pk")),
        exports.COLUMNS,
        lambda asked: tables.write_rows(
            exports.COLUMNS, exports.exported_detections(asked.scope, asked.reader)
        ),
    ),
    "values": StudyTable(
        "Values of a data set",
        Dataset,
        _SERIES,
        series_table.COLUMNS,
        lambda asked: values.long_csv_rows(series_of_scope(asked.scope)),
    ),
    "shapes": StudyTable(
        "Shapes and noise of a data set",
        Dataset,
        _SERIES,
        SHAPE_COLUMNS,
        lambda asked: tables.write_rows(SHAPE_COLUMNS, shape_rows(asked.scope, asked.reader)),
    ),
}
TITLES: Final = {name: table.title for name, table in TABLES.items()}


def with_rows(table_name: str, scopes: QuerySet[Any]) -> QuerySet[Any]:
    """Narrow `scopes`, campaigns or data sets, to those with rows to export."""
    return scopes.filter(Exists(TABLES[table_name].rows))


def export_pieces(study_export: StudyExport) -> Iterator[str]:
    """The file, as pieces of text."""
    return TABLES[study_export.what].pieces(study_export)
