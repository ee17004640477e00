"""Cases of a review: series with a reason, in an order, from what the reader may see."""

from __future__ import annotations

import hashlib
import math
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import lru_cache
from typing import Any, Final

import numpy as np

from analysis.agreement.drilldown import UnknownFigure, series_of_figure
from analysis.agreement.figures import agreement_figures
from analysis.agreement.query import AgreementQuery
from analysis.agreement.reads import read_votes
from analysis.comparison import inputs as reading, result_changes
from analysis.comparison.inputs import ComparedSeries, ComparisonInputs, forks_of
from analysis.comparison.result_changes import LargestChange
from analysis.references import yardsticks
from analysis.references.review_status import ReviewStatus, review_statuses
from analysis.references.yardsticks import Yardstick
from analysis.review.query import ANY, EVERY, Order, ReviewQuery
from analysis.review.reasons import (
    BY_CODE,
    REASONS,
    USUAL,
    USUAL_WITHOUT_PEOPLE,
    ReviewInputs,
    ReviewReason,
    method_disagreements,
)
from analysis.runs.certainty import StatedCertainty, stated_certainties
from analysis.statistics.answer_spread import disagreements
from analysis.statistics.answers import Answers, Indices
from annotate.answering import second_pass
from annotate.blind import Reader
from annotate.models import Annotator, Assignment, Campaign, GroundTruth, Mark, Problem
from people.models import Study
from people.templatetags.writing import grouped

MEASURED: Final = 300
"""Series, those with the widest spread, of which the change of the result is computed."""


@dataclass(frozen=True, slots=True)
class CaseReason:
    """One reason of one case, with what it says of the series."""

    code: str
    title: str
    words: str


@dataclass(frozen=True, slots=True)
class ReviewCase:
    """One series that is worth a look.

    index         its place in the inputs
    reason_codes  of the reasons that hold, the chosen ones first
    entropy       of the yes/no votes, 0 unanimous to 1 even
    spread        of the steady answers, as a share of the length
    n_flags    how often it was called unsure or unclear, or reported
    """

    index: int
    line: ComparedSeries
    reason_codes: tuple[str, ...]
    status: ReviewStatus
    entropy: float
    spread: float
    n_flags: int
    review_inputs: ReviewInputs = field(repr=False, compare=False)

    @property
    def reasons(self) -> tuple[CaseReason, ...]:
        """Reasons with words, which are made for the cases that are shown: a queue has hundreds."""
        return tuple(
            CaseReason(reason.code, reason.title, reason.words(self.review_inputs, self.index))
            for reason in map(BY_CODE.__getitem__, self.reason_codes)
        )

    @property
    def id(self) -> str:
        return self.line.public_id

    @property
    def reason_titles(self) -> str:
        """Titles of the reasons, for the head of the case's page."""
        return ", ".join(BY_CODE[code].title for code in self.reason_codes)


@dataclass(frozen=True, slots=True)
class ReasonBox:
    """One reason in the form: whether it is ticked, and of how many series."""

    reason: ReviewReason
    is_chosen: bool
    count: int | None  # None: computed only once the reason is chosen


@dataclass(frozen=True, slots=True, eq=False)
class Review:
    """Cases of a review in order, reasons with counts, and counts of series that are not shown.

    case_of  any series as a case, with the reasons that hold; the list may not have it
    """

    query: ReviewQuery
    inputs: ComparisonInputs
    case_of: Callable[[int], ReviewCase]
    cases: tuple[ReviewCase, ...]
    boxes: tuple[ReasonBox, ...]
    count_by_state: Mapping[str, int]
    measured_count: int

    @property
    def yardstick(self) -> Yardstick:
        return self.inputs.yardstick

    @property
    def campaign(self) -> Campaign | None:
        return self.yardstick.campaign

    @property
    def chosen_codes(self) -> tuple[str, ...]:
        return tuple(box.reason.code for box in self.boxes if box.is_chosen)

    def position(self, public_id: str) -> int | None:
        """Position of a case in the order; None for a series that is not among them."""
        return next(
            (position for position, case in enumerate(self.cases) if case.id == public_id), None
        )

    def case(self, public_id: str) -> ReviewCase | None:
        """A series of this yardstick as a case, whether or not the list has it."""
        lines = enumerate(self.inputs.lines)
        series_index = next(
            (line_index for line_index, line in lines if line.public_id == public_id), None
        )
        return None if series_index is None else self.case_of(series_index)

    def neighbour(self, public_id: str, step: int) -> ReviewCase | None:
        """The case before or after; the first one for a series that is not among them."""
        position = self.position(public_id)
        if position is None:
            return next(iter(self.cases), None) if step > 0 else None
        return self.cases[position + step] if 0 <= position + step < len(self.cases) else None


