"""The preview of an import of waiting files: new series, and those stored already.

When a file is looked into, its series are listed beside it (`series.reading.staged_series`), each
with its names and the digest of its values. So a forecast reads the lists and the names of what is
stored, and no file again.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from formats import FormatError
from formats.paths import stem
from series.importing.import_plan import ParsedFile, RecordingDetails, plan_import, stored_in
from series.importing.services import OnProblems, labels_before
from series.importing.upload_storage import list_of
from series.models import Dataset, Import
from series.reading import staged_series
from series.reading.staging import SeriesHeader

CONFLICTS_SHOWN = 10


@dataclass(frozen=True, slots=True)
class FileImportPreview:
    """What importing one file would do; `known` series are stored with the same values."""

    file: str
    new: int = 0
    known: int = 0
    conflicts: tuple[FormatError, ...] = ()  # series that contradict what is stored or came before
    refused: bool = False  # has a problem, and nothing of such a file is wanted


@dataclass(frozen=True, slots=True)
class ImportPreview:
    """What importing several files, one after the other, would do."""

    files: Sequence[FileImportPreview]

    @property
    def new(self) -> int:
        return sum(each.new for each in self.files)

    @property
    def known(self) -> int:
        return sum(each.known for each in self.files)

    @property
    def refused(self) -> int:
        return sum(each.refused for each in self.files)

    @property
    def conflict_count(self) -> int:
        return sum(len(each.conflicts) for each in self.files)

    @property
    def conflicts(self) -> list[FormatError]:
        """The first of them."""
        return [one for each in self.files for one in each.conflicts][:CONFLICTS_SHOWN]


def import_preview_of(
    dataset: Dataset,
    uploads: Iterable[Import],
    occasion: RecordingDetails,
    on_problems: OnProblems = "leave-out",
) -> ImportPreview:
    """Compare waiting files with a data set, which may not be stored yet. Writes nothing."""
    chosen = list(uploads)
    stopped = [each for each in chosen if on_problems == "stop" and _has_problems(each)]
    waiting = [each for each in chosen if each not in stopped]
    before = labels_before(dataset, [each.file_digest for each in waiting])

    def delivered(upload: Import) -> ParsedFile[SeriesHeader]:
        label = before.get(upload.file_digest, stem(upload.file_name))
        return ParsedFile(upload.file_name, staged_series.read(list_of(upload)), occasion, label)

    # Read twice rather than held: a hundred files may hold a million names.
    stored = stored_in(dataset, {label for each in waiting for label in delivered(each).labels})
    found = []
    for each in map(delivered, waiting):
        plan = plan_import(each, stored)
        stored.add(plan)
        found.append(FileImportPreview(each.file, len(plan.new), plan.known, tuple(plan.conflicts)))
    found += [FileImportPreview(each.file_name, refused=True) for each in stopped]
    return ImportPreview(found)


def _has_problems(upload: Import) -> bool:
    return bool(upload.preview.get("problem_count"))
