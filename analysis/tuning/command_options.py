"""Options, start, progress and output that the commands `sensitivity` and `tune` share."""

from __future__ import annotations

import math
import sys
from argparse import ArgumentParser
from collections.abc import Mapping, Sequence
from typing import Any

from django.core.management.base import BaseCommand, CommandError

from analysis.references.yardsticks import usual_yardstick
from analysis.statistics.parameter_space import (
    HALF,
    PUBLISHED_GRID,
    PUBLISHED_SOBOL,
    STATED_SOBOL,
    VariedParameter,
)
from analysis.tuning import plan, services
from analysis.tuning.exports import TuningResults
from analysis.tuning.forms import PUBLISHED_METHOD
from analysis.tuning.models import Exploration
from analysis.tuning.query import (
    CannotExplore,
    ExplorationQuery,
    Kind,
    ParameterRange,
    ResultsChoice,
    checked_range,
    even_range,
    level_range,
)
from analysis.tuning.reads import ExplorationResults, NoResultsYet, exploration_goal
from analysis.web.command_options import NAMES, SEEDS, mistakes
from analysis.web.page_tables import TableNotReady
from analysis.web.table_command import TableCommand
from analysis.work import command_line
from annotate.blind import EVERYTHING
from annotate.named_arguments import part_named
from detectors.contract import Detector, ParameterError
from detectors.registry import UnknownDetector, get
from people.models import Study
from people.repeated_option import add_option
from series.models import Dataset


def add_arguments(command: TableCommand, parser: ArgumentParser) -> None:
    """Add the arguments that both commands take."""
    table_names = list(command.page_tables.tables)
    parser.add_argument("scope", metavar="STUDY/CAMPAIGN", help="or STUDY/DATASET, or STUDY alone")
    parser.add_argument("--method", metavar="SLUG")
    add_option(parser, "--vary", "NAME=LOW:HIGH", "a parameter that varies")
    hold_help = "a parameter fixed at another value than its default"
    add_option(parser, "--hold", "NAME=VALUE", hold_help)
    parser.add_argument(
        "--published",
        action="store_true",
        help="KB-KSSD in the ranges that its paper states; needs no --method",
    )
    parser.add_argument(
        "--yardstick", metavar="CODE", help="known, person:CAMPAIGN:a1, method:SLUG, campaign:…"
    )
    parser.add_argument("--dataset", metavar="SLUG", default="", help="only series of this one")
    parser.add_argument("--seed", metavar="N", type=SEEDS, default=0)
    parser.add_argument("--name", type=NAMES, default="", help="what pages call it")
    parser.add_argument("--wait", action="store_true", help="work until it has ended, then print")
    parser.add_argument("--show", metavar="ID", help="print the results of one that is there")
    parser.add_argument(
        "--what", choices=table_names, default=table_names[0], help="the table to print"
    )
    command.add_format(parser)


# --- asking -----------------------------------------------------------------------------------
def _asked_method(options: Mapping[str, Any]) -> type[Detector]:
    """The method; the published ranges belong to one alone, which need not be named.

    CommandError with status 2 where there is none, another one than theirs, or it cannot work here.
    """
    slug, is_published = options["method"], options["published"]
    if is_published and slug not in {None, PUBLISHED_METHOD}:
        raise CommandError(
            f"--published: the ranges are those of {PUBLISHED_METHOD}, not of {slug}", returncode=2
        )
    slug = PUBLISHED_METHOD if is_published else slug
    if not slug:
        raise CommandError("--method: found nothing, expected the slug of a method", returncode=2)
    with mistakes(UnknownDetector):
        method_class = get(slug)
    if missing_reason := method_class.missing():
        raise CommandError(f"{slug}: {missing_reason}", returncode=2)
    return method_class


def _published_ranges(
    method: type[Detector], kind: Kind
) -> tuple[tuple[ParameterRange, ...], Mapping[str, Any]]:
    """Ranges that vary in the paper, and the values that the paper holds."""
    if kind == Kind.SENSITIVITY:
        return tuple(map(ParameterRange, STATED_SOBOL.varied)), {}
    return tuple(
        level_range(method, *name_and_levels) for name_and_levels in PUBLISHED_GRID.items()
    ), PUBLISHED_SOBOL.fixed


def _range(method: type[Detector], text: str, *, is_grid: bool) -> ParameterRange:
    """Parameter that varies: `NAME=LOW:HIGH`, in a grid `…:LEVELS` or `NAME=A,B,C`."""
    name, equals_sign, range_text = text.partition("=")
    if not equals_sign:
        raise CannotExplore(f"--vary: found {text!r}, expected NAME=LOW:HIGH")
    if "," in range_text:
        if not is_grid:
            raise CannotExplore(f"--vary {text}: levels are for a grid; expected {name}=LOW:HIGH")
        return level_range(
            method, name, [_number(text, level_text) for level_text in range_text.split(",")]
        )
    parts = range_text.split(":")
    if len(parts) not in {2, 3}:
        raise CannotExplore(f"--vary: found {text!r}, expected {name}=LOW:HIGH")
    low, high = _number(text, parts[0]), _number(text, parts[1])
    if is_grid:
        return even_range(method, name, low, high, _count_from_text(text, (*parts, "5")[2]))
    if parts[2:] == ["odd"]:
        checked_range(method, name, low, high)  # raises for a range outside the declared one
        return ParameterRange(VariedParameter(name, low - HALF, high + HALF, "odd"))
    if parts[2:]:
        raise CannotExplore(f"--vary {text}: levels are for a grid; expected {name}=LOW:HIGH")
    return checked_range(method, name, low, high)


