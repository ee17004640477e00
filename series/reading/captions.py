"""Short names of a file's series: what all have in common is left out, what differs stays. Pure."""

from __future__ import annotations

from collections import Counter, defaultdict
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
    shown_series: Sequence[CaptionedSeries], all_series: Sequence[CaptionedSeries]
) -> list[SeriesCaption]:
    """Captions of the series `shown_series`; `all_series` are those of the whole file or page."""
    series_by_name: dict[str, list[CaptionedSeries]] = defaultdict(list)
    for series in all_series:
        series_by_name[series.benchmark.name].append(series)
    differences_by_name = {name: _Differences.among(rows) for name, rows in series_by_name.items()}
    has_forks = len({series.fork for series in all_series}) > 1

    def detail(series: CaptionedSeries) -> str:
        benchmark, differing_settings = series.benchmark, differences_by_name[series.benchmark.name]
        parts = [benchmark.system] if differing_settings.systems else []
        pairs = split(benchmark.params).items()
        parts += [f"{name}={value}" for name, value in pairs if name in differing_settings.params]
        parts += [f"fork {series.fork}"] if has_forks else []
        parts += [series.recording.label] if differing_settings.recordings else []
        return " · ".join(parts)

    return [
        SeriesCaption(shortest_tail(series.benchmark.name, series_by_name), detail(series))
        for series in shown_series
    ]


@dataclass(frozen=True, slots=True)
class _Differences:
    """Differences among series of one benchmark name: systems, names of parameters, recordings."""

    systems: bool
    params: set[str]
    recordings: bool

    @classmethod
    def among(cls, rows: Sequence[CaptionedSeries]) -> _Differences:
        return cls(
            len({series.benchmark.system for series in rows}) > 1,
            _differing_params(series.benchmark.params for series in rows),
            len({series.recording.label for series in rows}) > 1,
        )


def shortest_tail(name: str, names: Iterable[str]) -> str:
    """The fewest last parts of a dotted `name` that no other of `names` ends in."""
    parts = name.split(".")
    rivals = [other_name.split(".") for other_name in names if other_name != name]
    for count in range(1, len(parts)):
        tail = parts[-count:]
        rivals = [other_parts for other_parts in rivals if other_parts[-count:] == tail]
        if not rivals:
            return ".".join(tail)
    return name


def distinct_packages(benchmarks: Sequence[Benchmark]) -> list[str]:
    """Package of each benchmark, without the leading parts that all packages share."""
    packages = [benchmark.package.split(".") for benchmark in benchmarks]
    levels = takewhile(lambda parts: len(set(parts)) == 1, zip(*packages, strict=False))
    shared_count = len(list(levels))
    return [".".join(package[shared_count:]) for package in packages]


def _differing_params(params: Iterable[str]) -> set[str]:
    """Names of the parameters that do not have the same value everywhere."""
    pairs = [split(text).items() for text in set(params)]
    counts = Counter(pair for series_pairs in pairs for pair in series_pairs)
    return {name for (name, _), count in counts.items() if count < len(pairs)}
