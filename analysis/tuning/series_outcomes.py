"""Costs of tests on the series of an exploration, read from their values."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

import numpy as np

from analysis.references.iteration_seconds import seconds_until
from analysis.statistics.answers import NEVER, Answers
from analysis.statistics.error_seconds import running_seconds
from analysis.statistics.start_outcomes import MeasuredSeries, StartOutcomes, start_outcomes
from series.models import Series
from series.values.read_ahead import read_arrays


def read_outcomes(pks: Sequence[int], truth: Answers) -> StartOutcomes:
    """Start outcomes of series (primary keys) and of the yardstick's answers for them, aligned.

    Time is in seconds; a series whose iterations last nobody knows how long has none. Where that
    is so of all, time is in iterations.
    """
    series_by_pk = Series.objects.select_related("benchmark").in_bulk(list(pks))
    is_timed = any(series_by_pk[pk].iteration_length for pk in pks)
    measured_series = _read_series(pks, series_by_pk, truth, is_timed=is_timed)
    benchmark_pks = [series_by_pk[pk].benchmark_id for pk in pks]
    return start_outcomes(measured_series, benchmark_pks, "s" if is_timed else "iterations")


def _read_series(
    pks: Sequence[int], series_by_pk: Mapping[int, Series], truth: Answers, *, is_timed: bool
) -> Iterator[MeasuredSeries]:
    for series_index, (pk, values) in enumerate(zip(pks, read_arrays(pks), strict=True)):
        series = series_by_pk[pk]
        length, unit = series.iteration_length, series.benchmark.unit
        unrecorded_count = length.recorded_from if length else 0
        times = (
            seconds_until(values, unit, length) if is_timed else running_seconds(np.ones(series.n))
        )
        start = int(np.ceil(truth.index[series_index])) if truth.steady[series_index] else NEVER
        yield MeasuredSeries(values, times, start, unrecorded_count)