def _number(text: str, number_text: str) -> float:
    try:
        number = float(number_text)
    except ValueError:
        number = math.nan
    if not math.isfinite(number):
        raise CannotExplore(f"--vary {text}: found {number_text!r}, expected a number")
    return number


def _count_from_text(text: str, count_text: str) -> int:
    if not count_text.isdecimal():
        raise CannotExplore(f"--vary {text}: found {count_text!r}, expected a number of levels")
    return int(count_text)


def _held_values(method: type[Detector], held_options: Sequence[str]) -> dict[str, Any]:
    """Values of parameters that do not vary."""
    option_parts = [option.partition("=") for option in held_options]
    faulty_names = [name for name, equals_sign, _ in option_parts if not equals_sign]
    if faulty_names:
        raise CannotExplore(f"--hold: found {faulty_names[0]!r}, expected NAME=VALUE")
    text_by_name = {name: value for name, _, value in option_parts}
    try:
        params = method.Params.parse(text_by_name)
    except ParameterError as error:
        raise CannotExplore(f"{method.slug}: {error}") from error
    return {name: getattr(params, name) for name in text_by_name}


def asked_exploration(
    command: BaseCommand, scope: str, options: Mapping[str, Any], kind: Kind, **extra_fields: Any
) -> Exploration:
    """The one that `--show` names, or what the other options ask for. Raises CannotExplore."""
    study, scope_part = part_named(scope)
    if options["show"]:
        return _ended_exploration(study, options["show"], is_sensitivity=kind == Kind.SENSITIVITY)
    method = _asked_method(options)
    if options["published"] and options["vary"]:
        raise CannotExplore("--published has ranges of its own: leave --vary out")
    is_grid = kind == Kind.GRID
    ranges = tuple(_range(method, range_text, is_grid=is_grid) for range_text in options["vary"])
    held_values = _held_values(method, options["hold"])
    if options["published"]:
        ranges, fixed_values = _published_ranges(method, kind)
        held_values = {**fixed_values, **held_values}
    query = ExplorationQuery(
        kind=kind,
        method=method,
        ranges=ranges,
        held=held_values,
        yardstick=options["yardstick"] or usual_yardstick(scope_part),
        dataset=scope_part.slug if isinstance(scope_part, Dataset) else options["dataset"],
        seed=options["seed"],
        name=options["name"],
        **extra_fields,
    )
    return _compute_exploration(command, study, query, wait=options["wait"])


# --- working ----------------------------------------------------------------------------------
def _compute_exploration(
    command: BaseCommand, study: Study, query: ExplorationQuery, *, wait: bool
) -> Exploration:
    """Start it, and with `wait` work on it until it has ended."""
    scope = plan.exploration_scope(study, query.yardstick, query.dataset)
    exploration_plan = plan.plan_exploration(study, query, scope)
    command.stderr.write(
        f"{exploration_plan.sets} parameter sets × {exploration_plan.series_count} series = "
        f"{exploration_plan.answers} answers"
    )
    exploration = services.unfinished_exploration(study, query, scope) if wait else None
    if exploration is not None:
        command.stderr.write("The same exploration had not ended: it goes on.")
    else:
        is_queued = command_line.is_queued(wait=wait)
        exploration = services.start_exploration(study, query, scope, user=None, queued=is_queued)
    command.stderr.write(
        f"{exploration.name} {exploration.public_id}: {exploration.get_absolute_url()}"
    )
    command_line.wait_or_leave(command, exploration, wait=wait)
    return exploration


def _ended_exploration(study: Study, public_id: str, *, is_sensitivity: bool) -> Exploration:
    """One that is there; CommandError with status 2 where it is not, or has not ended."""
    exploration = study.explorations.filter(public_id=public_id).select_related("study").first()
    if exploration is None or exploration.is_sensitivity != is_sensitivity:
        study_explorations = [
            candidate
            for candidate in study.explorations.light()
            if candidate.is_sensitivity == is_sensitivity
        ]
        alternatives = ", ".join(candidate.public_id for candidate in study_explorations) or "none"
        raise CommandError(
            f"no {public_id!r} in {study.slug}; there are: {alternatives}", returncode=2
        )
    if exploration.finished is None:
        raise CommandError(
            f"{public_id} still runs: wait until its page says that it is done", returncode=1
        )
    return exploration


# --- printing ---------------------------------------------------------------------------------
def results_choice(exploration: Exploration, **values: Any) -> ResultsChoice:
    default_choice = {
        "weights": exploration_goal(exploration),
        "most_error": exploration.most_error,
    }
    return ResultsChoice(**{**default_choice, **values})


def print_exploration(
    command: TableCommand,
    exploration: Exploration,
    choice: ResultsChoice,
    options: Mapping[str, Any],
) -> None:
    """Print one table; status 1 where something of it failed."""
    results = ExplorationResults(exploration, EVERYTHING)
    try:
        command.write(TuningResults(results, choice), options["what"], options)
    except (NoResultsYet, TableNotReady) as error:
        failure_text = exploration.units.exclude(error="").values_list("error", flat=True).first()
        failure_words = (
            f" One of the failures: {failure_text.splitlines()[0]}" if failure_text else ""
        )
        raise CommandError(f"{error}{failure_words}", returncode=1) from error
    if (
        exploration.units.filter(failed_count__gt=0).exists()
        or exploration.state != Exploration.State.DONE
    ):
        sys.exit(1)


def exploration_kind(options: Mapping[str, Any]) -> Kind:
    """A grid, unless trials are given. Raises CannotExplore."""
    if options["front"] and options["trials"] is None and not options["show"]:
        raise CannotExplore("--front is looked for by a search: give --trials N")
    if options["trials"] is None:
        return Kind.GRID
    return Kind.FRONT if options["front"] else Kind.SEARCH
