"""Checks of every value, whatever file it comes from."""

from __future__ import annotations

import math
from collections.abc import Callable

import numpy as np

from formats.measurement import Values
from formats.source import InputSource
from formats.units import Unit

A_NUMBER = "a finite number"
A_TIME = "a time of zero or more"
EVERY_VALUE = "give the value of every iteration"
INDICES = (
    "all values are whole numbers, each larger than the one before: they look like positions "
    "(change points, say) and not like measurements"
)
_MOST_INDICES = 200  # the published change points of a fork are fewer


def bad_value(value: float, unit: Unit) -> str:
    """Return what was expected instead of `value`; empty if it may stay."""
    if not math.isfinite(value):
        return A_NUMBER
    return A_TIME if unit.is_time and value < 0 else ""


def check_values(
    source: InputSource, values: Values, unit: Unit, where: Callable[[int], str]
) -> None:
    """Raise for the first value that is not finite, or negative in a unit of time."""
    is_bad = ~np.isfinite(values)
    if unit.is_time:
        is_bad |= values < 0
    if not is_bad.any():
        return
    index = int(np.argmax(is_bad))
    value = float(values[index])
    raise source.problem(where(index), found=number_text(value), expected=bad_value(value, unit))


def check_count(source: InputSource, where: str, count: int, hint: str = EVERY_VALUE) -> None:
    """Raise for a series without a value, or beyond the limit.

    One value is a result: of many recordings it makes a trend, of one no steady state.
    """
    if count > source.options.limits.points_per_series:
        raise source.limit_error(where, "points_per_series", found=f"{count:,} values")
    if not count:
        raise source.problem(where, found="no value", expected="at least one value", hint=hint)


def looks_like_indices(values: Values) -> bool:
    """Return whether a series may be a list of positions: short, whole numbers, strictly
    increasing.
    """
    if not 1 < values.size <= _MOST_INDICES:
        return False
    return bool(np.all(values == np.floor(values)) and np.all(values[1:] > values[:-1]))


def number_text(value: float) -> str:
    """A number as JSON and people write it: ``NaN``, ``Infinity``, ``-0.5``."""
    if math.isnan(value):
        return "NaN"
    if math.isinf(value):
        return "Infinity" if value > 0 else "-Infinity"
    return repr(value)


def read_only_values(values: Values) -> Values:
    """The values as the contract wants them: contiguous float64, read-only."""
    array = np.ascontiguousarray(values, dtype=np.float64)
    array = array.view() if array is values else array
    array.flags.writeable = False
    return array
