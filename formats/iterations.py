"""The length of an iteration: measured, configured, as its value says, or unknown.

Configured iterations are filled with whole operations, of which the value is the mean. Where a file
has the time of every operation, their sum is how long an iteration lasted. Only where
an iteration is one operation is its value how long it lasted; the two are never taken for one
another.
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Final, TypeAlias, TypeVar

import numpy as np

from formats.measurement import Measurement, Setting
from formats.units import seconds, storage_unit

Seconds = TypeVar("Seconds", float, np.ndarray)
SINGLE_SHOT: Final = "ss"
"""JMH's mode of one operation an iteration."""
TRIALS: Final = "trials"
"""Mode of a run of several trials, all of which count: no warm-up, and their mean is its result."""
ONE_OPERATION: Final = "one operation"
NOT_KNOWN: Final = "not known"
EXPECTED: Final = f"a length such as 100 ms or 1 s, or: {ONE_OPERATION}"

Conditions: TypeAlias = Mapping[str, Setting]
"""`Measurement.settings`, or what is stored of it."""
MEASURED: Final = "measured_seconds_per_iteration"
"""The setting of iterations whose operations were all timed: what these come to, a median."""
FILLED: Final = 0.9  # of the configured length: below, only a part of the operations was timed
ONE_OPERATION_EACH: Final[Conditions] = {"operations_per_iteration": 1}
"""The setting of iterations that are one operation."""
UNRECORDED: Final = "unrecorded_iterations"
"""The setting of warm-up iterations that a process ran before its first recorded value."""
_ROUNDING: Final = 1e-9


@dataclass(frozen=True, slots=True)
class IterationLength:
    """Length of the iterations of a series in time.

    seconds   None: an iteration is one operation and lasts as long as its value says
    warmup, warmup_seconds   so many iterations at the start have a length of their own
    measured  `seconds` is what the timed operations came to, and not a length to be filled
    unrecorded   warm-up iterations that the process ran before the first value, of
    unrecorded_seconds   each; None: as long as the first recorded iteration
    """

    seconds: float | None
    warmup: int = 0
    warmup_seconds: float = 0.0
    measured: bool = False
    unrecorded: int = 0
    unrecorded_seconds: float | None = None

    @property
    def recorded_from(self) -> int:
        """Iterations of the recorded length from the start of the process to the first value.

        Rounded up: so many cover the unrecorded warm-up.
        """
        if not self.unrecorded or not self.seconds or self.unrecorded_seconds is None:
            return self.unrecorded
        return math.ceil(self.unrecorded * self.unrecorded_seconds / self.seconds - _ROUNDING)

    @property
    def warmup_share(self) -> float:
        """Length of each of the `warmup` iterations in lengths of the others."""
        return self.warmup_seconds / self.seconds if self.warmup and self.seconds else 1.0

    def seconds_before_the_first(self, first: Seconds) -> Seconds | float:
        """Seconds of the unrecorded warm-up; `first`: of the first recorded iteration."""
        iteration_seconds = first if self.unrecorded_seconds is None else self.unrecorded_seconds
        return self.unrecorded * iteration_seconds if self.unrecorded else 0.0

    def __str__(self) -> str:
        if self.seconds is None:
            return ONE_OPERATION
        if self.measured:
            return f"{self.seconds:.3g} s, measured"
        first = f", the first {self.warmup} of {self.warmup_seconds:g} s" if self.warmup else ""
        return f"{self.seconds:g} s{first}"


def unrecorded_iterations(settings: Conditions) -> int:
    """Warm-up iterations that the process ran before the first value.

    JMH's JSON leaves the configured ones out. A file that records warm-up says which of its values
    that is (``warmup_values``), and leaves none out.
    """
    if UNRECORDED in settings:
        return _count(settings[UNRECORDED])
    return 0 if "warmup_values" in settings else _count(settings.get("warmup_iterations"))


def _count(setting: object) -> int:
    return max(setting, 0) if isinstance(setting, int) and not isinstance(setting, bool) else 0


def length_of(unit: str, mode: str, settings: Conditions) -> IterationLength | None:
    """Length of the iterations of a series; None where nothing says how long they last.

    A time that is not per operation (``s``) is that of a whole iteration, unless a length is
    configured.
    """
    length = _recorded_length(unit, mode, settings)
    unrecorded_count = unrecorded_iterations(settings)
    if length is None or not unrecorded_count:
        return length
    warmup_seconds = (
        None if mode == SINGLE_SHOT else _positive_number(settings.get("warmup_seconds"))
    )
    return replace(length, unrecorded=unrecorded_count, unrecorded_seconds=warmup_seconds)


