"""`manage.py cost STUDY/CAMPAIGN`: what each method would cost, with exact intervals."""

from __future__ import annotations

from argparse import ArgumentParser
from dataclasses import replace
from functools import partial
from typing import Any

from django.core.management.base import BaseCommand, CommandError

from analysis.comparison.command_checks import nothing_to_compare
from analysis.comparison.inputs import UnknownMethod
from analysis.comparison.method_names import methods_meant, named_methods
from analysis.comparison.query import ComparisonQuery
from analysis.comparison.table import ComparisonResult, compare_stored
from analysis.cost import exports
from analysis.cost.query import CostQuery
from analysis.cost.sentences import cost_text
from analysis.cost.table import ComparisonCosts, comparison_costs
from analysis.references.yardsticks import UnknownYardstick
from analysis.web import command_output
from analysis.web.command_options import mistakes
from annotate.blind import EVERYTHING
from annotate.management import output as destination
from annotate.models import Campaign
from annotate.named_arguments import scope_named
from people.models import Study


class Command(BaseCommand):
    help = (
        "What each method with stored detections would cost: time to run, time wasted, and how "
        "far the result is from the steady state's. Every interval is drawn 10,000 times; those "
        "that were drawn before are kept."
    )

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("scope", metavar="STUDY/CAMPAIGN|STUDY/DATASET")
        ComparisonQuery.add_arguments(parser, "yardstick", "methods", "common")
        CostQuery.add_arguments(parser)
        parser.add_argument("--what", choices=list(exports.FILES), default="methods")
        command_output.add_arguments(parser, "table", "csv", "json")

    def handle(self, *args: Any, scope: str, **options: Any) -> None:
        destination.refuse_unwritable("--output", options["output"])
        costs, table_name = _found(scope, options), options["what"]
        if table_name != "forks":  # which need no interval
            costs.compute()
        command_output.write_command_table(
            options,
            self.stdout,
            exports.FILES[table_name],
            exports.cost_rows(costs, table_name),
            document=partial(exports.cost_document, costs, table_name),
            text=partial(cost_text, costs) if table_name == "methods" else None,
            allow_nan=True,
        )


def _found(scope: str, options: dict[str, Any]) -> ComparisonCosts:
    cost_query = CostQuery.from_options(options)
    study, query = _asked(scope, options)
    with mistakes(UnknownMethod, UnknownYardstick):
        compared = compare_stored(study, EVERYTHING, query)
    if compared is None:
        raise CommandError(
            f"{scope}: no yardstick yet; a campaign needs complete answers", returncode=2
        )
    cost_query = replace(cost_query, baseline=_baseline(compared, cost_query.baseline))
    costs = comparison_costs(compared, cost_query)
    if costs is None:
        raise CommandError(f"{scope}: {nothing_to_compare(compared)}", returncode=2)
    return costs


def _baseline(compared: ComparisonResult, name: str) -> str:
    """The method that `name` means, among those with an answer. CommandError without one."""
    looks = [look for look in compared.looks.values() if look.name in compared.inputs.methods]
    meant = methods_meant(name, looks) if name else []
    if name and looks and not meant:
        raise CommandError(
            f"--baseline: found {name!r}, expected one of: {named_methods(looks)}", returncode=2
        )
    return meant[0].name if meant else ""


def _asked(scope: str, options: dict[str, Any]) -> tuple[Study, ComparisonQuery]:
    """The study, and the comparison that STUDY/CAMPAIGN or STUDY/DATASET stands for."""
    named_scope = scope_named(scope)
    is_campaign = isinstance(named_scope, Campaign)
    query = ComparisonQuery.from_options(options, dataset="" if is_campaign else named_scope.slug)
    usual = f"campaign:{named_scope.slug}" if is_campaign else ""
    return named_scope.study, query.changed(yardstick=query.yardstick or usual)
