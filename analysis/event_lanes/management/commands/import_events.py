"""`manage.py import_events SERIES|STUDY/DATASET FILE…`: store events beside series."""

from __future__ import annotations

import math
from argparse import ArgumentParser, ArgumentTypeError
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

from django.core.management.base import BaseCommand, CommandError

from analysis.event_lanes.recording_events import (
    import_recording_events,
    outcome_sentence,
    recorded_series,
)
from analysis.event_lanes.services import import_events
from annotate.named_arguments import dataset_named, series_named
from formats.errors import FormatError
from formats.events.file_names import RULE
from formats.events.lanes import LATEST
from series.models import Dataset, Series
from series.reading.file_readers import FileToRead, import_patience


class Command(BaseCommand):
    help = (
        "Store events beside a series, or beside those of a recording: logs of "
        "-Xlog:gc*, -XX:+PrintCompilation and -XX:+LogCompilation, counters of Krun, "
        "secondary metrics of JMH, or a CSV of events."
    )

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument(
            "target", metavar="SERIES|STUDY/DATASET", help="a series as addresses call it"
        )
        parser.add_argument(
            "files", metavar="FILE", nargs="+", type=Path, help="of a data set also folders"
        )
        parser.add_argument(
            "--recording", metavar="LABEL", help="of the data set; needed where it has several"
        )
        parser.add_argument(
            "--first-fork",
            metavar="NUMBER",
            type=int,
            choices=(0, 1),
            default=0,
            help="number of the first fork in names of files (0)",
        )
        parser.add_argument(
            "--offset",
            metavar="SECONDS",
            type=parse_offset,
            help="from the start of the process to the first recorded iteration; default: the "
            "warm-up that is known, and no time to start",
        )
        parser.add_argument(
            "--replace", action="store_true", help="in place of lanes that another file brought"
        )

    def handle(
        self,
        *args: Any,
        target: str,
        files: list[Path],
        recording: str | None,
        first_fork: int,
        offset: float | None,
        replace: bool,
        **options: Any,
    ) -> None:
        if "/" in target:
            series = _recorded_series(dataset_named(target), recording)
            self._import_recording(
                series, files, offset=offset, replace=replace, first_fork=first_fork
            )
            return
        if recording or first_fork:
            expected = "expected STUDY/DATASET in place of a series"
            raise CommandError(f"--recording and --first-fork: {expected}", returncode=2)
        stored_series = series_named(target)
        refusals = 0
        for path in files:
            try:
                file = FileToRead(path.name, path.resolve(strict=True))
                with import_patience():
                    result = import_events(stored_series, file, offset=offset, replace=replace)
            except (OSError, FormatError) as error:
                refusals += 1
                reason = f"{path}: {error.strerror}" if isinstance(error, OSError) else str(error)
                self.stderr.write(reason)
                continue
            self.stdout.write(f"{path.name}: {result}")
        if refusals:
            raise CommandError(f"refused: {refusals} of {len(files)} files", returncode=2)

    def _import_recording(
        self, series: Sequence[Series], paths: Sequence[Path], **how: Any
    ) -> None:
        files = [file for path in paths for file in _files_below(path)]
        self.stdout.write(RULE)
        outcomes = []
        with import_patience():
            for outcome in import_recording_events(series, files, **how):
                outcomes.append(outcome)
                target = outcome.series or "no series"
                self.stdout.write(f"{outcome.file.name} → {target}: {outcome.sentence}")
        self.stdout.write(outcome_sentence(outcomes, len(files), len(series)))
        if refusals := sum(outcome.series is None for outcome in outcomes):
            raise CommandError(f"refused: {refusals} of {len(outcomes)} imports", returncode=2)


def _recorded_series(dataset: Dataset, label: str | None) -> list[Series]:
    """Series of one recording; CommandError says which recordings there are."""
    labels = list(dataset.recordings.values_list("label", flat=True))
    if label is None and len(labels) == 1:
        label = labels[0]
    if label not in labels:
        names = ", ".join(labels[:20]) or "none"
        raise CommandError(
            f"--recording: found {label or 'none'}, expected one of {names}", returncode=2
        )
    return list(recorded_series(dataset.recordings.get(label=label)))


def _files_below(path: Path) -> Iterator[FileToRead]:
    """The file, or all files of a folder by their names below it; hidden ones are left out."""
    if not path.exists():
        raise CommandError(f"{path}: no such file or folder", returncode=2)
    if path.is_file():
        yield FileToRead(path.name, path.resolve())
        return
    for file_path in sorted(path.rglob("*")):
        name = file_path.relative_to(path)
        if file_path.is_file() and not any(part.startswith(".") for part in name.parts):
            yield FileToRead(str(name), file_path.resolve())


def parse_offset(text: str) -> float:
    """Seconds; ArgumentTypeError for anything else."""
    try:
        seconds = float(text)
    except ValueError:
        seconds = math.nan
    if not 0 <= seconds <= LATEST:
        raise ArgumentTypeError(f"found {text[:40]!r}, expected seconds, such as 0.35")
    return seconds
