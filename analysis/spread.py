"""Small drawings of one series in a list: answers on one line, and on the outline."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Final, NamedTuple

from analysis.looks import Look
from analysis.statistics.answers import Number
from people.templatetags.writing import whole
from series import drawing
from series.models import Series

WIDTH: Final = 168
EDGE: Final = 5  # half a symbol


class Tick(NamedTuple):
    x: int
    symbol: str


@dataclass(frozen=True, slots=True)
class Spread:
    """Ticks of detections and the diamond of the yardstick on a line of 0 … n; `words` say it.

    Whole pixels: fifty of these in a list stay small.
    """

    ticks: tuple[Tick, ...]
    truth: int | None
    words: str


@dataclass(frozen=True, slots=True)
class Outlined:
    """The outline of a series with vertical marks: yardstick, answer."""

    paths: drawing.Paths
    truth: float | None
    answer: float | None


def spread_of(
    n: int, answers: Iterable[tuple[Look, Number | None]], truth: Number | None
) -> Spread:
    """Where each method's answer stands; never and no answer have no tick, but words."""
    given = [(look, answer) for look, answer in answers if answer is not None]
    steady = [(look, answer) for look, answer in given if answer >= 0]
    ticks = tuple(Tick(_place(answer, n), look.symbol) for look, answer in steady)
    at = None if truth is None or truth < 0 else _place(truth, n)
    return Spread(ticks, at, _words(steady, len(given) - len(steady), truth))


def _place(answer: Number, n: int) -> int:
    return round(EDGE + (WIDTH - 2 * EDGE) * answer / max(n - 1, 1))


def _words(steady: list[tuple[Look, Number]], never: int, truth: Number | None) -> str:
    parts = []
    if steady:
        low, high = min(a for _, a in steady), max(a for _, a in steady)
        span = whole(low) if low == high else f"{whole(low)} to {whole(high)}"
        parts.append(f"{len(steady)} steady from {span}")
    if never:
        parts.append(f"{never} never")
    if truth is not None:
        parts.append(f"yardstick {'never' if truth < 0 else whole(truth)}")
    return ", ".join(parts) or "no answers"


def outlined(series: Series, truth: Number | None, answer: Number | None) -> Outlined | None:
    """The small drawing of a row in a list; None without a stored outline."""
    if not series.outline:
        return None
    paths = drawing.paths(series.outline, drawing.LIST_HEIGHT)

    def x(at: Number | None) -> float | None:
        return None if at is None or at < 0 else round(paths.width * at / max(series.n - 1, 1), 2)

    return Outlined(paths, x(truth), x(answer))
