"""Formats of cost figures and links to their series; no figure is computed here."""

from __future__ import annotations

from typing import Final

from django import template

from analysis.comparison.inputs import ComparedSeries
from analysis.comparison.query import ComparisonQuery
from analysis.comparison.templatetags.comparison_links import answer
from analysis.cost.sentences import time_text
from analysis.cost.table import ForkCost
from analysis.statistics.quality import Better, WarmUpErrors
from people.models import Study
from people.templatetags.writing import HARD, MINUS, share as written, whole

register = template.Library()

register.filter(time_text)

SMALL = 0.01
LEAST = 0.00001
WORDS: Final[dict[Better, str]] = {
    "quality improvement": "better result",
    "time improvement": "shorter test",
    "quality regression": "worse result",
    "time regression": "longer test",
    "none": "neither",
}


@register.filter
def verdict(found: Better | None) -> str:
    """As the columns of the table of methods call it."""
    return "–" if found is None else WORDS[found]


@register.filter
def measured(fork: ForkCost) -> str:
    """What is measured of a fork, and the yardstick's answer, for the tip of its button."""
    known = "" if fork.truth is None else f"; yardstick: {answer(fork.truth)}"
    return f"fork {fork.line.fork}: measured from {whole(fork.start)} to {whole(fork.stop)}{known}"


@register.filter
def ratio(value: float) -> str:
    """Four decimals, as publications print: 1.0815."""
    return f"{value:.4f}"


@register.filter
def three(value: float | None) -> str:
    """Three decimals, as publications print: 0.664."""
    return "–" if value is None else f"{value:.3f}".replace("-", MINUS)


@register.filter
def points(share: float | None) -> str:
    """A difference of shares: `+25.3 pp`, `−2.9 pp`, `0.0 pp`."""
    if share is None:
        return "–"
    size = f"{abs(100 * share):.1f}"
    sign = MINUS if share < 0 else "+"
    return f"{sign if float(size) else ''}{size}{HARD}pp"


@register.filter
def load(share: float | None) -> str:
    """A share that is mostly small: `< 0.001 %`, `0.004 %`, `2.3 %`, `628 %`."""
    if share is None:
        return "–"
    if 0 < share < LEAST:
        return f"<{HARD}{written(LEAST, 3)}"
    return written(share, 3 if share < SMALL else int(share < 1))


@register.filter
def percent_of(errors: WarmUpErrors, what: str) -> str:
    """Which percentage of the errors are `over`, `under` or `exact`."""
    return f"{100 * (errors.share(getattr(errors, what)) or 0):.1f}"


@register.simple_tag
def series_link(study: Study, line: ComparedSeries, asked: ComparisonQuery) -> str:
    """The series' own page, with the yardstick and the lines of the comparison."""
    return line.address(study.slug) + asked.query()
