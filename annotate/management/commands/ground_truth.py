"""`manage.py ground_truth STUDY/CAMPAIGN`."""

from __future__ import annotations

from argparse import ArgumentParser
from pathlib import Path
from typing import Any

from django.core.management.base import BaseCommand, CommandError

from annotate import recipes
from annotate.blind import EVERYTHING
from annotate.importing.outcome_table import outcome_table
from annotate.management import output as destination
from annotate.named_arguments import campaign_named
from formats import tables


class Command(BaseCommand):
    help = (
        "Write the ground truth of a campaign as CSV: steady starts, changes of level, or the "
        "majorities of a screening."
    )

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("campaign", metavar="STUDY/CAMPAIGN")
        parser.add_argument("--recipe", choices=list(recipes.RECIPES))
        destination.add_argument(parser)

    def handle(self, *args: Any, campaign: str, output: Path | None, **options: Any) -> None:
        selected_campaign = campaign_named(campaign)
        recipe = options["recipe"]
        if recipe and (selected_campaign.is_screening or selected_campaign.asks_changes):
            purpose = selected_campaign.get_purpose_display()
            sentence = f"{campaign} ({purpose}): it has no recipe to choose"
            raise CommandError(sentence, returncode=2)
        table = outcome_table(selected_campaign, EVERYTHING, recipe=recipe)
        destination.write_pieces(tables.table_text(*table), output, self.stdout)
