"""`manage.py tune STUDY/CAMPAIGN --method SLUG --vary …`: which parameters would be best."""

from __future__ import annotations

import sys
from argparse import ArgumentParser
from typing import Any

from django.core.management.base import CommandError

from analysis.statistics.tuning_objectives import OBJECTIVES
from analysis.tuning import command_options, page, taking_presets
from analysis.tuning.exports import TUNING_TABLES
from analysis.tuning.models import Exploration
from analysis.tuning.query import AT_A_GIVEN_ERROR, GOAL, CannotExplore, ResultsChoice, checked_goal
from analysis.tuning.reads import ExplorationResults, NoResultsYet
from analysis.tuning.taking_presets import PresetError
from analysis.web.command_options import mistakes
from analysis.web.table_command import TableCommand
from annotate.blind import EVERYTHING
from annotate.management import output as destination
from people.repeated_option import add_option


class Command(TableCommand):
    help = (
        "Run a method with every combination of levels (--vary NAME=A,B,C or NAME=LOW:HIGH:LEVELS)"
        " or by a search (--trials N). Prints the best sets on the data that they were chosen on, "
        "and the worth of the choice on unseen systems. Without --wait it is queued for "
        "workers. Status 1: something failed."
    )

    page_tables = TUNING_TABLES

    def add_arguments(self, parser: ArgumentParser) -> None:
        command_options.add_arguments(self, parser)
        parser.add_argument("--trials", metavar="N", type=int, help="search instead of a grid")
        parser.add_argument(
            "--front",
            action="store_true",
            help="search for the Pareto front of all weighted figures (with --trials)",
        )
        weight_help = f"what is made small, of: {', '.join(OBJECTIVES)}"
        add_option(parser, "--weight", "FIGURE=WEIGHT", weight_help)
        parser.add_argument(
            "--most-error",
            metavar="PERCENT",
            type=float,
            help="only sets whose result is off by no more; alone it makes machine_time small",
        )
        parser.add_argument("--preset", metavar="NAME", help="keep the best set under this name")

    def handle(self, *args: Any, scope: str, **options: Any) -> None:
        destination.refuse_unwritable("--output", options["output"])
        with mistakes(CannotExplore):
            goal = _goal(options["weight"], options["most_error"])
            exploration = command_options.asked_exploration(
                *(self, scope, options, command_options.exploration_kind(options)),
                samples=options["trials"] or 0,
                goal=goal,
                most_error=options["most_error"],
            )
        if not exploration.finished:
            return
        choice = command_options.results_choice(exploration, **_chosen_options(options, goal))
        name = options["preset"]
        is_kept = self._keep_preset(exploration, choice, name) if name else True
        command_options.print_exploration(self, exploration, choice, options)
        if not is_kept:
            sys.exit(1)

    def _keep_preset(self, exploration: Exploration, choice: ResultsChoice, name: str) -> bool:
        """Keep the best set, where it is better than the defaults; False and a word where not."""
        reading = ExplorationResults(exploration, EVERYTHING)
        try:
            *best_rows, default_row = page.tuning_result(reading, choice).best
            if not best_rows or best_rows[0].score >= default_row.score:
                self.stderr.write("No preset is kept: no set is better than the defaults.")
                return False
            preset = taking_presets.take_preset(
                reading, choice, best_rows[0].set_index, name, user=None
            )
        except NoResultsYet:
            return False  # the table lists every set
        except PresetError as error:
            raise CommandError(str(error), returncode=2) from error
        self.stderr.write(f"Kept as {preset}: {preset.detector_key}")
        return True


def _chosen_options(options: dict[str, Any], goal: dict[Any, float]) -> dict[str, Any]:
    """Options that concern the results; defaults are those of the exploration."""
    most_error = options["most_error"]
    weights = {"weights": goal} if options["weight"] or most_error is not None else {}
    return weights if most_error is None else {**weights, "most_error": most_error}


def _goal(weight_options: list[str], most_error: float | None) -> dict[Any, float]:
    """The weights. Raises CannotExplore."""
    if not weight_options:
        return dict(GOAL if most_error is None else AT_A_GIVEN_ERROR)
    weights = {}
    for weight_option in weight_options:
        name, _, weight_text = weight_option.partition("=")
        try:
            weights[name] = float(weight_text or 1)
        except ValueError:
            raise CannotExplore(
                f"--weight {weight_option}: found {weight_text!r}, expected a number"
            ) from None
    return dict(checked_goal(weights))
