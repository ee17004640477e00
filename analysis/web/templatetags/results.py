"""Formats of a result, its precision and its change: `±0.4 %`, `+3.1 %: matters`."""

from __future__ import annotations

from django import template

from analysis.statistics.steady_summary import ResultChange, SteadySummary
from detectors.intervals.steady_interval import LEAST_EFFECTIVE, SteadyInterval
from people.templatetags.writing import HARD, MINUS, grouped, si

register = template.Library()


@register.filter
def percent_signed(share: float | None) -> str:
    """`+3.1 %`, `−0.02 %`, `0 %`: two digits that count below 1 %, one decimal above."""
    if share is None or share != share:  # noqa: PLR0124  # NaN
        return "–"
    size = abs(100 * share)
    if size < 0.005:
        return f"0{HARD}%"
    digits = f"{size:.2f}" if size < 0.995 else f"{size:.1f}" if size < 999.95 else grouped(size)
    return f"{MINUS if share < 0 else '+'}{digits}{HARD}%"


@register.filter
def signed_decimals(number: float) -> str:
    """`+0.50`, `−1.00`, `0.00`."""
    return f"{round(number, 2) + 0.0:+.2f}".replace("-", "−").replace("+0.00", "0.00")


@register.filter
def precision(summary: SteadySummary | None) -> str:
    """Half of the interval as a share of the result: `±0.4 %`; nothing where it is unknown."""
    return "" if summary is None else summary.interval.precision_words.replace(" ", HARD)


@register.filter
def in_words(summary: SteadySummary | None, unit: str) -> str:
    """Words for what a result rests on, in one line."""
    if summary is None:
        return ""
    steady_interval = summary.interval
    phrases = [
        f"mean of {grouped(steady_interval.n)} iterations",
        f"median {si(summary.median, unit)}",
    ]
    if steady_interval.effective is None:
        return ", ".join([*phrases, "interval unknown: too few values, or all alike"])
    worth_words = f"worth {grouped(steady_interval.effective)} independent values"
    if steady_interval.low is None or steady_interval.high is None:
        return ", ".join([*phrases, f"{worth_words}, too few for an interval ({LEAST_EFFECTIVE})"])
    interval = f"95 % interval {si(steady_interval.low, unit)} to {si(steady_interval.high, unit)}"
    return ", ".join([*phrases, interval, worth_words, _enough_words(steady_interval)])


def _enough_words(interval: SteadyInterval) -> str:
    if interval.enough():
        return "enough for ±1 %"
    return f"±1 % would take {grouped(interval.required())} iterations"


@register.filter
def shortage(interval: SteadyInterval) -> str:
    """`6 of 30`: independent values that there are, of those that an interval takes."""
    if not interval.is_too_dependent:
        return ""
    return f"{grouped(interval.effective)} of {LEAST_EFFECTIVE}"


@register.filter
def change_interval(change: ResultChange | None) -> str:
    """`95 % interval +2.1 % to +4.1 %`, or why there is none."""
    if change is None:
        return ""
    if change.low is None or change.high is None:
        return f"no interval: worth fewer than {LEAST_EFFECTIVE} independent values"
    return f"95 % interval {percent_signed(change.low)} to {percent_signed(change.high)}"
