"""Units: times become seconds, everything else stays as the file has it."""

from __future__ import annotations

import math
import re
from functools import lru_cache
from typing import NamedTuple

import numpy as np

from formats.measurement import Values

_SPELLINGS = {
    "s": ("s", "sec", "secs", "second", "seconds"),
    "ms": ("ms", "msec", "millis", "millisecond", "milliseconds"),
    "us": ("us", "µs", "μs", "usec", "micros", "microsecond", "microseconds"),
    "ns": ("ns", "nsec", "nanos", "nanosecond", "nanoseconds"),
    "ps": ("ps", "picos", "picosecond", "picoseconds"),
    "min": ("min", "minute", "minutes"),
    "hr": ("hr", "hour", "hours"),
    "day": ("day", "days"),
}
# A quotient of whole numbers: 8 ns / 10**9 is the double nearest to 8e-9, 8 * 1e-9 is not.
_RATIOS = {
    "s": (1, 1),
    "ms": (1, 10**3),
    "us": (1, 10**6),
    "ns": (1, 10**9),
    "ps": (1, 10**12),
    "min": (60, 1),
    "hr": (3600, 1),
    "day": (86400, 1),
}
_RATIO_OF = {text: _RATIOS[unit] for unit, texts in _SPELLINGS.items() for text in texts}

_FORK = r"(?P<fork>[\s_.-]*\b[fF][oO][rR][kK][\s_.-]*\d+)?\Z"
_IN_BRACKETS = re.compile(rf"[\[(](?P<unit>[^\[\]()]+)[\])]{_FORK}")
# Without brackets only what is seldom a word: `sort_min` is no minutes, `size S` no seconds.
_PLAIN = (
    "s|secs?|seconds|ms|msec|millis|milliseconds?|[uµμ]s|usec|micros|microseconds?"
    "|ns|nsec|nanos|nanoseconds?"
)
_AT_THE_END = re.compile(
    rf"(?:^|[\s_,:-])(?P<unit>(?:{_PLAIN})(?:/op)?|ops/(?:{_PLAIN}|min)){_FORK}"
)
_IN_CAPITALS = re.compile(rf"(?<=[a-z0-9])(?P<unit>Ms|Us|Ns|Millis|Micros|Nanos|Seconds){_FORK}")


class Unit(NamedTuple):
    """A unit as stored, and what a file's numbers are multiplied and divided by to be in it."""

    name: str
    times: int = 1
    over: int = 1

    @property
    def is_time(self) -> bool:
        """True for units of durations, whose values are never negative."""
        return self.name in {"s", "s/op"}

    def convert(self, value: float) -> float:
        """One value of the file in this unit."""
        return value * self.times / self.over

    def convert_all(self, values: Values) -> Values:
        """Convert an array of values to this unit; a copy only where something changes."""
        if self.times == self.over:
            return values
        return np.divide(values * self.times, self.over)


@lru_cache(maxsize=256)
def storage_unit(text: str) -> Unit:
    """The unit in which values given in `text` are stored.

    ``ms`` → s, ``us/op`` → s/op, ``ops/ms`` → ``ops/ms``: throughput and everything that is
    not a time keeps its name and its numbers.
    """
    text = text.strip()
    head, slash, denominator = text.partition("/")
    ratio = _RATIO_OF.get(head.strip().lower())
    if ratio is None or (slash and denominator.strip() != "op"):
        return Unit(text)
    return Unit("s/op" if slash else "s", *ratio)


def header_unit(name: str) -> tuple[str, str]:
    """A column's name without its unit, and the unit as written; empty where it names none.

    ``checkout ms``, ``checkout_ms``, ``checkout [ms]`` and ``checkoutMs`` are checkout in ms;
    ``time [ms] fork 3`` is ``time fork 3`` in ms.
    """
    match = _IN_BRACKETS.search(name)
    if match and not (storage_unit(match["unit"]).is_time or "/" in match["unit"]):
        return name, ""
    match = match or _AT_THE_END.search(name) or _IN_CAPITALS.search(name)
    if match is None or name == "s":
        return name, ""
    return name[: match.start()].rstrip(" \t_,:-") + (match["fork"] or ""), match["unit"]


def seconds(text: str) -> float | None:
    """A duration as JMH writes it (``10 s``, ``100 ms``) in seconds; None for anything else."""
    number, _, unit = text.strip().partition(" ")
    parsed_unit = storage_unit(unit)
    if parsed_unit.name != "s":
        return None
    try:
        length = parsed_unit.convert(float(number))
    except ValueError:
        return None
    return length if 0 <= length < math.inf else None
