"""Answers of a method for plain series: share right by shape, and the mistake that is typical.

A mistake has a kind: never for a series that becomes steady, too early, too late, a start in a
series that never settles, or no answer at all.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import asdict, dataclass
from hashlib import sha256
from typing import Any, Final, Literal

from detectors.contract import NEVER, Detector
from detectors.simulated.plain_series import EVALUATION, PlainSeries, PlainShape, plain_series
from detectors.training.figures.method_figures import answer_of
from evidence.corpus.plain_noise import RECORDED
from evidence.corpus.plain_shares import KINDS, SOURCES, plain_suite

LENGTHS: Final = (10, 15, 20, 30, 50, 100, 200, 500, 1000, 3000)
LONG: Final = 10_000
LONG_NOISES: Final = ("normal", "slow", RECORDED)  # of a series so long: some methods take seconds
DIGESTED: Final = (10, 30, 200)  # lengths that show whether the generator has changed
PICTURED: Final = 500  # values of a picture, if the mistake is made in so long a series
Kind = Literal["right", "never", "too early", "too late", "a start", "no answer"]


@dataclass(frozen=True, slots=True)
class PlainExample:
    """One answer of a method; noise, n: with the shape, which series; number 0."""

    noise: str
    n: int
    answer: int | None


@dataclass(frozen=True, slots=True)
class TypicalMistake:
    """The commonest mistake of a method in any shape: `count` of `series` of that shape."""

    shape: PlainShape
    kind: Kind
    count: int
    series: int
    example: PlainExample

    def drawn(self) -> PlainSeries:
        """The series of the example."""
        noise, n = self.example.noise, self.example.n
        return plain_series(self.shape, noise, n, 0, EVALUATION, SOURCES[noise])


@dataclass(frozen=True, slots=True, eq=False)
class PlainAnswer:
    """Answer of a method for a series: an iteration, NEVER, or None where it cannot answer."""

    series: PlainSeries
    answer: int | None

    @property
    def kind(self) -> Kind:
        series, answer = self.series, self.answer
        if answer is None:
            return "no answer"
        if series.is_right(answer):
            return "right"
        if answer == NEVER:
            return "never"
        if not series.is_steady:
            return "a start"
        return "too early" if answer < series.low else "too late"


def compared_suite() -> list[PlainSeries]:
    """The plain series that every method is compared on."""
    long_sources = {name: SOURCES[name] for name in LONG_NOISES}
    return [*plain_suite(LENGTHS), *plain_suite([LONG], sources=long_sources)]


def suite_digest() -> str:
    """SHA-256 of some of the series with their right answers."""
    digest = sha256()
    for series in plain_suite(DIGESTED):
        digest.update(series.values.astype("<f8").tobytes())
        digest.update(f"{series.low} {series.high}".encode())
    return digest.hexdigest()


def plain_answers(method: Detector, suite: Iterable[PlainSeries]) -> list[PlainAnswer]:
    answers = []
    for series in suite:
        detection = answer_of(method, series.values)
        start = None if detection is None else int(detection.steady_start)
        answers.append(PlainAnswer(series, start))
    return answers


def plain_document(answers: Sequence[PlainAnswer]) -> dict[str, Any]:
    """Figures of a method, for JSON: share right, by shape, length and noise, and the mistakes."""
    mistake = typical_mistake(answers)
    kind_counts_by_shape: defaultdict[str, Counter[Kind]] = defaultdict(Counter)
    for answer in answers:
        kind_counts_by_shape[answer.series.shape][answer.kind] += 1
    return {
        "series": len(answers),
        "right": _share(answers),
        **{
            name: {value: _share(group) for value, group in _groups(answers, name).items()}
            for name in ("length", "noise")
        },
        "shape": {
            shape: dict(counts.most_common()) for shape, counts in kind_counts_by_shape.items()
        },
        "mistake": None if mistake is None else asdict(mistake),
        "pictured": {
            answer.series.shape: answer.answer
            for answer in answers
            if answer.series.values.size == PICTURED and answer.series.noise == "normal"
        },
    }


def _groups(
    answers: Sequence[PlainAnswer], name: Literal["length", "noise"]
) -> dict[str, list[PlainAnswer]]:
    groups: defaultdict[str, list[PlainAnswer]] = defaultdict(list)
    for answer in answers:
        groups[KINDS[name](answer.series)].append(answer)
    return groups


def _share(answers: Sequence[PlainAnswer]) -> float:
    return round(sum(answer.kind == "right" for answer in answers) / len(answers), 4)


def typical_mistake(answers: Sequence[PlainAnswer]) -> TypicalMistake | None:
    """The commonest one; no answer is one only of a method that makes no other."""
    wrong_answers = [answer for answer in answers if answer.kind != "right"]
    mistakes = [answer for answer in wrong_answers if answer.kind != "no answer"] or wrong_answers
    if not mistakes:
        return None
    counts = Counter((answer.series.shape, answer.kind) for answer in mistakes)
    (shape, kind), count = counts.most_common(1)[0]
    alike_mistakes = [a for a in mistakes if (a.series.shape, a.kind) == (shape, kind)]
    typical_answer = min(alike_mistakes, key=_distance_from_pictured)
    series = sum(answer.series.shape == shape for answer in answers)
    example = PlainExample(
        typical_answer.series.noise, typical_answer.series.values.size, typical_answer.answer
    )
    return TypicalMistake(shape, kind, count, series, example)


def _distance_from_pictured(answer: PlainAnswer) -> tuple[int, bool]:
    return abs(answer.series.values.size - PICTURED), answer.series.noise != "normal"
