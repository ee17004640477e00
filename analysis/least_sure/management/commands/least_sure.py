"""`manage.py least_sure STUDY/CAMPAIGN`: the series that people should look at first."""

from __future__ import annotations

from argparse import ArgumentParser
from collections.abc import Mapping
from typing import Any

from django.core.exceptions import ValidationError
from django.core.management.base import CommandError

from analysis.least_sure.exports import LEAST_SURE_TABLES
from analysis.least_sure.replay import stored_replay
from analysis.least_sure.services import ORDERS, Order, ask_in_order
from analysis.web.page_tables import TableRequest
from analysis.web.table_command import TableCommand


class Command(TableCommand):
    help = (
        "List the series of a campaign that lack marks, by the method's widest interval first. "
        "With --order people are asked in that order. " + stored_replay().sentence
    ).replace("%", "%%")
    page_tables = LEAST_SURE_TABLES

    def add_options(self, parser: ArgumentParser) -> None:
        self.add_queries(parser)
        parser.add_argument(
            "--order",
            choices=ORDERS,
            help="ask these before the others, all least sure first, or all in own orders again",
        )

    def compute(self, request: TableRequest, options: Mapping[str, Any]) -> Any:
        (query,) = request.queries
        order: Order | None = options["order"]
        if order:
            try:
                message = ask_in_order(request.scope, order, count=query.count, key=query.method)
            except ValidationError as refused:
                raise CommandError(" ".join(refused.messages)) from refused
            self.stderr.write(message)
        return super().compute(request, options)
