"""Pictures of plain series: each shape with all answers, and the typical mistake of each method."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from html import escape
from pathlib import Path
from typing import Any, Final

from detectors.contract import NEVER, Detector, Values
from detectors.registry import method_slots
from detectors.simulated.plain_series import (
    EVALUATION,
    NOISES,
    PlainSeries,
    PlainShape,
    plain_series,
)
from docs.pictures import (
    COLUMNS,
    LEFT,
    MAIN,
    NAMESPACE,
    STYLE,
    TOP,
    WIDTH,
    _colours,
    _digits,
    _outline,
    _range,
    _x,
)
from evidence.corpus.plain_mistakes import PICTURED, PlainExample, TypicalMistake

DOCS: Final = Path(__file__).resolve().parent
HEIGHT: Final = TOP + MAIN
STRIP: Final = 16  # of the answers below a picture
LEAST_BAND: Final = 3.0  # pixels of the right answers
Document = dict[str, Any]


def mistake_of(row: Document) -> TypicalMistake | None:
    """The typical mistake of a method, from the figures that are kept."""
    mistake_fields = row["plain"]["mistake"]
    return mistake_fields and TypicalMistake(
        **{**mistake_fields, "example": PlainExample(**mistake_fields["example"])}
    )


def shape_words(shape: PlainShape, answers: Sequence[int | None]) -> str:
    """Say what a picture of a shape shows, for who does not see it."""
    series = pictured_series(shape)
    right_answers = [a for a in answers if a is not None and series.is_right(a)]
    never_count = sum(answer == NEVER for answer in answers)
    refused_count = sum(answer is None for answer in answers)
    return (
        f"A plain series of the shape {shape}; {right_words(series)}. Of {len(answers)} methods "
        f"{len(right_answers)} are right, {never_count} say never, {refused_count} give no answer."
    )


def right_words(series: PlainSeries) -> str:
    if not series.is_steady:
        return "right is never"
    if series.low == series.high:
        return f"right is {series.low}"
    return f"right is {series.low} to {series.high}"


def pictured_series(shape: PlainShape) -> PlainSeries:
    return plain_series(shape, "normal", PICTURED, 0, EVALUATION, NOISES["normal"])


def shape_picture(shape: PlainShape, answers: Sequence[int | None]) -> str:
    """SVG of a shape: values, right answers as a band, and below them a tick a method."""
    series = pictured_series(shape)
    starts = [answer for answer in answers if answer is not None and answer != NEVER]
    ticks = "".join(f"M{_digits(_x(a, PICTURED))} {HEIGHT + 4}v{STRIP}" for a in starts)
    parts = [
        *_series(series),
        f'<path class="pic-event" d="{ticks}"/>',
        f'<text class="pic-name" x="{LEFT}" y="14">{shape}</text>',
        f'<text x="{WIDTH - LEFT}" y="14" text-anchor="end">{right_words(series)}</text>',
    ]
    return _svg(0, shape_words(shape, answers), parts, HEIGHT + STRIP + 8)


def mistake_words(method: Detector, mistake: TypicalMistake) -> str:
    series = mistake.drawn()
    return (
        f"A plain series of the shape {mistake.shape}, noise {mistake.example.noise}, "
        f"{series.values.size:,} values; {right_words(series)}, {method.title} "
        f"{answer_words(mistake.example.answer)}."
    )


def answer_words(answer: int | None) -> str:
    if answer is None:
        return "gives no answer"
    return "says never" if answer == NEVER else f"says {answer}"


def mistake_picture(method: Detector, mistake: TypicalMistake) -> str:
    """SVG of the typical mistake of a method: values, right answers as a band, and its answer."""
    series, answer = mistake.drawn(), mistake.example.answer
    n = series.values.size
    parts = [
        *_series(series),
        f'<text x="{WIDTH - LEFT}" y="14" text-anchor="end">{right_words(series)}</text>',
        f'<text class="pic-name" x="{LEFT}" y="14">{method.code} {answer_words(answer)}</text>',
    ]
    if answer is not None and answer != NEVER:
        parts.append(f'<path class="pic-mark" d="M{_digits(_x(answer, n))} {TOP - 4}V{HEIGHT}"/>')
    return _svg(method_slots()[method.slug], mistake_words(method, mistake), parts, HEIGHT + 4)


def _series(series: PlainSeries) -> Iterator[str]:
    values = series.values
    low, high = _range(values)

    def y(value: float) -> float:
        return TOP + MAIN * (1 - min(max((value - low) / (high - low), 0), 1))

    if series.is_steady:
        left_x = _x(series.low - 0.5, values.size)
        width = max(_x(series.high + 0.5, values.size) - left_x, LEAST_BAND)
        yield (
            f'<rect class="pic-band" x="{_digits(left_x)}" y="{TOP}" '
            f'width="{_digits(width)}" height="{MAIN}"/>'
        )
    yield f'<path class="pic-series" d="{_line(values, y)}"/>'
    yield f'<path class="pic-axis" d="M{LEFT} {HEIGHT}H{WIDTH - LEFT}"/>'


def _line(values: Values, y: Callable[[float], float]) -> str:
    """Path through all values, or of a long series through the extremes of each column."""
    if values.size >= COLUMNS:
        return _outline(values, y)
    points = enumerate(values.tolist())
    return "M" + "L".join(
        f"{_digits(_x(index, values.size))} {_digits(y(value))}" for index, value in points
    )


def _svg(slot: int, words: str, parts: Sequence[str], height: int) -> str:
    light_colours, dark_colours = _colours(slot)
    lines = [
        f'<svg xmlns="{NAMESPACE}" class="slot-{slot}" viewBox="0 0 {WIDTH} {height}" role="img">',
        f"<title>{escape(words)}</title>",
        STYLE.format(light=light_colours, dark=dark_colours),
        *parts,
        "</svg>",
    ]
    return "\n".join(lines) + "\n"
