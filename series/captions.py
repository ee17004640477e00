"""Short names of a file's series: what all have in common is left out, what differs stays. Pure."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from formats.params import split
from series.staging import SeriesHeader


@dataclass(frozen=True, slots=True)
class SeriesCaption:
    """`name` tells its benchmark from the others of the file; `detail` the rest: `fork 1`."""

    name: str
    detail: str


def captions(shown: Sequence[SeriesHeader], of: Sequence[SeriesHeader]) -> list[SeriesCaption]:
    """Captions of the series `shown`, which are some of those `of` the file."""
    names = {each.benchmark.name for each in of}
    systems = len({each.benchmark.system for each in of}) > 1
    params = _differing(each.benchmark.params for each in of)
    forks = len({each.fork for each in of}) > 1

    def detail(series: SeriesHeader) -> str:
        said = split(series.benchmark.params).items()
        pairs = [f"{name}={value}" for name, value in said if name in params]
        before = [series.benchmark.system] if systems else []
        return " · ".join([*before, *pairs, *([f"fork {series.fork}"] if forks else [])])

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


def _differing(params: Iterable[str]) -> set[str]:
    """Names of the parameters that do not have the same value everywhere."""
    pairs = [split(each).items() for each in set(params)]
    counts = Counter(pair for each in pairs for pair in each)
    return {name for (name, _), count in counts.items() if count < len(pairs)}
