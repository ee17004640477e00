"""Coordinates of the page's pictures; no figure is computed here."""

from __future__ import annotations

from django import template

from analysis.comparison.templatetags.comparison_links import add_number, unlocalized

register = template.Library()
register.filter(add_number)
register.filter(unlocalized)
