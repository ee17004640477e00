"""Formats of a result, its precision and its change: `±0.4 %`, `+3.1 %: matters`."""

from __future__ import annotations

from django import template

from analysis.statistics.steady_summary import ResultChange, SteadySummary
from people.templatetags.writing import HARD, MINUS, si, whole

register = template.Library()


@register.filter
def percent_signed(share: float | None) -> str:
    """`+3.1 %`, `−0.02 %`, `0 %`: two digits that count below 1 %, one decimal above."""
    if share is None or share != share:  # noqa: PLR0124  # NaN
        return "–"
    size = abs(100 * share)
    if size < 0.005:
        return f"0{HARD}%"
    digits = f"{size:.2f}" if size < 0.995 else f"{size:.1f}" if size < 999.95 else whole(size)
    return f"{MINUS if share < 0 else '+'}{digits}{HARD}%"


@register.filter
def precision(summary: SteadySummary | None) -> str:
    """Half of the interval as a share of the result: `±0.4 %`; nothing where it is unknown."""
    half = None if summary is None else summary.half_width
    return "" if half is None else f"±{percent_signed(half).lstrip('+')}"


@register.filter
def in_words(summary: SteadySummary | None, unit: str) -> str:
    """What stands behind a result, in one line."""
    if summary is None:
        return ""
    parts = [f"mean of {whole(summary.n)} iterations", f"median {si(summary.median, unit)}"]
    if summary.low is None or summary.high is None:
        return ", ".join([*parts, "interval unknown: the values do not become independent"])
    parts.append(f"95 % interval {si(summary.low, unit)} to {si(summary.high, unit)}")
    if summary.merged is not None and summary.merged > 1:
        parts.append(f"{summary.merged} neighbours merged")
    if summary.effective is not None:
        parts.append(f"worth {whole(summary.effective)} independent values")
    parts.append(_enough(summary))
    return ", ".join(parts)


def _enough(summary: SteadySummary) -> str:
    if summary.enough:
        return "enough for ±1 %"
    return f"±1 % would take {whole(summary.required)} iterations"


@register.filter
def change_interval(change: ResultChange | None) -> str:
    """`95 % interval +2.1 % to +4.1 %`."""
    if change is None:
        return ""
    return f"95 % interval {percent_signed(change.low)} to {percent_signed(change.high)}"
