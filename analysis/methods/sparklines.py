"""Small drawing of one series in a list: answers on one line."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from itertools import cycle, pairwise
from typing import Final

from analysis.methods.method_style import MethodStyle
from analysis.statistics.answers import Number
from people.templatetags.writing import grouped

WIDTH: Final = 168
EDGE: Final = 5  # half a symbol
COLOURS: Final = 10  # colours of the palette; slots this far apart share a colour


@dataclass(frozen=True, slots=True)
class DetectionSparkline:
    """Ticks of detections and the diamond of the yardstick on a line of 0 … n; `words` say it.

    strokes  path data of the ticks of each colour, in the palette's order, then of those without;
             the style sheet colours them by their place, and the last ones that are empty are left
             out: fifty strips of every method are a fifth of what they were as a path a tick
    truth    where the diamond stands, in whole pixels like every tick
    """

    strokes: tuple[str, ...]
    truth: int | None
    words: str


def detection_sparkline(
    n: int, answers: Iterable[tuple[MethodStyle, Number | None]], truth: Number | None
) -> DetectionSparkline:
    """Sparkline with a tick at each method's answer; never and missing answers are words."""
    styled_answers = [(look, answer) for look, answer in answers if answer is not None]
    steady_answers = [(look, answer) for look, answer in styled_answers if answer >= 0]
    positions_by_colour: list[set[int]] = [set() for _ in range(COLOURS + 1)]
    for look, answer in steady_answers:
        positions_by_colour[COLOURS if look.slot is None else look.slot % COLOURS].add(
            _tick_x(answer, n)
        )
    truth_x = None if truth is None or truth < 0 else _tick_x(truth, n)
    strokes = [_zigzag(sorted(positions)) for positions in positions_by_colour]
    while strokes and not strokes[-1]:
        strokes.pop()
    return DetectionSparkline(
        tuple(strokes),
        truth_x,
        _words(steady_answers, len(styled_answers) - len(steady_answers), truth),
    )


def _zigzag(positions: Sequence[int]) -> str:
    """One line up or down at each place; its turns, at 0 and 16, are clipped off the strip."""
    if not positions:
        return ""
    # Distances have fewer digits than places: of fifty strips, half a kilobyte.
    line_ends = zip(pairwise(positions), cycle(("V0", "V16")))
    return f"M{positions[0]} 0V16" + "".join(
        f"h{x - previous_x}{end}" for (previous_x, x), end in line_ends
    )


def _tick_x(answer: Number, n: int) -> int:
    return round(EDGE + (WIDTH - 2 * EDGE) * answer / max(n - 1, 1))


def _words(answers: list[tuple[MethodStyle, Number]], n_never: int, truth: Number | None) -> str:
    parts = []
    if answers:
        low, high = min(a for _, a in answers), max(a for _, a in answers)
        span = grouped(low) if low == high else f"{grouped(low)} to {grouped(high)}"
        parts.append(f"{len(answers)} steady from {span}")
    if n_never:
        parts.append(f"{n_never} never")
    if truth is not None:
        parts.append(f"yardstick {'never' if truth < 0 else grouped(truth)}")
    return ", ".join(parts) or "no answers"
