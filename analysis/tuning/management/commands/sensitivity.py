"""`manage.py sensitivity STUDY/CAMPAIGN --method SLUG --vary …`: which parameters matter."""

from __future__ import annotations

from argparse import ArgumentParser
from typing import Any

from django.core.management.base import BaseCommand

from analysis.statistics.parameter_space import PUBLISHED_BASE, STATED_SOBOL
from analysis.tuning import command_options, exports
from analysis.tuning.models import Exploration
from analysis.tuning.query import OUTPUTS, CannotExplore, ExplorationQuery, Kind, ParameterRange
from analysis.web.command_options import mistakes
from annotate.management import output as destination
from people.models import Study


class Command(BaseCommand):
    help = (
        "Sobol' indices of a method's parameters: which of them its errors depend on, with "
        "intervals, and whether a quarter of the samples says the same. Without --wait it is "
        "queued for workers. Status 1: something failed."
    )

    def add_arguments(self, parser: ArgumentParser) -> None:
        command_options.add_arguments(parser, exports.OF_SENSITIVITY)
        parser.add_argument(
            "--samples", metavar="N", type=int, help="base samples, a power of two; default 256"
        )
        parser.add_argument(
            "--of", choices=list(OUTPUTS), default="squared", help="the figure that is split"
        )

    def handle(self, *args: Any, scope: str, **options: Any) -> None:
        destination.refuse_unwritable("--output", options["output"])
        study, code, dataset = command_options.scope_named(
            scope, options["yardstick"], options["dataset"]
        )
        found = self._found(study, code, dataset, options)
        if found.finished:
            choice = command_options.choice_of(found, output=options["of"])
            command_options.print_exploration(self, found, choice, options)

    def _found(self, study: Study, code: str, dataset: str, options: dict[str, Any]) -> Exploration:
        if options["show"]:
            return command_options.ended_exploration(study, options["show"], sensitivity=True)
        method = command_options.method_asked(options)
        published = options["published"]
        with mistakes(CannotExplore):
            ranges = command_options.parameter_ranges(
                method, options["vary"], grid=False, published=published
            )
            held = command_options.held_values(method, options["hold"])
            asked = ExplorationQuery(
                kind=Kind.SENSITIVITY,
                method=method,
                ranges=tuple(map(ParameterRange, STATED_SOBOL.varied)) if published else ranges,
                held=held,
                yardstick=code,
                dataset=dataset,
                samples=options["samples"] or (PUBLISHED_BASE if published else 256),
                seed=options["seed"],
                name=options["name"],
            )
            return command_options.computed_exploration(self, study, asked, wait=options["wait"])
