"""Times and speeds of runs: two digits are enough to compare methods."""

from __future__ import annotations

from django import template

from people.templatetags.writing import whole

register = template.Library()
HARD = "\u00a0"


@register.filter
def milliseconds(value: float | None) -> str:
    """`0.06 ms`, `0.2 ms`, `88 ms`, `1.4 s`, `12 s`; `–` for nothing."""
    if value is None:
        return "–"
    if value >= 999.5:
        return f"{value / 1000:.{1 if value < 9950 else 0}f}{HARD}s"
    digits = 2 if value < 0.095 else 1 if value < 9.95 else 0
    return f"{value:.{digits}f}{HARD}ms"


@register.filter
def rate(value: float | None) -> str:
    """A number a second: `4.2`, `127`, `12 500`."""
    if value is None:
        return "–"
    return f"{value:.1f}" if value < 9.95 else whole(round(value))
