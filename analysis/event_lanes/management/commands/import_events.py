"""`manage.py import_events SERIES FILE…`: store events of a process beside its series."""

from __future__ import annotations

import math
from argparse import ArgumentParser, ArgumentTypeError
from pathlib import Path
from typing import Any

from django.core.management.base import BaseCommand, CommandError

from analysis.event_lanes.services import import_events
from annotate.named_arguments import series_named
from formats.errors import FormatError
from formats.events.lanes import LATEST
from series.reading.file_readers import FileToRead, patient


class Command(BaseCommand):
    help = (
        "Store events beside a series: logs of -Xlog:gc*, -XX:+PrintCompilation and "
        "-XX:+LogCompilation, counters of Krun, secondary metrics of JMH, or a CSV of events."
    )

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("series", metavar="SERIES", help="as addresses call it")
        parser.add_argument("files", metavar="FILE", nargs="+", type=Path)
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
        series: str,
        files: list[Path],
        offset: float | None,
        replace: bool,
        **options: Any,
    ) -> None:
        stored_series = series_named(series)
        refusals = 0
        for path in files:
            try:
                file = FileToRead(path.name, path.resolve(strict=True))
                with patient():
                    result = import_events(stored_series, file, offset=offset, replace=replace)
            except (OSError, FormatError) as error:
                refusals += 1
                reason = f"{path}: {error.strerror}" if isinstance(error, OSError) else str(error)
                self.stderr.write(reason)
                continue
            self.stdout.write(f"{path.name}: {result}")
        if refusals:
            raise CommandError(f"refused: {refusals} of {len(files)} files", returncode=2)


def parse_offset(text: str) -> float:
    """Seconds; ArgumentTypeError for anything else."""
    try:
        seconds = float(text)
    except ValueError:
        seconds = math.nan
    if not 0 <= seconds <= LATEST:
        raise ArgumentTypeError(f"found {text[:40]!r}, expected seconds, such as 0.35")
    return seconds
