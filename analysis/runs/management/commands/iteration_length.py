"""`manage.py iteration_length STUDY/DATASET LENGTH`: how long iterations of stored series last."""

from __future__ import annotations

from argparse import ArgumentParser
from collections.abc import Sequence
from typing import Any, Final

from django.core.management.base import BaseCommand, CommandError

from analysis.runs.models import Detection
from annotate.named_arguments import dataset_named
from detectors.registry import registry
from formats.iterations import EXPECTED, ONE_OPERATION, Conditions, stated
from series.models import Series
from series.services import say_length

AT_ONCE: Final = 500  # series whose answers are forgotten together


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
        told = say_length(series, setting)
        forgotten = _forget(told) if "seconds_per_iteration" in setting else 0
        self.stdout.write(
            f"{dataset}: {len(told)} of {series.count()} series told; "
            f"answers of methods that count seconds deleted: {forgotten}"
        )


def _setting(text: str) -> Conditions:
    try:
        setting = stated(text)
    except ValueError as wrong:
        raise CommandError(f"LENGTH: {wrong}", returncode=2) from wrong
    if not setting:
        raise CommandError(f"LENGTH: found nothing, expected {EXPECTED}", returncode=2)
    return setting


def _forget(series: Sequence[int]) -> int:
    """Answers that took an iteration for as long as their method's own parameter says."""
    slugs = [slug for slug, each in registry().items() if hasattr(each.Params(), "iteration_time")]
    count = 0
    for begin in range(0, len(series), AT_ONCE):
        of = Detection.objects.filter(series__in=series[begin : begin + AT_ONCE], slug__in=slugs)
        count += of.delete()[0]
    return count
