"""What answers would change of results, for the rows of a list: values are read for these alone."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Final, NamedTuple

import numpy as np

from analysis.comparison.cells import Behind
from analysis.comparison.inputs import Inputs
from analysis.comparison.table import Compared
from analysis.statistics import Change, Disagreement, change_of_result
from analysis.statistics.answers import Number
from formats.tables import Cell
from series.models import SeriesValues

COLUMNS: Final = ("change", "change_low", "change_high", "consequence")
QUEUE_COLUMNS: Final = ("change_by", *COLUMNS)
BATCH: Final = 64  # series whose values are in memory at once


class Largest(NamedTuple):
    """The method, by name, whose answer changes the result of a series most, and by how much."""

    method: str
    change: Change


def changes(rows: Sequence[Behind]) -> dict[int, Change]:
    """By primary key of the series, where both sides say steady."""
    both = {row.line.pk: row for row in rows if row.error is not None}
    found = {}
    for pk, values in _values(list(both)):
        change = _change(values, both[pk].answer, both[pk].truth)
        if change is not None:
            found[pk] = change
    return found


def largest(compared: Compared, rows: Sequence[Disagreement]) -> dict[int, Largest]:
    """By place in the comparison: where the yardstick and any method say steady."""
    return largest_at(compared.inputs, [row.series for row in rows])


def largest_at(inputs: Inputs, places: Iterable[int]) -> dict[int, Largest]:
    """The same for some places of what a comparison reads."""
    truth = inputs.truth.answers
    wanted = {inputs.lines[at].pk: at for at in places if truth.steady[at]}
    found = {}
    for pk, values in _values(list(wanted)):
        most = _largest(values, _answers(inputs, wanted[pk]), truth.value(wanted[pk]))
        if most is not None:
            found[wanted[pk]] = most
    return found


def _answers(inputs: Inputs, at: int) -> Mapping[str, Number]:
    answers = ((name, one.value(at)) for name, one in inputs.methods.items())
    return {name: value for name, value in answers if value is not None and value >= 0}


def _largest(
    values: np.ndarray, answers: Mapping[str, Number], truth: Number | None
) -> Largest | None:
    """Results of all starts come from one pass; only the one furthest off is asked for more."""
    size = values.size
    starts = {name: int(value) for name, value in answers.items() if value < size}
    if truth is None or truth >= size or not starts:
        return None
    means = np.cumsum(values[::-1])[::-1] / np.arange(size, 0, -1)
    name = max(starts, key=lambda each: abs(means[starts[each]] - means[int(truth)]))
    change = _change(values, starts[name], truth)
    return None if change is None else Largest(name, change)


def _change(values: np.ndarray, answer: Number | None, truth: Number | None) -> Change | None:
    if answer is None or truth is None or not max(answer, truth) < values.size:
        return None  # an index as published may lie behind the last iteration
    return change_of_result(values, int(answer), int(truth))


def _values(keys: Sequence[int]) -> Iterator[tuple[int, np.ndarray]]:
    for start in range(0, len(keys), BATCH):
        for stored in SeriesValues.objects.filter(series__in=keys[start : start + BATCH]):
            yield stored.pk, stored.array()


def cells(change: Change | None) -> tuple[Cell, ...]:
    """Cells of COLUMNS; empty where one side does not say steady."""
    if change is None:
        return (None,) * len(COLUMNS)
    return change.share, change.low, change.high, change.word


def queue_cells(most: Largest | None) -> tuple[Cell, ...]:
    """Cells of QUEUE_COLUMNS."""
    return (None, *cells(None)) if most is None else (most.method, *cells(most.change))
