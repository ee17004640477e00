"""The basis of a comparison in words, which paper names under each figure."""

from __future__ import annotations

from analysis.comparison.table import ComparisonResult
from people.templatetags.writing import HARD, grouped


def basis(compared: ComparisonResult) -> str:
    """Basis of every figure of the comparison: yardstick, series, tolerance, as paper says."""
    result, tolerance = compared.result, compared.one_tolerance
    series = (
        f"{grouped(len(compared.lines))} series, {grouped(int(compared.truth.steady.sum()))} steady"
    )
    own_series_words = (
        "the series that all answer" if result.common else "the series that it answers"
    )
    bound = f"5{HARD}% of each series" if tolerance is None else f"±{grouped(tolerance)} iterations"
    narrowing_words = "".join(
        f" · only {name} “{text}”" for name, text in compared.asked.narrowed.items()
    )
    return (
        f"{compared.yardstick.title} · {series}{narrowing_words} · each method on "
        f"{own_series_words} · tolerance {bound}"
    )
