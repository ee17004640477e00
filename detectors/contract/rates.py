"""Rates (operations a second) as durations: how methods that were made for times read them.

A detector declares in `rates` what it does with a series of which more is better; the sentences
here are what its page says, and the contract's checks hold it to them.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Final, Literal

import numpy as np
from numpy.typing import NDArray

RateConvention = Literal["inverse", "free", "own"]

CONVENTIONS: Final[Mapping[RateConvention, str]] = {
    "inverse": "Inverse. Of rates (more is better) the method reads the time of one operation, "
    "1/x: a series of times and the same series as rates get the same answer. An iteration "
    "without any operation counts as one operation that took the whole iteration, if its length "
    "is known; otherwise there is no answer.",
    "free": "Direction-free. Rates are read as they are: a series and its mirror image, -x, "
    "have the same answer. 1/x has the same steps but other noise, so that its answer may "
    "differ.",
    "own": "Its own.",
}
SECONDS: Final[Mapping[str, float]] = {
    "ns": 1e-9,
    "nsec": 1e-9,
    "us": 1e-6,
    "usec": 1e-6,
    "ms": 1e-3,
    "msec": 1e-3,
    "s": 1.0,
    "sec": 1.0,
    "second": 1.0,
    "min": 60.0,
    "minute": 60.0,
    "h": 3600.0,
    "hr": 3600.0,
    "hour": 3600.0,
    "d": 86400.0,
    "day": 86400.0,
}
PREFIXES: Final[Mapping[str, float]] = {"k": 1e3, "K": 1e3, "M": 1e6, "G": 1e9, "T": 1e12}
PER: Final = re.compile(r"\s{0,9}(?:/|_?\bper\b_?|_per_)\s{0,9}")  # bounded: time is linear
ABBREVIATED: Final = re.compile(
    r"(?P<prefix>[kKMGT])?(?:pps|cps|bps|[qrt]ps|ops|i?ops|fps|hz)", re.IGNORECASE
)


def seconds_of(unit: str) -> tuple[float, str]:
    """Factor of 1/x, and its unit then: ``ops/ms`` → 0.001, ``s/op``.

    A unit that names no time ("score") gives 1 and ``1/score``.
    """
    head, *denominator = PER.split(re.sub("[µμ]", "u", unit.strip()), maxsplit=1)
    denominator_text = "".join(denominator).lower()
    seconds = SECONDS.get(denominator_text) or SECONDS.get(denominator_text.removesuffix("s"))
    if seconds:
        return seconds, "s/op" if head.lower() in {"op", "ops"} else "s"
    abbreviation = ABBREVIATED.fullmatch(unit.strip())
    if abbreviation:
        return 1 / PREFIXES.get(abbreviation["prefix"] or "", 1.0), "s"
    return 1.0, f"1/{unit}" if unit else ""


def durations_of(
    rates: NDArray[np.float64], unit: str, length: float | None
) -> NDArray[np.float64]:
    """The time of one operation in each iteration; NaN where a rate has none.

    length: seconds of an iteration. In one without any operation, one took so long at least.
    """
    scale, _ = seconds_of(unit)
    with np.errstate(divide="ignore", over="ignore", invalid="ignore"):
        seconds = np.minimum(scale / rates, np.finfo(np.float64).max)
    seconds[rates <= 0] = np.nan
    if length:
        seconds[rates == 0] = length
    seconds.setflags(write=False)
    return seconds
