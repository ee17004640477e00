"""`manage.py agreement STUDY/CAMPAIGN`: the figures of the agreement page."""

from __future__ import annotations

from argparse import ArgumentParser
from typing import Any

from django.core.management.base import BaseCommand, CommandError

from analysis.agreement import exports
from analysis.agreement.figures import agreement_figures
from analysis.agreement.query import AgreementQuery
from analysis.agreement.reads import read_votes
from analysis.web import command_output
from annotate.blind import EVERYTHING
from annotate.management import output as destination
from annotate.named_arguments import campaign_named


class Command(BaseCommand):
    help = (
        "How far the people of a campaign agree: with one another, beyond chance, with "
        "themselves, over the order of work, and what the ground truth would be without each."
    )

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("campaign", metavar="STUDY/CAMPAIGN")
        AgreementQuery.add_arguments(parser)
        command_output.add_arguments(parser)

    def handle(self, *args: Any, campaign: str, **options: Any) -> None:
        named_campaign = campaign_named(campaign)
        if named_campaign.is_training or named_campaign.is_repeat:
            sentence = (
                "a training has no agreement; for a second pass name the campaign of the first"
            )
            raise CommandError(f"{campaign}: {sentence}", returncode=2)
        query = AgreementQuery.from_options(options)
        destination.refuse_unwritable("--output", options["output"])
        agreement = agreement_figures(read_votes(named_campaign, EVERYTHING, query))
        command_output.write_rows(
            exports.COLUMNS, exports.agreement_rows(agreement), options, self.stdout
        )
