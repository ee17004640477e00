"""What importing waiting files would do: which series are new, which are stored already.

When a file is looked into, its series are listed beside it, each with its names and the digest of
its values. So a forecast reads the lists and the names of what is stored, and no file again.
"""

from __future__ import annotations

import dataclasses
import gzip
import json
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from formats import FormatError, RecordingHint
from formats.source import stem
from series.intake import Key, Named
from series.keeping import list_of
from series.models import Dataset, Import
from series.planning import Delivered, Occasion, plan_import, stored_in
from series.services import OnProblems, labels_before

CONFLICTS_SHOWN = 10


@dataclass(frozen=True, slots=True)
class Forecast:
    """What importing one file would do; `known` series are stored with the same values."""

    file: str
    new: int = 0
    known: int = 0
    conflicts: tuple[FormatError, ...] = ()  # series that contradict what is stored or came before
    refused: bool = False  # has a problem, and nothing of such a file is wanted


@dataclass(frozen=True, slots=True)
class Outlook:
    """What importing several files, one after the other, would do."""

    files: Sequence[Forecast]

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


def outlook(
    dataset: Dataset,
    uploads: Iterable[Import],
    occasion: Occasion,
    on_problems: OnProblems = "leave-out",
) -> Outlook:
    """Compare waiting files with a data set, which may not be stored yet. Writes nothing."""
    chosen = list(uploads)
    stopped = [each for each in chosen if on_problems == "stop" and _has_problems(each)]
    waiting = [each for each in chosen if each not in stopped]
    before = labels_before(dataset, [each.file_digest for each in waiting])
    delivered = [
        Delivered(
            each.file_name,
            series_listed(each),
            occasion,
            before.get(each.file_digest, stem(each.file_name)),
        )
        for each in waiting
    ]
    stored = stored_in(dataset, {label for each in delivered for label in each.labels})
    found = []
    for each in delivered:
        plan = plan_import(each, stored)
        stored.add(plan)
        found.append(Forecast(each.file, len(plan.new), plan.known, tuple(plan.conflicts)))
    found += [Forecast(each.file_name, refused=True) for each in stopped]
    return Outlook(found)


def _has_problems(upload: Import) -> bool:
    return bool(upload.preview.get("problem_count"))


# --- lists ------------------------------------------------------------------------------------
def list_series(upload: Import, series: Iterable[Named]) -> None:
    """Keep what a file holds beside it, without values."""
    rows = [[*each.benchmark, *_rest(each)] for each in series]
    data = json.dumps(rows, ensure_ascii=False).encode()
    list_of(upload).write_bytes(gzip.compress(data, compresslevel=1))


def _rest(series: Named) -> tuple[object, ...]:
    hint = dataclasses.asdict(series.recording)
    return series.label, series.unit, series.mode, series.fork, series.digest, hint


def series_listed(upload: Import) -> list[Named]:
    """The series of a waiting file; none once its list is gone."""
    try:
        rows = json.loads(gzip.decompress(list_of(upload).read_bytes()))
    except FileNotFoundError:
        return []
    return [
        Named(
            benchmark=Key(*row[:3]),
            label=row[3],
            unit=row[4],
            mode=row[5],
            fork=row[6],
            digest=row[7],
            recording=RecordingHint(**row[8]),
        )
        for row in rows
    ]
