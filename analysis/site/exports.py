"""Files of a study: what there is, which columns, and the same rows as the command line."""

from __future__ import annotations

import itertools
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Any, Final

from django.db.models import Exists, OuterRef, QuerySet

from analysis.composition.exports import SHAPE_COLUMNS, shape_rows
from analysis.runs import exports
from analysis.runs.imported_methods.series_to_answer import series_of
from analysis.runs.models import Detection
from annotate import blind, exports as annotated, results
from annotate.models import Campaign, GroundTruth, Mark
from annotate.origin import origin_sentences
from formats import marks, series_table, tables
from formats.tables import TableColumn
from people import downloads
from people.models import Study, User
from series import exports as values
from series.models import Dataset, Series

PREVIEW = 3  # lines below the header


@dataclass(frozen=True, slots=True)
class StudyExport:
    """What is to be exported, of which campaign or data set, for whom."""

    what: str
    scope: Any  # a campaign or a data set, as the table is of
    reader: User
    latest: bool = False  # marks: only the revision that counts

    @property
    def study(self) -> Study:
        return self.scope.study

    @property
    def file_name(self) -> str:
        return f"{downloads.named(self.study.slug, self.scope.slug, self.what)}.csv"

    @property
    def command(self) -> str:
        """The command line that writes the same rows on the machine itself."""
        name = {"ground-truth": "ground_truth"}.get(self.what, self.what)
        return f"python manage.py {name} {self.study.slug}/{self.scope.slug}"

    @property
    def sentence(self) -> str:
        """The scope with its counts."""
        series = series_of(self.scope)
        seen = blind.without_open(self.reader, series, "pk")
        shown = series if self.what == "values" else seen
        kind = "campaign" if isinstance(self.scope, Campaign) else "data set"
        return f"{shown.count()} series of the {kind} “{self.scope}”"

    @property
    def left_out(self) -> blind.HiddenSeriesCount:
        """Series that are kept from the reader for now; values are for everybody."""
        if self.what == "values":
            return blind.HiddenSeriesCount(0, 0)
        if isinstance(self.scope, Campaign):
            return results.left_out(self.scope, self.reader)
        return blind.left_out(self.reader, Series.objects.filter(benchmark__dataset=self.scope))


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
        lambda asked: annotated.ground_truth(asked.scope, asked.reader),
    ),
    "marks": StudyTable(
        "Marks of a campaign",
        Campaign,
        Mark.objects.filter(task__campaign=OuterRef("pk")),
        marks.COLUMNS,
        lambda asked: annotated.marks(asked.scope, asked.reader, latest=asked.latest),
    ),
    "detections": StudyTable(
        "Detections on a data set",
        Dataset,
        Detection.objects.filter(series__benchmark__dataset=OuterRef("pk")),
        exports.COLUMNS,
        lambda asked: tables.write_rows(exports.COLUMNS, exports.rows(asked.scope, asked.reader)),
    ),
    "values": StudyTable(
        "Values of a data set",
        Dataset,
        _SERIES,
        series_table.COLUMNS,
        lambda asked: values.rows(series_of(asked.scope)),
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


def with_rows(what: str, scopes: QuerySet[Any]) -> QuerySet[Any]:
    """Those of `scopes`, campaigns or data sets, of which there is something to export."""
    return scopes.filter(Exists(TABLES[what].rows))


def export_pieces(asked: StudyExport) -> Iterator[str]:
    """The file, as pieces of text."""
    return TABLES[asked.what].pieces(asked)


def preview(asked: StudyExport) -> list[str]:
    """The header and the first lines."""
    text = ""
    for piece in export_pieces(asked):
        text += piece
        if text.count("\n") > PREVIEW:
            break
    return list(itertools.islice(text.splitlines(), PREVIEW + 1))


def export_columns(what: str) -> list[tuple[str, str]]:
    """Each column of the file with its meaning."""
    return [(each.name, each.explained) for each in TABLES[what].columns]


def export_about(asked: StudyExport) -> dict[str, Any]:
    """What a file itself does not say: who wrote it, when, of what."""
    return {
        "program": "Plateau",
        "file": asked.file_name,
        "what": TITLES[asked.what],
        "study": asked.study.slug,
        "scope": asked.sentence,
        "stands_for": origin_sentences(asked.scope) if isinstance(asked.scope, Campaign) else [],
        "left_out_until_answered": asked.left_out,
        "written_at": datetime.now(UTC).isoformat(timespec="seconds"),
        "written_by": asked.reader.username,
        "command": asked.command,
        "columns": dict(export_columns(asked.what)),
    }
