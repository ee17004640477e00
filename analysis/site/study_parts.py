"""Parts of a study's page that take a comparison or a review, and that it asks for afterwards."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

from analysis.comparison import row_drawings
from analysis.comparison.query import ComparisonQuery
from analysis.comparison.table import ComparisonResult, LeaderboardRow, compare_stored
from analysis.review.cases import find_cases
from analysis.review.query import ReviewQuery
from analysis.statistics.multiple_comparisons import LEAST_SERIES
from analysis.web.interval_scale import DrawnInterval, IntervalScale
from annotate.blind import Reader
from people.models import Study, User

MOST: Final = 5  # methods
WIDTH: Final = 190  # pixels of their intervals
WIDEST: Final = 85  # percent; a count stands behind its bar


# --- the methods that stand first in a comparison ---------------------------------------------
@dataclass(frozen=True, slots=True)
class TopMethods:
    """Ranked methods, the nearest first, with their intervals on one scale.

    None is ranked below `least_series` series.
    """

    compared: ComparisonResult
    entries: tuple[LeaderboardRow, ...]
    scale: IntervalScale
    least_series: int = LEAST_SERIES

    @property
    def rows(self) -> list[tuple[LeaderboardRow, DrawnInterval]]:
        return [(row, self.scale.rows[row.name]) for row in self.entries]


def top_methods(study: Study, reader: Reader) -> TopMethods | None:
    """Best methods, at most five, by the study's default yardstick; None without any yardstick.

    The figures of the comparison's page, which keeps what it computes.
    """
    comparison = compare_stored(study, reader, ComparisonQuery())
    if comparison is None:
        return None
    ranked_entries = [row for row in comparison.entries if row.rank is not None]
    leading_entries = tuple(row for row in ranked_entries if row.figures["median_abs"] is not None)[
        :MOST
    ]
    return TopMethods(comparison, leading_entries, row_drawings.intervals(leading_entries, WIDTH))


# --- why series are open cases of the review --------------------------------------------------
@dataclass(frozen=True, slots=True)
class ReviewBar:
    """One reason and its `count` of open cases; `query` opens the review with this reason alone."""

    code: str
    title: str
    count: int
    width: float
    query: str


def review_bars(study: Study, reader: User) -> list[ReviewBar]:
    """The usual reasons that hold somewhere, the most frequent first; a case may have several.

    Those that the number beside Review counts. Series that `reader` has yet to answer are not read.
    """
    review = find_cases(study, reader, ReviewQuery())
    boxes = review.boxes if review else ()
    reason_counts = [(box.reason, box.count) for box in boxes if box.is_chosen and box.count]
    largest_count = max((count for _, count in reason_counts), default=1)
    return [
        ReviewBar(
            reason.code,
            reason.title,
            count,
            round(WIDEST * count / largest_count, 1),
            ReviewQuery(why=(reason.code,)).query(),
        )
        for reason, count in sorted(reason_counts, key=lambda pair: -pair[1])
    ]
