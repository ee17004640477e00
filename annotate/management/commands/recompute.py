"""`manage.py recompute STUDY/CAMPAIGN [--check]`."""

from __future__ import annotations

from argparse import ArgumentParser
from typing import Any

from django.core.management.base import BaseCommand, CommandError

from annotate.answering.truth_transactions import truth_transaction
from annotate.campaigns import services as campaigns
from annotate.importing import screening
from annotate.named_arguments import campaign_named


class Command(BaseCommand):
    help = (
        "Compute a campaign's ground truth from its marks again, or only check that what is stored "
        "is that."
    )

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("campaign", metavar="STUDY/CAMPAIGN")
        parser.add_argument("--check", action="store_true", help="change nothing; status 1 if not")

    def handle(self, *args: Any, campaign: str, check: bool, **options: Any) -> None:
        selected_campaign = campaign_named(campaign)
        included_count = 0 if check else screening.include_unmarked(selected_campaign)
        stale_tasks = campaigns.stale_truth_tasks(selected_campaign)
        total = selected_campaign.tasks.count()
        if check and stale_tasks:
            positions = ", ".join(str(task.position) for task in stale_tasks[:20])
            raise CommandError(
                f"{campaign}: {len(stale_tasks)} of {total} series differ from their marks, "
                f"at positions {positions}; run recompute without --check",
                returncode=1,
            )
        if stale_tasks:
            with truth_transaction():
                campaigns.refresh_all(selected_campaign)
        included_note = (
            f"; {included_count} taken in that the screening did not judge steady"
            if included_count
            else ""
        )
        self.stdout.write(
            f"{campaign}: {total} series, {len(stale_tasks)} brought up to date{included_note}"
        )
