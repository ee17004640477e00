"""Trials: several values of one run, as FD.io CSIT measures a maximum receive rate. All count."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Final

from analysis.statistics.answers import Floats
from analysis.trend.starts import TrendSeries
from formats.iterations import TRIALS
from series.models import Benchmark, SeriesValues

MOST_RUNS: Final = 1_000  # newest runs of which trials are read


def trial_benchmarks(rows: Sequence[TrendSeries]) -> set[int]:
    """Primary keys of benchmarks of one data set, that of `rows`, whose values are trials."""
    if not rows:
        return set()
    trial_rows = Benchmark.objects.filter(dataset__benchmarks=rows[0].benchmark_pk, mode=TRIALS)
    return set(trial_rows.values_list("pk", flat=True))


def run_trials(benchmark: Benchmark, public_ids: Sequence[str]) -> Mapping[int, Floats]:
    """Trials of series of a benchmark by place in `public_ids`; empty where values are none."""
    if benchmark.mode != TRIALS:
        return {}
    place_by_id = {public_id: place for place, public_id in enumerate(public_ids)}
    ids = list(place_by_id)[-MOST_RUNS:]
    rows = SeriesValues.objects.filter(series__public_id__in=ids).select_related("series")
    return {place_by_id[values.series.public_id]: values.array() for values in rows}
