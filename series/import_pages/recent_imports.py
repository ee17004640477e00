"""Files that were imported lately, those of one recording together."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import groupby, islice
from typing import Final

from people.models import Study
from series.models import Import

FILES_READ: Final = 200
GROUPS_SHOWN: Final = 10


@dataclass(frozen=True, slots=True)
class ImportedFiles:
    """Files that one person imported into one recording, one after the other.

    stored, known  series that were new, and series that were there already
    """

    newest: Import
    further: int
    stored: int
    known: int


def recent_imports(study: Study) -> Iterator[ImportedFiles]:
    """Groups of the files that were imported last, newest first."""
    imports = study.imports.filter(state=Import.State.DONE)
    rows = imports.select_related("by", "dataset__study", "recording")[:FILES_READ]
    groups = groupby(rows, key=lambda row: (row.dataset_id, row.recording_id, row.by_id))
    for _, group in islice(groups, GROUPS_SHOWN):
        files = list(group)
        stored, known = (sum(getattr(file, name) for file in files) for name in ("stored", "known"))
        yield ImportedFiles(files[0], len(files) - 1, stored, known)
