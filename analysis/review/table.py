"""Cases of people as a table: the file of the list of disagreements."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from analysis.comparison import result_changes
from analysis.comparison.column_meanings import meanings_by_name
from analysis.comparison.result_changes import LargestChange
from analysis.review.cases import Review, ReviewCase, changes_of, find_cases, find_certainties
from analysis.review.query import ReviewQuery
from analysis.review.requested_list import UNKNOWN
from analysis.runs.certainty import StatedCertainty, certainty_cells
from analysis.runs.models import CERTAINTY_MEANINGS
from analysis.web.page_tables import PageTable, PageTables, TableRefused, TableRequest, TableScope
from analysis.web.series_columns import NAMING
from annotate.named_arguments import study_named
from formats.tables import Cell
from people.access import study_for

COLUMNS: Final = {
    **meanings_by_name((*NAMING, "yardstick", "truth")),
    "reasons": "codes of the reasons to look at the series, separated by spaces",
    "yes_no_entropy": "entropy of the yes/no votes: 0 unanimous, 1 even",
    "spread": "iterations between the earliest and the latest mark",
    "flags": "how often the series was called unsure or unclear, or reported",
    **meanings_by_name(result_changes.QUEUE_COLUMNS),
    "change_by": "person or method whose answer changes the result most",
    **CERTAINTY_MEANINGS,
    "state": "open, waiting, accepted or excluded",
    "decision": "latest decision about the series; empty: none",
    "text": "its note",
    "by": "who decided",
    "when": "when, ISO 8601",
}


def review_file_rows(review: Review) -> Iterator[tuple[Cell, ...]]:
    """Every case of the review, in its order."""
    known_changes = dict(changes_of(review.inputs)) if review.measured_count else {}
    missing_indices = [case.index for case in review.cases if case.index not in known_changes]
    changes = {**known_changes, **result_changes.changes_by_index(review.inputs, missing_indices)}
    certainty_by_pk = find_certainties(case.line for case in review.cases)
    for case in review.cases:
        yield _cells(review, case, changes.get(case.index), certainty_by_pk.get(case.line.pk))


def _cells(
    review: Review,
    case: ReviewCase,
    largest_change: LargestChange | None,
    certainty: StatedCertainty | None,
) -> tuple[Cell, ...]:
    line, decision = case.line, case.status.decision
    decision_cells: tuple[Cell, ...] = (None,) * 4
    if decision is not None:
        decision_cells = (decision.kind, decision.text, str(decision.by), decision.when.isoformat())
    return (
        *line.named,
        review.yardstick.code,
        review.inputs.truth.answers.value(case.index),
        " ".join(case.reason_codes),
        case.entropy,
        round(case.spread * line.n),
        case.n_flags,
        *result_changes.change_queue_cells(largest_change),
        *certainty_cells(certainty),
        case.status.state,
        *decision_cells,
    )


def _compute(request: TableRequest) -> Review:
    review = find_cases(request.scope, request.reader, *request.queries)
    if review is None:
        raise TableRefused("there is nothing to review in this study yet")
    return review


REVIEW_TABLES: Final = PageTables(
    scope=TableScope(*("study", "STUDY", study_named, study_for), lambda study: (study.slug,)),
    queries={ReviewQuery: ()},
    compute=_compute,
    tables={"review": PageTable("Disagreements of people", COLUMNS, review_file_rows)},
    refusals=UNKNOWN,
)
