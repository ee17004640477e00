"""`manage.py least_sure STUDY/CAMPAIGN`: the series that people should look at first."""

from __future__ import annotations

from argparse import ArgumentParser
from typing import Any

from django.core.exceptions import ValidationError
from django.core.management.base import BaseCommand, CommandError

from analysis.least_sure.exports import COLUMNS
from analysis.least_sure.query import LeastSureQuery
from analysis.least_sure.reads import least_sure
from analysis.least_sure.replay import stored_replay
from analysis.least_sure.services import ORDERS, Order, ask_in_order
from analysis.web import command_output
from annotate.blind import EVERYTHING
from annotate.management import output as destination
from annotate.named_arguments import campaign_named
from formats import tables


class Command(BaseCommand):
    help = (
        "The series of a campaign that a method is least sure of and that lack marks, the widest "
        "interval first; with --order they are asked in that order. " + stored_replay().sentence
    ).replace("%", "%%")

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("campaign", metavar="STUDY/CAMPAIGN")
        LeastSureQuery.add_arguments(parser)
        parser.add_argument(
            "--order",
            choices=ORDERS,
            help="ask these before the others, all least sure first, or all in own orders again",
        )
        command_output.add_arguments(parser)

    def handle(self, *args: Any, campaign: str, order: Order | None, **options: Any) -> None:
        named_campaign, query = campaign_named(campaign), LeastSureQuery.from_options(options)
        destination.refuse_unwritable("--output", options["output"])
        if order:
            try:
                queue_message = ask_in_order(
                    named_campaign, order, count=query.count, key=query.method
                )
            except ValidationError as refused:
                raise CommandError(" ".join(refused.messages)) from refused
            self.stderr.write(queue_message)
        least_sure_rows = least_sure(named_campaign, EVERYTHING, query.method).rows[: query.count]
        rows = (tables.cells(COLUMNS, row) for row in least_sure_rows)
        command_output.write_rows(tables.column_names(COLUMNS), rows, options, self.stdout)