def _recorded_length(unit: str, mode: str, settings: Conditions) -> IterationLength | None:
    is_time = storage_unit(unit).is_time
    if is_time and (mode == SINGLE_SHOT or settings.get("operations_per_iteration") == 1):
        return IterationLength(None)
    configured_seconds = _positive_number(settings.get("seconds_per_iteration"))
    if configured_seconds is None:
        return IterationLength(None) if unit == "s" else None
    if (measured_seconds := _positive_number(settings.get(MEASURED))) is not None:
        return IterationLength(measured_seconds, measured=True)
    warmup, warmup_seconds = (
        settings.get("warmup_values"),
        _positive_number(settings.get("warmup_seconds")),
    )
    if isinstance(warmup, int) and warmup > 0 and warmup_seconds not in (None, configured_seconds):
        return IterationLength(configured_seconds, warmup, warmup_seconds or 0.0)
    return IterationLength(configured_seconds)


def measured_length(measurement: Measurement) -> dict[str, Setting]:
    """The setting of what the samples of an iteration come to; nothing where they do not say it.

    They do where they are times of operations and fill the configured length: JMH may time only
    some operations. Each thread fills an iteration with operations of its own.
    """
    configured_seconds = _positive_number(measurement.settings.get("seconds_per_iteration"))
    unit = storage_unit(measurement.unit)
    if measurement.samples is None or configured_seconds is None or not unit.is_time:
        return {}
    sample_totals = measurement.samples.values * measurement.samples.counts
    threads = _positive_number(measurement.settings.get("threads")) or 1.0
    seconds = (
        float(np.median(np.add.reduceat(sample_totals, measurement.samples.offsets[:-1]))) / threads
    )
    return {MEASURED: seconds} if seconds >= FILLED * configured_seconds else {}


def timed_batches(operation_seconds: np.ndarray, operations: np.ndarray) -> dict[str, Setting]:
    """The setting of iterations that are batches of operations, each batch timed as a whole.

    operation_seconds   mean time of an operation, an entry an iteration
    operations          operations of each iteration; one each: an iteration is one operation
    """
    if (operations == 1).all():
        return dict(ONE_OPERATION_EACH)
    seconds = float(np.median(operation_seconds * operations))
    return {"seconds_per_iteration": seconds, MEASURED: seconds}


def context_settings(unit: str, mode: str, settings: Conditions) -> dict[str, Setting]:
    """Settings as methods read them.

    They also say what follows from the others: that an iteration is one operation, and how many
    warm-up iterations were run before the first value.
    """
    length = length_of(unit, mode, settings)
    one_operation = length is not None and length.seconds is None
    unrecorded_count = unrecorded_iterations(settings)
    return {
        **settings,
        **(ONE_OPERATION_EACH if one_operation else {}),
        **({UNRECORDED: unrecorded_count} if unrecorded_count else {}),
    }


def _positive_number(setting: object) -> float | None:
    number = isinstance(setting, int | float) and not isinstance(setting, bool)
    return float(setting) if number and setting > 0 else None  # type: ignore[arg-type,operator]


def stated_settings(text: str) -> dict[str, Setting]:
    """The setting that a person means by `text`, nothing for an empty one.

    Raises ValueError for what is neither a length nor ``one operation``.
    """
    text = " ".join(text.split())
    if not text:
        return {}
    if text.lower() == ONE_OPERATION:
        return dict(ONE_OPERATION_EACH)
    number = text.rstrip("abcdefghijklmnopqrstuvwxyzµμ ")
    length = seconds(f"{number} {text[len(number) :].strip()}")
    if not length:
        raise ValueError(f"found {text!r}, expected {EXPECTED}")
    return {"seconds_per_iteration": length}


def add_iteration_setting(measurement: Measurement, setting: Conditions) -> Measurement:
    """Add what a person stated of the iterations, where the file of `measurement` says nothing
    of them.
    """
    stated_names = {"seconds_per_iteration", "operations_per_iteration"} & set(measurement.settings)
    if not setting or stated_names or measurement.mode == SINGLE_SHOT:
        return measurement
    return replace(measurement, settings={**measurement.settings, **setting})
