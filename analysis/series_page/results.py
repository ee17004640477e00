"""Results of a series from any start on: one's own, the yardstick's, each person's."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Final

from analysis.references import yardsticks
from analysis.series_page.marks_panel import marked_campaign
from analysis.series_page.overlay_file import RESULT_COLUMNS, result_cells
from analysis.series_page.series_overlay import result_from, yardstick_answer
from analysis.statistics.answers import NEVER, Number
from analysis.statistics.steady_summary import ResultChange, SteadySummary
from annotate.models import Campaign
from detectors.intervals.steady_interval import LEAST_EFFECTIVE
from formats.tables import Cell
from series.models import Series

COLUMNS: Final = ("of", "start", *RESULT_COLUMNS)


@dataclass(frozen=True, slots=True)
class SteadyResultRow:
    """One start: whose, where, and what it gives. `start` is NEVER where there is no result."""

    source: str
    start: int
    summary: SteadySummary | None
    change: ResultChange | None


@dataclass(frozen=True, slots=True)
class SteadyResults:
    """One series; `first_iteration` was asked for, `truth_words` say whose answer is compared."""

    series: Series
    rows: Sequence[SteadyResultRow]
    first_iteration: int
    truth: Number | None
    truth_words: str
    least_effective: int = LEAST_EFFECTIVE


def results_of(series: Series, *, text: str, code: str) -> SteadyResults:
    """The results of a series that the reader may see answers of.

    text   an iteration as text; what is none is where the yardstick says, else the middle
    code   of the yardstick; empty, or an old one, for the default
    """
    truth, truth_words = yardstick_answer(series, code)
    start = _chosen_start(text, series.n, truth)
    named_starts = [("here", start), *_known_starts(series, truth, truth_words, code)]
    values = series.array()
    rows = [
        SteadyResultRow(name, max(int(row_start), NEVER), *result_from(values, row_start, truth))
        for name, row_start in named_starts
    ]
    return SteadyResults(series, rows, start, truth, truth_words)


def _chosen_start(text: str, n: int, truth: Number | None) -> int:
    if text.isascii() and text.isdigit():
        return min(int(text), n - 1)
    return n // 2 if truth is None or truth < 0 else int(truth)


def _known_starts(
    series: Series, truth: Number | None, truth_words: str, code: str
) -> Iterator[tuple[str, Number]]:
    if truth is not None:
        yield truth_words, truth
    campaign = _campaign(series, code)
    for name, answers in yardsticks.people(campaign, [series.pk]).items() if campaign else ():
        person_start = answers.value(0)
        if person_start is not None:
            yield name.upper(), person_start


def _campaign(series: Series, code: str) -> Campaign | None:
    """The campaign of the yardstick, else the best one with marks of this series."""
    scope, _, code_rest = code.partition(":")
    campaign_slug = code_rest.partition(":")[0] if scope in {"campaign", "person"} else ""
    chosen_campaign = (
        series.benchmark.dataset.study.campaigns.filter(slug=campaign_slug).first()
        if campaign_slug
        else None
    )
    return chosen_campaign or marked_campaign(series)


def results_file_rows(results: SteadyResults) -> Iterator[tuple[Cell, ...]]:
    """The rows as a file has them; `here` is the iteration that was asked for."""
    for row in results.rows:
        yield row.source, row.start, *result_cells(row.summary, row.change)
