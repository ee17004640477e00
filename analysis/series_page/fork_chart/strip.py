"""Strip of a benchmark's forks on the page of each: outline and answer, and the fold of all.

A fork that the reader has yet to answer is drawn without an answer.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Final

from django.http import HttpRequest

from analysis.references import yardsticks
from analysis.references.yardsticks import UnknownYardstick
from analysis.series_page.fork_chart.reads import fork_yardstick
from analysis.statistics.answers import NEVER, Number
from annotate import blind
from people.models import User
from people.templatetags.writing import grouped
from series.drawings.forks import ForkDrawing, fork_drawings
from series.folds import SeriesFold
from series.models import Recording, Series
from series.panels import PagePanel
from series.queries import neighbours, recordings_of_benchmark

TEMPLATE: Final = "analysis/series_page/fork_chart/strip.html"
SEVERAL: Final = 2
MOST: Final = 40  # forks in a strip; the chart of all has the others


@dataclass(frozen=True, slots=True)
class StripFork:
    """A fork in the strip. `truth` is None without an answer, and where it is hidden."""

    drawing: ForkDrawing
    truth: Number | None
    is_hidden: bool
    is_current: bool

    @property
    def series(self) -> Series:
        return self.drawing.series


@dataclass(frozen=True, slots=True)
class ForkStrip:
    """Forks of one recording, and the other recordings of the benchmark.

    other_series  first fork of each other recording, the newest first
    fork_count      number of forks, of which the strip shows at most MOST
    """

    forks: Sequence[StripFork]
    fork_count: int
    recording: Recording
    other_series: Sequence[Series]

    @property
    def finding(self) -> str:
        """Words for how many forks become steady, and where."""
        hidden_count = sum(fork.is_hidden for fork in self.forks)
        if hidden_count:
            return f"{grouped(hidden_count)} hidden until you have answered"
        starts = sorted(fork.truth for fork in self.forks if fork.truth is not None)
        steady_starts = [start for start in starts if start != NEVER]
        if not starts:
            return "no ground truth yet"
        if not steady_starts:
            return f"none of {grouped(len(starts))} becomes steady"
        span = f"from {grouped(steady_starts[0])}"
        if steady_starts[-1] != steady_starts[0]:
            span = f"between {grouped(steady_starts[0])} and {grouped(steady_starts[-1])}"
        unanswered_count = len(self.forks) - len(starts)
        lack_phrase = f"; {grouped(unanswered_count)} without an answer" if unanswered_count else ""
        return (
            f"{grouped(len(steady_starts))} of {grouped(len(starts))} steady, {span}{lack_phrase}"
        )


def fork_strip(series: Series, reader: User, code: str = "") -> ForkStrip:
    """The strip by the yardstick of that code; by the usual one for a code that is outdated."""
    forks = neighbours(series)
    own_index = next(fork_index for fork_index, fork in enumerate(forks) if fork.pk == series.pk)
    first_index = max(0, min(own_index - MOST // 2, len(forks) - MOST))
    shown_forks = forks[first_index : first_index + MOST]
    fork_pks = [fork.pk for fork in shown_forks]
    blind_pks = set(blind.open_series(reader).filter(pk__in=fork_pks).values_list("pk", flat=True))
    truth_by_pk = _truth_by_pk(series, code, [pk for pk in fork_pks if pk not in blind_pks])
    return ForkStrip(
        forks=[
            StripFork(
                drawing,
                truth_by_pk.get(drawing.series.pk),
                drawing.series.pk in blind_pks,
                drawing.series.pk == series.pk,
            )
            for drawing in fork_drawings(shown_forks)
        ],
        fork_count=len(forks),
        recording=series.recording,
        other_series=recordings_of_benchmark(series),
    )


def _truth_by_pk(series: Series, code: str, visible_pks: Sequence[int]) -> dict[int, Number | None]:
    if not visible_pks:
        return {}
    try:
        chosen_yardstick, _ = fork_yardstick(series.benchmark, code, visible_pks)
    except UnknownYardstick:
        chosen_yardstick, _ = fork_yardstick(series.benchmark, "", visible_pks)
    if chosen_yardstick is None:
        return {}
    answers = yardsticks.yardstick_answers(chosen_yardstick, visible_pks).answers
    return {pk: answers.value(position) for position, pk in enumerate(visible_pks)}


def fork_panels(request: HttpRequest, series: Series) -> Iterable[PagePanel]:
    """The strip below the title, and the chart of all forks as a fold (`series.panels`)."""
    if not isinstance(request.user, User):
        return []
    strip = fork_strip(series, request.user, request.GET.get("y", ""))
    has_several = strip.fork_count >= SEVERAL
    page_panels = []
    if has_several or strip.other_series:
        page_panels.append(PagePanel("forks", TEMPLATE, {"strip": strip, "several": has_several}))
    if has_several:
        query = request.GET.urlencode()
        title = "All forks on one chart"
        page_panels.append(SeriesFold("fork-chart", title, strip.finding, series, query).panel)
    return page_panels
