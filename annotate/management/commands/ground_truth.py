"""`manage.py ground_truth STUDY/CAMPAIGN`."""

from __future__ import annotations

from argparse import ArgumentParser
from pathlib import Path
from typing import Any

from django.core.management.base import BaseCommand

from annotate import exports, recipes
from annotate.blind import EVERYTHING
from annotate.management import output as destination
from annotate.named_arguments import campaign_named


class Command(BaseCommand):
    help = "Write the ground truth of a campaign as CSV."

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("campaign", metavar="STUDY/CAMPAIGN")
        parser.add_argument("--recipe", choices=list(recipes.RECIPES))
        destination.add_argument(parser)

    def handle(self, *args: Any, campaign: str, output: Path | None, **options: Any) -> None:
        pieces = exports.ground_truth(
            campaign_named(campaign), EVERYTHING, recipe=options["recipe"]
        )
        destination.write(pieces, output, self.stdout)
