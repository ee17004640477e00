"""Rules of harnesses, and warm-up by configuration: so many iterations of so many seconds.

A series has iterations of its own length (0.1 s, say). A configured iteration of 10 s is then
filled with as many of them as it takes, each of whole operations.
"""

from __future__ import annotations

from abc import abstractmethod
from dataclasses import dataclass

import numpy as np

from detectors.api import NEVER, Context, Detection, Detector, Values, draw, parameter
from detectors.contract import BadSeries, NotAvailable
from detectors.kernels.durations import consumed_count

UNRECORDED_SETTING = "unrecorded_iterations"  # a setting of `Context`
MEASURED_SETTING = "measured_seconds_per_iteration"  # a setting of `Context`
ROUNDING = 1e-9  # of a configured iteration
TIMES = ("", "s", "s/op")  # units in which a value is a time
SINGLE_SHOT = "ss"  # JMH's mode of one operation an iteration


def iteration_time_parameter() -> float:
    """The parameter `iteration_time` of every method that counts seconds."""
    declared_time: float = parameter(
        0.1,
        low=0.0,
        high=1e6,
        unit="s",
        help="Intended length of an iteration of the series, where the series does not say; its "
        "value is the mean of the operations that fill it. 0: of one operation.",
    )
    return declared_time


def iteration_length(context: Context, fallback: float) -> float:
    """Intended length of an iteration in seconds, as far as the series says; 0: one operation."""
    one_operation = context.settings.get("operations_per_iteration") == 1
    if one_operation or context.mode == SINGLE_SHOT:
        return 0.0
    return context.seconds_per_iteration or fallback


def iteration_lengths(count: int, context: Context, length: float) -> Values:
    """Intended seconds of each of `count` iterations; recorded warm-up may have a length apart.

    length  of an iteration; 0: one operation
    """
    lengths = np.full(count, length)
    if not length or context.seconds_per_iteration is None or MEASURED_SETTING in context.settings:
        return lengths
    warm_up, seconds = (context.settings.get(name) for name in ("warmup_values", "warmup_seconds"))
    if isinstance(warm_up, int) and isinstance(seconds, int | float) and warm_up > 0 < seconds:
        lengths[:warm_up] = seconds
    return lengths


def durations(values: Values, context: Context, iteration_time: float) -> Values:
    """Seconds that each iteration took: whole operations, of which a value is the mean.

    Raises BadSeries for a value that is no duration, NotAvailable where values are no times and
    nothing says how long an iteration took.
    """
    if context.unit not in TIMES:
        if context.seconds_per_iteration is None:
            reason = f"values are in {context.unit}, and nothing says how long an iteration took"
            raise NotAvailable(f"{reason}; give its length at the import, such as 100 ms")
        return iteration_lengths(values.size, context, context.seconds_per_iteration)
    wrong_indices = np.flatnonzero(values <= 0)
    if wrong_indices.size:
        wrong_index = int(wrong_indices[0])
        raise BadSeries(
            f"values must be above 0 to be durations; value {wrong_index} is {values[wrong_index]}"
        )
    length = iteration_length(context, iteration_time)
    if not length:
        return values
    lengths = iteration_lengths(values.size, context, length)
    with np.errstate(over="ignore"):  # an operation that takes no time to speak of: endless many
        return np.asarray(np.ceil(lengths / values) * values)


def unrecorded_iterations(context: Context) -> int:
    """Warm-up iterations that the process ran before the first value."""
    return int(context.settings.get(UNRECORDED_SETTING, 0))


def unrecorded_seconds(context: Context, recorded_seconds: Values) -> float:
    """Seconds from the start of the process to the first value.

    recorded_seconds: of each recorded iteration; a warm-up iteration of unknown length counts as
    long as the first of them.
    """
    count = unrecorded_iterations(context)
    if not count or not recorded_seconds.size:
        return 0.0
    stated_seconds = context.settings.get("warmup_seconds")
    is_stated = (
        context.mode != SINGLE_SHOT
        and isinstance(stated_seconds, int | float)
        and stated_seconds > 0
    )
    return count * float(stated_seconds if is_stated else recorded_seconds[0])  # type: ignore[arg-type]  # known: a number


