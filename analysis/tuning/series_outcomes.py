"""Costs of tests on the series of an exploration, read from their values."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Final

import numpy as np

from analysis.references.iteration_seconds import seconds_before
from analysis.statistics.answers import NEVER, Answers
from analysis.statistics.seconds import running
from analysis.statistics.start_outcomes import MeasuredSeries, StartOutcomes, start_outcomes
from series.models import Series, SeriesValues
from series.read_ahead import read_ahead

BATCH: Final = 64  # series whose values are in memory at once


def read_outcomes(ids: Sequence[int], truth: Answers) -> StartOutcomes:
    """Of series (primary keys) and the yardstick's answers for them, aligned.

    Time is in seconds; a series whose iterations last nobody knows how long has none. Where that
    is so of all, time is in iterations.
    """
    rows = Series.objects.select_related("benchmark").in_bulk(list(ids))
    is_timed = any(rows[pk].iteration_length for pk in ids)
    read = _read(ids, rows, truth, is_timed=is_timed)
    benchmarks = [rows[pk].benchmark_id for pk in ids]
    return start_outcomes(read, benchmarks, "s" if is_timed else "iterations")


def _read(
    ids: Sequence[int], rows: Mapping[int, Series], truth: Answers, *, is_timed: bool
) -> Iterator[MeasuredSeries]:
    for begin in range(0, len(ids), BATCH):
        part = ids[begin : begin + BATCH]
        stored = SeriesValues.objects.in_bulk(list(part))
        for at, each in enumerate(read_ahead(stored[pk] for pk in part), begin):
            values, series = each.array(), rows[each.pk]
            length, unit = series.iteration_length, series.benchmark.unit
            time = seconds_before(values, unit, length) if is_timed else running(np.ones(series.n))
            start = int(np.ceil(truth.index[at])) if truth.steady[at] else NEVER
            yield MeasuredSeries(values, time, start)
