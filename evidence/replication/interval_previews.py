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
    interval_pairs = list(previews_by_draws(study))
    print(f"Previews of {len(interval_pairs)} intervals of published series:\n")
    heads = ("values drawn one by one", "differing (exact)", "otherwise (not close)")
    print(head(*heads, "error / width"))
    has_failed = not interval_pairs
    for rare_count in (RARE, 0):
        preview_pairs = [
            (previews[rare_count], exact_interval) for exact_interval, previews in interval_pairs
        ]
        wrong_verdicts = [
            exact_interval
            for previewed_interval, exact_interval in preview_pairs
            if previewed_interval.differs != exact_interval.differs
        ]
        differing_count = sum(not exact_interval.close for exact_interval in wrong_verdicts)
        size = np.quantile(
            [
                relative_error(previewed_interval, exact_interval)
                for previewed_interval, exact_interval in preview_pairs
            ],
            [0.5, 0.95, 1],
        )
        sizes = ", ".join(f"{quantile:.3f}" for quantile in size)
        differing_counts = [
            sum(interval.differs for interval in intervals_of_side)
            for intervals_of_side in zip(*preview_pairs, strict=True)
        ]
        print(
            row(
                rare_count,
                f"{differing_counts[0]} ({differing_counts[1]})",
                f"{len(wrong_verdicts)} ({differing_count})",
                sizes,
            )
        )
        has_failed |= bool(rare_count and differing_count > MOST_WRONG * len(interval_pairs))
    return int(has_failed)


def previews_by_draws(
    study: PublishedStudy,
) -> Iterator[tuple[RatioInterval, dict[int, RatioInterval]]]:
    """Each exact interval, and its previews by how many rare values of a fork they draw."""
    for measured_forks, steady_forks in pairs(study):
        exact_interval = ratio_interval(measured_forks, steady_forks)
        previewed_intervals = {
            rare_count: preview(
                CondensedForks.from_forks(measured_forks, rare_count),
                CondensedForks.from_forks(steady_forks, rare_count),
            )
            for rare_count in (RARE, 0)
        }
        if exact_interval is not None:
            yield (
                exact_interval,
                {
                    rare_count: previewed_interval
                    for rare_count, previewed_interval in previewed_intervals.items()
                    if previewed_interval is not None
                },
            )


def pairs(study: PublishedStudy) -> Iterator[tuple[list[Floats], list[Floats]]]:
    """Measured and steady values; the middle of the marks is the steady start."""
    for series_index, values in study.series():
        marks = sorted(mark for mark in study.marks[series_index].values() if mark >= 0)
        if 2 * len(marks) > len(study.marks[series_index]):
            steady_forks = [values[marks[len(marks) // 2] :]]
            for start in STARTS:
                yield [values[start : start + MEASURED]], steady_forks


def relative_error(previewed_interval: RatioInterval, exact_interval: RatioInterval) -> float:
    """The greater error of the two ends, a share of the interval's width."""
    error = max(
        abs(previewed_interval.low - exact_interval.low),
        abs(previewed_interval.high - exact_interval.high),
    )
    return error / (exact_interval.high - exact_interval.low)


main = study_command(compare_previews)

if __name__ == "__main__":
    sys.exit(main())