@dataclass(frozen=True, slots=True)
class WarmUpConfiguration:
    """Configured iterations, and the seconds of one."""

    warmup_iterations: int
    warmup_seconds: float
    measurement_iterations: int = 0
    measurement_seconds: float = 0.0
    none_takes_one: bool = False  # the published reading of no warm-up iterations


def detection_after(warmup: int, n: int) -> Detection:
    """Steady after so many of `n` iterations; never, where none is left."""
    if warmup >= n:
        return Detection(NEVER, published_index=n - 1, decided_at=n - 1, flags=("exhausted",))
    return Detection(warmup, published_index=warmup - 1, decided_at=warmup - 1)


class HarnessRule(Detector):
    """Steady after the warm-up that a harness runs; never, when the series ends before."""

    @property
    def iteration_time(self) -> float:
        """Length of an iteration where the series does not say."""
        seconds: float = self.params.iteration_time  # type: ignore[attr-defined]  # each declares it
        return seconds

    @abstractmethod
    def windows(self, values: Values, context: Context) -> tuple[int, int]:
        """Iterations of warm-up, and of measurement after it, as far as the series goes."""

    def measures_unrecorded(self, values: Values, context: Context) -> bool:
        """True where its measurement would begin before the first recorded value."""
        return False

    def detect(self, values: Values, context: Context) -> Detection:
        return detection_after(self.windows(values, context)[0], values.size)

    def evidence(self, values: Values, context: Context) -> draw.Drawings:
        warmup, measurement = self.windows(values, context)
        spans = {"warm-up": (0, warmup), "measurement": (warmup, warmup + measurement)}
        meaning = "Iterations that the configured times fill, as long as each one took."
        return (draw.stage_bands(spans, "as configured", meaning),)


class ConfiguredWarmUp(HarnessRule):
    """So many iterations of so many seconds, from the start of the process on."""

    @abstractmethod
    def configuration(self, context: Context) -> WarmUpConfiguration:
        """Configuration of the series; raises NotAvailable when nothing says."""

    def windows(self, values: Values, context: Context) -> tuple[int, int]:
        c = self.configuration(context)
        if context.mode == SINGLE_SHOT:
            missing_iterations = max(c.warmup_iterations - unrecorded_iterations(context), 0)
            warmup = min(missing_iterations, values.size)
            return warmup, min(c.measurement_iterations, values.size - warmup)
        recorded_seconds = durations(values, context, self.iteration_time)
        warmup = _recorded_warm_up(
            recorded_seconds, c, unrecorded_seconds(context, recorded_seconds)
        )
        if c.measurement_iterations == 0:
            return warmup, 0
        return warmup, consumed_count(
            recorded_seconds[warmup:], c.measurement_seconds, c.measurement_iterations
        )

    def measures_unrecorded(self, values: Values, context: Context) -> bool:
        c, unrecorded_count = self.configuration(context), unrecorded_iterations(context)
        if context.mode == SINGLE_SHOT:
            return unrecorded_count > c.warmup_iterations
        passed_seconds = unrecorded_seconds(
            context, durations(values, context, self.iteration_time)
        )
        return passed_seconds > c.warmup_iterations * c.warmup_seconds * (1 + ROUNDING)


def _recorded_warm_up(
    recorded_seconds: Values, c: WarmUpConfiguration, passed_seconds: float
) -> int:
    """Recorded iterations that belong to the configured warm-up, of which seconds have passed.

    The configured iteration in which the first value lies takes recorded ones for its rest.
    """
    if not passed_seconds:
        has_none = c.warmup_iterations == 0 and not c.none_takes_one
        return (
            0
            if has_none
            else consumed_count(recorded_seconds, c.warmup_seconds, c.warmup_iterations)
        )
    if passed_seconds >= c.warmup_seconds * (c.warmup_iterations - ROUNDING):
        return 0
    whole_count, begun_seconds = divmod(
        passed_seconds + ROUNDING * c.warmup_seconds, c.warmup_seconds
    )
    first = consumed_count(recorded_seconds, c.warmup_seconds - begun_seconds, 1)
    remaining_count = c.warmup_iterations - int(whole_count) - 1
    return (
        first + consumed_count(recorded_seconds[first:], c.warmup_seconds, remaining_count)
        if remaining_count
        else first
    )
