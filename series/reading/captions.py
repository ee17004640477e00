"""Short names of a file's series: what all have in common is left out, what differs stays. Pure."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from itertools import takewhile
from typing import TYPE_CHECKING

from formats.params import split
from series.reading.staging import SeriesHeader

if TYPE_CHECKING:  # the process that reads files knows no database
    from series.models import Benchmark, Series

    CaptionedSeries = SeriesHeader | Series


@dataclass(frozen=True, slots=True)
class SeriesCaption:
    """`name` tells its benchmark from the others of the file; `detail` the rest: `fork 1`."""

    name: str
    detail: str


def captions(
    shown: Sequence[CaptionedSeries], of: Sequence[CaptionedSeries]
) -> list[SeriesCaption]:
    """Captions of the series `shown`, which are some of those `of` the file or page."""
    names = {series.benchmark.name for series in of}
    systems = len({series.benchmark.system for series in of}) > 1
    params = _differing(series.benchmark.params for series in of)
    forks = len({series.fork for series in of}) > 1
    recordings = len({series.recording.label for series in of}) > 1

    def detail(series: CaptionedSeries) -> str:
        parts = [series.benchmark.system] if systems else []
        pairs = split(series.benchmark.params).items()
        parts += [f"{name}={value}" for name, value in pairs if name in params]
        parts += [f"fork {series.fork}"] if forks else []
        parts += [series.recording.label] if recordings else []
        return " · ".join(parts)

    return [
        SeriesCaption(shortest_tail(each.benchmark.name, names), detail(each)) for each in shown
    ]


def shortest_tail(name: str, names: Iterable[str]) -> str:
    """The fewest last parts of a dotted `name` that no other of `names` ends in."""
    parts = name.split(".")
    others = [other.split(".") for other in names if other != name]
    for count in range(1, len(parts)):
        tail = parts[-count:]
        others = [other for other in others if other[-count:] == tail]
        if not others:
            return ".".join(tail)
    return name


def distinct_packages(benchmarks: Sequence[Benchmark]) -> list[str]:
    """Package of each benchmark, without the leading parts that all packages share."""
    packages = [benchmark.package.split(".") for benchmark in benchmarks]
    levels = takewhile(lambda parts: len(set(parts)) == 1, zip(*packages, strict=False))
    shared = len(list(levels))
    return [".".join(package[shared:]) for package in packages]


def _differing(params: Iterable[str]) -> set[str]:
    """Names of the parameters that do not have the same value everywhere."""
    pairs = [split(each).items() for each in set(params)]
    counts = Counter(pair for each in pairs for pair in each)
    return {name for (name, _), count in counts.items() if count < len(pairs)}
