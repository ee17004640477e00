"""Formats of numbers and times on every page."""

from __future__ import annotations

import re
from datetime import datetime, timedelta
from math import floor, log10

from django import template
from django.utils import timezone
from django.utils.html import conditional_escape, format_html
from django.utils.safestring import SafeString, mark_safe

register = template.Library()

THIN, HARD, MINUS = "\u2009", "\u00a0", "\u2212"
SECONDS = [(1.0, ""), (1e-3, "m"), (1e-6, "µ"), (1e-9, "n")]
RATES = [(1e9, "G"), (1e6, "M"), (1e3, "k"), (1.0, "")]


@register.filter("whole")
def grouped(value: float | None) -> str:
    """Whole number; groups of three with thin spaces from 10 000 on; `–` for nothing."""
    if value is None:
        return "–"
    text = f"{abs(round(value)):d}"
    if len(text) > 4:
        text = f"{int(text):,}".replace(",", THIN)
    return (MINUS if round(value) < 0 else "") + text


@register.filter
def version(text: object) -> str:
    """A version as it is written on pages: v1. One that has letters first is left as it is."""
    return f"v{text}" if str(text)[:1].isdigit() else str(text)


BREAK = "<wbr>"
BREAKS = re.compile(r"(?<=[._/#:$&=-])(?=\w)|(?<=[a-z0-9])(?=[A-Z])")


@register.filter
def breakable(text: object) -> SafeString:
    """A long name that may break behind a sign or before a capital, and nowhere else."""
    parts = (conditional_escape(piece) for piece in BREAKS.split(str(text)))
    return mark_safe(BREAK.join(parts))  # noqa: S308  # escaped part by part


@register.filter
def signed(value: float | None) -> str:
    """Signed whole number: +140, −12, 0."""
    if value is None:
        return "–"
    rounded_value = round(value)
    return ("+" if rounded_value > 0 else "") + grouped(rounded_value)


@register.filter
def share(value: float | None, decimals: int = 1) -> str:
    """A share from 0 to 1 as a percentage: 69.5 %."""
    if value is None or value != value:  # noqa: PLR0124  # NaN
        return "–"
    return f"{100 * value:.{decimals}f}{HARD}%"


@register.filter
def si(value: float | None, unit: str = "s") -> str:
    """Four significant digits and an SI prefix: 8.657 µs, 1.235 Mop/s, 3 661 s.

    `s/op` and the like are written as seconds.
    """
    if value is None:
        return "–"
    seconds = unit.split("/", 1)[0] == "s"
    name = "s" if seconds else unit
    if value == 0:
        return f"0{HARD}{name}"
    if seconds and abs(value) >= 1000:
        groups = f"{round(abs(value)):,}".replace(",", THIN)
        return f"{MINUS if value < 0 else ''}{groups}{HARD}{name}"
    return _prefixed(value, name, SECONDS if seconds else RATES)


def si_unit(size: float, unit: str) -> tuple[float, str]:
    """The unit in which `si` writes such a size, and what it is a multiple of: (0.001, "ms")."""
    seconds = unit.split("/", 1)[0] == "s"
    factor, prefix = _prefix(abs(size) or 1.0, SECONDS if seconds else RATES)
    return factor, f"{prefix}{'s' if seconds else unit}"


def _prefix(size: float, prefixes: list[tuple[float, str]]) -> tuple[float, str]:
    return next(
        (prefix for prefix in sorted(prefixes, reverse=True) if size >= prefix[0]), min(prefixes)
    )


def _prefixed(value: float, name: str, prefixes: list[tuple[float, str]]) -> str:
    sign = MINUS if value < 0 else ""
    size = float(f"{abs(value):.3e}")  # rounded first: 0.99996 ms is 1.000 ms
    factor, prefix = _prefix(size, prefixes)
    mantissa = size / factor
    digits_before_point = floor(log10(mantissa)) + 1
    # Values without a prefix for it keep their four digits: 0.001002, and 1.002·10⁻⁹.
    digits = (
        f"{mantissa:.{max(0, 4 - digits_before_point)}f}"
        if digits_before_point > -4
        else _power_text(mantissa)
    )
    return f"{sign}{digits}{HARD}{prefix}{name}".rstrip(HARD)


SUPERSCRIPTS = str.maketrans("-0123456789", "⁻⁰¹²³⁴⁵⁶⁷⁸⁹")


def _power_text(size: float) -> str:
    """Write a number as the axes of charts do: 1.501·10⁻⁵."""
    mantissa, _, power = f"{size:.3e}".partition("e")
    return f"{mantissa}·10{str(int(power)).translate(SUPERSCRIPTS)}"


@register.filter
def ago(moment: datetime | None) -> SafeString | str:
    """`12 min ago` with the exact time in the title; the date when it is older than a week."""
    if moment is None:
        return "–"
    local = timezone.localtime(moment)
    exact_time = f"{local:%Y-%m-%d %H:%M} {local.tzname()}"
    return format_html(
        '<time datetime="{}" title="{}">{}</time>',
        moment.isoformat(),
        exact_time,
        _ago_words(timezone.now() - moment) or f"{local:%Y-%m-%d %H:%M}",
    )


def _ago_words(passed_time: timedelta) -> str:
    seconds = passed_time.total_seconds()
    if seconds < 0 or passed_time > timedelta(days=7):
        return ""
    for size, word in ((86400, "d"), (3600, "h"), (60, "min")):
        if seconds >= size:
            return f"{int(seconds // size)}{HARD}{word} ago"
    return "just now"


@register.filter
def moment(time: datetime | None) -> str:
    """Date and time in the person's zone: 2025-03-14 14:02."""
    return f"{timezone.localtime(time):%Y-%m-%d %H:%M}" if time else "–"


@register.filter
def lasting(seconds: float | None) -> str:
    """A duration as a person says it: 12 s, 3 min, 2 h 5 min."""
    if seconds is None:
        return "–"
    total = round(seconds)
    if total < 90:
        return f"{total}{HARD}s"
    minutes = round(total / 60)
    if minutes < 90:
        return f"{minutes}{HARD}min"
    return f"{minutes // 60}{HARD}h{HARD}{minutes % 60}{HARD}min"
