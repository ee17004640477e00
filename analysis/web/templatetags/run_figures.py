"""Times and speeds of runs: two digits are enough to compare methods."""

from __future__ import annotations

from django import template

from people.templatetags.writing import lasting

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
def duration(seconds: float) -> str:
    """Duration in words, to the second below an hour: `34 s`, `1 min 24 s`."""
    rounded_seconds = round(seconds)
    if rounded_seconds < 1:
        return f"1{HARD}s"
    minutes, remaining_seconds = divmod(rounded_seconds, 60)
    if minutes >= 60:
        return lasting(seconds)
    return (
        f"{minutes}{HARD}min{HARD}{remaining_seconds:02d}{HARD}s"
        if minutes
        else f"{remaining_seconds}{HARD}s"
    )


@register.filter
def lasting_range(seconds: tuple[float, float] | None) -> str:
    """Range of a future duration: `about 3 min`, or `3 min to 2 h 5 min`; `–` for nothing."""
    if seconds is None:
        return "–"
    shortest_words, longest_words = map(lasting, seconds)
    return (
        f"about {shortest_words}"
        if shortest_words == longest_words
        else f"{shortest_words} to {longest_words}"
    )
