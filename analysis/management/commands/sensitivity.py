"""`manage.py sensitivity STUDY/CAMPAIGN --method SLUG --vary …`: which parameters matter."""

from __future__ import annotations

from argparse import ArgumentParser
from typing import Any

from django.core.management.base import BaseCommand, CommandError

from analysis.explorations import files
from analysis.explorations.asked import Asked, CannotExplore, Kind, Range
from analysis.explorations.results import OUTPUTS
from analysis.management import exploring
from analysis.models import Exploration
from analysis.statistics.varied import PUBLISHED_BASE, PUBLISHED_SOBOL
from annotate.management import output as destination
from people.models import Study


class Command(BaseCommand):
    help = (
        "Sobol' indices of a method's parameters: which of them its errors depend on, with "
        "intervals, and whether a quarter of the samples says the same. Without --wait it is "
        "queued for workers. Status 1: something failed."
    )

    def add_arguments(self, parser: ArgumentParser) -> None:
        exploring.add_arguments(parser, files.OF_SENSITIVITY)
        parser.add_argument(
            "--samples", metavar="N", type=int, help="base samples, a power of two; default 256"
        )
        parser.add_argument(
            "--of", choices=list(OUTPUTS), default="squared", help="the figure that is split"
        )

    def handle(self, *args: Any, scope: str, **options: Any) -> None:
        destination.refuse_unwritable("--output", options["output"])
        study, code, dataset = exploring.scope_named(
            scope, options["yardstick"], options["dataset"]
        )
        found = self._found(study, code, dataset, options)
        if found.finished:
            choice = exploring.choice_of(found, output=options["of"])
            exploring.written(self, found, choice, options)

    def _found(self, study: Study, code: str, dataset: str, options: dict[str, Any]) -> Exploration:
        if options["show"]:
            return exploring.shown(study, options["show"], sensitivity=True)
        method = exploring.method_named(options["method"])
        published = options["published"]
        try:
            ranges = exploring.ranges(method, options["vary"], grid=False, published=published)
            held = exploring.held(method, options["hold"])
            asked = Asked(
                kind=Kind.SENSITIVITY,
                method=method,
                ranges=tuple(map(Range, PUBLISHED_SOBOL.varied)) if published else ranges,
                held={**PUBLISHED_SOBOL.fixed, **held} if published else held,
                yardstick=code,
                dataset=dataset,
                samples=options["samples"] or (PUBLISHED_BASE if published else 256),
                seed=options["seed"],
                name=options["name"],
            )
            return exploring.computed(self, study, asked, wait=options["wait"])
        except CannotExplore as error:
            raise CommandError(str(error), returncode=2) from error
