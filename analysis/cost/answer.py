"""The answer of the cost page: one sentence, the scatter, and at most twelve rows beside it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from analysis.cost.figures import cost_scatter, crowded
from analysis.cost.points import CostPoint, CostPoints, cost_points
from analysis.cost.sentences import (
    error_text,
    length_text,
    point_note,
    point_sentence,
    truth_sentence,
)
from analysis.cost.table import ComparisonCosts
from analysis.methods.method_style import MethodStyle
from analysis.web.figures import WebFigure
from people.templatetags.writing import share

MOST_ROWS: Final = 12
MOST_USUAL: Final = 3
"""Rows that are kept for baselines."""

AIMS: Final = {
    "plateau": "Plateau begins to measure where people see the steady state",
    "plateau-result": "Plateau, shortest test, where machine time and the risk of a wrong result "
    "are least",
}
"""By slug; told where both stand side by side."""


@dataclass(frozen=True, slots=True)
class CostAnswerRow:
    """A method in three figures, as text."""

    look: MethodStyle
    test: str
    error: str
    wasted: str
    usual: bool
    chosen: bool
    is_truth: bool


@dataclass(frozen=True, slots=True)
class CostAnswer:
    """What stands above all tables.

    chosen     whose sentence it is at first
    groups     words and rows
    crowded    methods whose symbols lie close together
    truth      what the target is called; empty without one
    beaten     why methods beat the target; empty where none does
    aims       what the two kinds of Plateau answer, where both are drawn
    sentences  of every method by name, for the script: its sentence, its note, its symbol
    """

    chosen: MethodStyle
    sentence: str
    note: str
    figure: WebFigure
    groups: Sequence[tuple[str, Sequence[CostAnswerRow]]]
    methods: int
    crowded: Sequence[MethodStyle]
    truth: str
    beaten: str
    aims: str
    sentences: dict[str, tuple[str, str, str]]


def cost_answer(found: ComparisonCosts, query: str) -> CostAnswer | None:
    """None where no result can be judged; `query` is that of the page."""
    drawn = cost_points(found)
    if drawn is None:
        return None
    chosen = drawn.chosen
    return CostAnswer(
        chosen=chosen.look,
        sentence=point_sentence(chosen, drawn),
        note=point_note(chosen, drawn),
        figure=cost_scatter(found, drawn, query),
        groups=[(words, rows) for words, rows in _groups(drawn) if rows],
        methods=len(found.methods),
        truth=drawn.truth.look.label if drawn.truth else "",
        beaten=truth_sentence(found, drawn),
        aims=_aims(drawn),
        crowded=[one.look for one in crowded(drawn)],
        sentences={
            one.look.name: (point_sentence(one, drawn), point_note(one, drawn), one.look.symbol)
            for one in drawn.points
        },
    )


def _aims(drawn: CostPoints) -> str:
    there = {one.look.slug: one for one in drawn.points if one.look.slug in AIMS}
    if len(there) < len(AIMS):
        return ""
    told = (f"{words}{_until(there[slug], drawn)}" for slug, words in AIMS.items())
    return f"{'; '.join(told)}."


def _until(one: CostPoint, drawn: CostPoints) -> str:
    """What the wished precision takes, and how many results are as near as that."""
    if one.within is None:
        return ""
    time = length_text(one.time.value, in_seconds=drawn.in_seconds)
    return f": {time} until it is precise enough, {share(one.within)} of results as near"


def _groups(drawn: CostPoints) -> list[tuple[str, list[CostAnswerRow]]]:
    """The front first; the shortest of the others fill what room there is."""
    usual = [one for one in drawn.points if one.usual][:MOST_USUAL]
    room = MOST_ROWS - len(usual) - (drawn.truth is not None)
    front = drawn.front[:room]
    others = [one for one in drawn.points if not one.usual and one not in drawn.front]
    return [
        ("On the front", _rows(front, drawn)),
        ("Not on the front", _rows(others[: room - len(front)], drawn)),
        ("To compare with", _rows([*([drawn.truth] if drawn.truth else []), *usual], drawn)),
    ]


def _rows(points: Sequence[CostPoint], drawn: CostPoints) -> list[CostAnswerRow]:
    return [
        CostAnswerRow(
            look=one.look,
            test=length_text(one.time.value, in_seconds=drawn.in_seconds),
            error=("" if one.exact else "≈\u00a0") + error_text(one.error.value),
            wasted="–" if one.wasted is None else length_text(one.wasted, in_seconds=True),
            usual=one.usual,
            chosen=one == drawn.chosen,
            is_truth=one == drawn.truth,
        )
        for one in points
    ]
