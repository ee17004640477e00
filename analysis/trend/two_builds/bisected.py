"""Search for the build at which one benchmark changed, on the recordings of its data set."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Final

from analysis.statistics.answers import Floats
from analysis.statistics.build_bisection import Bisection, bisection
from analysis.trend.starts import TrendStart
from analysis.trend.steady_means import MeanBudget
from analysis.trend.two_builds.table import Build, UnknownBuild, build_names, measured_side
from annotate.blind import Reader
from series.models import Benchmark, Recording

COMMIT: Final = re.compile("[0-9a-f]{7,40}")
"""A commit, which may be shortened."""


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
    recordings = list(benchmark.dataset.recordings.all())
    forks: dict[str, Floats] = {}
    for name in names:
        build = Build(
            benchmark.dataset,
            name,
            [recording for recording in recordings if _is_of(recording, name)],
        )
        means = measured_side(build, reader, start, MeanBudget()).forks_of(benchmark)
        if means.size:
            forks[name] = means
    for name in ends:
        if name not in forks:
            raise UnknownBuild(f"{benchmark.name} has no result of {name}; measure it first")
    return bisection(names, forks)


def _is_of(recording: Recording, name: str) -> bool:
    """True for a recording of the build; that of a commit may have been shortened."""
    build = recording.build or recording.label
    return build == name or bool(COMMIT.fullmatch(build) and name.startswith(build))
