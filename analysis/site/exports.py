"""Files of a study: what there is, which columns, and the same rows as the command line."""

from __future__ import annotations

import itertools
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Any

from django.db.models import Exists, OuterRef, QuerySet

from analysis.composition.exports import SHAPE_COLUMNS, shape_rows
from analysis.runs import exports
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
TITLES = {
    "ground-truth": "Ground truth of a campaign",
    "marks": "Marks of a campaign",
    "detections": "Detections on a data set",
    "values": "Values of a data set",
    "shapes": "Shapes and noise of a data set",
}


# What a file has rows of, for a campaign or a data set.
ROWS: Mapping[str, QuerySet[Any]] = {
    "ground-truth": GroundTruth.objects.settled().filter(task__campaign=OuterRef("pk")),
    "marks": Mark.objects.filter(task__campaign=OuterRef("pk")),
    "detections": Detection.objects.filter(series__benchmark__dataset=OuterRef("pk")),
    "shapes": Series.objects.filter(benchmark__dataset=OuterRef("pk")),
    "values": Series.objects.filter(benchmark__dataset=OuterRef("pk")),
}


def with_rows(what: str, scopes: QuerySet[Any]) -> QuerySet[Any]:
    """Those of `scopes`, campaigns or data sets, of which there is something to export."""
    return scopes.filter(Exists(ROWS[what]))


@dataclass(frozen=True, slots=True)
class StudyExport:
    """What is to be exported, of which campaign or data set, for whom."""

    what: str
    scope: Campaign | Dataset
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
        series = _series(self.scope)
        seen = series.exclude(pk__in=blind.open_series(self.reader))
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


def _series(scope: Campaign | Dataset):  # type: ignore[no-untyped-def]  # query set
    if isinstance(scope, Campaign):
        return Series.objects.filter(pk__in=scope.tasks.counted().values("series"))
    return Series.objects.filter(benchmark__dataset=scope)


def _ground_truth(asked: StudyExport) -> Iterator[str]:
    assert isinstance(asked.scope, Campaign)  # noqa: S101  # `scope_of` saw to it
    return annotated.ground_truth(asked.scope, asked.reader)


def _marks(asked: StudyExport) -> Iterator[str]:
    assert isinstance(asked.scope, Campaign)  # noqa: S101
    return annotated.marks(asked.scope, asked.reader, latest=asked.latest)


def _detections(asked: StudyExport) -> Iterator[str]:
    assert isinstance(asked.scope, Dataset)  # noqa: S101
    return tables.write_rows(exports.COLUMNS, exports.rows(asked.scope, asked.reader))


def _values(asked: StudyExport) -> Iterator[str]:
    return values.rows(_series(asked.scope).order_by("pk"))


def _shapes(asked: StudyExport) -> Iterator[str]:
    assert isinstance(asked.scope, Dataset)  # noqa: S101
    return tables.write_rows(SHAPE_COLUMNS, shape_rows(asked.scope, asked.reader))


PIECES: Mapping[str, Callable[[StudyExport], Iterator[str]]] = {
    "ground-truth": _ground_truth,
    "marks": _marks,
    "detections": _detections,
    "shapes": _shapes,
    "values": _values,
}
COLUMNS: Mapping[str, Sequence[TableColumn[Any]]] = {
    "ground-truth": annotated.ground_truth_table(),
    "marks": marks.COLUMNS,
    "detections": exports.COLUMNS,
    "shapes": SHAPE_COLUMNS,
    "values": series_table.COLUMNS,
}


def export_pieces(asked: StudyExport) -> Iterator[str]:
    """The file, as pieces of text."""
    return PIECES[asked.what](asked)


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
    return [(each.name, each.explained) for each in COLUMNS[what]]


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
