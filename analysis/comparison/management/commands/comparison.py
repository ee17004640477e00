"""`manage.py comparison STUDY/CAMPAIGN`: the table of the comparison page."""

from __future__ import annotations

import json
from argparse import ArgumentParser
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from django.core.management.base import BaseCommand, CommandError

from analysis.comparison import drilldown, exports
from analysis.comparison.command_checks import (
    missing,
    refuse_unknown_dataset,
    refuse_unknown_part,
    refuse_unknown_sort,
)
from analysis.comparison.inputs import UnknownMethod
from analysis.comparison.method_names import NAMES_OF_METHODS
from analysis.comparison.query import ALPHAS, GROUPINGS, ComparisonQuery
from analysis.comparison.table import ComparisonResult, compare
from analysis.comparison.text_table import comparison_text
from analysis.references.yardsticks import UnknownYardstick, usual_yardstick
from analysis.report.bundle import Report
from analysis.statistics.ranks import ALPHA
from analysis.web.command_options import refuse_negative
from annotate.blind import EVERYTHING
from annotate.management import output as destination
from annotate.named_arguments import part_named
from formats import tables
from people.models import Study
from series.models import Dataset


class Command(BaseCommand):
    help = (
        "Compare stored detections with the ground truth of a campaign, or with the known answers "
        "of a simulated data set. Errors are predicted - truth: positive is too late."
    )

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("scope", metavar="STUDY[/CAMPAIGN]")
        parser.add_argument(
            "--method",
            metavar="SLUG",
            action="append",
            default=[],
            help=NAMES_OF_METHODS,
        )
        parser.add_argument(
            "--index", choices=["steady_start", "published_index"], default="steady_start"
        )
        parser.add_argument(
            "--yardstick",
            metavar="CODE",
            help="known, person:CAMPAIGN:a1, method:SLUG or campaign:CAMPAIGN",
        )
        parser.add_argument("--dataset", metavar="SLUG", default="", help="only its series")
        parser.add_argument("--recording", metavar="LABEL", default="", help="only its series")
        parser.add_argument("--system", metavar="NAME", default="", help="only its series")
        parser.add_argument(
            "--text",
            metavar="WORDS",
            default="",
            help="only series with these words in system, benchmark or parameters",
        )
        parser.add_argument(
            "--tolerance", metavar="ITERATIONS", type=int, help="default: 5 %% of each series"
        )
        parser.add_argument(
            "--excluding",
            metavar="SLUG",
            action="append",
            default=[],
            help="only these methods decide which series are common; may repeat",
        )
        parser.add_argument(
            "--common",
            action="store_true",
            help="measure all methods on the series that all answer; default: each on its own",
        )
        parser.add_argument(
            "--what",
            choices=[name for name in exports.WHATS if name != "series"],
            default="leaderboard",
        )
        parser.add_argument(
            "--alpha", type=float, choices=ALPHAS, default=ALPHA, help="of the rank test"
        )
        parser.add_argument("--by", choices=list(GROUPINGS), default="", help="of the breakdown")
        parser.add_argument("--against-yardstick", metavar="CODE", default="")
        parser.add_argument(
            "--against-index", choices=["steady_start", "published_index"], default=""
        )
        parser.add_argument("--against-tolerance", metavar="ITERATIONS", type=int)
        parser.add_argument(
            "--against-series",
            choices=["common", "own"],
            help="--against-…: a second setting, whose figures stand beside the first one's",
        )
        parser.add_argument("--sort", metavar="COLUMN", default="", help="-COLUMN: greatest first")
        parser.add_argument("--format", choices=["table", "csv", "json"], default="table")
        parser.add_argument("--output", metavar="FILE", type=Path)
        parser.add_argument(
            "--report",
            metavar="FILE",
            type=Path,
            help="write the whole report there instead: FILE.html, or FILE.zip with every table",
        )

    def handle(self, *args: Any, scope: str, **options: Any) -> None:
        _refuse_wrong(options)
        compared = self._compared(scope, options)
        if said := missing(scope, compared):
            self.stderr.write(said)
        if options["report"]:
            _write_report(compared, options["report"])
            return
        pieces = _pieces(compared, options["what"], options["format"])
        destination.write(pieces, options["output"], self.stdout)

    def _compared(self, scope: str, options: dict[str, Any]) -> ComparisonResult:
        study, asked = _asked(scope, options)
        try:
            found = compare(study, EVERYTHING, asked)
        except (UnknownMethod, UnknownYardstick, drilldown.UnknownCell) as error:
            raise CommandError(str(error), returncode=2) from error
        if found is None:
            raise CommandError(
                f"{scope}: no yardstick yet; a campaign needs complete answers", returncode=2
            )
        return found


def _refuse_wrong(options: dict[str, Any]) -> None:
    """CommandError for values that are known to be wrong before anything is computed."""
    refuse_unknown_sort(options["sort"])
    refuse_negative("tolerance", options["tolerance"])
    refuse_negative("against-tolerance", options["against_tolerance"])
    to = options["report"]
    if to and to.suffix not in {".html", ".zip"}:
        raise CommandError(f"found --report {to}, expected FILE.html or FILE.zip", returncode=2)
    destination.refuse_unwritable("--report", to)
    destination.refuse_unwritable("--output", options["output"])


def _asked(scope: str, options: dict[str, Any]) -> tuple[Study, ComparisonQuery]:
    """The study, and the comparison that STUDY/CAMPAIGN or STUDY/DATASET stands for.

    STUDY alone is all of it, by the yardstick that is named or that its page begins with.
    """
    study, part = part_named(scope)
    refuse_unknown_dataset(study, options["dataset"])
    dataset = options["dataset"] or (part.slug if isinstance(part, Dataset) else "")
    refuse_unknown_part(
        study, dataset=dataset, recording=options["recording"], system=options["system"]
    )
    return study, ComparisonQuery(
        yardstick=options["yardstick"] or usual_yardstick(part),
        methods=tuple(options["method"]),
        excluding=tuple(options["excluding"]),
        dataset=dataset,
        recording=options["recording"],
        system=options["system"],
        text=options["text"],
        index=options["index"],
        common=options["common"],
        tolerance=options["tolerance"],
        sort=options["sort"],
        alpha=options["alpha"],
        group=options["by"],
        other_yardstick=options["against_yardstick"],
        other_index=options["against_index"],
        other_tolerance=options["against_tolerance"],
        other_common={"common": True, "own": False}.get(options["against_series"]),
    )


def _write_report(compared: ComparisonResult, to: Path) -> None:
    found = Report(compared)
    if to.suffix == ".zip":
        destination.write_bytes([found.zip], to)
    else:
        destination.write_bytes([found.document.encode()], to)


def _pieces(compared: ComparisonResult, what: str, form: str) -> Iterator[str]:
    found = exports.comparison_table(compared, what)
    if form == "csv":
        return tables.write(found.columns, found.rows)
    if form == "json":
        return iter(
            [json.dumps(exports.comparison_document(compared, what, found), indent=2) + "\n"]
        )
    return comparison_text(compared, what, found)
