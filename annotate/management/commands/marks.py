"""`manage.py marks STUDY/CAMPAIGN [--format annotations]`."""

from __future__ import annotations

from argparse import ArgumentParser
from pathlib import Path
from typing import Any

from django.core.management.base import BaseCommand

from annotate.blind import EVERYTHING
from annotate.importing.mark_change_points import marked_change_points
from annotate.management import output as destination
from annotate.named_arguments import campaign_named
from annotate.truth import exports
from formats import change_points


class Command(BaseCommand):
    help = "Write the marks of a campaign: all as CSV, or the change points of those that count."

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("campaign", metavar="STUDY/CAMPAIGN")
        parser.add_argument("--format", choices=["csv", "annotations"], default="csv")
        destination.add_argument(parser)

    def handle(self, *args: Any, campaign: str, output: Path | None, **options: Any) -> None:
        selected_campaign = campaign_named(campaign)
        if options["format"] == "csv":
            destination.write_pieces(
                exports.marks_csv(selected_campaign, EVERYTHING), output, self.stdout
            )
            return
        collected_points = marked_change_points(selected_campaign, EVERYTHING)
        destination.write_pieces(
            [change_points.change_points_text(collected_points.by_series)], output, self.stdout
        )
        for kind, count in sorted(collected_points.left_out.items()):
            self.stderr.write(f"left out: {count} answers “{kind}”, for which it has no word")
