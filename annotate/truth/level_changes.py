"""Changes of level that the people of a campaign marked, and those on which they agree.

Nothing is stored but the marks: each reading makes the agreed changes of the latest ones.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import Final, TypeAlias

from annotate import blind, recipes
from annotate.blind import Reader
from annotate.models import Annotator, Assignment, Campaign, Mark, Task
from annotate.recipes import agreed_changes as recipe
from annotate.recipes.agreed_changes import AgreedChange
from annotate.recipes.jagt import EPS, MIN_SAMPLES
from annotate.recipes.parameters import canonical_parameters, clean
from annotate.truth.exports import pseudonyms
from formats.tables import TableColumn
from series.models import Series
from series.values.exports import DATASET_SERIES_COLUMNS, DIGEST

WITHOUT_CHANGE: Final = {
    "none": "no change",
    "disagree": "people disagree",
    "too-few": "too few answers",
}
"""Words of a page for a series without an agreed change."""


@dataclass(frozen=True)
class SeriesChanges:
    """One series with what each person marked in it.

    answers   positions by pseudonym; an empty tuple says that nothing changes
    unclear   pseudonyms of those who could not say
    complete  everybody asked has answered, or the campaign is closed
    """

    task: Task
    answers: Mapping[str, tuple[int, ...]]
    unclear: frozenset[str]
    complete: bool
    params: Mapping[str, int]

    @property
    def series(self) -> Series:
        return self.task.series

    @cached_property
    def agreed(self) -> tuple[AgreedChange, ...]:
        """Changes of level on which enough people agree, in rising order."""
        return recipe.agreed_changes(self.answers, self.params)

    @property
    def has_enough_answers(self) -> bool:
        """True if as many people have answered as a change needs."""
        return len(self.answers) >= self.params["min_samples"]

    @property
    def agreement(self) -> str:
        """Outcome, such as `none`: everybody who could say says that nothing changes."""
        if not self.has_enough_answers:
            return "too-few"
        if self.agreed:
            return "agreed"
        return "disagree" if any(self.answers.values()) else "none"

    @property
    def agreement_words(self) -> str:
        return WITHOUT_CHANGE.get(self.agreement, self.agreement)

    @property
    def positions(self) -> list[int]:
        return [change.position for change in self.agreed]

    @property
    def cells(self) -> dict[str, str]:
        """Answer of each person in words, by pseudonym."""
        words = {name: _words(positions) for name, positions in self.answers.items()}
        return {**words, **dict.fromkeys(self.unclear, "unclear")}


def _words(positions: Iterable[int]) -> str:
    return " ".join(map(str, positions)) or "none"


def changed_series(
    campaign: Campaign, reader: Reader, *, series_pks: Collection[int] | None = None
) -> list[SeriesChanges]:
    """Read the campaign's series that `reader` may see, by position, with their latest answers.

    series_pks  primary keys of series; None for all
    """
    if not campaign.asks_changes:
        return []
    tasks = blind.without_open(reader, campaign.tasks.counted())
    if series_pks is not None:
        tasks = tasks.filter(series__among=list(series_pks))
    names = dict(Annotator.objects.filter(campaign=campaign).values_list("user_id", "pseudonym"))
    latest_marks: dict[int, dict[str, Mark | None]] = {}
    assignments = Assignment.objects.filter(task__in=tasks.values("pk")).select_related("latest")
    for assignment in assignments:
        latest_marks.setdefault(assignment.task_id, {})[names[assignment.user_id]] = (
            assignment.latest
        )
    related_tables = "series__benchmark__dataset", "series__recording"
    ordered_tasks = tasks.select_related(*related_tables).order_by("position")
    return [
        _series_changes(campaign, task, latest_marks.get(task.pk, {})) for task in ordered_tasks
    ]


def _series_changes(
    campaign: Campaign, task: Task, latest_marks: Mapping[str, Mark | None]
) -> SeriesChanges:
    order = sorted(latest_marks, key=recipes.annotator_order)
    marks = {name: mark for name in order if (mark := latest_marks[name])}
    return SeriesChanges(
        task,
        {name: tuple(mark.changes) for name, mark in marks.items() if mark.changes is not None},
        frozenset(name for name, mark in marks.items() if mark.kind == Mark.Kind.UNCLEAR),
        campaign.state == Campaign.State.CLOSED or len(marks) == len(latest_marks) > 0,
        clean((EPS, MIN_SAMPLES), campaign.params),
    )


# --- file -----------------------------------------------------------------------------------------
@dataclass(frozen=True, slots=True)
class ChangeRow:
    """One row of the file: an agreed change, or a series without any."""

    series_changes: SeriesChanges
    number: int = 0
    change: AgreedChange | None = None

    @property
    def agreement(self) -> str:
        return self.series_changes.agreement if self.series_changes.complete else "incomplete"


Column: TypeAlias = TableColumn[ChangeRow]
_OF_CHANGE: Final[tuple[TableColumn[AgreedChange], ...]] = (
    TableColumn(
        "position",
        lambda change: change.position,
        "first iteration of the new level, 0-based; empty without an agreed change",
    ),
    TableColumn("people", lambda change: len(change.people), "how many marked it"),
    TableColumn("low", lambda change: change.low, "first mark of its cluster"),
    TableColumn("high", lambda change: change.high, "last mark of its cluster"),
)
_BEFORE: Final[tuple[Column, ...]] = (
    *(
        column.column_of_part(lambda row: row.series_changes.series)
        for column in DATASET_SERIES_COLUMNS
    ),
    Column("change", lambda row: row.number or None, "number of the change, from 1; empty: none"),
    *(column.column_of_part(lambda row: row.change) for column in _OF_CHANGE),
    Column(
        "agreement",
        lambda row: row.agreement,
        "agreed; none: all say that nothing changes; disagree, too-few or incomplete",
    ),
    Column("annotators", lambda row: len(row.series_changes.cells), "how many have answered"),
)
_AFTER: Final[tuple[Column, ...]] = (
    Column("recipe", lambda _: recipe.SLUG, "recipe that made the ground truth"),
    Column(
        "recipe_params",
        lambda row: canonical_parameters(row.series_changes.params),
        "its parameters",
    ),
    DIGEST.column_of_part(lambda row: row.series_changes.series),
)


def level_changes_table(people: Iterable[str] = ("a1, a2, …",)) -> tuple[Column, ...]:
    """The columns of the file, one for each pseudonym among them."""
    return (*_BEFORE, *map(_answer_column, people), *_AFTER)


def _answer_column(name: str) -> Column:
    meaning = "changes that each annotator marked, “none” or “unclear”; empty: no answer"
    return Column(name, lambda row: row.series_changes.cells.get(name), meaning)


def level_changes_rows(
    campaign: Campaign, reader: Reader
) -> tuple[tuple[Column, ...], Iterator[ChangeRow]]:
    """The columns of the file, and its rows: one an agreed change, and one for each series without.

    Changes of a series count once it is complete: until then it has one row without a position.
    """
    rows = (row for changes in changed_series(campaign, reader) for row in _rows_of_series(changes))
    return level_changes_table(pseudonyms(campaign)), rows


def _rows_of_series(changes: SeriesChanges) -> list[ChangeRow]:
    agreed_positions = changes.agreed if changes.complete else ()
    rows = [
        ChangeRow(changes, number, change)
        for number, change in enumerate(agreed_positions, start=1)
    ]
    return rows or [ChangeRow(changes)]
