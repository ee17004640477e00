"""`manage.py iteration_length STUDY/DATASET LENGTH`: how long iterations of stored series last."""

from __future__ import annotations

from argparse import ArgumentParser
from typing import Any

from django.core.management.base import BaseCommand, CommandError

from analysis.runs.services import forget_by_seconds
from annotate.named_arguments import dataset_named
from formats.iterations import EXPECTED, ONE_OPERATION, Conditions, stated_settings
from series.importing.services import say_length
from series.models import Series


class Command(BaseCommand):
    help = (
        "Set how long an iteration lasts, for the series of a data set of which it is not known. "
        "On these, stored answers of methods that count seconds are deleted: run the methods again."
    )

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("dataset", metavar="STUDY/DATASET")
        parser.add_argument("length", metavar="LENGTH", help=f"100 ms, 1 s, or: {ONE_OPERATION}")
        parser.add_argument("--recording", metavar="LABEL", help="only series of this recording")

    def handle(
        self, *args: Any, dataset: str, length: str, recording: str | None, **options: Any
    ) -> None:
        setting = _setting(length)
        series = Series.objects.filter(benchmark__dataset=dataset_named(dataset))
        if recording is not None:
            series = series.filter(recording__label=recording)
        changed_series = say_length(series, setting)
        forgotten_count = (
            forget_by_seconds(changed_series) if "seconds_per_iteration" in setting else 0
        )
        self.stdout.write(
            f"{dataset}: {len(changed_series)} of {series.count()} series told; "
            f"answers of methods that count seconds deleted: {forgotten_count}"
        )


def _setting(text: str) -> Conditions:
    try:
        setting = stated_settings(text)
    except ValueError as wrong:
        raise CommandError(f"LENGTH: {wrong}", returncode=2) from wrong
    if not setting:
        raise CommandError(f"LENGTH: found nothing, expected {EXPECTED}", returncode=2)
    return setting
