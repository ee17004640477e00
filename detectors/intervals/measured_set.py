"""The set M: what is measured once the warm-up is over, with its mean and interval.

Figure 3 of Traini, Di Menna & Cortellessa 2024: the warm-up ends where a method says so, or at the
cap, and the iterations after it are the measurement.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Final

import numpy as np

from detectors.arrays.safe_range import scaled_to_range
from detectors.kernels.cp_ssd import resample_means

RESAMPLES: Final = 2000
TAILS: Final = (0.025, 0.975)
STREAM: Final = np.array([0], dtype=np.uint64)


@dataclass(frozen=True, slots=True)
class MeasuredSet:
    """Values from iteration `first` on, in the unit in which they came.

    at_cap: the warm-up ended by the cap. mean: None of no values; low, high: of the mean, 95 %,
    by resampling the values; None of fewer than two.
    """

    first: int
    values: tuple[float, ...]
    at_cap: bool
    mean: float | None
    low: float | None
    high: float | None

    @classmethod
    def from_values(cls, values: Sequence[float], first: int, *, at_cap: bool) -> MeasuredSet:
        measured_values = tuple(float(value) for value in values)
        mean, low, high = mean_and_interval(measured_values)
        return cls(first, measured_values, at_cap, mean, low, high)

    @property
    def words(self) -> str:
        """One line for people."""
        place_words = f"{len(self.values)} values from {self.first}"
        cap_words = " (the cap)" if self.at_cap else ""
        if self.mean is None:
            return f"measured {place_words}{cap_words}"
        sentence = f"measured {place_words}{cap_words}: mean {self.mean:.6g}"
        return (
            sentence
            if self.low is None
            else f"{sentence}, 95 % from {self.low:.6g} to {self.high:.6g}"
        )

    def as_record(self) -> dict[str, Any]:
        """Record for JSON, without the values."""
        return {
            "first": self.first,
            "n": len(self.values),
            "at_cap": self.at_cap,
            "mean": self.mean,
            "low": self.low,
            "high": self.high,
        }


def mean_and_interval(values: Sequence[float]) -> tuple[float | None, float | None, float | None]:
    """Mean, and the 2.5 and 97.5 % quantiles of the means of 2,000 resamples; always the same."""
    if not values:
        return None, None, None
    scaled_values, exponent = scaled_to_range(np.array(values, dtype=np.float64))
    mean = float(np.ldexp(scaled_values.mean(), exponent))
    if len(values) < 2:
        return mean, None, None
    with np.errstate(over="ignore"):  # the hash wraps around, also uncompiled
        means = resample_means(scaled_values, STREAM, 0, RESAMPLES)
    low, high = np.ldexp(np.quantile(means, TAILS), exponent).tolist()
    return mean, low, high
