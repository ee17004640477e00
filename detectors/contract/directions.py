"""Better direction of each unit: the one table of units, for trends, imports, charts and files.

A unit is looked up as it is written in files of CSIT, JMH, Google Benchmark, Gatling and others;
case, blanks and underscores do not count. What stands in no line is assumed to be better for
less, and said to be assumed.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import lru_cache
from typing import Final, Literal

Better = Literal["more", "less"]
DirectionSource = Literal["owner", "unit", "mode", "assumed"]

ASSUMED: Final[Better] = "less"
"""What is taken where neither unit nor mode says anything: most measurements are times."""

_SAID: Final[dict[DirectionSource, str]] = {
    "owner": "an owner said so",
    "unit": "by the unit",
    "mode": "by the mode",
    "assumed": "assumed, for nothing says so",
}


def _words(text: str) -> frozenset[str]:
    return frozenset(text.split())


_TIMES: Final = _words(
    "s sec secs second seconds ms msec msecs millis millisecond milliseconds us usec usecs micros "
    "microsecond microseconds ns nsec nsecs nanos nanosecond nanoseconds ps min mins minute "
    "minutes h hr hrs hour hours d day days"
)
_ABBREVIATED: Final = _words("pps cps bps qps rps tps ops iops fps eps mps hz flops flop mips")
"""Rates that say "per second" by their last letter; with a prefix they are `Mpps`, `Gbps`."""
_PER: Final = re.compile(  # bounded: time is linear
    r"[\s_]{0,9}(?:\bper\b|(?<=[a-z])per(?=second)|_per_|/)[\s_]{0,9}"
)
_SCALED: Final = re.compile(r"(?:[kmgtp]i?)?(?P<rate>[a-z]+)")
_WORDS_OF_MORE: Final = _words(
    "score scores point points mark marks throughput bandwidth speedup ipc insns/clk insn/cycle "
    "instructions/cycle ops/j ops/w"
)
_LOSSES: Final = _words(
    "error errors err errs failure failures failed ko fault faults page-faults miss misses "
    "cache-misses branch-misses drop drops dropped loss losses lost timeout timeouts retry "
    "retries retransmits abort aborts conflict conflicts stalls"
)
_RESOURCES: Final = _words(
    "b byte bytes kb mb gb tb kib mib gib tib bit bits j mj kj joule joules w mw watt watts cycle "
    "cycles clks instruction instructions insns alloc allocs allocations counts cpi clks/insn "
    "cycles/instruction"
)
_PER_PIECE: Final = _words(
    "op operation call invocation iter iteration request req packet pkt query transaction item "
    "element frame byte event msg message run"
)
_MODES: Final[dict[str, Better]] = {
    "thrpt": "more",
    "throughput": "more",
    "avgt": "less",
    "averagetime": "less",
    "sample": "less",
    "sampletime": "less",
    "ss": "less",
    "singleshottime": "less",
}


@dataclass(frozen=True, slots=True)
class Direction:
    """Better direction of values, and who says so: an owner, the unit, the mode, or nobody."""

    better: Better
    source: DirectionSource

    def __str__(self) -> str:
        return f"{self.better} is better: {_SAID[self.source]}"

    @property
    def more(self) -> bool:
        return self.better == "more"

    @property
    def is_known(self) -> bool:
        return self.source != "assumed"


@lru_cache(maxsize=1024)
def direction_of(unit: str, mode: str = "") -> Direction:
    """Better direction of values in `unit`; `mode` (JMH's) decides where the unit is unknown."""
    if unit_direction := _direction_of(_normalised_unit(unit)):
        return Direction(unit_direction, "unit")
    if mode_direction := _MODES.get(mode.lower()):
        return Direction(mode_direction, "mode")
    return Direction(ASSUMED, "assumed")


def is_rate(unit: str) -> bool:
    """True where `unit` counts something in a time: operations a second, packets, bytes."""
    text = _normalised_unit(unit)
    head, slash, denominator = text.rpartition("/")
    return (denominator in _TIMES and head not in _TIMES) if slash else _is_abbreviated(text)


def _normalised_unit(unit: str) -> str:
    """Unit in small letters, without blanks; `items_per_second` is `items/second`."""
    return _PER.sub("/", re.sub(r"[µμ]", "u", unit.strip()).lower())


def _direction_of(text: str) -> Better | None:
    """Whole names first, then losses, times, rates, and what one piece takes."""
    head, _, denominator = text.rpartition("/") if "/" in text else (text, "", "")
    if text in _WORDS_OF_MORE:
        return "more"
    if text in _RESOURCES or head in _LOSSES or head in _TIMES:
        return "less"
    if is_rate(text):
        return "more"
    return "less" if denominator in _PER_PIECE else None


def _is_abbreviated(text: str) -> bool:
    scale_match = _SCALED.fullmatch(text)
    return text in _ABBREVIATED or (scale_match is not None and scale_match["rate"] in _ABBREVIATED)
