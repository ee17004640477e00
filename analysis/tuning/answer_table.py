"""The answers of an exploration as one table, put together from its parts."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from analysis.statistics.answers import Bools
from analysis.tuning.designs import answers_of
from analysis.tuning.models import Exploration, Part
from detectors.parameter_sets import NO_ANSWER, Table


@dataclass(frozen=True, slots=True, eq=False)
class AnswerMatrix:
    """Answers so far: int32 (planned sets, series), -2 where there is none yet.

    complete  bool (sets,): every series of the exploration has been asked under this set
    """

    table: Table
    complete: Bools


def rows_of(exploration: Exploration) -> AnswerMatrix:
    """Everything that is stored of the planned sets."""
    shape = exploration.planned, exploration.series_count
    table = np.full(shape, NO_ANSWER, np.int32)
    asked = np.zeros(exploration.planned, np.int64)
    done = exploration.units.filter(state=Part.State.DONE).exclude(answers=b"")
    for part in done.iterator(chunk_size=50):
        sets = slice(part.first_set, part.first_set + part.sets)
        series = slice(part.first_series, part.first_series + part.series)
        table[sets, series] = answers_of(bytes(part.answers), part.sets, part.series)
        asked[sets] += part.series
    return AnswerMatrix(table, asked == exploration.series_count)
