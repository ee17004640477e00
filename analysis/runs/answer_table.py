"""Answers of a run, one a row, each with the reason that is stored."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

from django.core.paginator import Page, Paginator
from django.db.models import QuerySet

from analysis.methods.method_style import MethodStyle
from analysis.runs.answer_map import answer_words
from analysis.runs.models import Detection, Run
from analysis.runs.progress import failure_reason, method_style
from analysis.runs.selection import SeriesSelection
from annotate.blind import visible_series
from people.models import User

ROWS: Final = 50


@dataclass(frozen=True, slots=True)
class RunAnswerRow:
    """One stored answer as a row of the table."""

    detection: Detection

    @property
    def method(self) -> MethodStyle:
        return method_style(self.detection.detector_key)

    @property
    def words(self) -> str:
        """The iteration, `never`, or why there is none."""
        return answer_words(self.detection.steady_start) or self.detection.get_outcome_display()

    @property
    def reason(self) -> str:
        """Reason of the answer, or of its absence."""
        return self.detection.reason or failure_reason(self.detection.error)


def run_answers(run: Run, reader: User) -> QuerySet[Detection]:
    """Stored answers of the run's methods for those of its series that the reader may see."""
    series = visible_series(reader, SeriesSelection.from_json(run.selection).series(run.study))
    rows = Detection.objects.filter(series__in=series, detector_key__in=run.detectors)
    return rows.order_by("series_id", "detector_key")


def answer_page(run: Run, reader: User, number: str) -> Page[Detection]:
    """One page of the table."""
    rows = run_answers(run, reader).select_related("series__benchmark__dataset__study")
    return Paginator(rows, ROWS).get_page(number)


def answer_rows(page: Page[Detection]) -> list[RunAnswerRow]:
    """Rows of the table on this page."""
    return [RunAnswerRow(detection) for detection in page]
