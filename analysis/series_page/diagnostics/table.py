"""The manual aids of one series, ready to be shown: figures, drawings, and both in words."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from django.urls import reverse

from analysis.series_page.diagnostics import figures
from analysis.series_page.diagnostics.query import LAGS_MOST, SEED_MOST, DiagnosticsQuery
from analysis.statistics.answers import NEVER, Number
from analysis.statistics.dependence import (
    FEWEST,
    Autocorrelation,
    Values,
    autocorrelation,
    reordered,
)
from analysis.web.figures import WebFigure
from people.templatetags.writing import si, whole
from series.models import Series

CHANCE: Final = 0.05


StartLink = tuple[str, str, bool]
"""A start to look from: its words, where it leads, and whether it is the one shown."""


@dataclass(frozen=True, slots=True)
class ValueOrder:
    """The remaining values in one order: as measured, or at random."""

    title: str
    found: Autocorrelation
    lags: WebFigure
    bars: WebFigure


@dataclass(frozen=True, slots=True)
class Diagnostics:
    """The page.

    orders  the values as measured and at random; none where `problem` says why
    """

    series: Series
    asked: DiagnosticsQuery
    start: int
    n: int
    choices: Sequence[StartLink]
    here: str
    run: WebFigure | None
    limits: tuple[str, str]
    orders: Sequence[ValueOrder]
    problem: str
    again: str

    @property
    def last(self) -> int:
        return self.series.n - 1

    @property
    def latest(self) -> int:
        """The last start that leaves enough values for plots."""
        return max(self.series.n - FEWEST, 0)

    @property
    def by_chance(self) -> str:
        """How many bars leave the band although nothing depends on anything."""
        return f"{CHANCE * self.orders[0].found.lags:.1f}"

    @property
    def lags_text(self) -> str:
        return " ".join(map(str, self.asked.lags))


def diagnostics_of(
    series: Series, asked: DiagnosticsQuery, *, truth: Number | None, named: str
) -> Diagnostics:
    """What remains of a series from a start on.

    `truth` is the yardstick's answer and `named` its words: the default start, where it is steady.
    """
    steady = None if truth is None or truth == NEVER else int(truth)
    start = next(each for each in (asked.start, steady, 0) if each is not None)
    values = series.array()[start:]
    unit = series.benchmark.unit
    limits = figures.limits_of(values, everything=asked.everything)
    ends = si(limits[0], unit), si(limits[1], unit)
    words = _run_words(series, values, start, figures.count_beyond(values, limits), ends)
    problem = _problem(values, start, unit)
    address = reverse(
        "series-diagnostics", args=[series.benchmark.dataset.study.slug, series.public_id]
    )
    starts = [("first iteration", 0), *([] if steady is None else [(named, steady)])]
    return Diagnostics(
        series=series,
        asked=asked,
        start=start,
        n=values.size,
        choices=[
            (f"{words} {whole(at)}", address + asked.changed(start=at).query(), at == start)
            for words, at in starts
        ],
        here=address + asked.query(),
        run=figures.run_sequence(series, values, start, limits, words)
        if values.size >= FEWEST
        else None,
        limits=ends,
        orders=() if problem else _orders(values, asked, limits),
        problem=problem,
        again=address + asked.changed(seed=(asked.seed + 1) % SEED_MOST).query(),
    )


def _run_words(
    series: Series, values: Values, start: int, beyond: int, ends: tuple[str, str]
) -> str:
    """The run sequence in words."""
    verb = "lies" if beyond == 1 else "lie"
    cut = f" {whole(beyond)} {verb} beyond it." if beyond else ""
    return (
        f"{whole(values.size)} values from iteration {whole(start)} to {whole(series.n - 1)}, "
        f"axis from {ends[0]} to {ends[1]}.{cut}"
    )


def _problem(values: Values, start: int, unit: str) -> str:
    if values.size < FEWEST:
        left = f"{whole(values.size)} value"
        words = f"{left} remains" if values.size == 1 else f"{left}s remain"
        return f"From iteration {whole(start)} on, {words}: too few. The plots need {FEWEST}."
    if values.min() == values.max():
        same = si(float(values[0]), unit)
        return (
            f"Every value from iteration {whole(start)} on is {same}: constant, so that there is "
            "no correlation to draw."
        )
    return ""


def _orders(
    values: Values, asked: DiagnosticsQuery, limits: figures.Limits
) -> tuple[ValueOrder, ValueOrder]:
    mixed = reordered(values, asked.seed)
    found = [autocorrelation(each) for each in (values, mixed)]
    original, other = (each for each in found if each is not None)  # neither is constant
    low = figures.lowest_correlation((original, other), bartlett=asked.bartlett)
    lags = [lag for lag in asked.lags if lag < values.size][:LAGS_MOST]

    def order(title: str, each: Values, of: Autocorrelation) -> ValueOrder:
        plots = figures.lag_plots(title, each, of, lags, limits)
        bars = figures.correlogram(title, of, low, bartlett=asked.bartlett)
        return ValueOrder(title, of, plots, bars)

    return order("as measured", values, original), order("shuffled", mixed, other)
