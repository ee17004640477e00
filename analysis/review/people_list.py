"""List of disagreements of people: cases of a review, or series of an agreement."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial
from typing import Final

from analysis.comparison.drilldown import queue_of_disagreements
from analysis.comparison.inputs import FIELDS, ORDER, compared_series_of
from analysis.comparison.result_changes import LargestChange
from analysis.references.review_status import excluded_reasons
from analysis.review.cases import (
    Review,
    ReviewCase,
    changes_of_people,
    figure_positions,
    find_cases,
    find_certainties,
)
from analysis.review.disagreement_list import DisagreementList, RowFigure
from analysis.review.query import SHOWN, ReviewQuery
from analysis.statistics.answers import NEVER
from analysis.web.templatetags.results import change_interval, percent_signed
from annotate.models import Campaign
from people.models import Study, User
from people.templatetags.writing import grouped
from series.models import Series


def people_list(study: Study, reader: User, query: ReviewQuery) -> DisagreementList | None:
    """The list that is asked for; None in a study without anything to compare with.

    Series that `reader` has yet to answer are never read. Raises UnknownYardstick, UnknownFigure.
    """
    review = find_cases(study, reader, query)
    if review is None:
        return None
    title = ""
    if query.figure and review.campaign:
        title = figure_positions(review.campaign, reader, query.figure, query.tolerance)[0]

    def figures(positions: Sequence[int]) -> list[RowFigure]:
        return _row_figures(review, [review.cases[position] for position in positions])

    return DisagreementList(
        kind="people",
        study=study,
        campaign=review.campaign,
        yardstick=review.yardstick,
        query=query.query(),
        lines=[case.line for case in review.cases],
        figures=figures,
        figure_head="Sure" if query.order == "least-sure" else "Result may change",
        people=lambda: len(review.cases),
        methods=partial(_differing_count, review),
        series_count=len(review.inputs.lines),
        hidden_count=review.inputs.left_out,
        looks=review.inputs.looks,
        title=title or (SHOWN[query.shown].capitalize() if query.shown != "open" else ""),
        review=review,
    )


def screening_list(campaign: Campaign, reader: User, query: ReviewQuery) -> DisagreementList:
    """The series behind a figure of the agreement of a campaign that asks for no iteration.

    Raises UnknownFigure.
    """
    title, positions = figure_positions(campaign, reader, query.figure, query.tolerance)
    series = Series.objects.filter(
        tasks__in=campaign.tasks.filter(position__in=positions)
    ).order_by(*ORDER)
    lines = [compared_series_of(row) for row in series.values_list(*FIELDS)]
    return DisagreementList(
        kind="people",
        study=campaign.study,
        campaign=campaign,
        yardstick=None,
        query=query.query(),
        lines=lines,
        figures=lambda positions: [RowFigure("", "") for _ in positions],
        figure_head="",
        people=lambda: len(lines),
        methods=lambda: None,
        series_count=campaign.tasks.counted().count(),
        title=title,
    )


def _differing_count(review: Review) -> int:
    """Length of the list of methods by the same yardstick, which leaves excluded series out."""
    exclusions = excluded_reasons(review.yardstick.study, review.campaign)
    queue = queue_of_disagreements(review.inputs)
    return sum(
        disagreement.differing > 0 and review.inputs.lines[disagreement.series].pk not in exclusions
        for disagreement in queue
    )


# --- rows -----------------------------------------------------------------------------------------
def _row_figures(review: Review, cases: Sequence[ReviewCase]) -> list[RowFigure]:
    changes = changes_of_people(review.inputs, [case.index for case in cases])
    if review.query.order == "least-sure":
        certainty_by_pk = find_certainties(case.line for case in cases)
        certainties = [certainty_by_pk.get(case.line.pk) for case in cases]
        return [
            RowFigure(_reason_line(case), certainty.percent, certainty.words)
            if certainty
            else RowFigure(_reason_line(case), "–")
            for case, certainty in zip(cases, certainties, strict=True)
        ]
    return [_change_figure(review, case, changes.get(case.index)) for case in cases]


def _change_figure(
    review: Review, case: ReviewCase, largest_change: LargestChange | None
) -> RowFigure:
    reasons_text = _reason_line(case)
    if case.status.state != "open":
        return RowFigure(reasons_text, _STATES[case.status.state])
    truth = review.inputs.truth.answers.value(case.index)
    if truth is None:
        return RowFigure(reasons_text, "undecided", is_warning=True)
    if truth == NEVER:
        return RowFigure(reasons_text, "never")
    if largest_change is None:
        return RowFigure(reasons_text, "–", "No other answer says steady")
    return RowFigure(
        reasons_text,
        percent_signed(largest_change.change.share),
        change_title(largest_change, _source_name(review, largest_change)),
    )


def change_title(largest_change: LargestChange, name: str) -> str:
    """Name of the answer's source, with the change of the result and its interval."""
    return f"{name}: {change_interval(largest_change.change)}"


def _source_name(review: Review, largest_change: LargestChange) -> str:
    if largest_change.method in review.inputs.people:
        return largest_change.method.upper()
    return next(look.label for look in review.inputs.looks if look.name == largest_change.method)


_STATES: Final = {"waiting": "asked again", "accepted": "kept", "excluded": "left out"}


def _reason_line(case: ReviewCase) -> str:
    """The reason of the case in a line; of a decided one what was decided with which words."""
    decision = case.status.decision
    if case.status.state != "open" and decision is not None:
        return f"{decision.by}: {decision.text}" if decision.text else f"by {decision.by}"
    answers = _answers_text(case)
    return answers or (case.reasons[0].words if case.reason_codes else "people agree")


def _answers_text(case: ReviewCase) -> str:
    """Answers of people in as few words as tell them: `2 steady, 2 never`, `309 to 2,999`."""
    answers = [voice.value(case.index) for voice in case.review_inputs.inputs.people.values()]
    starts = sorted(int(answer) for answer in answers if answer is not None and answer != NEVER)
    never_count = sum(answer == NEVER for answer in answers)
    if starts and never_count:
        return f"{len(starts)} steady, {never_count} never"
    if len(set(starts)) > 1:
        return f"{grouped(starts[0])} to {grouped(starts[-1])}"
    return ""
