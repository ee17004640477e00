"""Columns of the comparison table: what they are called, mean, and how figures are written."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import replace
from typing import Final

from analysis.statistics.leaderboard_figures import FIGURES, WITHIN, Figure, Unit
from people.templatetags.writing import grouped, share, si, signed

Value = float | int | None
LEADERBOARD: Final[Mapping[str, str]] = {
    "method": "the method's slug, or a person's pseudonym",
    "version": "version of the method",
    "params": "its parameters, defaults written out",
    "kind": "method, baseline, constant or person",
    **{key: figure.meaning for key, figure in FIGURES.items()},
    "answered": "series that both the method and the yardstick have answered",
    "too_short": "series of the comparison for which the method was too short",
    "too_long": "series of the comparison that are longer than the method reads",
    "failed": "series for which it failed",
    "not_available": "series for which it lacked something that it needs",
    "held_out": "series of systems or benchmarks that the method was trained on, each answered by "
    "the model that was not trained on its own",
    "in_sample": "series that its parameters were chosen on, or that the answering model was "
    "trained on; its figures are too good, and it has no rank",
    "rank": "place among the ranked methods by the sorted figure",
    "unranked": "why a method has no place, such as too few series",
}
"""Columns of the leaderboard's file, with their meanings; `LeaderboardRow.cells` has the cells."""
SORTS: Final = ("title", *LEADERBOARD)


def decimal(value: Value, digits: int = 2) -> str:
    """Decimal number with a minus sign, as everywhere in pages."""
    if value is None:
        return "–"
    return f"{round(value, digits) + 0.0:.{digits}f}".replace("-", "−")  # no minus before zero


def one_decimal(value: Value) -> str:
    return decimal(value, 1)


def p_value(value: float | None) -> str:
    """Three digits, `< 0.001` below."""
    if value is None:
        return "–"
    return "< 0.001" if value < 0.001 else f"{value:.3f}"


def _write_median(value: Value) -> str:
    """A median: one decimal, since it may be a half."""
    return "–" if value is None else _grouped_digits(value, 1)


def _grouped_digits(value: float, digits: int) -> str:
    text = f"{abs(value):,.{digits}f}" if abs(value) >= 10_000 else f"{abs(value):.{digits}f}"
    return ("−" if value < 0 else "") + text.replace(",", "\u2009")


def _write_seconds(value: Value) -> str:
    return si(value, "s")


def signed_seconds(value: Value) -> str:
    """A difference of times: `−44.55 ms`, `+1.200 s`."""
    text = si(value, "s")
    return f"+{text}" if value is not None and value > 0 else text


WRITERS: Final[Mapping[Unit, Callable[[Value], str]]] = {
    "whole": grouped,
    "decimal": decimal,
    "half": _write_median,
    "share": share,
    "signed": signed,
    "seconds": _write_seconds,
    "signed seconds": signed_seconds,
}
UNSIGNED_UNITS: Final[Mapping[Unit, Unit]] = {"signed": "whole", "signed seconds": "seconds"}


def write(figure: Figure, value: Value) -> str:
    """Write the value of a figure."""
    return WRITERS[figure.unit](value)


def write_difference(figure: Figure, value: Value) -> str:
    """Write a difference of two figures with its sign; of shares in percentage points."""
    if value is None:
        return "–"
    size_text = WRITERS[UNSIGNED_UNITS.get(figure.unit, figure.unit)](abs(value)).replace("%", "pp")
    return size_text if not value else f"{'+' if value > 0 else '−'}{size_text}"


def write_interval(figure: Figure, low: Value, high: Value) -> str:
    """Write the interval of a difference; nothing where it has none."""
    if low is None or high is None:
        return ""
    return f"{write_difference(figure, low)} to {write_difference(figure, high)}"


def head_at(figure: Figure, tolerance: int | None) -> str:
    """Head of a column where `tolerance` is that of all series; None: each has its own."""
    if figure.key != "within_tolerance":
        return figure.head
    return "Within tolerance" if tolerance is None else f"{figure.head}{grouped(tolerance)}"


def figure_words(figure: Figure) -> str:
    """Head of a column within a sentence."""
    head = head_at(figure, None)
    return head[:1].lower() + head[1:]


def _figures(*keys: str) -> tuple[Figure, ...]:
    return tuple(FIGURES[key] for key in keys)


FALSE_PLATEAU: Final = replace(
    FIGURES["fp"], head="False plateau", title="Says steady where the yardstick says never"
)
_DISTANCE_FIGURES: Final = _figures(
    *("n", "manhattan", "manhattan_clustered", "manhattan_scattered", "mean_error", "sd_error"),
    *("mean_abs", "median_abs"),
    *(f"within_{most}" for most in WITHIN),
)
_COUNT_FIGURES: Final = _figures(
    *("n_yes_no", "agreements", "agreement", "tp", "fp", "fn", "tn"),
    *("balanced_accuracy", "kappa"),
)
COLUMN_SETS: Final[Mapping[str, tuple[Figure, ...]]] = {
    "usual": (
        *_figures("agreement", "kappa", "median_abs", "mean_error", "within_tolerance"),
        FALSE_PLATEAU,
    ),
    "distances": _DISTANCE_FIGURES,
    "yes-no": _COUNT_FIGURES,
    "all": (
        *_DISTANCE_FIGURES,
        *_COUNT_FIGURES[1:],
        *_figures("median_abs_seconds", "mean_seconds"),
    ),
}
SET_WORDS: Final = {
    "usual": "The default columns",
    "distances": "Distances",
    "yes-no": "Steady or never",
    "all": "All of them",
}
