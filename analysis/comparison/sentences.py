"""Findings of a comparison as sentences: the answer, and what each folded part says when closed."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

from analysis.comparison.columns import one_decimal
from analysis.comparison.query import PARTS
from analysis.comparison.table import ComparisonResult
from analysis.statistics.multiple_comparisons import LEAST_SERIES
from people.templatetags.writing import HARD, grouped

NEXT: Final = 2  # methods that the answer names behind the first


def answer_sentence(comparison: ComparisonResult) -> str:
    """Sentence of the method nearest to the yardstick, by how much, and on how many series."""
    first_rows = [entry for entry in comparison.entries if entry.rank == 1]
    if not first_rows:
        return f"Nobody is ranked: no method has {LEAST_SERIES} series or more."
    figures = first_rows[0].figures
    names = " and ".join(entry.title for entry in first_rows)
    verb = "is" if len(first_rows) == 1 else "are"
    low, high = (one_decimal(figures["median_abs_low"]), one_decimal(figures["median_abs_high"]))
    return (
        f"{names} {verb} nearest to the yardstick: median |Δ| {one_decimal(figures['median_abs'])} "
        f"iterations (95{HARD}% interval {low} to {high}), n{HARD}={HARD}{grouped(figures['n'])}."
    )


def answer_note(comparison: ComparisonResult) -> str:
    """Sentence of the next methods; empty where no further method is ranked."""
    later_entries = sorted(
        (entry for entry in comparison.entries if (entry.rank or 0) > 1),
        key=lambda entry: (entry.rank or 0, entry.title),
    )
    parts = [
        f"{row.title} ({one_decimal(row.figures['median_abs'])})" for row in later_entries[:NEXT]
    ]
    return f"Next: {', '.join(parts)}." if parts else ""


@dataclass(frozen=True, slots=True)
class ComparisonFold:
    """A part of the page that is loaded when it is opened.

    name     of the part, one of PARTS
    finding  what the closed part says
    """

    name: str
    title: str
    finding: str

    @property
    def route(self) -> str:
        """Name of the route that answers with the part."""
        return PARTS[self.name]


def comparison_folds(comparison: ComparisonResult) -> list[ComparisonFold]:
    """Parts that are loaded on demand, in the order of the page."""
    folds = [
        ComparisonFold("tests", "Is the difference real?", _tests_finding(comparison)),
        ComparisonFold("figures", "Further figures", _figures_finding(comparison)),
    ]
    if comparison.yardstick.kind == "campaign":
        finding = "Another recipe, one person fewer, marks drawn again: who is first then."
        folds.append(ComparisonFold("what-if", "What if", finding))
    return folds


def _tests_finding(comparison: ComparisonResult) -> str:
    """Sentence that says if the intervals of the first two medians overlap."""
    ranked_rows = [row for row in comparison.entries if row.rank is not None]
    if len(ranked_rows) < 2:
        return "Tests need two ranked methods."
    first_row, second_row = sorted(ranked_rows, key=lambda row: (row.rank or 0, row.title))[:2]
    low, high = second_row.figures["median_abs_low"], first_row.figures["median_abs_high"]
    names = f"{first_row.title} and {second_row.title}"
    if low is None or high is None:
        return f"{names}, question by question."
    overlap_words = "lie apart" if high < low else "overlap"
    return f"The 95{HARD}% intervals of {names} {overlap_words}."


def _figures_finding(comparison: ComparisonResult) -> str:
    """Numbers of series on which the first method is early, within tolerance, late and missing."""
    first_row = next((row for row in comparison.entries if row.rank == 1), None)
    if first_row is None:
        return "Histograms, error by series, stacked bars."
    early_text, within_text, late_text, missed_text = (
        grouped(first_row.figures[verdict]) for verdict in ("early", "agrees", "late", "missed")
    )
    return (
        f"{first_row.title}: {early_text} early, {within_text} within tolerance, {late_text} late, "
        f"{missed_text} missed."
    )


def left_out_finding(comparison: ComparisonResult) -> str:
    """Number of series whose error counts, and the method that removes most of the others."""
    counting_words = (
        f"{grouped(comparison.result.n_distances)} of {grouped(len(comparison.lines))} series count"
    )
    greatest_cost = max(comparison.result.costs, key=lambda cost: cost.alone, default=None)
    if greatest_cost is None or not greatest_cost.alone:
        return f"{counting_words}."
    return (
        f"{counting_words}; {comparison.looks[greatest_cost.method].title} alone removes "
        f"{grouped(greatest_cost.alone)}."
    )
