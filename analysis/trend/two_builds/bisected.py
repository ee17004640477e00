"""Search for the build at which one benchmark changed, on the recordings of its data set."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from typing import Final

from analysis.statistics.answers import Floats
from analysis.statistics.build_bisection import Bisection, bisection
from analysis.trend.starts import TrendStart
from analysis.trend.steady_means import MeanBudget
from analysis.trend.two_builds.table import Build, UnknownBuild, build_names, measured_side
from annotate.blind import Reader
from series.models import Benchmark, Recording

COMMIT: Final = re.compile("[0-9a-f]{40}")
SHORTENED_COMMIT: Final = re.compile("[0-9a-f]{7,}")


def bisected(
    benchmark: Benchmark,
    reader: Reader,
    start: TrendStart,
    ends: tuple[str, str],
    listed: Sequence[str] = (),
) -> Bisection:
    """State of the search between two measured builds. Raises UnknownBuild.

    listed  builds in their order, the oldest first, measured or not; without any those that
            were measured
    """
    before, after = ends
    measured = build_names(benchmark.dataset)[::-1]
    names = list(listed or measured)
    for name in ends:
        if name not in names:
            raise UnknownBuild(f"no build {name!r} among {len(names)}: {', '.join(names[:10])}")
    first, last = names.index(before), names.index(after)
    if first >= last:
        raise UnknownBuild(f"{before} does not come before {after}")
    names = names[first : last + 1]
    forks = dict(_measured_forks(benchmark, reader, start, names))
    for name in ends:
        if name not in forks:
            raise UnknownBuild(f"{benchmark.name} has no result of {name}; measure it first")
    return bisection(names, forks)


def _measured_forks(
    benchmark: Benchmark, reader: Reader, start: TrendStart, names: Sequence[str]
) -> Iterator[tuple[str, Floats]]:
    """Name of each build with a result of the benchmark, and steady means of its forks."""
    recordings = list(benchmark.dataset.recordings.all())
    for name in names:
        build_recordings = [recording for recording in recordings if _is_of(recording, name)]
        if build_recordings:
            build = Build(benchmark.dataset, name, build_recordings)
            means = measured_side(build, reader, start, MeanBudget()).forks_of(benchmark)
            if means.size:
                yield name, means


def _is_of(recording: Recording, name: str) -> bool:
    """True for a recording of the build; its commit may be shortened where `name` is complete."""
    build = recording.build or recording.label
    if build == name:
        return True
    is_shortened = COMMIT.fullmatch(name) and SHORTENED_COMMIT.fullmatch(build)
    return bool(is_shortened) and name.startswith(build)
