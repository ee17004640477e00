"""`manage.py harness STUDY/DATASET`: what each harness would have done with its series."""

from __future__ import annotations

from argparse import ArgumentParser
from collections.abc import Iterator
from functools import partial
from typing import Any

from django.core.management.base import BaseCommand

from analysis.cost.sentences import error_text, length_text
from analysis.harness import exports
from analysis.harness.query import HarnessQuery
from analysis.harness.reads import harness_runs
from analysis.harness.sentences import harness_note, harness_sentence, span_words
from analysis.harness.table import HarnessRow, HarnessTable
from analysis.references.yardsticks import UnknownYardstick
from analysis.web import command_output
from analysis.web.command_options import mistakes
from annotate.blind import EVERYTHING
from annotate.management import output as destination
from annotate.named_arguments import dataset_named
from people.templatetags.writing import share, whole

HEADS = ("harness", "n", "warm-up", "error", "95 %", "early", "wasted", "in all")


class Command(BaseCommand):
    help = (
        "What the warm-up rules of harnesses would have done with the steady series of a data set: "
        "warm-up, error of the result, share of it that was measured too early, seconds wasted."
    )

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("dataset", metavar="STUDY/DATASET")
        HarnessQuery.add_arguments(parser)
        parser.add_argument("--what", choices=list(exports.FILES), default="harnesses")
        command_output.add_arguments(parser, "table", "csv", "json")

    def handle(self, *args: Any, dataset: str, **options: Any) -> None:
        named_dataset, table_name = dataset_named(dataset), options["what"]
        destination.refuse_unwritable("--output", options["output"])
        with mistakes(UnknownYardstick):
            runs = harness_runs(named_dataset, EVERYTHING, HarnessQuery.from_options(options))
        table = HarnessTable(runs)
        command_output.write_command_table(
            options,
            self.stdout,
            exports.FILES[table_name],
            exports.harness_rows(table, table_name),
            document=partial(exports.harness_document, table, table_name),
            text=partial(harness_text, table) if table_name == "harnesses" else None,
        )


def harness_text(table: HarnessTable) -> Iterator[str]:
    """The sentence, what it rests on, and a line a harness."""
    yield f"{harness_sentence(table)}\n{harness_note(table)}\n\n"
    yield from command_output.aligned([HEADS, *map(_cells, table.rows)])


def _cells(row: HarnessRow) -> tuple[str, ...]:
    if not row.n:
        return (row.choice.title, "0", row.reason or "–", *["–"] * 5)
    error = "–" if row.error.q50 is None else error_text(row.error.q50)
    ends = " to ".join(map(error_text, row.interval)) if row.interval else "–"
    wasted = [
        length_text(seconds or 0.0, in_seconds=True) for seconds in (row.wasted, row.wasted_total)
    ]
    early = share(row.early, 0)
    return (row.choice.title, whole(row.n), span_words(row.warmup), error, ends, early, *wasted)