def find_cases(study: Study, reader: Reader, query: ReviewQuery) -> Review | None:
    """The review that is asked for; None in a study without anything to compare with.

    Series that `reader` has yet to answer are never read. Raises UnknownYardstick.
    """
    yardstick = yardsticks.yardstick(study, query.yardstick)
    if yardstick is None:
        return None
    inputs = reading.read_inputs(yardstick, reader, query.comparison_query, is_reviewed=False)
    review_reasons = default_reasons(query, inputs)
    needs_changes = "change" in review_reasons
    changes = changes_of(inputs) if needs_changes else {}
    facts = _facts(inputs, query, changes, reader)
    figure_pks = _figure_pks(yardstick.campaign, reader, query)
    measured_count = min(MEASURED, facts.size) if needs_changes else 0
    return _review(
        query, facts, review_reasons, measured_count=measured_count, figure_pks=figure_pks
    )


def _figure_pks(
    campaign: Campaign | None, reader: Reader, query: ReviewQuery
) -> frozenset[int] | None:
    """Primary keys of the series behind a figure of the agreement; None where none is asked for.

    Raises UnknownFigure.
    """
    if not query.figure:
        return None
    if campaign is None:
        raise UnknownFigure("only a campaign has figures of agreement")
    positions = figure_positions(campaign, reader, query.figure, query.tolerance)[1]
    return frozenset(campaign.tasks.filter(position__in=positions).values_list("series", flat=True))


def figure_positions(
    campaign: Campaign, reader: Reader, figure: str, tolerance: int | None
) -> tuple[str, tuple[int, ...]]:
    """The title of a figure of the agreement, and the positions of its series.

    Raises UnknownFigure.
    """
    votes = read_votes(campaign, reader, AgreementQuery(tolerance))
    return series_of_figure(agreement_figures(votes), figure)


def default_reasons(query: ReviewQuery, inputs: ComparisonInputs) -> tuple[str, ...]:
    """The chosen reasons, else those that fit the yardstick."""
    has_campaign = inputs.yardstick.kind == "campaign"
    return query.why or (USUAL if has_campaign else USUAL_WITHOUT_PEOPLE)


# --- what the reasons look at -------------------------------------------------------------------
def _facts(
    inputs: ComparisonInputs,
    query: ReviewQuery,
    changes: Mapping[int, LargestChange],
    reader: Reader,
) -> ReviewInputs:
    index_by_pk = {line.pk: line_index for line_index, line in enumerate(inputs.lines)}
    campaign = inputs.yardstick.campaign
    words_by_flag = _remarks(campaign, index_by_pk)
    people = list(inputs.people.values())
    return ReviewInputs(
        inputs=inputs,
        spreads=_spread(campaign, index_by_pk),
        yes_counts=_count(people, lambda answers: answers.steady, len(index_by_pk)),
        no_counts=_count(people, lambda answers: answers.never, len(index_by_pk)),
        unsure_words=words_by_flag["unsure"],
        unclear_words=words_by_flag["unclear"],
        problems=_problems(campaign, index_by_pk),
        second_words=_second_pass_words(campaign, index_by_pk, reader, inputs.tolerance),
        forks=forks_of(inputs.lines),
        methods=method_disagreements(inputs, _methods(inputs, query.method)),
        asks_every=query.method == EVERY,
        pair=query.pair,
        changes=changes,
    )


def _count(people: Sequence[Answers], select_answers: Callable[[Answers], Any], n: int) -> Indices:
    return (
        np.sum([select_answers(answers) for answers in people], axis=0)
        if people
        else np.zeros(n, np.int64)
    )


def _methods(inputs: ComparisonInputs, method: str) -> Mapping[str, Answers]:
    """The chosen one; without a choice all but those that answer without looking."""
    if method not in {EVERY, ANY}:
        return {
            name: method_answers
            for name, method_answers in inputs.methods.items()
            if name == method
        }
    return inputs.looking


def _spread(campaign: Campaign | None, index_by_pk: Mapping[int, int]) -> Indices:
    spreads = np.zeros(len(index_by_pk), np.int64)
    rows = GroundTruth.objects.filter(task__campaign=campaign, spread__isnull=False)
    for pk, spread in rows.values_list("task__series", "spread") if campaign else ():
        if pk in index_by_pk:
            spreads[index_by_pk[pk]] = spread or 0
    return spreads


