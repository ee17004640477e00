"""`manage.py ground_truth STUDY/CAMPAIGN`."""

from __future__ import annotations

from argparse import ArgumentParser
from pathlib import Path
from typing import Any

from django.core.management.base import BaseCommand, CommandError

from annotate import recipes
from annotate.blind import EVERYTHING
from annotate.importing import screening_table
from annotate.management import output as destination
from annotate.named_arguments import campaign_named
from annotate.truth import exports


class Command(BaseCommand):
    help = "Write the ground truth of a campaign, or the majorities of a screening, as CSV."

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("campaign", metavar="STUDY/CAMPAIGN")
        parser.add_argument("--recipe", choices=list(recipes.RECIPES))
        destination.add_argument(parser)

    def handle(self, *args: Any, campaign: str, output: Path | None, **options: Any) -> None:
        selected_campaign = campaign_named(campaign)
        if selected_campaign.is_screening and options["recipe"]:
            raise CommandError(f"{campaign} is a screening: it has no recipe", returncode=2)
        pieces = (
            screening_table.screening_csv(selected_campaign, EVERYTHING)
            if selected_campaign.is_screening
            else exports.ground_truth_csv(selected_campaign, EVERYTHING, recipe=options["recipe"])
        )
        destination.write_pieces(pieces, output, self.stdout)
