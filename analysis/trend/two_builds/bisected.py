"""Search for the build at which one benchmark changed, on the recordings of its data set."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from typing import Final

from analysis.statistics.answers import Floats
from analysis.statistics.build_bisection import Bisection, bisection
from analysis.trend.recording_history import sort_recordings
from analysis.trend.starts import TrendStart
from analysis.trend.steady_means import MeanBudget
from analysis.trend.two_builds.table import Build, UnknownBuild, build_name, measured_side
from annotate.blind import Reader
from series.models import Benchmark, Dataset, Recording

COMMIT: Final = re.compile("[0-9a-f]{40}")
SHORTENED_COMMIT: Final = re.compile("[0-9a-f]{7,}")


def bisected(
    benchmark: Benchmark,
    reader: Reader,
    start: TrendStart,
    ends: tuple[str, str],
    listing: Sequence[str] = (),
) -> Bisection:
    """State of the search between two measured builds. Raises UnknownBuild.

    listed  builds in their order, the oldest first, measured or not, with or without the one
            before the change; without any, those that were measured, by their first recording
    """
    names = list(listing) or builds_by_time(benchmark.dataset)
    before, after = (_listed_name(names, name) for name in ends)
    if after not in names or (before not in names and not listing):
        missing = after if after not in names else before
        raise UnknownBuild(f"no build {missing!r} among {len(names)}: {', '.join(names[:10])}")
    if before not in names:  # `git rev-list before..after` leaves its first commit out
        names.insert(0, before)
        if names.index(after) == 1 < len(names) - 1:
            raise UnknownBuild(f"the list begins with {after}; expected the oldest build first")
    first, last = names.index(before), names.index(after)
    if first >= last:
        raise UnknownBuild(f"{before} does not come before {after}; expected the older build first")
    names = names[first : last + 1]
    forks = dict(_measured_forks(benchmark, reader, start, names))
    for name in (before, after):
        if name not in forks:
            raise UnknownBuild(f"{benchmark.name} has no result of {name}; measure it first")
    return bisection(names, forks)


def builds_by_time(dataset: Dataset) -> list[str]:
    """Builds of a data set in the order of their first recordings."""
    return list(dict.fromkeys(map(build_name, sort_recordings(dataset.recordings.all()))))


def _listed_name(names: Sequence[str], name: str) -> str:
    """Complete name of a commit that is given shortened; every other name as it is."""
    commits = [build for build in names if COMMIT.fullmatch(build) and build.startswith(name)]
    return commits[0] if len(commits) == 1 and SHORTENED_COMMIT.fullmatch(name) else name


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
    build = build_name(recording)
    if build == name:
        return True
    is_shortened = COMMIT.fullmatch(name) and SHORTENED_COMMIT.fullmatch(build)
    return bool(is_shortened) and name.startswith(build)
