"""Cases as rows of a file."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from analysis.comparison import consequences
from analysis.comparison.consequences import LargestChange
from analysis.review.cases import Review, ReviewCase, changes_of, sure_of
from analysis.runs.certainty import StatedCertainty, certainty_cells
from analysis.runs.models import CERTAINTY_FIELDS
from analysis.web.series_columns import NAMING
from formats.tables import Cell

COLUMNS: Final = (
    *NAMING,
    "yardstick",
    "truth",
    "reasons",
    "yes_no_entropy",
    "spread",
    "flags",
    *consequences.QUEUE_COLUMNS,
    *CERTAINTY_FIELDS,
    "state",
    "decision",
    "text",
    "by",
    "when",
)


def review_file_rows(review: Review) -> Iterator[tuple[Cell, ...]]:
    """Every case of the review, in its order."""
    known_changes = dict(changes_of(review.inputs)) if review.measured else {}
    missing_indices = [case.at for case in review.cases if case.at not in known_changes]
    largest = {**known_changes, **consequences.largest_at(review.inputs, missing_indices)}
    sure = sure_of(case.line for case in review.cases)
    for case in review.cases:
        yield _cells(review, case, largest.get(case.at), sure.get(case.line.pk))


def _cells(
    review: Review, case: ReviewCase, most: LargestChange | None, certainty: StatedCertainty | None
) -> tuple[Cell, ...]:
    line, decision = case.line, case.standing.decision
    decided: tuple[Cell, ...] = (None,) * 4
    if decision is not None:
        decided = (decision.kind, decision.text, str(decision.by), decision.when.isoformat())
    return (
        *line.named,
        review.yardstick.code,
        review.inputs.truth.answers.value(case.at),
        " ".join(case.codes),
        case.entropy,
        round(case.spread * line.n),
        case.flags,
        *consequences.change_queue_cells(most),
        *certainty_cells(certainty),
        case.standing.state,
        *decided,
    )
