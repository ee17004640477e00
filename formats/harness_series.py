"""Steps that readers of harnesses' files share: from numbers with names to a measurement."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Final

import numpy as np

from formats.checks import A_NUMBER, EVERY_VALUE, check_count, check_values, read_only_values
from formats.iterations import timed_batches
from formats.jmh_names import place, series_label
from formats.measurement import NOTHING_SAID, Measurement, RecordingHint, Setting, Values
from formats.numbers import parse_number
from formats.params import canonical
from formats.source import InputSource
from formats.units import storage_unit

FAILED: Final = "a benchmark failed: its series ends there"  # a note
FEW: Final = 100  # iterations: hardly a method answers for a shorter series


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class HarnessSeries:
    """The values of one process or one call of a harness, in the order measured.

    `unit` as in the file. `operation_counts`: of each value that is the mean of so many that were
    timed together in one thread; empty: not known. `remedy`: how to record more values, where there
    are few. The rest as in `Measurement`.
    """

    benchmark: str
    values: Values | Sequence[float]
    unit: str
    params: Mapping[str, object] = field(default_factory=dict)
    fork: int = 0
    mode: str = ""
    operation_counts: Sequence[float] = ()
    settings: Mapping[str, Setting] = field(default_factory=dict)
    recording: RecordingHint = NOTHING_SAID
    notes: tuple[str, ...] = ()
    remedy: str = ""


def measurement(source: InputSource, series: HarnessSeries) -> Measurement:
    """The series as a measurement; raises `FormatError` for what cannot be one."""
    params, unit = canonical(series.params), storage_unit(series.unit)
    where = place(series.benchmark, params, series.fork)
    values = np.asarray(series.values, dtype=np.float64)
    check_count(source, where, values.size, series.remedy or EVERY_VALUE)
    stored_values = unit.convert_all(values)
    check_values(source, stored_values, unit, lambda index: f"{where}, iteration {index}")
    batch_settings = (
        timed_batches(stored_values, np.asarray(series.operation_counts, dtype=np.float64))
        if len(series.operation_counts) and unit.is_time
        else {}
    )
    return Measurement(
        benchmark=series.benchmark,
        system=source.options.system,
        params=params,
        fork=series.fork,
        values=read_only_values(stored_values),
        label=series_label(series.benchmark, params, series.fork),
        unit=unit.name,
        mode=series.mode,
        settings={**batch_settings, **series.settings},
        recording=series.recording,
        notes=(*series.notes, *_few_values_note(values.size, series.remedy)),
    )


def parse_numbers(
    source: InputSource, texts: Sequence[str], where: Callable[[int], str]
) -> list[float]:
    """Texts as numbers, with a decimal point; `where` names the place of the first that is none."""
    values = []
    for index, text in enumerate(texts):
        if (value := parse_number(text, ".")) is None:
            raise source.problem(where(index), found=repr(text[:40]), expected=A_NUMBER)
        values.append(value)
    return values


def _few_values_note(count: int, remedy: str) -> tuple[str, ...]:
    """Said once for all series of a file, so without their counts."""
    if count >= FEW or not remedy:
        return ()
    return (f"fewer than {FEW} iterations are few to judge a warm-up by: {remedy}",)
