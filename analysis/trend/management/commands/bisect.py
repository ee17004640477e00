"""`manage.py bisect STUDY/DATASET`: which build to measure next, until a change is placed."""

from __future__ import annotations

import sys
from argparse import ArgumentParser
from collections.abc import Iterator
from dataclasses import asdict
from pathlib import Path
from typing import Any, Final

from django.core.management.base import BaseCommand, CommandError

from analysis.statistics.build_bisection import Bisection
from analysis.trend.management.commands.trend import named_benchmarks
from analysis.trend.query import TrendQuery
from analysis.trend.starts import UnknownStart, find_start
from analysis.trend.two_builds.bisected import bisected
from analysis.trend.two_builds.table import UnknownBuild
from analysis.web.command_options import mistakes
from analysis.web.templatetags.results import percent_signed
from annotate.blind import EVERYTHING
from annotate.named_arguments import dataset_named
from people import downloads
from people.templatetags.writing import grouped

TO_MEASURE_STATUS: Final = 3


class Command(BaseCommand):
    help = (
        "Say which build to measure next, between one before a change and one after it. Status 0: "
        "the change is placed; 3: a build is to be measured; 2: a mistake."
    )

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("dataset", metavar="STUDY/DATASET")
        for name, place in (("--before", "the change"), ("--after", "it")):
            help_text = f"measured build {name.removeprefix('--')} {place}"
            parser.add_argument(name, metavar="BUILD", required=True, help=help_text)
        parser.add_argument(
            "--benchmark", metavar="WORDS", required=True, help="words of one benchmark's name"
        )
        parser.add_argument(
            "--builds",
            metavar="FILE",
            help="all builds, one a line, the oldest first, such as `git rev-list --reverse` "
            "prints; - is standard input; default: the measured ones",
        )
        TrendQuery.add_arguments(parser, "start")
        parser.add_argument("--format", choices=("text", "json"), default="text")

    def handle(self, *args: Any, dataset: str, **options: Any) -> None:
        measured_dataset = dataset_named(dataset)
        benchmarks = named_benchmarks(measured_dataset, [options["benchmark"]]) or []
        if len(benchmarks) != 1:
            names = ", ".join(benchmark.name for benchmark in benchmarks[:10])
            raise CommandError(
                f"--benchmark: expected words of one benchmark, found {names}", returncode=2
            )
        build_list = listed_builds(options["builds"]) if options["builds"] else []
        with mistakes(UnknownBuild, UnknownStart):
            start = find_start(measured_dataset, options["start"] or "")
            build_ends = options["before"], options["after"]
            state = bisected(benchmarks[0], EVERYTHING, start, build_ends, build_list)
        if options["format"] == "json":
            self.stdout.write(downloads.json_text(asdict(state)), ending="")
        else:
            for line in state_lines(state):
                self.stdout.write(line)
        if state.next_build:
            sys.exit(TO_MEASURE_STATUS)


def listed_builds(file: str) -> list[str]:
    """Lines of a file, or of standard input. CommandError where it cannot be read."""
    try:
        text = sys.stdin.read() if file == "-" else Path(file).read_text("utf-8")
    except (OSError, UnicodeDecodeError) as error:
        raise CommandError(f"--builds: {error}", returncode=2) from error
    return [line.strip() for line in text.splitlines() if line.strip()]


def state_lines(state: Bisection) -> Iterator[str]:
    """State of the search for a reader: levels of measured builds, and what to do."""
    change = percent_signed(state.change - 1)
    if not state.is_certain:
        yield f"No change is certain between both builds: {change}."
        yield f"Next: measure more forks of {state.next_build}."
        return
    for name, level in state.levels.items():
        words = {"unsure": "not sure yet"}.get(level.level, f"as {level.level} the change")
        yield f"{name}: {words}, {round(100 * level.place)} % of the way"
    if state.contradicting:
        yield f"More than one change: {', '.join(state.contradicting)} as before again."
    if not state.next_build:
        yield f"{state.first_after} brought the change of {change}; {state.last_before} is before."
        return
    repeat_words = "more forks of " if state.next_build in state.levels else ""
    yield f"The change of {change} came after {state.last_before} and by {state.first_after}."
    yield (
        f"Next: measure {repeat_words}{state.next_build}; {grouped(state.most_further)} build"
        f"{'s' * (state.most_further != 1)} at most."
    )
