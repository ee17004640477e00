"""A published figure, and what is said of ours beside it: equal, or why not."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Final, Literal, NamedTuple

from evidence.replication.comparison_tally import ComparisonTally
from evidence.replication.monte_carlo import MOST_Z, MonteCarloSpread
from evidence.replication.published_figures import PublishedFigure
from formats.markdown import head, row

ROUNDING: Final = 0.51
"""Of the last printed digit: halves are rounded either way by those who print them."""

WIDEST: Final = 0.25
"""A difference that chance may explain is at most this share of the published figure."""

NOT_HERE: Final = "not computed"
PART: Final = "a part of the series"


class FigureVerdict(NamedTuple):
    """Words about a figure, and the outcome of the comparison."""

    words: str
    came_to: Literal["equal", "explained", "differs", "beside", "missing", "open"]


def published_number(text: str) -> float:
    """The value of a figure as published: thousands by commas, a typographic minus."""
    return float(text.replace(",", "").replace("−", "-"))


def rounding(text: str) -> float:
    """Distance that a figure may lie from its published digits."""
    mantissa, _, exponent = text.lower().partition("e")
    digits = len(mantissa.partition(".")[2]) - int(exponent or 0)
    return ROUNDING * 10.0**-digits


def agrees(own_figure: float, text: str) -> bool:
    """True where a figure is the published one, to the digits that are published."""
    return abs(own_figure - published_number(text)) <= rounding(text)


def figure_verdict(
    claim: PublishedFigure,
    own_figure: float | None,
    *,
    is_complete: bool,
    spread: MonteCarloSpread | None = None,
) -> FigureVerdict:
    """Verdict on our figure beside the published one.

    is_complete  ours is of all of the published series; else nothing is compared
    spread       how far ours lies from itself under other random numbers
    """
    if own_figure is None or not is_complete:
        return FigureVerdict(NOT_HERE if own_figure is None else PART, "missing")
    if claim.beside:
        return FigureVerdict(f"beside: {claim.why}", "beside")
    if agrees(own_figure, claim.value):
        return FigureVerdict("equal", "equal")
    if claim.found and agrees(own_figure, claim.found):
        return FigureVerdict(claim.why, "explained")
    if claim.random and spread is not None:
        return _chance_verdict(claim, own_figure, spread)
    return FigureVerdict("DIFFERS", "differs")


def _chance_verdict(
    claim: PublishedFigure, own_figure: float, spread: MonteCarloSpread
) -> FigureVerdict:
    published_value = published_number(claim.value)
    if (reach := spread.reach(MOST_Z)) > WIDEST * abs(published_value):
        return FigureVerdict(f"not compared: chance alone moves it by {reach:.2g}", "open")
    z = spread.z(own_figure, published_value, rounding(claim.value))
    words = f"z {z:.1f} (n {spread.n:,}, sd {spread.sd:.2g})"
    if z <= MOST_Z:
        return FigureVerdict(f"by chance: {words}", "explained")
    return FigureVerdict(f"DIFFERS: {words}", "differs")


def figures_table(
    claims: Sequence[PublishedFigure],
    own_figures: Mapping[str, float],
    tally: ComparisonTally,
    *,
    is_complete: bool,
    missing_words: str,
    spreads: Mapping[str, MonteCarloSpread] | None = None,
) -> list[str]:
    """Lines in Markdown: every published figure beside ours, by the claims' keys.

    missing_words  why a figure is not computed, or not compared
    """
    lines = head("figure", "published", "ours", "verdict").splitlines()
    missing_count = undecided_count = 0
    for claim in claims:
        our_figure = own_figures.get(claim.key)
        spread = (spreads or {}).get(claim.key)
        verdict = figure_verdict(claim, our_figure, is_complete=is_complete, spread=spread)
        published_cell = (
            claim.value if claim.origin == "printed" else f"{claim.value} (not printed)"
        )
        lines.append(row(claim.what, published_cell, six_digits(our_figure), verdict.words))
        tally.compared += verdict.came_to in {"equal", "explained", "differs"}
        tally.explained += verdict.came_to == "explained"
        tally.beside += verdict.came_to == "beside"
        missing_count += verdict.came_to == "missing"
        undecided_count += verdict.came_to == "open"
        if verdict.came_to == "differs":
            place = f"{claim.group}, {claim.what}"
            tally.differing.append(f"{place}: {six_digits(our_figure)}, published {claim.value}")
    if missing_count:
        tally.miss(claims[0].group, missing_words, missing_count)
    if undecided_count:
        reason = f"chance alone moves them by more than {100 * WIDEST:g} % of the published figure"
        tally.miss(claims[0].group, reason, undecided_count)
    return lines


def six_digits(figure: float | None) -> str:
    """Six digits, or all of a whole number."""
    if figure is None:
        return ""
    return f"{figure:,.0f}" if float(figure).is_integer() else f"{figure:,.6g}"
