"""Why series are open cases of the review, as bars on the page of a study."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

from analysis.review.cases import find_cases
from analysis.review.query import ReviewQuery
from people.models import Study, User

WIDEST: Final = 85  # percent; a count stands behind its bar


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
    found = [(each.reason, each.count) for each in boxes if each.chosen and each.count]
    most = max((count for _, count in found), default=1)
    return [
        ReviewBar(
            reason.code,
            reason.title,
            count,
            round(WIDEST * count / most, 1),
            ReviewQuery(why=(reason.code,)).query(),
        )
        for reason, count in sorted(found, key=lambda each: -each[1])
    ]
