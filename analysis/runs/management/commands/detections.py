"""`manage.py detections STUDY/DATASET`: stored detections as CSV."""

from __future__ import annotations

from argparse import ArgumentParser
from typing import Any

from django.core.management.base import BaseCommand

from analysis.runs.exports import COLUMNS, exported_detections
from analysis.web.command_options import mistakes
from annotate.blind import EVERYTHING
from annotate.management import output as destination
from annotate.named_arguments import dataset_named
from detectors.contract import ParameterError
from detectors.registry import UnknownDetector
from formats import tables
from people.repeated_option import add_repeated


class Command(BaseCommand):
    help = "Write stored detections as CSV. Never steady is -1; an empty cell does not apply."

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("dataset", metavar="STUDY/DATASET")
        add_repeated(parser, "--method", "SLUG", "a slug (all its parameters) or a whole key")
        destination.add_argument(parser)

    def handle(self, *args: Any, dataset: str, method: list[str], **options: Any) -> None:
        with mistakes(UnknownDetector, ParameterError):
            detections = exported_detections(dataset_named(dataset), EVERYTHING, methods=method)
        destination.write_pieces(
            tables.write_rows(COLUMNS, detections), options["output"], self.stdout
        )
