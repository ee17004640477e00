"""Changes of results by answers, for the rows of a list: values are read for these alone."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from typing import Any, Final, NamedTuple, TypeVar

import numpy as np

from analysis.comparison.drilldown import DrilldownRow
from analysis.comparison.inputs import ComparisonInputs
from analysis.comparison.table import ComparisonResult
from analysis.statistics.answer_spread import Disagreement
from analysis.statistics.answers import Answers, Number
from analysis.statistics.steady_summary import ResultChange, change_of_result
from analysis.web.latest_used import LatestUsed
from analysis.web.templatetags.results import change_interval, percent_signed
from annotate.consequences import MarkConsequence, MarkedResult
from formats.tables import Cell
from series.models import Series, SeriesValues
from series.values.read_ahead import read_ahead

COLUMNS: Final = ("change", "change_low", "change_high", "consequence")
QUEUE_COLUMNS: Final = ("change_by", *COLUMNS)
BATCH: Final = 64  # series whose values are in memory at once
ROWS: Final = 500  # series whose digests are asked for at once
KEPT: Final = 50_000  # results, about 300 bytes each
MISSING: Final = object()  # marks a result that is not computed yet; None is a computed result
SteadyAnswers = tuple[tuple[str, Number], ...]  # pairs (method, steady answer)
R = TypeVar("R")


class LargestChange(NamedTuple):
    """The method, by name, whose answer changes the result of a series most, and by how much."""

    method: str
    change: ResultChange


def changes_by_series(rows: Sequence[DrilldownRow]) -> dict[int, ResultChange]:
    """Changes of results by primary key of the series, where both sides say steady."""
    steady_pairs = {row.line.pk: (row.answer, row.truth) for row in rows if row.error is not None}
    return _computed_changes(steady_pairs, _change)


def changes_by_index(
    inputs: ComparisonInputs,
    line_indices: Iterable[int],
    sources: Mapping[str, Answers] | None = None,
) -> dict[int, LargestChange]:
    """Largest changes by place in the comparison's inputs, where the yardstick and a source say
    steady.

    sources  whose answers change the result; the chosen methods that look, if not given
    """
    truth = inputs.truth.answers
    sources = inputs.looking if sources is None else sources
    index_by_pk = {
        inputs.lines[line_index].pk: line_index
        for line_index in line_indices
        if truth.steady[line_index]
    }
    answers_and_truths = {
        pk: (_steady_answers(sources, line_index), truth.value(line_index))
        for pk, line_index in index_by_pk.items()
    }
    return {
        index_by_pk[pk]: largest_change
        for pk, largest_change in largest_changes(answers_and_truths).items()
    }


def largest_changes(
    answers_and_truths: Mapping[int, tuple[SteadyAnswers, Number | None]],
) -> dict[int, LargestChange]:
    """Largest changes by primary key of the series: of named steady answers against the truth."""
    return _computed_changes(answers_and_truths, _largest_change)


def changes_of_marks(marked_results: Mapping[int, MarkedResult]) -> dict[int, MarkConsequence]:
    """The mark of each series that changes its result most against the ground truth."""
    marks_and_truths = {
        pk: (tuple(marked_result.marks), marked_result.truth)
        for pk, marked_result in marked_results.items()
    }
    return {
        pk: _consequence(largest_change)
        for pk, largest_change in largest_changes(marks_and_truths).items()
    }


def _consequence(largest_change: LargestChange) -> MarkConsequence:
    change = largest_change.change
    matters = change.word == "matters"
    change_texts = percent_signed(change.share), change_interval(change)
    return MarkConsequence(
        largest_change.method, change.share, change.low, change.high, matters, *change_texts
    )


def queue_by_change(compared: ComparisonResult, rows: Sequence[Disagreement]) -> list[Disagreement]:
    """Largest change of the result first, those without one last, in their order before."""
    changes = changes_by_index(compared.inputs, [row.series for row in rows])
    return sorted(rows, key=lambda row: _change_sort_key(changes.get(row.series)))


def rows_by_change(rows: Sequence[DrilldownRow]) -> list[DrilldownRow]:
    """Rows behind a number, largest change of the result first."""
    changes = changes_by_series(rows)
    return sorted(
        rows, key=lambda row: -abs(changes[row.line.pk].share) if row.line.pk in changes else 1
    )


def _change_sort_key(largest_change: LargestChange | None) -> float:
    return 1.0 if largest_change is None else -abs(largest_change.change.share)


def _steady_answers(sources: Mapping[str, Answers], line_index: int) -> SteadyAnswers:
    named_answers = ((name, source.value(line_index)) for name, source in sources.items())
    return tuple((name, value) for name, value in named_answers if value is not None and value >= 0)


def _largest_change(
    values: np.ndarray, answers: SteadyAnswers, truth: Number | None
) -> LargestChange | None:
    """Results of all starts come from one pass; only the one furthest off is asked for more."""
    n = values.size
    starts = {name: int(value) for name, value in answers if value < n}
    if truth is None or truth >= n or not starts:
        return None
    means = np.cumsum(values[::-1])[::-1] / np.arange(n, 0, -1)
    name = max(starts, key=lambda method: abs(means[starts[method]] - means[int(truth)]))
    change = _change(values, starts[name], truth)
    return None if change is None else LargestChange(name, change)


def _change(values: np.ndarray, answer: Number | None, truth: Number | None) -> ResultChange | None:
    if answer is None or truth is None or not max(answer, truth) < values.size:
        return None  # an index as published may lie behind the last iteration
    return change_of_result(values, int(answer), int(truth))


# --- computed once ----------------------------------------------------------------------------
# Values never change, so what two answers make of them does not either. A queue of hundreds of
# series is asked for again and again, one of its answers changes now and then.
_kept: LatestUsed[tuple[object, ...], Any] = LatestUsed(KEPT)


def _computed_changes(
    arguments: Mapping[int, tuple[Any, Any]],
    compute_change: Callable[[np.ndarray, Any, Any], R | None],
) -> dict[int, R]:
    """Results of `compute_change` for the values and arguments of each series; None is left out."""
    key_by_pk = {
        pk: (compute_change.__name__, digest, *arguments[pk])
        for pk, digest in _digests(list(arguments))
    }
    result_by_pk: dict[int, Any] = {pk: _kept.get(key, MISSING) for pk, key in key_by_pk.items()}
    for pk, values in _values([pk for pk, result in result_by_pk.items() if result is MISSING]):
        result_by_pk[pk] = _kept.keep(key_by_pk[pk], compute_change(values, *arguments[pk]))
    known_pks = (pk for pk in arguments if pk in result_by_pk)
    return {
        pk: result_by_pk[pk]
        for pk in known_pks
        if result_by_pk[pk] is not None and result_by_pk[pk] is not MISSING
    }


def _digests(keys: Sequence[int]) -> Iterator[tuple[int, str]]:
    for start in range(0, len(keys), ROWS):
        rows = Series.objects.filter(pk__in=keys[start : start + ROWS])
        yield from rows.values_list("pk", "digest")


def _values(keys: Sequence[int]) -> Iterator[tuple[int, np.ndarray]]:
    for start in range(0, len(keys), BATCH):
        batch = SeriesValues.objects.filter(series__in=keys[start : start + BATCH])
        for series_values in read_ahead(batch):
            yield series_values.pk, series_values.array()


def change_cells(change: ResultChange | None) -> tuple[Cell, ...]:
    """Cells of COLUMNS; empty where one side does not say steady."""
    if change is None:
        return (None,) * len(COLUMNS)
    return change.share, change.low, change.high, change.word


def change_queue_cells(largest_change: LargestChange | None) -> tuple[Cell, ...]:
    """Cells of QUEUE_COLUMNS."""
    return (
        (None, *change_cells(None))
        if largest_change is None
        else (largest_change.method, *change_cells(largest_change.change))
    )
