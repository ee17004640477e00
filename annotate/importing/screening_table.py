"""Columns of a screening's table: votes and majority of each series."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Final, TypeAlias

from annotate import recipes
from annotate.importing.screening import ScreenedSeries, Verdict
from annotate.models import Mark
from formats.tables import TableColumn
from series.values.exports import DATASET_SERIES_COLUMNS, DIGEST

Column: TypeAlias = TableColumn[ScreenedSeries]
ANSWERS: Final[dict[Verdict, str]] = {"steady": "steady", "never": "never"}


def _answer(row: ScreenedSeries) -> str:
    """Undecided while somebody has yet to vote in an open screening, and without a majority."""
    return ANSWERS.get(row.verdict, "undecided") if row.settled else "undecided"


def _agreement(row: ScreenedSeries) -> str:
    return row.verdict if row.settled else "incomplete"


BEFORE: Final[tuple[Column, ...]] = (
    *(column.column_of_part(lambda row: row.task.series) for column in DATASET_SERIES_COLUMNS),
    Column("answer", _answer, "steady, never or undecided: the majority of the votes"),
    Column(
        "steady_start",
        lambda row: recipes.NEVER if _answer(row) == "never" else None,
        "-1 never; empty otherwise: a screening asks for no iteration",
    ),
    Column("majority", _agreement, "steady, never, tied, no vote or incomplete"),
    Column("steady", lambda row: row.count(Mark.Kind.STEADY), "votes for steady"),
    Column("never", lambda row: row.count(Mark.Kind.NEVER), "votes for never"),
    Column(
        "unclear",
        lambda row: row.count(Mark.Kind.UNCLEAR),
        "answers of unclear, which are no votes",
    ),
)
AFTER: Final[tuple[Column, ...]] = (DIGEST.column_of_part(lambda row: row.task.series),)


def screening_columns(people: Iterable[str] = ("a1, a2, …",)) -> tuple[Column, ...]:
    """The columns of the file, one for each pseudonym among them."""
    return (*BEFORE, *map(_vote_column, people), *AFTER)


def _vote_column(name: str) -> Column:
    meaning = "vote of each annotator: steady, never, unclear; empty no answer"
    return Column(name, lambda row: _vote_kind(row, name), meaning)


def _vote_kind(row: ScreenedSeries, name: str) -> str:
    mark = dict(row.votes).get(name)
    return mark.kind if mark else ""
