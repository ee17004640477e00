"""The methods that stand first in a comparison, for the page of a study."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

from analysis.comparison import row_drawings
from analysis.comparison.query import ComparisonQuery
from analysis.comparison.table import ComparisonResult, LeaderboardRow, compare
from analysis.statistics.ranks import LEAST_SERIES
from analysis.web.interval_scale import DrawnInterval, IntervalScale
from annotate.blind import Reader
from people.models import Study

MOST: Final = 5
WIDTH: Final = 190  # pixels of the intervals


@dataclass(frozen=True, slots=True)
class TopMethods:
    """Ranked methods, the nearest first, with their intervals on one scale.

    None is ranked below `least` series.
    """

    compared: ComparisonResult
    entries: tuple[LeaderboardRow, ...]
    scale: IntervalScale
    least: int = LEAST_SERIES

    @property
    def rows(self) -> list[tuple[LeaderboardRow, DrawnInterval]]:
        return [(each, self.scale.rows[each.name]) for each in self.entries]


def top_methods(study: Study, reader: Reader) -> TopMethods | None:
    """At most five of all, by what the study is compared with at first; None without any.

    The figures of the comparison's page, which keeps what it computes.
    """
    compared = compare(study, reader, ComparisonQuery())
    if compared is None:
        return None
    ranked = [each for each in compared.entries if each.rank is not None]
    first = tuple(each for each in ranked if each.row.distances.median_abs is not None)[:MOST]
    return TopMethods(compared, first, row_drawings.intervals(first, WIDTH))
