"""Rules that every recipe shares: from all answers of one series to its ground truth.

1. "Unclear" is an answer but no vote; without a vote the series is undecided (`too-few`).
2. More than half of the votes say never: never. Exactly half: undecided (`tied`).
3. Otherwise the recipe chooses among the steady marks.
4. While somebody has yet to answer, the answer is provisional.

A series that a screening judged never steady has this one vote: never, `screened-never`. One on
which the screening was tied, or nobody voted, has none: undecided, `screened-undecided`, until
people of the campaign vote. The screening itself then counts no more.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from annotate.recipes.clusters import steady_indices
from annotate.recipes.contract import (
    Agreement,
    ChosenIteration,
    Recipe,
    RecipeAnswer,
    RecipeMark,
    mark_order,
)


@dataclass(frozen=True, slots=True)
class ExplainedAnswer:
    """A ground truth with the sentence that explains it."""

    truth: RecipeAnswer
    sentence: str


@dataclass(frozen=True, slots=True)
class Ballot:
    """The marks of one series, sorted into steady, never and unclear."""

    steady: tuple[RecipeMark, ...]
    nevers: int
    unclear: int  # of people
    screened: bool = False  # by nobody but a screening

    @property
    def votes(self) -> int:
        return len(self.steady) + self.nevers

    @property
    def spread(self) -> int | None:
        sorted_starts = steady_indices(self.steady)
        return sorted_starts[-1] - sorted_starts[0] if sorted_starts else None


def count(marks: Sequence[RecipeMark]) -> Ballot:
    steady_marks = sorted((mark for mark in marks if mark.kind == "steady"), key=mark_order)
    never_count = sum(mark.kind == "never" for mark in marks)
    is_screened = bool(marks) and all(mark.screened for mark in marks)
    unclear_count = sum(mark.kind == "unclear" and not mark.screened for mark in marks)
    return Ballot(tuple(steady_marks), never_count, unclear_count, is_screened)


def judge(
    recipe: Recipe, marks: Sequence[RecipeMark], params: Mapping[str, int], *, complete: bool
) -> ExplainedAnswer:
    """Ground truth of one series: total, and blind to the order of the marks."""
    ballot = count(marks)
    if len(ballot.steady) <= ballot.nevers:
        truth, parts = _unsteady_answer(ballot, provisional=not complete)
    else:
        choice = recipe.choose(ballot.steady, params)
        truth, parts = _steady_answer(ballot, choice, provisional=not complete)
    return ExplainedAnswer(truth, _sentence(ballot, parts, complete=complete))


def _unsteady_answer(ballot: Ballot, *, provisional: bool) -> tuple[RecipeAnswer, list[str]]:
    steady: bool | None = None
    agreement: Agreement
    if not ballot.votes:
        agreement = "screened-undecided" if ballot.screened else "too-few"
        parts = ["nobody voted", "undecided"]
    elif len(ballot.steady) == ballot.nevers:
        agreement = "tied"
        parts = [f"{ballot.nevers} of {ballot.votes} say never, exactly half", "undecided"]
    else:
        steady = False
        agreement = "mostly-never" if ballot.steady else "unanimous-never"
        agreement = "screened-never" if ballot.screened else agreement
        parts = [f"{ballot.nevers} of {ballot.votes} say never", "never steady"]
    return RecipeAnswer(steady, None, agreement, ballot.spread, (), provisional), parts


def _steady_answer(
    ballot: Ballot, choice: ChosenIteration, *, provisional: bool
) -> tuple[RecipeAnswer, list[str]]:
    agreement: Agreement = "clustered" if choice.cluster else "scattered"
    truth = RecipeAnswer(
        steady=None if choice.start is None else True,
        steady_start=choice.start,
        agreement=agreement,
        spread=ballot.spread,
        cluster=choice.cluster,
        provisional=provisional,
    )
    never_words = [f"{ballot.nevers} of {ballot.votes} say never"] if ballot.nevers else []
    choice_words = choice.rule if choice.start is None else f"{choice.rule} → {choice.start}"
    return truth, [*never_words, choice.found, choice_words]


def _sentence(ballot: Ballot, parts: list[str], *, complete: bool) -> str:
    start = [] if complete else ["So far"]
    if ballot.steady:
        word = "Mark" if len(ballot.steady) == 1 else "Marks"
        start.append(f"{word} {', '.join(str(index) for index in steady_indices(ballot.steady))}")
    if ballot.unclear:
        start.append(f"{ballot.unclear} unclear")
    sentence = " · ".join([*start, *parts])
    return f"{sentence[0].upper()}{sentence[1:]}."
