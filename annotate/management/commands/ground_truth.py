"""`manage.py ground_truth STUDY/CAMPAIGN`."""

from __future__ import annotations

from argparse import ArgumentParser
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from django.core.management.base import BaseCommand, CommandError

from annotate import recipes
from annotate.blind import EVERYTHING
from annotate.importing import screening_table
from annotate.management import output as destination
from annotate.models import Campaign
from annotate.named_arguments import campaign_named
from annotate.truth import exports, level_changes


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
        destination.write_pieces(_pieces(selected_campaign, recipe), output, self.stdout)


def _pieces(campaign: Campaign, recipe: str | None) -> Iterator[str]:
    if campaign.is_screening:
        return screening_table.screening_csv(campaign, EVERYTHING)
    if campaign.asks_changes:
        return level_changes.level_changes_csv(campaign, EVERYTHING)
    return exports.ground_truth_csv(campaign, EVERYTHING, recipe=recipe)
