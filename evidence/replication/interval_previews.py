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


def compared(study: PublishedStudy, _: Namespace) -> int:
    """Ends and judgements of previews, with the rarest values drawn one by one and without."""
    found = list(previewed(study))
    print(f"Previews of {len(found)} intervals of published series:\n")
    heads = ("values drawn one by one", "differing (exact)", "otherwise (not close)")
    print(head(*heads, "error / width"))
    missed = not found
    for rare in (RARE, 0):
        both = [(each[rare], known) for known, each in found]
        wrong = [known for one, known in both if one.differs != known.differs]
        apart = sum(not known.close for known in wrong)
        size = np.quantile([off(one, known) for one, known in both], [0.5, 0.95, 1])
        sizes = ", ".join(f"{each:.3f}" for each in size)
        differing = [sum(each.differs for each in side) for side in zip(*both, strict=True)]
        print(row(rare, f"{differing[0]} ({differing[1]})", f"{len(wrong)} ({apart})", sizes))
        missed |= bool(rare and apart > MOST_WRONG * len(found))
    return int(missed)


def previewed(study: PublishedStudy) -> Iterator[tuple[RatioInterval, dict[int, RatioInterval]]]:
    """Each exact interval, and its previews by how many rare values of a fork they draw."""
    for measured, steady in pairs(study):
        known = ratio_interval(measured, steady)
        nearly = {
            rare: preview(CondensedForks.of(measured, rare), CondensedForks.of(steady, rare))
            for rare in (RARE, 0)
        }
        if known is not None:
            yield known, {rare: one for rare, one in nearly.items() if one is not None}


def pairs(study: PublishedStudy) -> Iterator[tuple[list[Floats], list[Floats]]]:
    """What is measured and what is steady; the middle of the marks is the steady start."""
    for at, values in study.series():
        marks = sorted(each for each in study.marks[at].values() if each >= 0)
        if 2 * len(marks) > len(study.marks[at]):
            steady = [values[marks[len(marks) // 2] :]]
            for start in STARTS:
                yield [values[start : start + MEASURED]], steady


def off(one: RatioInterval, known: RatioInterval) -> float:
    """The greater error of the two ends, a share of the interval's width."""
    error = max(abs(one.low - known.low), abs(one.high - known.high))
    return error / (known.high - known.low)


main = study_command(compared)

if __name__ == "__main__":
    sys.exit(main())