def _remarks(
    campaign: Campaign | None, index_by_pk: Mapping[int, int]
) -> dict[str, dict[int, str]]:
    """People who flagged a series unsure or called it unclear, with their words, by place."""
    words_by_flag: dict[str, dict[int, str]] = {"unsure": {}, "unclear": {}}
    if campaign is None:
        return words_by_flag
    names = dict(Annotator.objects.filter(campaign=campaign).values_list("user", "pseudonym"))
    answered_assignments = Assignment.objects.filter(task__campaign=campaign, latest__isnull=False)
    rows = answered_assignments.order_by("task", "user").values_list(
        "task__series", "user", "latest__kind", "latest__unsure", "latest__note"
    )
    for pk, user, kind, is_unsure, note in rows:
        word = "unclear" if kind == Mark.Kind.UNCLEAR else "unsure" if is_unsure else ""
        if not word or pk not in index_by_pk:
            continue
        words_before = words_by_flag[word].get(index_by_pk[pk])
        words = names.get(user, "?").upper() + (f": “{note.strip()}”" if note.strip() else "")
        words_by_flag[word][index_by_pk[pk]] = f"{words_before}, {words}" if words_before else words
    return words_by_flag


def _problems(campaign: Campaign | None, index_by_pk: Mapping[int, int]) -> dict[int, str]:
    if campaign is None:
        return {}
    rows = Problem.objects.filter(task__campaign=campaign, closed_at=None).order_by("when")
    return {
        index_by_pk[pk]: f"“{text}”"
        for pk, text in rows.values_list("task__series", "text")
        if pk in index_by_pk
    }


def _second_pass_words(
    campaign: Campaign | None, index_by_pk: Mapping[int, int], reader: Reader, tolerance: np.ndarray
) -> dict[int, str]:
    """People who answered otherwise in a second pass: yes for no, or by more than the tolerance."""
    words_by_index: dict[int, str] = {}
    if campaign is None or not campaign.second_passes.exists():
        return words_by_index
    for pair in second_pass.answer_pairs(campaign, reader):
        series_index = index_by_pk.get(pair.task.series_id)
        if series_index is None or not pair.voted:
            continue
        if not pair.same or abs(pair.difference or 0) > tolerance[series_index]:
            words = f"{pair.pseudonym.upper()} {_answer(pair.first)}, then {_answer(pair.second)}"
            words_by_index[series_index] = (
                f"{words_by_index[series_index]}, {words}"
                if series_index in words_by_index
                else words
            )
    return words_by_index


def _answer(mark: Mark) -> str:
    return grouped(mark.index) if mark.kind == Mark.Kind.STEADY else "never"


def find_certainties(lines: Iterable[ComparedSeries]) -> dict[int, StatedCertainty]:
    """Certainty that the shipped method states of these series, by primary key."""
    return stated_certainties([line.pk for line in lines])


@lru_cache(maxsize=16)
def changes_of(inputs: ComparisonInputs) -> Mapping[int, LargestChange]:
    """The largest change of the result by place, of the series with the widest spread."""
    widest_disagreements = disagreements(
        inputs.methods,
        inputs.truth.answers,
        lengths=inputs.lengths,
        tolerance=inputs.tolerance,
        mask=inputs.truth.answers.steady,
    )
    return result_changes.changes_by_index(
        inputs, [disagreement.series for disagreement in widest_disagreements[:MEASURED]]
    )


# --- cases ------------------------------------------------------------------------------------
def _review(
    query: ReviewQuery,
    facts: ReviewInputs,
    review_reasons: Sequence[str],
    *,
    measured_count: int,
    figure_pks: frozenset[int] | None,
) -> Review:
    inputs = facts.inputs
    status_by_pk = review_statuses(inputs.yardstick.study, inputs.yardstick.campaign)
    statuses = [status_by_pk.get(line.pk, ReviewStatus()) for line in inputs.lines]
    states = np.array([_status_words(review_status) for review_status in statuses])
    is_shown = states == query.shown
    masks = {reason.code: reason.mask(facts) for reason in REASONS}
    is_chosen = np.zeros(facts.size, np.bool_)
    for code in review_reasons:
        is_chosen |= masks[code]
    # A decided case is shown even where its reason no longer holds.
    is_listed = is_shown & is_chosen if query.shown == "open" else is_shown
    if figure_pks is not None:
        is_listed = np.array([line.pk in figure_pks for line in inputs.lines], dtype=np.bool_)

    def case_of(series_index: int) -> ReviewCase:
        return _case(facts, series_index, masks, review_reasons, statuses[series_index])

    cases = [case_of(int(series_index)) for series_index in np.flatnonzero(is_listed)]
    names, counts = np.unique(
        np.append(states[is_chosen & (states == "open")], states[states != "open"]),
        return_counts=True,
    )
    return Review(
        query=query,
        inputs=inputs,
        case_of=case_of,
        cases=_sort_cases(query.order, cases),
        boxes=_boxes(inputs, masks, review_reasons, is_shown, measured_count),
        count_by_state=dict(zip(names.tolist(), counts.tolist(), strict=True)),
        measured_count=measured_count,
    )


