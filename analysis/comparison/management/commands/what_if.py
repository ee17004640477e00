"""`manage.py what_if STUDY/CAMPAIGN`: the scenarios of the page What if."""

from __future__ import annotations

from argparse import ArgumentParser
from typing import Any

from django.core.management.base import BaseCommand, CommandError

from analysis.comparison import what_if as scenarios
from analysis.comparison.inputs import UnknownMethod
from analysis.comparison.query import ComparisonQuery, WhatIfQuery
from analysis.comparison.table import compare_stored
from analysis.comparison.what_if import FILES, WhatIf
from analysis.web import command_output
from analysis.web.command_options import mistakes
from annotate.blind import EVERYTHING
from annotate.models import Campaign
from annotate.named_arguments import campaign_named


class Command(BaseCommand):
    help = (
        "The ground truth of a campaign under other recipes, parameters, people and resampled "
        "marks, and the rank of every method in each of these scenarios."
    )

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("campaign", metavar="STUDY/CAMPAIGN")
        parser.add_argument(
            "--what",
            choices=list(FILES),
            default="ranks",
            help="truth: a row a scenario; ranks: one a scenario and method; pairs: who beats whom",
        )
        WhatIfQuery.add_arguments(parser)
        ComparisonQuery.add_arguments(parser, "methods")
        command_output.add_arguments(parser)

    def handle(self, *args: Any, campaign: str, **options: Any) -> None:
        scenario_results = _found(campaign_named(campaign), options)
        if scenario_results is None:
            raise CommandError(f"{campaign}: no ground truth yet; it needs answers", returncode=2)
        columns, rows_of = FILES[options["what"]]
        command_output.write_rows(columns, rows_of(scenario_results), options, self.stdout)


def _found(campaign: Campaign, options: dict[str, Any]) -> WhatIf | None:
    query = ComparisonQuery.from_options(options, yardstick=f"campaign:{campaign.slug}")
    what_if_query = WhatIfQuery.from_options(options)
    with mistakes(UnknownMethod):
        compared = compare_stored(campaign.study, EVERYTHING, query)
    return scenarios.what_if(compared, what_if_query) if compared else None
