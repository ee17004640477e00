"""The context of a stored series for a detector, and series loaded with what it reads."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import ArrayLike

from detectors.contract import BadSeries, Context, Detector, Values, as_durations, as_series
from detectors.learned.crossfit import benchmark_key
from detectors.registry import UnknownDetector, from_key
from formats import RawSamples
from formats.iterations import context_settings
from people.models import Study
from series.models import Series


def load_series(ids: Sequence[int], key: str, study: Study) -> list[Series]:
    """The series with their values in one query, in the order of their primary keys."""
    tables = ["benchmark", "stored"]
    if _needs(key, "samples"):
        tables.append("samples")
    wanted_series = Series.objects.filter(pk__in=ids, benchmark__dataset__study=study)
    return list(wanted_series.select_related(*tables).order_by("pk"))


def _needs(key: str, input_name: str) -> bool:
    try:
        return input_name in wanted_inputs(from_key(key))
    except (UnknownDetector, ValueError):
        return False


def wanted_inputs(detector: Detector) -> tuple[str, ...]:
    """Inputs that the detector reads beside the values, whether or not it can do without."""
    return (*detector.needs, *detector.uses)


def context_of_series(series: Series, *, has_samples: bool = False) -> Context:
    """Context of a stored series beside its values."""
    unit, mode = series.benchmark.unit, series.benchmark.mode
    return Context(
        unit=unit,
        mode=mode,
        seconds_per_iteration=series.seconds_per_iteration,
        settings=context_settings(unit, mode, series.settings),
        samples=_samples(series) if has_samples else None,
        benchmark=benchmark_key(
            series.benchmark.system, series.benchmark.name, series.benchmark.params
        ),
        more_is_better=series.benchmark.direction.more,
    )


def durations_of(series: Series, values: ArrayLike) -> Values | None:
    """The values of a series as methods read them that were made for times.

    None where a rate stands for no duration: such a series can teach them nothing.
    """
    try:
        return as_durations(as_series(values), context_of_series(series))[0]
    except BadSeries:
        return None


def _samples(series: Series) -> RawSamples | None:
    if not hasattr(series, "samples"):
        return None
    packed_samples = series.samples
    return RawSamples(
        offsets=np.frombuffer(packed_samples.offsets, np.dtype("<i8")),
        values=np.frombuffer(packed_samples.values, np.dtype("<f8")),
        counts=np.frombuffer(packed_samples.counts, np.dtype("<i8")),
    )
