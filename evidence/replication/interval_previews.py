"""Previews of the interval of a measured ratio beside exact intervals, of published series.

    python -m evidence.replication.interval_previews [FOLDER]

Fork 0 of each series that most people call steady: steady from the middle one of the marks on, 100
values measured from several iterations on. Ends with status 1 if more than a few previews judge
otherwise than the exact interval.
"""

from __future__ import annotations

import sys
from argparse import Namespace
from collections.abc import Iterator

import numpy as np

from analysis.statistics.answers import Floats
from analysis.statistics.measurement_deviation import (
    RARE,
    CondensedForks,
    RatioInterval,
    preview,
    ratio_interval,
)
from evidence.replication.published_files import study_command
from evidence.replication.published_study import PublishedStudy
from formats.markdown import head, row

STARTS, MEASURED = (10, 50, 100, 200, 500), 100  # iterations from which on so many are measured
MOST_WRONG = 0.01  # of previews of intervals whose ends are not close to 1


def compare_previews(study: PublishedStudy, _: Namespace) -> int:
    """Ends and judgements of previews, with the rarest values drawn one by one and without."""
    exact_and_previews = list(previewed(study))
    print(f"Previews of {len(exact_and_previews)} intervals of published series:\n")
    heads = ("values drawn one by one", "differing (exact)", "otherwise (not close)")
    print(head(*heads, "error / width"))
    has_failed = not exact_and_previews
    for rare in (RARE, 0):
        preview_and_exact = [(previews[rare], exact) for exact, previews in exact_and_previews]
        wrong = [
            exact
            for previewed_interval, exact in preview_and_exact
            if previewed_interval.differs != exact.differs
        ]
        apart = sum(not exact.close for exact in wrong)
        size = np.quantile(
            [off(previewed_interval, exact) for previewed_interval, exact in preview_and_exact],
            [0.5, 0.95, 1],
        )
        sizes = ", ".join(f"{quantile:.3f}" for quantile in size)
        differing_counts = [
            sum(interval.differs for interval in side)
            for side in zip(*preview_and_exact, strict=True)
        ]
        print(
            row(
                rare,
                f"{differing_counts[0]} ({differing_counts[1]})",
                f"{len(wrong)} ({apart})",
                sizes,
            )
        )
        has_failed |= bool(rare and apart > MOST_WRONG * len(exact_and_previews))
    return int(has_failed)


def previewed(study: PublishedStudy) -> Iterator[tuple[RatioInterval, dict[int, RatioInterval]]]:
    """Each exact interval, and its previews by how many rare values of a fork they draw."""
    for measured_forks, steady_forks in pairs(study):
        exact = ratio_interval(measured_forks, steady_forks)
        nearly = {
            rare: preview(
                CondensedForks.from_forks(measured_forks, rare),
                CondensedForks.from_forks(steady_forks, rare),
            )
            for rare in (RARE, 0)
        }
        if exact is not None:
            yield (
                exact,
                {
                    rare: previewed_interval
                    for rare, previewed_interval in nearly.items()
                    if previewed_interval is not None
                },
            )


def pairs(study: PublishedStudy) -> Iterator[tuple[list[Floats], list[Floats]]]:
    """Measured and steady values; the middle of the marks is the steady start."""
    for series_index, values in study.series():
        marks = sorted(mark for mark in study.marks[series_index].values() if mark >= 0)
        if 2 * len(marks) > len(study.marks[series_index]):
            steady = [values[marks[len(marks) // 2] :]]
            for start in STARTS:
                yield [values[start : start + MEASURED]], steady


def off(previewed_interval: RatioInterval, exact: RatioInterval) -> float:
    """The greater error of the two ends, a share of the interval's width."""
    error = max(abs(previewed_interval.low - exact.low), abs(previewed_interval.high - exact.high))
    return error / (exact.high - exact.low)


main = study_command(compare_previews)

if __name__ == "__main__":
    sys.exit(main())
