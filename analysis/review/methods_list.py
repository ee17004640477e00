"""What methods disagree about, as a list: the series behind a number of the comparison, or all."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from functools import partial
from typing import Any, Final

from analysis.comparison import consequences, drilldown
from analysis.comparison.drilldown import EXCLUDED, Drilldown, DrilldownRow
from analysis.comparison.query import ComparisonQuery, DrilldownCell, ListQuery
from analysis.comparison.table import ComparisonResult, compare
from analysis.review.cases import find_cases
from analysis.review.disagreement_list import DisagreementList, RowFigure
from analysis.review.people_list import change_title
from analysis.review.query import ReviewQuery
from analysis.statistics.answers import NEVER, Number
from analysis.statistics.disagreement import Disagreement
from analysis.web.templatetags.results import change_interval, percent_signed
from people.models import Study, User
from people.templatetags.writing import signed, whole

CHANGE: Final = "Result changes"


def methods_list(
    study: Study, reader: User, asked: ComparisonQuery, cell: DrilldownCell, by: ListQuery
) -> DisagreementList | None:
    """The series behind the number of `cell`; without one those on which any method differs.

    None in a study without anything to compare with. Raises UnknownCell, UnknownMethod,
    UnknownYardstick, KeyError for a row that is not there.
    """
    compared = compare(study, reader, asked)
    if compared is None:
        return None
    queue = [one for one in drilldown.disagreement_queue(compared) if one.differing]
    return DisagreementList(
        study=study,
        kind="methods",
        campaign=compared.yardstick.campaign,
        yardstick=compared.yardstick,
        query=asked.query(cell, by, by="methods"),
        people=partial(_people, study, reader, compared),
        methods=lambda: len(queue),
        of=len(compared.lines),
        left_out=compared.inputs.left_out,
        looks=compared.inputs.looks,
        **(_behind(compared, cell, by) if cell.figure else _differing(compared, queue, by)),
    )


def _people(study: Study, reader: User, compared: ComparisonResult) -> int | None:
    """Open cases of people by the same ground truth; None where no people made the yardstick."""
    if compared.yardstick.kind != "campaign":
        return None
    review = find_cases(study, reader, ReviewQuery(yardstick=compared.yardstick.code))
    return len(review.cases) if review else None


# --- the series behind a number ---------------------------------------------------------------
def _behind(compared: ComparisonResult, cell: DrilldownCell, by: ListQuery) -> dict[str, Any]:
    listed = drilldown.drilldown_of(compared, cell)
    rows = _BEHIND_ORDERS[by.order](compared, listed.rows)
    head = "Reason" if cell.figure == EXCLUDED else CHANGE if by.order == "change" else "Δ"
    return {
        "lines": [row.line for row in rows],
        "figures": partial(_behind_figures, listed, by, rows),
        "figure_head": head,
        "title": listed.sentence,
        "drilldown": listed,
    }


def _by_name(compared: ComparisonResult, rows: Sequence[DrilldownRow]) -> Sequence[DrilldownRow]:
    at = {line.pk: place for place, line in enumerate(compared.lines)}
    return sorted(rows, key=lambda row: at.get(row.line.pk, len(at)))


_BEHIND_ORDERS: Final[Mapping[str, Callable[..., Sequence[DrilldownRow]]]] = {
    "": lambda _, rows: rows,
    "change": lambda _, rows: consequences.rows_by_change(rows),
    "name": _by_name,
}


def _behind_figures(
    listed: Drilldown, by: ListQuery, rows: Sequence[DrilldownRow], places: Sequence[int]
) -> list[RowFigure]:
    chosen = [rows[at] for at in places]
    changes = consequences.changes_by_series(chosen) if by.order == "change" else {}
    return [_behind_figure(listed, row, by, changes.get(row.line.pk)) for row in chosen]


def _behind_figure(listed: Drilldown, row: DrilldownRow, by: ListQuery, change: Any) -> RowFigure:
    if row.excluded:
        return RowFigure(row.excluded, "left out")
    why = f"{_said(row.answer)}, {listed.truth_head.lower()} {_said(row.truth)}"
    if by.order == "change":
        shown = percent_signed(change.share) if change else "–"
        return RowFigure(why, shown, change_interval(change))
    return RowFigure(why, row.verdict or "–" if row.error is None else signed(row.error))


def _said(answer: Number | None) -> str:
    if answer is None:
        return "no answer"
    return "never" if answer == NEVER else whole(answer)


# --- all series on which methods differ -------------------------------------------------------
def _differing(
    compared: ComparisonResult, queue: Sequence[Disagreement], by: ListQuery
) -> dict[str, Any]:
    rows = _QUEUE_ORDERS[by.order](compared, queue)
    return {
        "lines": [compared.lines[one.series] for one in rows],
        "figures": partial(_queue_figures, compared, by, rows),
        "figure_head": CHANGE if by.order == "change" else "Spread",
    }


_QUEUE_ORDERS: Final[Mapping[str, Callable[..., Sequence[Disagreement]]]] = {
    "": lambda _, queue: queue,
    "change": consequences.queue_by_change,
    "name": lambda _, queue: sorted(queue, key=lambda one: one.series),
}


def _queue_figures(
    compared: ComparisonResult, by: ListQuery, rows: Sequence[Disagreement], places: Sequence[int]
) -> list[RowFigure]:
    chosen = [rows[at] for at in places]
    largest = (
        consequences.largest_at(compared.inputs, [one.series for one in chosen])
        if by.order == "change"
        else {}
    )
    found = []
    for one in chosen:
        why = f"{one.differing} of {one.answered} methods differ"
        most = largest.get(one.series)
        if by.order == "change":
            shown = percent_signed(most.change.share) if most else "–"
            title = change_title(most, compared.looks[most.method].label) if most else ""
            found.append(RowFigure(why, shown, title))
        else:
            found.append(RowFigure(why, "split" if one.split else whole(one.spread), _SPREAD))
    return found


_SPREAD: Final = (
    "Largest minus smallest steady answer, the yardstick’s included; "
    "split: some say steady, some never"
)
