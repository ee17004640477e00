"""`manage.py marks STUDY/CAMPAIGN`."""

from __future__ import annotations

from argparse import ArgumentParser
from pathlib import Path
from typing import Any

from django.core.management.base import BaseCommand

from annotate import exports
from annotate.blind import EVERYTHING
from annotate.management import output as destination
from annotate.named_arguments import campaign_named


class Command(BaseCommand):
    help = "Write the marks of a campaign as CSV."

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("campaign", metavar="STUDY/CAMPAIGN")
        destination.add_argument(parser)

    def handle(self, *args: Any, campaign: str, output: Path | None, **options: Any) -> None:
        pieces = exports.marks(campaign_named(campaign), EVERYTHING)
        destination.write(pieces, output, self.stdout)