def _status_words(review_status: ReviewStatus) -> str:
    return review_status.state if review_status.state in {"open", "waiting"} else "closed"


def _boxes(
    inputs: ComparisonInputs,
    masks: Mapping[str, Any],
    review_reasons: Sequence[str],
    is_shown: Any,
    measured_count: int,
) -> tuple[ReasonBox, ...]:
    has_campaign = inputs.yardstick.kind == "campaign"
    return tuple(
        ReasonBox(
            reason,
            reason.code in review_reasons,
            None
            if reason.code == "change" and not measured_count
            else int((masks[reason.code] & is_shown).sum()),
        )
        for reason in REASONS
        if has_campaign or not reason.needs_people
    )


def _case(
    facts: ReviewInputs,
    series_index: int,
    masks: Mapping[str, Any],
    review_reasons: Sequence[str],
    review_status: ReviewStatus,
) -> ReviewCase:
    line = facts.inputs.lines[series_index]
    # Every reason that holds is listed, the chosen ones first.
    holding_codes = [code for code, mask in masks.items() if mask[series_index]]
    n_flags = sum(
        series_index in flagged_series
        for flagged_series in (facts.unsure_words, facts.unclear_words, facts.problems)
    )
    return ReviewCase(
        index=series_index,
        line=line,
        reason_codes=tuple(sorted(holding_codes, key=lambda code: code not in review_reasons)),
        status=review_status,
        entropy=entropy(int(facts.yes_counts[series_index]), int(facts.no_counts[series_index])),
        spread=float(facts.spreads[series_index]) / max(line.n, 1),
        n_flags=n_flags,
        review_inputs=facts,
    )


def entropy(yes_count: int, no_count: int) -> float:
    """Entropy of votes, in bits: 0 where all agree, 1 for an even split."""
    if not yes_count or not no_count:
        return 0.0
    share = yes_count / (yes_count + no_count)
    return -share * math.log2(share) - (1 - share) * math.log2(1 - share)


# --- order ------------------------------------------------------------------------------------
def _sort_cases(order: Order, cases: Sequence[ReviewCase]) -> tuple[ReviewCase, ...]:
    return tuple(_ORDERS[order](cases))


def _disputed_cases(cases: Sequence[ReviewCase]) -> list[ReviewCase]:
    return sorted(cases, key=lambda case: (-case.entropy, -case.spread, -case.n_flags, case.index))


def _cases_by_change(cases: Sequence[ReviewCase]) -> list[ReviewCase]:
    """Largest change of the result by an answer first, of the most disputed MEASURED cases.

    The others follow as disputed: a change takes the values of its series.
    """
    disputed_cases = _disputed_cases(cases)
    if not disputed_cases:
        return disputed_cases
    changes = changes_of_people(
        disputed_cases[0].review_inputs.inputs, [case.index for case in disputed_cases[:MEASURED]]
    )
    key_by_index = {
        series_index: -abs(largest_change.change.share)
        for series_index, largest_change in changes.items()
    }
    return sorted(disputed_cases, key=lambda case: key_by_index.get(case.index, 1.0))


def changes_of_people(
    inputs: ComparisonInputs, series_indices: Iterable[int]
) -> dict[int, LargestChange]:
    """Largest changes of results by place, by answers of people, or of methods without people."""
    return result_changes.changes_by_index(inputs, series_indices, inputs.people or None)


def _least_sure_cases(cases: Sequence[ReviewCase]) -> list[ReviewCase]:
    widths = {
        pk: certainty.width
        for pk, certainty in find_certainties(case.line for case in cases).items()
    }
    return sorted(cases, key=lambda case: (-widths.get(case.line.pk, -1.0), case.index))


def _shuffled_cases(cases: Sequence[ReviewCase]) -> list[ReviewCase]:
    """Shuffle cases into an order that is equal for everybody."""
    return sorted(cases, key=lambda case: hashlib.sha256(case.id.encode()).hexdigest())


_ORDERS: Final[Mapping[Order, Callable[[Sequence[ReviewCase]], Sequence[ReviewCase]]]] = {
    "change": _cases_by_change,
    "disputed": _disputed_cases,
    "least-sure": _least_sure_cases,
    "name": lambda cases: cases,
    "random": _shuffled_cases,
}
