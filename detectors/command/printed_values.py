"""Values in what a benchmark harness prints while it runs, for `watch`."""

from __future__ import annotations

import json
import math
import re
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass
from itertools import chain, repeat
from typing import Final, NamedTuple

from formats.numbers import parse_number
from formats.units import seconds

MOST_NAMED: Final = 5  # values that cannot be read, each on a line of its own

_JMH_VALUE: Final = re.compile(
    r"(?:\[info\] )?(?:# Warmup )?Iteration +\d+: *(?:n = .*?mean = )?"
    r"(?P<value>≈ \S+|\S+)(?: ±\S* \S+)?(?: (?P<unit>[^\s,]+))?"
)
_JMH_FORK: Final = re.compile(r"(?:\[info\] )?# (?:Warmup )?Fork: ")
_PYPERF_VALUE: Final = re.compile(r"(?:Warmup|Value) \d+: (?P<value>[^(]+)")


class PrintedValue(NamedTuple):
    """One iteration in the output of a harness; NaN where its value cannot be read."""

    value: float
    unit: str
    text: str


@dataclass(frozen=True, slots=True)
class HarnessOutput:
    """Reader of the text of one harness.

    value: the value in a line; None for a line without one. begins: true for a line that begins
    another series.
    """

    title: str
    value: Callable[[str], PrintedValue | None]
    begins: Callable[[str], bool] = lambda _line: False


def _jmh_value(line: str) -> PrintedValue | None:
    match = _JMH_VALUE.match(line)
    if match is None:
        return None
    number = parse_number(match["value"].replace(",", "."), ".")
    printed_value = line.partition(":")[2].strip()
    return PrintedValue(math.nan if number is None else number, match["unit"] or "", printed_value)


def _pyperf_value(line: str) -> PrintedValue | None:
    match = _PYPERF_VALUE.match(line)
    if match is None:
        return None
    printed_value = match["value"].strip()
    length = seconds(printed_value.replace(" sec", " s"))
    return PrintedValue(math.nan if length is None else length, "s", printed_value)


def _k6_value(line: str) -> PrintedValue | None:
    if '"http_req_duration"' not in line or '"Point"' not in line:
        return None
    try:
        point = json.loads(line)
        value = point["data"]["value"]
    except (ValueError, TypeError, KeyError):
        return PrintedValue(math.nan, "ms", line[:60])
    is_number = isinstance(value, int | float) and not isinstance(value, bool)
    return PrintedValue(float(value) if is_number else math.nan, "ms", repr(value))


HARNESSES: Final[Mapping[str, HarnessOutput]] = {
    "jmh": HarnessOutput("JMH", _jmh_value, lambda line: bool(_JMH_FORK.match(line))),
    "pyperf": HarnessOutput("pyperf (--worker -v)", _pyperf_value),
    "k6": HarnessOutput("k6 (--out json=-)", _k6_value),
}


def values_and_unit(
    stream: Iterable[bytes], harness: HarnessOutput, report: Callable[[str], None]
) -> tuple[Iterator[float], str]:
    """Values of the first series that a harness prints, and their unit.

    A value that cannot be read (`≈ 10⁻³ ms/op`) keeps its place: it counts with the value before
    it, or with the first one that can be read; `report` is given a sentence on it.
    """
    printed_series = _first_series(stream, harness)
    for n, iteration in enumerate(printed_series):
        if math.isfinite(iteration.value):
            remaining_text = _append_last(printed_series, iteration, n + 1, report)
            return chain(repeat(iteration.value, n + 1), remaining_text), iteration.unit
        report(_unread_sentence(n, iteration, "the first one that can be read"))
    return iter(()), "s"


def _first_series(stream: Iterable[bytes], harness: HarnessOutput) -> Iterator[PrintedValue]:
    has_begun = False
    for line in stream:
        text = line.decode(errors="replace").strip()
        if (iteration := harness.value(text)) is not None:
            has_begun = True
            yield iteration
        elif has_begun and harness.begins(text):
            return


def _append_last(
    iterations: Iterator[PrintedValue],
    last: PrintedValue,
    begun_at: int,
    report: Callable[[str], None],
) -> Iterator[float]:
    unread_count = 0
    for n, iteration in enumerate(iterations, start=begun_at):
        if math.isfinite(iteration.value) and iteration.unit == last.unit:
            last = iteration
        else:
            unread_count += 1
            if unread_count <= MOST_NAMED:
                report(_unread_sentence(n, iteration, "the value before it"))
        yield last.value


def _unread_sentence(n: int, iteration: PrintedValue, stand_in: str) -> str:
    quoted_text = repr(iteration.text[:60])
    return f"iteration {n}: found {quoted_text}, expected a number; it counts with {stand_in}"
