"""Answers of people to the series of a case: as rows, as a question, as choices."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from analysis.series_page.series_overlay import OverlayRow, SeriesOverlay, result_from
from analysis.statistics.answers import NEVER, Number
from analysis.statistics.steady_summary import ResultChange
from annotate.models import Mark
from annotate.truth.results import SeriesResult, Vote
from people.templatetags.writing import grouped

LISTED = 4  # most answers that a question names one by one


@dataclass(frozen=True, slots=True)
class PersonAnswer:
    """One person's answer under their pseudonym, and whether they can be asked again.

    answer     as words: an iteration, never steady, unclear; empty where there is none yet
    certainty  sure or not sure; empty without an answer
    change     of the result against the ground truth; None where one of both says not steady
    is_ticked  in *Ask again*: their mark is outside of the cluster
    may_ask    has answered, or was never asked
    """

    pseudonym: str
    start: int | None
    answer: str
    certainty: str
    change: ResultChange | None
    note: str
    is_ticked: bool
    may_ask: bool

    @property
    def choice(self) -> str:
        """The answer as a form sends it; empty for none that could count."""
        if self.start is None:
            return ""
        return "never" if self.start == NEVER else str(self.start)


def person_answers(
    result: SeriesResult,
    overlay: SeriesOverlay,
    is_first_question: bool,  # noqa: FBT001
) -> tuple[PersonAnswer, ...]:
    """Everybody who is asked for the series; all people of the campaign for a first question."""
    votes = [vote for vote in result.votes if vote.human and (vote.asked or is_first_question)]
    is_clustered = any(vote.clustered for vote in votes)
    return tuple(_person(vote, overlay, is_clustered=is_clustered) for vote in votes)


def _person(vote: Vote, overlay: SeriesOverlay, *, is_clustered: bool) -> PersonAnswer:
    may_ask = vote.mark is not None or not vote.asked
    values = overlay.series.array() if hasattr(overlay.series, "stored") else None
    mark = vote.mark
    return PersonAnswer(
        pseudonym=vote.pseudonym,
        start=vote.cell,
        answer="" if mark is None else _answer(mark),
        certainty="" if mark is None else "not sure" if mark.unsure else "sure",
        change=result_from(values, vote.cell, overlay.truth)[1],
        note=mark.note.strip() if mark else "",
        is_ticked=may_ask and not (is_clustered and vote.clustered),
        may_ask=may_ask,
    )


def _answer(mark: Mark) -> str:
    if mark.kind == Mark.Kind.STEADY:
        return grouped(mark.index)
    return "never" if mark.kind == Mark.Kind.NEVER else "unclear"


def other_answers(
    people: Sequence[PersonAnswer], truth: Number | None
) -> list[tuple[str, str, list[str]]]:
    """Answers other than the one that counts: as sent, in words, and who gave them."""
    names_by_choice: dict[str, tuple[str, list[str]]] = {}
    for person in sorted(people, key=lambda answer: (answer.start == NEVER, answer.start or 0)):
        if person.choice and person.start != truth:
            _, names = names_by_choice.setdefault(person.choice, (person.answer, []))
            names.append(person.pseudonym)
    return [(choice, words, names) for choice, (words, names) in names_by_choice.items()]


def other_answerers(people: Sequence[PersonAnswer], choice: str) -> list[str]:
    """Pseudonyms of those who can be asked again and gave another answer than `choice`."""
    return [person.pseudonym for person in people if person.may_ask and person.choice != choice]


def keep_label(overlay: SeriesOverlay) -> str:
    """Label of the button that keeps what counts: `Keep 739`."""
    if overlay.truth is None:
        return "Leave it undecided"
    return "Keep never" if overlay.truth == NEVER else f"Keep {grouped(overlay.truth)}"


# --- the question ---------------------------------------------------------------------------------
def question_of(kind: str, result: SeriesResult | None, overlay: SeriesOverlay) -> tuple[str, str]:
    """The question of a case as a sentence, and another one that says what counts for now."""
    if result is not None and kind == "people":
        return _question([vote.cell for vote in result.votes if vote.human]), result.sentence
    return _question([overlay.truth]), _disagreement_words(overlay)


def _question(answers: Sequence[Number | None]) -> str:
    starts = sorted({int(answer) for answer in answers if answer is not None and answer != NEVER})
    is_never = NEVER in answers
    if not starts:
        return "Is it never steady?" if is_never else "Does it become steady, and where?"
    texts = [grouped(start) for start in starts]
    start_words = " or ".join([", ".join(texts[:-1]), texts[-1]] if len(texts) > 1 else texts)
    if len(starts) > LISTED:
        start_words = f"between {grouped(starts[0])} and {grouped(starts[-1])}"
    if is_never:
        return (
            f"Does it become steady, {'at ' if len(starts) <= LISTED else ''}{start_words}, or "
            "never?"
        )
    if len(starts) == 1:
        return f"Does it become steady at {start_words}?"
    return f"Where does it become steady: {start_words}?"


def looking_rows(overlay: SeriesOverlay) -> list[OverlayRow]:
    """Rows of methods that look at the values: a baseline answers the same whatever it is given."""
    return [row for row in overlay.rows if not row.look.baseline]


def _disagreement_words(overlay: SeriesOverlay) -> str:
    if overlay.yardstick is None:
        return ""
    line = overlay.yardstick.line
    if overlay.truth is None:
        return f"{line[:1].upper()}{line[1:]} is undecided."
    judged_rows = [row for row in looking_rows(overlay) if row.verdict]
    differing_count = sum(row.verdict not in {"agrees", "both never"} for row in judged_rows)
    return (
        f"{grouped(differing_count)} of {grouped(len(judged_rows))} methods differ from the {line}."
    )
