"""Cases of a review: series with a reason, in an order, from what the reader may see."""

from __future__ import annotations

import hashlib
import math
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import lru_cache
from typing import Any, Final

import numpy as np

from analysis.agreement.drilldown import UnknownFigure, behind
from analysis.agreement.figures import figures
from analysis.agreement.query import AgreementQuery
from analysis.agreement.reads import read_votes
from analysis.comparison import consequences, inputs as reading
from analysis.comparison.consequences import LargestChange
from analysis.comparison.inputs import ComparedSeries, ComparisonInputs, forks_of
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
from analysis.statistics.answers import Answers, Indices
from analysis.statistics.disagreement import disagreements
from annotate.answering import second_pass
from annotate.models import Annotator, Assignment, Campaign, GroundTruth, Mark, Problem
from people.models import Study, User
from people.templatetags.writing import whole

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

    at       its place in the inputs
    codes    of the reasons that hold, the chosen ones first
    entropy  of the yes/no votes, 0 unanimous to 1 even
    spread   of the steady answers, as a share of the length
    flags    how often it was called unsure or unclear, or reported
    """

    at: int
    line: ComparedSeries
    codes: tuple[str, ...]
    standing: ReviewStatus
    entropy: float
    spread: float
    flags: int
    facts: ReviewInputs = field(repr=False, compare=False)

    @property
    def reasons(self) -> tuple[CaseReason, ...]:
        """With words, which are made for the cases that are shown: a queue has hundreds."""
        return tuple(
            CaseReason(each.code, each.title, each.words(self.facts, self.at))
            for each in map(BY_CODE.__getitem__, self.codes)
        )

    @property
    def id(self) -> str:
        return self.line.public_id

    @property
    def why(self) -> str:
        """What the head of its page says."""
        return ", ".join(BY_CODE[code].title for code in self.codes)


@dataclass(frozen=True, slots=True)
class ReasonBox:
    """One reason in the form: whether it is ticked, and of how many series."""

    reason: ReviewReason
    chosen: bool
    count: int | None  # None: not computed before it is chosen


@dataclass(frozen=True, slots=True, eq=False)
class Review:
    """What a review shows: cases in order, reasons with counts, and what is not shown.

    case_of  any series as a case, with the reasons that hold; the list may not have it
    """

    asked: ReviewQuery
    inputs: ComparisonInputs
    case_of: Callable[[int], ReviewCase]
    cases: tuple[ReviewCase, ...]
    boxes: tuple[ReasonBox, ...]
    states: Mapping[str, int]
    measured: int

    @property
    def yardstick(self) -> Yardstick:
        return self.inputs.yardstick

    @property
    def campaign(self) -> Campaign | None:
        return self.yardstick.campaign

    @property
    def why(self) -> tuple[str, ...]:
        return tuple(box.reason.code for box in self.boxes if box.chosen)

    def place(self, public_id: str) -> int | None:
        """Where a case stands in the order; None for one that is not among them."""
        return next((at for at, case in enumerate(self.cases) if case.id == public_id), None)

    def case(self, public_id: str) -> ReviewCase | None:
        """A series of this yardstick as a case, whether or not the list has it."""
        lines = enumerate(self.inputs.lines)
        at = next((at for at, line in lines if line.public_id == public_id), None)
        return None if at is None else self.case_of(at)

    def beside(self, public_id: str, by: int) -> ReviewCase | None:
        """The case before or after; the first one for a series that is not among them."""
        at = self.place(public_id)
        if at is None:
            return next(iter(self.cases), None) if by > 0 else None
        return self.cases[at + by] if 0 <= at + by < len(self.cases) else None


def find_cases(study: Study, reader: User, asked: ReviewQuery) -> Review | None:
    """The review that is asked for; None in a study without anything to compare with.

    Series that `reader` has yet to answer are never read. Raises UnknownYardstick.
    """
    chosen = yardsticks.yardstick(study, asked.yardstick)
    if chosen is None:
        return None
    inputs = reading.read_inputs(chosen, reader, asked.compared, reviewed=False)
    why = usual(asked, inputs)
    wanted = "change" in why
    changes = changes_of(inputs) if wanted else {}
    facts = _facts(inputs, asked, changes, reader)
    behind = _behind_figure(chosen.campaign, reader, asked)
    measured = min(MEASURED, facts.size) if wanted else 0
    return _review(asked, facts, why, measured=measured, behind=behind)


def _behind_figure(
    campaign: Campaign | None, reader: User, asked: ReviewQuery
) -> frozenset[int] | None:
    """Primary keys of the series behind a figure of the agreement; None where none is asked for.

    Raises UnknownFigure.
    """
    if not asked.figure:
        return None
    if campaign is None:
        raise UnknownFigure("only a campaign has figures of agreement")
    positions = figure_positions(campaign, reader, asked.figure, asked.tolerance)[1]
    return frozenset(campaign.tasks.filter(position__in=positions).values_list("series", flat=True))


def figure_positions(
    campaign: Campaign, reader: User, figure: str, tolerance: int | None
) -> tuple[str, tuple[int, ...]]:
    """The title of a figure of the agreement, and the positions of its series.

    Raises UnknownFigure.
    """
    votes = read_votes(campaign, reader, AgreementQuery(tolerance))
    listed = behind(figures(votes), figure)
    return listed.title, listed.positions


def usual(asked: ReviewQuery, inputs: ComparisonInputs) -> tuple[str, ...]:
    """The chosen reasons, else those that fit the yardstick."""
    in_campaign = inputs.yardstick.kind == "campaign"
    return asked.why or (USUAL if in_campaign else USUAL_WITHOUT_PEOPLE)


# --- what the reasons look at -------------------------------------------------------------------
def _facts(
    inputs: ComparisonInputs, asked: ReviewQuery, changes: Mapping[int, LargestChange], reader: User
) -> ReviewInputs:
    at = {line.pk: place for place, line in enumerate(inputs.lines)}
    campaign = inputs.yardstick.campaign
    said = _said(campaign, at)
    people = list(inputs.people.values())
    return ReviewInputs(
        inputs=inputs,
        spread=_spread(campaign, at),
        yes=_count(people, lambda each: each.steady, len(at)),
        no=_count(people, lambda each: each.never, len(at)),
        unsure=said["unsure"],
        unclear=said["unclear"],
        problems=_problems(campaign, at),
        second=_second(campaign, at, reader, inputs.tolerance),
        forks=forks_of(inputs.lines),
        apart=method_disagreements(inputs, _methods(inputs, asked.method)),
        every=asked.method == EVERY,
        pair=asked.pair,
        changes=changes,
    )


def _count(people: Sequence[Answers], of: Callable[[Answers], Any], size: int) -> Indices:
    return np.sum([of(each) for each in people], axis=0) if people else np.zeros(size, np.int64)


def _methods(inputs: ComparisonInputs, method: str) -> Mapping[str, Answers]:
    """The chosen one; without a choice all but those that answer without looking."""
    if method not in {EVERY, ANY}:
        return {name: each for name, each in inputs.methods.items() if name == method}
    return inputs.looking


def _spread(campaign: Campaign | None, at: Mapping[int, int]) -> Indices:
    found = np.zeros(len(at), np.int64)
    rows = GroundTruth.objects.filter(task__campaign=campaign, spread__isnull=False)
    for pk, spread in rows.values_list("task__series", "spread") if campaign else ():
        if pk in at:
            found[at[pk]] = spread or 0
    return found


def _said(campaign: Campaign | None, at: Mapping[int, int]) -> dict[str, dict[int, str]]:
    """Who flagged a series unsure or called it unclear, and with which words, by place."""
    found: dict[str, dict[int, str]] = {"unsure": {}, "unclear": {}}
    if campaign is None:
        return found
    names = dict(Annotator.objects.filter(campaign=campaign).values_list("user", "pseudonym"))
    asked = Assignment.objects.filter(task__campaign=campaign, latest__isnull=False)
    rows = asked.order_by("task", "user").values_list(
        "task__series", "user", "latest__kind", "latest__unsure", "latest__note"
    )
    for pk, user, kind, unsure, note in rows:
        word = "unclear" if kind == Mark.Kind.UNCLEAR else "unsure" if unsure else ""
        if not word or pk not in at:
            continue
        before = found[word].get(at[pk])
        words = names.get(user, "?").upper() + (f": “{note.strip()}”" if note.strip() else "")
        found[word][at[pk]] = f"{before}, {words}" if before else words
    return found


def _problems(campaign: Campaign | None, at: Mapping[int, int]) -> dict[int, str]:
    if campaign is None:
        return {}
    rows = Problem.objects.filter(task__campaign=campaign, closed_at=None).order_by("when")
    return {
        at[pk]: f"“{text}”" for pk, text in rows.values_list("task__series", "text") if pk in at
    }


def _second(
    campaign: Campaign | None, at: Mapping[int, int], reader: User, tolerance: np.ndarray
) -> dict[int, str]:
    """Who said otherwise in a second pass: yes for no, or by more than the tolerance."""
    found: dict[int, str] = {}
    if campaign is None or not campaign.second_passes.exists():
        return found
    for pair in second_pass.answer_pairs(campaign, reader):
        place = at.get(pair.task.series_id)
        if place is None or not pair.voted:
            continue
        if not pair.same or abs(pair.difference or 0) > tolerance[place]:
            words = f"{pair.pseudonym.upper()} {_answer(pair.first)}, then {_answer(pair.second)}"
            found[place] = f"{found[place]}, {words}" if place in found else words
    return found


def _answer(mark: Mark) -> str:
    return whole(mark.index) if mark.kind == Mark.Kind.STEADY else "never"


def sure_of(lines: Iterable[ComparedSeries]) -> dict[int, StatedCertainty]:
    """How sure the shipped method is of these series, by primary key."""
    return stated_certainties([line.pk for line in lines])


@lru_cache(maxsize=16)
def changes_of(inputs: ComparisonInputs) -> Mapping[int, LargestChange]:
    """The largest change of the result by place, of the series with the widest spread."""
    widest = disagreements(
        inputs.methods,
        inputs.truth.answers,
        lengths=inputs.lengths,
        tolerance=inputs.tolerance,
        rows=inputs.truth.answers.steady,
    )
    return consequences.largest_at(inputs, [one.series for one in widest[:MEASURED]])


# --- cases ------------------------------------------------------------------------------------
def _review(
    asked: ReviewQuery,
    facts: ReviewInputs,
    why: Sequence[str],
    *,
    measured: int,
    behind: frozenset[int] | None,
) -> Review:
    inputs = facts.inputs
    known = review_statuses(inputs.yardstick.study, inputs.yardstick.campaign)
    stands = [known.get(line.pk, ReviewStatus()) for line in inputs.lines]
    states = np.array([_shown(each) for each in stands])
    shown = states == asked.shown
    masks = {each.code: each.mask(facts) for each in REASONS}
    chosen = np.zeros(facts.size, np.bool_)
    for code in why:
        chosen |= masks[code]
    # What was decided is shown whatever the reason was: it may be gone since.
    listed = shown & chosen if asked.shown == "open" else shown
    if behind is not None:
        listed = np.array([line.pk in behind for line in inputs.lines], dtype=np.bool_)

    def case_of(at: int) -> ReviewCase:
        return _case(facts, at, masks, why, stands[at])

    cases = [case_of(int(at)) for at in np.flatnonzero(listed)]
    names, counts = np.unique(
        np.append(states[chosen & (states == "open")], states[states != "open"]), return_counts=True
    )
    return Review(
        asked=asked,
        inputs=inputs,
        case_of=case_of,
        cases=_in_order(asked.order, cases),
        boxes=_boxes(inputs, masks, why, shown, measured),
        states=dict(zip(names.tolist(), counts.tolist(), strict=True)),
        measured=measured,
    )


def _shown(standing: ReviewStatus) -> str:
    return standing.state if standing.state in {"open", "waiting"} else "closed"


def _boxes(
    inputs: ComparisonInputs,
    masks: Mapping[str, Any],
    why: Sequence[str],
    shown: Any,
    measured: int,
) -> tuple[ReasonBox, ...]:
    in_campaign = inputs.yardstick.kind == "campaign"
    return tuple(
        ReasonBox(
            each,
            each.code in why,
            None
            if each.code == "change" and not measured
            else int((masks[each.code] & shown).sum()),
        )
        for each in REASONS
        if in_campaign or not each.people
    )


def _case(
    facts: ReviewInputs,
    at: int,
    masks: Mapping[str, Any],
    why: Sequence[str],
    standing: ReviewStatus,
) -> ReviewCase:
    line = facts.inputs.lines[at]
    # All that holds is said, the chosen ones first.
    holding = [code for code, mask in masks.items() if mask[at]]
    flags = sum(at in each for each in (facts.unsure, facts.unclear, facts.problems))
    return ReviewCase(
        at=at,
        line=line,
        codes=tuple(sorted(holding, key=lambda code: code not in why)),
        standing=standing,
        entropy=entropy(int(facts.yes[at]), int(facts.no[at])),
        spread=float(facts.spread[at]) / max(line.n, 1),
        flags=flags,
        facts=facts,
    )


def entropy(yes: int, no: int) -> float:
    """Of votes, in bits: 0 where all say the same, 1 for an even split."""
    if not yes or not no:
        return 0.0
    share = yes / (yes + no)
    return -share * math.log2(share) - (1 - share) * math.log2(1 - share)


# --- order ------------------------------------------------------------------------------------
def _in_order(order: Order, cases: Sequence[ReviewCase]) -> tuple[ReviewCase, ...]:
    return tuple(_ORDERS[order](cases))


def _most_disputed(cases: Sequence[ReviewCase]) -> list[ReviewCase]:
    return sorted(cases, key=lambda case: (-case.entropy, -case.spread, -case.flags, case.at))


def _largest_change(cases: Sequence[ReviewCase]) -> list[ReviewCase]:
    """Largest change of the result by an answer first, of the most disputed MEASURED cases.

    The others follow as disputed: a change takes the values of its series.
    """
    disputed = _most_disputed(cases)
    if not disputed:
        return disputed
    changes = result_changes(disputed[0].facts.inputs, [case.at for case in disputed[:MEASURED]])
    sizes = {at: -abs(most.change.share) for at, most in changes.items()}
    return sorted(disputed, key=lambda case: sizes.get(case.at, 1.0))


def result_changes(inputs: ComparisonInputs, places: Iterable[int]) -> dict[int, LargestChange]:
    """By place, the answer of people, or of methods without people, that changes most."""
    return consequences.largest_at(inputs, places, inputs.people or None)


def _least_sure(cases: Sequence[ReviewCase]) -> list[ReviewCase]:
    widths = {pk: each.width for pk, each in sure_of(case.line for case in cases).items()}
    return sorted(cases, key=lambda case: (-widths.get(case.line.pk, -1.0), case.at))


def _shuffled(cases: Sequence[ReviewCase]) -> list[ReviewCase]:
    """The same order for everybody."""
    return sorted(cases, key=lambda case: hashlib.sha256(case.id.encode()).hexdigest())


_ORDERS: Final[Mapping[Order, Callable[[Sequence[ReviewCase]], Sequence[ReviewCase]]]] = {
    "change": _largest_change,
    "disputed": _most_disputed,
    "least-sure": _least_sure,
    "name": lambda cases: cases,
    "random": _shuffled,
}
