"""List of disagreements of methods: the series behind a number of the comparison, or all."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from functools import partial
from typing import Any, Final

from analysis.comparison import drilldown, result_changes
from analysis.comparison.drilldown import EXCLUDED, Drilldown, DrilldownRow
from analysis.comparison.query import ComparisonQuery, DrilldownCell, ListQuery
from analysis.comparison.table import ComparisonResult, compare_stored
from analysis.review.cases import find_cases
from analysis.review.disagreement_list import DisagreementList, RowFigure
from analysis.review.people_list import change_title
from analysis.review.query import ReviewQuery
from analysis.statistics.answer_spread import Disagreement
from analysis.statistics.answers import NEVER, Number
from analysis.web.templatetags.results import change_interval, percent_signed
from people.models import Study, User
from people.templatetags.writing import grouped, signed

CHANGE: Final = "Result changes"


def methods_list(
    study: Study, reader: User, query: ComparisonQuery, cell: DrilldownCell, list_query: ListQuery
) -> DisagreementList | None:
    """The series behind the number of `cell`; without one those on which any method differs.

    None in a study without anything to compare with. Raises UnknownCell, UnknownMethod,
    UnknownYardstick, KeyError for a row that is not there.
    """
    comparison = compare_stored(study, reader, query)
    if comparison is None:
        return None
    queue = [
        disagreement
        for disagreement in drilldown.disagreement_queue(comparison)
        if disagreement.differing
    ]
    return DisagreementList(
        study=study,
        kind="methods",
        campaign=comparison.yardstick.campaign,
        yardstick=comparison.yardstick,
        query=query.query(cell, list_query, by="methods"),
        people=partial(_people, study, reader, comparison),
        methods=lambda: len(queue),
        series_count=len(comparison.lines),
        hidden_count=comparison.inputs.left_out,
        looks=comparison.inputs.looks,
        **(
            _drilldown_fields(comparison, cell, list_query)
            if cell.figure
            else _queue_fields(comparison, queue, list_query)
        ),
    )


def _people(study: Study, reader: User, comparison: ComparisonResult) -> int | None:
    """Open cases of people by the same ground truth; None where no people made the yardstick."""
    if comparison.yardstick.kind != "campaign":
        return None
    review = find_cases(study, reader, ReviewQuery(yardstick=comparison.yardstick.code))
    return len(review.cases) if review else None


# --- the series behind a number ---------------------------------------------------------------
def _drilldown_fields(
    comparison: ComparisonResult, cell: DrilldownCell, list_query: ListQuery
) -> dict[str, Any]:
    drilled_series = drilldown.drilldown_for(comparison, cell)
    rows = _BEHIND_ORDERS[list_query.order](comparison, drilled_series.rows)
    head = "Reason" if cell.figure == EXCLUDED else CHANGE if list_query.order == "change" else "Δ"
    return {
        "lines": [row.line for row in rows],
        "figures": partial(_drilldown_figures, drilled_series, list_query, rows),
        "figure_head": head,
        "title": drilled_series.sentence,
        "drilldown": drilled_series,
    }


def _sort_rows(
    comparison: ComparisonResult, rows: Sequence[DrilldownRow]
) -> Sequence[DrilldownRow]:
    index_by_pk = {line.pk: line_index for line_index, line in enumerate(comparison.lines)}
    return sorted(rows, key=lambda row: index_by_pk.get(row.line.pk, len(index_by_pk)))


_BEHIND_ORDERS: Final[Mapping[str, Callable[..., Sequence[DrilldownRow]]]] = {
    "": lambda _, rows: rows,
    "change": lambda _, rows: result_changes.rows_by_change(rows),
    "name": _sort_rows,
}


def _drilldown_figures(
    drilled_series: Drilldown,
    list_query: ListQuery,
    rows: Sequence[DrilldownRow],
    positions: Sequence[int],
) -> list[RowFigure]:
    chosen_rows = [rows[position] for position in positions]
    changes = result_changes.changes_by_series(chosen_rows) if list_query.order == "change" else {}
    return [
        _drilldown_figure(drilled_series, row, list_query, changes.get(row.line.pk))
        for row in chosen_rows
    ]


def _drilldown_figure(
    drilled_series: Drilldown, row: DrilldownRow, list_query: ListQuery, change: Any
) -> RowFigure:
    if row.exclusion_reason:
        return RowFigure(row.exclusion_reason, "left out")
    truth_words = f"{drilled_series.truth_head.lower()} {_answer_words(row.truth)}"
    reason = f"{_answer_words(row.answer)}, {truth_words}"
    if list_query.order == "change":
        change_text = percent_signed(change.share) if change else "–"
        return RowFigure(reason, change_text, change_interval(change))
    return RowFigure(reason, row.verdict or "–" if row.error is None else signed(row.error))


def _answer_words(answer: Number | None) -> str:
    if answer is None:
        return "no answer"
    return "never" if answer == NEVER else grouped(answer)


# --- all series on which methods differ -------------------------------------------------------
def _queue_fields(
    comparison: ComparisonResult, queue: Sequence[Disagreement], list_query: ListQuery
) -> dict[str, Any]:
    rows = _QUEUE_ORDERS[list_query.order](comparison, queue)
    return {
        "lines": [comparison.lines[disagreement.series] for disagreement in rows],
        "figures": partial(_queue_figures, comparison, list_query, rows),
        "figure_head": CHANGE if list_query.order == "change" else "Spread",
    }


_QUEUE_ORDERS: Final[Mapping[str, Callable[..., Sequence[Disagreement]]]] = {
    "": lambda _, queue: queue,
    "change": result_changes.queue_by_change,
    "name": lambda _, queue: sorted(queue, key=lambda disagreement: disagreement.series),
}


def _queue_figures(
    comparison: ComparisonResult,
    list_query: ListQuery,
    rows: Sequence[Disagreement],
    positions: Sequence[int],
) -> list[RowFigure]:
    chosen_disagreements = [rows[position] for position in positions]
    largest_changes = (
        result_changes.changes_by_index(
            comparison.inputs, [disagreement.series for disagreement in chosen_disagreements]
        )
        if list_query.order == "change"
        else {}
    )
    row_figures = []
    for disagreement in chosen_disagreements:
        reason = f"{disagreement.differing} of {disagreement.answered} methods differ"
        largest_change = largest_changes.get(disagreement.series)
        if list_query.order == "change":
            change_text = percent_signed(largest_change.change.share) if largest_change else "–"
            title = (
                change_title(largest_change, comparison.looks[largest_change.method].label)
                if largest_change
                else ""
            )
            row_figures.append(RowFigure(reason, change_text, title))
        else:
            row_figures.append(
                RowFigure(
                    reason, "split" if disagreement.split else grouped(disagreement.spread), _SPREAD
                )
            )
    return row_figures


_SPREAD: Final = (
    "Largest minus smallest steady answer, the yardstick’s included; "
    "split: some say steady, some never"
)
