"""Formats of the harness page; no figure is computed here."""

from __future__ import annotations

from django import template

from analysis.comparison.templatetags.comparison_links import add_number, unlocalized
from analysis.cost.sentences import error_text, length_text

register = template.Library()
register.filter(add_number)
register.filter(unlocalized)


@register.filter
def length(seconds: float | None) -> str:
    """`23 s`, `8.5 ms`, `40 min`."""
    return "–" if seconds is None else length_text(seconds, in_seconds=True)


@register.filter
def error(share: float | None) -> str:
    """`12.3 %`, `0.04 %`; nothing of too few series."""
    return "–" if share is None else error_text(share)
