"""The manual aids of one series, ready to be shown: figures, drawings, and both in words."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from django.urls import reverse

from analysis.series_page.diagnostics import figures
from analysis.series_page.diagnostics.query import LAGS_MOST, SEED_MOST, DiagnosticsQuery
from analysis.statistics.answers import NEVER, Number
from analysis.statistics.serial_dependence import (
    FEWEST,
    Autocorrelation,
    Values,
    autocorrelation,
    shuffle_values,
)
from analysis.web.figures import WebFigure
from people.templatetags.writing import grouped, si
from series.models import Series

CHANCE: Final = 0.05


StartLink = tuple[str, str, bool]
"""A start to look from: its words, where it leads, and whether it is the one shown."""


@dataclass(frozen=True, slots=True)
class ValueOrder:
    """The remaining values in one order: as measured, or at random."""

    title: str
    correlation: Autocorrelation
    lag_plots: WebFigure
    correlogram: WebFigure


@dataclass(frozen=True, slots=True)
class Diagnostics:
    """The page.

    orders  the values as measured and at random; none where `problem` says why
    """

    series: Series
    query: DiagnosticsQuery
    start: int
    n: int
    start_choices: Sequence[StartLink]
    address: str
    run_sequence: WebFigure | None
    limit_texts: tuple[str, str]
    orders: Sequence[ValueOrder]
    problem: str
    reshuffled_address: str

    @property
    def last_iteration(self) -> int:
        return self.series.n - 1

    @property
    def latest_start(self) -> int:
        """The last start that leaves enough values for plots."""
        return max(self.series.n - FEWEST, 0)

    @property
    def expected_outside(self) -> str:
        """Expected number of bars outside the band when no value depends on another."""
        return f"{CHANCE * self.orders[0].correlation.lags:.1f}"

    @property
    def lags_text(self) -> str:
        return " ".join(map(str, self.query.lags))


def compute_diagnostics(
    series: Series, query: DiagnosticsQuery, *, truth: Number | None, dataset_name: str
) -> Diagnostics:
    """Diagnostic plots of the values from a start on.

    `truth` is the yardstick's answer and `dataset_name` its words: the default start, where it is
    steady.
    """
    steady_start = None if truth is None or truth == NEVER else int(truth)
    start = next(candidate for candidate in (query.start, steady_start, 0) if candidate is not None)
    values = series.array()[start:]
    unit = series.benchmark.unit
    limits = figures.value_limits(values, shows_everything=query.everything)
    limit_texts = si(limits[0], unit), si(limits[1], unit)
    run_words = _run_words(series, values, start, figures.count_beyond(values, limits), limit_texts)
    problem = _problem(values, start, unit)
    address = reverse(
        "series-diagnostics", args=[series.benchmark.dataset.study.slug, series.public_id]
    )
    named_starts = [
        ("first iteration", 0),
        *([] if steady_start is None else [(dataset_name, steady_start)]),
    ]
    return Diagnostics(
        series=series,
        query=query,
        start=start,
        n=values.size,
        start_choices=[
            (
                f"{start_words} {grouped(choice_start)}",
                address + query.changed(start=choice_start).query(),
                choice_start == start,
            )
            for start_words, choice_start in named_starts
        ],
        address=address + query.query(),
        run_sequence=figures.run_sequence(series, values, start, limits, run_words)
        if values.size >= FEWEST
        else None,
        limit_texts=limit_texts,
        orders=() if problem else _orders(values, query, limits),
        problem=problem,
        reshuffled_address=address + query.changed(seed=(query.seed + 1) % SEED_MOST).query(),
    )


def _run_words(
    series: Series, values: Values, start: int, beyond_count: int, limit_texts: tuple[str, str]
) -> str:
    """The run sequence in words."""
    verb = "lies" if beyond_count == 1 else "lie"
    beyond_sentence = f" {grouped(beyond_count)} {verb} beyond it." if beyond_count else ""
    return (
        f"{grouped(values.size)} values from iteration {grouped(start)} to "
        f"{grouped(series.n - 1)}, axis from {limit_texts[0]} to {limit_texts[1]}.{beyond_sentence}"
    )


def _problem(values: Values, start: int, unit: str) -> str:
    if values.size < FEWEST:
        count_phrase = f"{grouped(values.size)} value"
        remainder = f"{count_phrase} remains" if values.size == 1 else f"{count_phrase}s remain"
        return f"From iteration {grouped(start)} on, {remainder}: too few. The plots need {FEWEST}."
    if values.min() == values.max():
        level = si(float(values[0]), unit)
        return (
            f"Every value from iteration {grouped(start)} on is {level}: constant, so that "
            "there is no correlation to draw."
        )
    return ""


def _orders(
    values: Values, query: DiagnosticsQuery, limits: figures.Limits
) -> tuple[ValueOrder, ValueOrder]:
    shuffled_values = shuffle_values(values, query.seed)
    correlations = [autocorrelation(ordered_values) for ordered_values in (values, shuffled_values)]
    original_correlation, shuffled_correlation = (
        correlation for correlation in correlations if correlation is not None
    )  # both orders have the same values
    y_min = figures.lowest_correlation(
        (original_correlation, shuffled_correlation), has_bartlett=query.bartlett
    )
    lags = [lag for lag in query.lags if lag < values.size][:LAGS_MOST]

    def order(title: str, ordered_values: Values, correlation: Autocorrelation) -> ValueOrder:
        plots = figures.lag_plots(title, ordered_values, correlation, lags, limits)
        bars = figures.correlogram(title, correlation, y_min, has_bartlett=query.bartlett)
        return ValueOrder(title, correlation, plots, bars)

    return order("as measured", values, original_correlation), order(
        "shuffled", shuffled_values, shuffled_correlation
    )
