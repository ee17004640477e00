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
from series.importing.import_plan import (
    RecordingDetails,
    plan_import,
    read_snapshot,
    recording_label,
)
from series.importing.services import OnProblems, recording_labels
from series.importing.upload_files import list_path
from series.models import Dataset, Import
from series.reading import staged_series

CONFLICTS_SHOWN = 10


@dataclass(frozen=True, slots=True)
class FileImportPreview:
    """Preview of importing one file; `known` series are stored with the same values."""

    file: str
    new: int = 0
    known: int = 0
    conflicts: tuple[FormatError, ...] = ()  # series that contradict what is stored or came before
    notes: tuple[str, ...] = ()  # what the file says otherwise than its recording
    refused: bool = False  # has a problem, and nothing of such a file is wanted


@dataclass(frozen=True, slots=True)
class ImportPreview:
    """Preview of importing several files, one after the other."""

    files: Sequence[FileImportPreview]

    @property
    def new(self) -> int:
        return sum(file.new for file in self.files)

    @property
    def known_count(self) -> int:
        return sum(file.known for file in self.files)

    @property
    def refused(self) -> int:
        return sum(file.refused for file in self.files)

    @property
    def conflict_count(self) -> int:
        return sum(len(file.conflicts) for file in self.files)

    @property
    def conflicts(self) -> list[FormatError]:
        """The first of them."""
        return [conflict for file in self.files for conflict in file.conflicts][:CONFLICTS_SHOWN]

    @property
    def notes(self) -> list[str]:
        """The first notes."""
        notes = [f"{file.file}: {note}." for file in self.files for note in file.notes]
        return notes[:CONFLICTS_SHOWN]


def preview_import(
    dataset: Dataset,
    uploads: Iterable[Import],
    occasion: RecordingDetails,
    on_problems: OnProblems = "leave-out",
) -> ImportPreview:
    """Compare waiting files with a data set, which may not be stored yet. Writes nothing."""
    all_uploads = list(uploads)
    stopped_uploads = [
        chosen_upload
        for chosen_upload in all_uploads
        if on_problems == "stop" and _has_problems(chosen_upload)
    ]
    waiting_uploads = [
        chosen_upload for chosen_upload in all_uploads if chosen_upload not in stopped_uploads
    ]
    label_by_digest = recording_labels(
        dataset, [chosen_upload.file_digest for chosen_upload in waiting_uploads]
    )

    def default_label(upload: Import) -> str:
        return label_by_digest.get(upload.file_digest, stem(upload.file_name))

    # Read twice rather than held: a hundred files may hold a million names.
    snapshot = read_snapshot(
        dataset,
        {
            recording_label(series, occasion, default_label(upload))
            for upload in waiting_uploads
            for series in staged_series.read_staged(list_path(upload))
        },
    )
    file_previews = []
    for upload in waiting_uploads:
        plan = plan_import(
            staged_series.read_staged(list_path(upload)),
            snapshot,
            file_name=upload.file_name,
            occasion=occasion,
            label=default_label(upload),
        )
        snapshot.add(plan)
        file_previews.append(
            FileImportPreview(
                upload.file_name,
                len(plan.new),
                plan.known,
                tuple(plan.conflicts),
                tuple(plan.notes),
            )
        )
    file_previews += [
        FileImportPreview(chosen_upload.file_name, refused=True)
        for chosen_upload in stopped_uploads
    ]
    return ImportPreview(file_previews)


def _has_problems(upload: Import) -> bool:
    return bool(upload.preview.get("problem_count"))
