"""Certainty that methods state for stored detections: read by series, in words, and as an order.

Of a series that the reader may not see nobody asks here: who calls has left those out.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from functools import cache
from typing import Any, Final

from django.db.models import ExpressionWrapper, F, FloatField, OuterRef, QuerySet, Subquery

from analysis.runs.models import CERTAINTY_FIELDS, Detection
from detectors.contract import NEVER, Certainty
from detectors.registry import DEFAULT_METHOD, from_key
from formats.tables import Cell
from people.templatetags.writing import grouped, share
from series.models.series import SeriesQuerySet

INTERVAL_WIDTH: Final = "interval_width"  # annotation of rows in the order *least sure first*
LEAST_SURE_FIRST: Final = "least sure first"


@cache
def default_key() -> str:
    """The method whose certainty lists show: the shipped one, with its defaults."""
    return from_key(DEFAULT_METHOD).key


@dataclass(frozen=True, slots=True)
class StatedCertainty:
    """Certainty of one detection; `start` is its answer, `n` the length of the series."""

    start: int
    n: int
    certainty: Certainty

    @property
    def width(self) -> float:
        """Width of the interval, as a share of the series."""
        return (self.certainty.high - self.certainty.low) / self.n

    @property
    def interval(self) -> str:
        """Iterations that the 80 % interval spans; an answer of never has none."""
        if self.start == NEVER:
            return "never"
        return f"{grouped(self.certainty.low)} to {grouped(self.certainty.high)}"

    @property
    def probability(self) -> float:
        """Probability that people agree: on never, or on the place where they call the series
        steady.
        """
        return 1 - self.certainty.chance if self.start == NEVER else self.certainty.near

    @property
    def percent(self) -> str:
        return share(self.probability, 0)

    @property
    def agreement_words(self) -> str:
        """Words for the event that the probability belongs to."""
        if self.start == NEVER:
            return f"{self.percent} that people say never steady"
        return f"{self.percent} that theirs is within 50 iterations of {grouped(self.start)}"

    @property
    def words(self) -> str:
        """The figures in a sentence."""
        if self.start == NEVER:
            return self.agreement_words
        return f"Four of five answers of people lie from {self.interval}; {self.agreement_words}"


def stated_certainty(detection: Detection, n: int) -> StatedCertainty | None:
    """Certainty that a detection of a series of `n` values states, or None."""
    certainty, start = detection.certainty, detection.steady_start
    return None if certainty is None or start is None else StatedCertainty(start, n, certainty)


def stated_certainties(
    series: Iterable[int] | QuerySet[Any], key: str = ""
) -> dict[int, StatedCertainty]:
    """Stated certainties by primary key of the series."""
    rows = answers_with_certainty(key or default_key()).filter(series__in=series)
    figures = rows.values_list("series", "steady_start", "series__n", *CERTAINTY_FIELDS)
    return {
        pk: StatedCertainty(start, n, Certainty(*certainty_values))
        for pk, start, n, *certainty_values in figures
    }


def certainty_cells(stated_certainty: StatedCertainty | None) -> tuple[Cell, ...]:
    """Cells of CERTAINTY_FIELDS; empty where nothing is said."""
    if stated_certainty is None:
        return (None,) * len(CERTAINTY_FIELDS)
    return tuple(getattr(stated_certainty.certainty, name) for name in CERTAINTY_FIELDS)


def certain_keys(series: Iterable[int] | QuerySet[Any]) -> list[str]:
    """Detector keys of the methods that state a certainty for any of these series."""
    rows = Detection.objects.filter(series__in=series, near__isnull=False).order_by()
    return sorted(rows.values_list("detector_key", flat=True).distinct())


def answers_with_certainty(key: str) -> QuerySet[Detection]:
    """Answers of the method that say how sure it was; earlier ones say nothing."""
    return Detection.objects.filter(
        detector_key=key, outcome=Detection.Outcome.ANSWER, near__isnull=False
    ).order_by()


def order_by_certainty(rows: SeriesQuerySet) -> SeriesQuerySet:
    """Widest interval first; those of which nothing is said last, in the order of their making."""
    width: ExpressionWrapper[Any] = ExpressionWrapper(
        (F("high") - F("low")) * 1.0 / F("series__n"), output_field=FloatField()
    )
    certain_answers = (
        answers_with_certainty(default_key()).filter(series=OuterRef("pk")).values(width=width)
    )
    series: Any = rows.annotate(**{INTERVAL_WIDTH: Subquery(certain_answers[:1])})
    ordered_rows: SeriesQuerySet = series.order_by(F(INTERVAL_WIDTH).desc(nulls_last=True), "pk")
    return ordered_rows
