"""Everything that is known of one series, for its page: yardstick, detections, marks.

Nothing of it is read for a person who has yet to answer the series: the provider gives one
sentence instead.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any, Final
from urllib.parse import urlencode

import numpy as np
from django.http import HttpRequest
from django.urls import reverse

from analysis.comparison import series_list
from analysis.comparison.query import ComparisonQuery
from analysis.methods.method_style import MethodStyle, MethodStyles, style_order
from analysis.references import yardsticks
from analysis.references.iteration_seconds import seconds_before
from analysis.references.yardsticks import UnknownYardstick, Yardstick
from analysis.runs.models import Chunk, Detection
from analysis.series_page.marks_panel import MarksPanel, marks_panel
from analysis.series_page.online_course import reads_online
from analysis.statistics import (
    NEVER,
    ResultChange,
    SteadySummary,
    change_of_result,
    seconds_between,
    steady_summary,
    verdict,
)
from analysis.statistics.answers import Number
from analysis.web.templatetags.results import percent_signed
from annotate import blind
from annotate.queries import campaign_to_continue
from formats.iterations import NOT_KNOWN
from formats.tables import Cell
from people.models import Role, User
from people.templatetags.writing import signed, whole
from series.models import Series
from series.panels import PagePanel

TRUTH: Final = "truth"
WITHOUT: Final = ("too-short", "not-available", "failed")  # states that say why there is no answer


@dataclass(frozen=True, slots=True)
class OverlayRow:
    """One line of the table of detections, which is the legend too.

    name     names it in addresses and on the chart
    start    first steady iteration, NEVER, or None without an answer
    state    answer, too-short, not-available, failed, queued or running
    summary  the result from `start` on; change: against that of the yardstick
    """

    name: str
    look: MethodStyle
    start: int | None
    state: str
    delta: Number | None = None
    seconds: float | None = None
    verdict: str = ""
    milliseconds: float | None = None
    error: str = ""
    published_index: int | None = None
    decided_at: int | None = None
    flags: str = ""
    summary: SteadySummary | None = None
    change: ResultChange | None = None

    @property
    def has_line(self) -> bool:
        return self.start is not None and self.start >= 0

    @property
    def also(self) -> str:
        """Other indices, where they say something else: the publication's, the decision's."""
        said: dict[int, list[str]] = {}
        for name, index in (("published", self.published_index), ("decided", self.decided_at)):
            if index is not None and index != self.start:
                said.setdefault(index, []).append(name)
        return " · ".join(
            f"{' and '.join(names)} {'−1' if index == NEVER else whole(index)}"
            for index, names in said.items()
        )

    @property
    def chip(self) -> str:
        """Why there is no line; nothing where there is one or none is due yet."""
        if self.start == NEVER:
            return "never"
        return self.error if self.state in WITHOUT else ""

    @property
    def said(self) -> str:
        """The state as a word."""
        return self.state.replace("-", " ")

    @property
    def delta_words(self) -> str:
        """Distance and change, as a narrow page says them after the verdict."""
        if self.change is None:
            return f", {signed(self.delta)}"
        change = self.change
        return f", {signed(self.delta)} · {percent_signed(change.share)}: {change.word}"

    @property
    def may_change(self) -> bool:
        """Whether a new run may find an answer."""
        return self.state in {"not-available", "failed"}


@dataclass(frozen=True, slots=True)
class SeriesOverlay:
    """One series with its yardstick and all detections.

    truth   the yardstick's answer; None where it has none
    timed   it is known how long an iteration lasts
    result  what the series gives from there on
    """

    series: Series
    yardstick: Yardstick | None
    choices: Sequence[Yardstick]
    truth: Number | None
    agreement: str
    tolerance: int
    rows: Sequence[OverlayRow]
    timed: bool
    result: SteadySummary | None = None

    @property
    def yardstick_symbol(self) -> str:
        """The class of the yardstick's symbol: that of an answer, or of ground truth."""
        found = self.yardstick
        answer = found is not None and (found.kind == "method" or bool(found.person))
        return "symbol-mark" if answer else "symbol-truth"

    @property
    def chips(self) -> list[OverlayRow]:
        return [row for row in self.rows if row.chip]

    @property
    def also(self) -> bool:
        """Whether the table says indices beside the first steady iteration."""
        return any(row.also for row in self.rows)

    @property
    def pending(self) -> bool:
        return any(row.state in {"queued", "running"} for row in self.rows)

    @property
    def sentence(self) -> str:
        """The overlay in words, from its figures."""
        parts = []
        if self.yardstick is not None and self.truth is not None:
            words = "never steady" if self.truth == NEVER else f"steady from {whole(self.truth)}"
            line = self.yardstick.line
            parts.append(f"{line[:1].upper()}{line[1:]}: {words}.")
        said = [
            f"{row.look.label} {'never' if row.start == NEVER else whole(row.start)}"
            for row in self.rows
            if row.start is not None
        ]
        return " ".join([*parts, f"{', '.join(said)}." if said else ""]).strip()


def overlay_of(series: Series, *, code: str = "", tolerance: int | None = None) -> SeriesOverlay:
    """The overlay of a series that the reader may see. Raises UnknownYardstick."""
    choices = yardsticks.yardsticks_covering(series)
    chosen = _chosen(series, choices, code)
    answers = None if chosen is None else yardsticks.yardstick_answers(chosen, [series.pk])
    truth = None if answers is None else answers.answers.value(0)
    stored = Detection.objects.filter(series=series)
    looks = MethodStyles(series.benchmark.dataset.study)
    found = sorted(stored, key=lambda each: style_order(looks(each.detector_key)))
    shown = [each for each in found if chosen is None or each.detector_key != chosen.key]
    allowed = series.n * 5 // 100 if tolerance is None else tolerance
    length = series.iteration_length
    values = series.array() if hasattr(series, "stored") else None
    total = None
    if shown and values is not None:
        total = seconds_before(values, series.benchmark.unit, length)
    measure = _OverlayMeasure(looks, truth, allowed, total, values)
    rows = [measure.row(each) for each in shown] + _pending(series, found)
    return SeriesOverlay(
        series=series,
        yardstick=chosen,
        choices=choices if chosen is None or chosen in choices else [*choices, chosen],
        truth=truth,
        agreement=answers.words[0] if answers else "",
        tolerance=allowed,
        rows=sorted(rows, key=_nearest_first),
        timed=length is not None,
        result=measure.summary(truth),
    )


def truth_of(series: Series, code: str = "") -> tuple[Number | None, str]:
    """The yardstick's answer for one series, and its words; of the default one for an old code."""
    choices = yardsticks.yardsticks_covering(series)
    try:
        chosen = _chosen(series, choices, code)
    except UnknownYardstick:
        chosen = _chosen(series, choices, "")
    if chosen is None:
        return None, ""
    return yardsticks.yardstick_answers(chosen, [series.pk]).answers.value(0), chosen.line


def _chosen(series: Series, choices: Sequence[Yardstick], code: str) -> Yardstick | None:
    if not code:
        # A method is a yardstick only when somebody asks for it.
        return next((each for each in choices if each.kind != "method"), None)
    return yardsticks.yardstick(series.benchmark.dataset.study, code)


@dataclass(frozen=True, slots=True)
class _OverlayMeasure:
    """What every detection of the series is measured by."""

    looks: MethodStyles
    truth: Number | None
    tolerance: int
    total: np.ndarray | None
    values: np.ndarray | None

    def row(self, found: Detection) -> OverlayRow:
        look, start = self.looks(found.detector_key), found.steady_start
        return OverlayRow(
            name=look.name,
            look=look,
            start=start,
            state=found.outcome,
            delta=self._delta(start),
            seconds=self._seconds(start),
            verdict=verdict(start, self.truth, self.tolerance) or "",
            milliseconds=found.milliseconds,
            error=found.error,
            published_index=found.published_index,
            decided_at=found.decided_at,
            flags=found.flags,
            summary=self.summary(start),
            change=self._change(start),
        )

    def summary(self, start: Number | None) -> SteadySummary | None:
        if self.values is None or start is None or start < 0:
            return None
        return steady_summary(self.values, int(start))

    def _change(self, start: int | None) -> ResultChange | None:
        if self.values is None or self._delta(start) is None:
            return None
        return change_of_result(self.values, int(start or 0), int(self.truth or 0))

    def _delta(self, start: int | None) -> Number | None:
        """Predicted − yardstick, where both say steady."""
        if start is None or self.truth is None or min(start, self.truth) < 0:
            return None
        return start - self.truth

    def _seconds(self, start: int | None) -> float | None:
        if self.total is None or start is None or self.truth is None:
            return None
        if min(start, self.truth) < 0:
            return None
        return seconds_between(self.total, int(self.truth), start)


def _nearest_first(row: OverlayRow) -> tuple[int, float, tuple[bool, int, bool, str]]:
    """Nearest to the yardstick first, then those without a distance, then those on their way."""
    groups = (row.delta is not None, row.start is not None, bool(row.chip), True)
    return groups.index(True), abs(row.delta or 0), style_order(row.look)


def _pending(series: Series, found: Iterable[Detection]) -> list[OverlayRow]:
    """Methods that a worker will answer with, or is at."""
    stored = {each.detector_key for each in found}
    study = series.benchmark.dataset.study_id
    waiting = Chunk.objects.open().filter(job__study=study, members__series=series)
    rows = waiting.exclude(detector_key__in=stored).order_by("pk")
    states = {
        key: "running" if state == Chunk.State.TAKEN else "queued"
        for key, state in rows.values_list("detector_key", "state")
    }
    looks = sorted(map(MethodStyles(series.benchmark.dataset.study), states), key=style_order)
    return [OverlayRow(look.name, look, None, states[look.key]) for look in looks]


# --- for the chart's script -------------------------------------------------------------------
def chart_lines(overlay: SeriesOverlay, marks: MarksPanel | None) -> dict[str, Any]:
    """What js/series_page/overlay.js draws: lines by name, the yardstick first."""
    return {
        "study": overlay.series.benchmark.dataset.study.slug,
        "lines": [*_truth_line(overlay), *map(_line, filter(_drawn, overlay.rows))],
        "marks": marks.lines if marks else [],
        "description": overlay.sentence,
        "pending": overlay.pending,
    }


def _truth_line(overlay: SeriesOverlay) -> list[dict[str, Any]]:
    if overlay.yardstick is None or overlay.truth is None or overlay.truth < 0:
        return []
    line, index = overlay.yardstick.line, int(overlay.truth)
    kind = "truth" if overlay.yardstick.kind in {"campaign", "recipe", "known"} else "yardstick"
    # The chart has words of its own for ground truth: shorter ones where there is little room.
    label = {} if line == "ground truth" else {"label": f"{line} {index}"}
    return [{"id": TRUTH, "index": index, "kind": kind, "title": line, **label}]


def _drawn(row: OverlayRow) -> bool:
    return row.has_line


def _line(row: OverlayRow) -> dict[str, Any]:
    return {
        "id": row.name,
        "index": row.start,
        "kind": "detector",
        "slot": row.look.slot or 0,
        "code": row.look.code,
        "title": row.look.label,
    }


# --- as a file --------------------------------------------------------------------------------
RESULT_COLUMNS: Final = (
    "steady_n",
    "mean",
    "median",
    "mean_low",
    "mean_high",
    "effective_n",
    "enough_for_1_percent",
    "change",
    "change_low",
    "change_high",
    "consequence",
)
COLUMNS: Final = (
    "method",
    "version",
    "params",
    "steady_start",
    "published_index",
    "decided_at",
    "yardstick",
    "truth",
    "error",
    "error_seconds",
    "iteration",
    "tolerance",
    "verdict",
    "flags",
    "milliseconds",
    "problem",
    *RESULT_COLUMNS,
)


def file_rows(overlay: SeriesOverlay) -> list[tuple[Cell, ...]]:
    """The table of detections as it stands on the page."""
    done = [row for row in overlay.rows if row.state not in {"queued", "running"}]
    return [_file_row(overlay, row) for row in done]


def _file_row(overlay: SeriesOverlay, row: OverlayRow) -> tuple[Cell, ...]:
    return (
        row.look.slug,
        row.look.version,
        row.look.key.partition("?")[2],
        row.start,
        row.published_index,
        row.decided_at,
        overlay.yardstick.code if overlay.yardstick else None,
        overlay.truth,
        row.delta,
        row.seconds,
        str(overlay.series.iteration_length or NOT_KNOWN),
        overlay.tolerance,
        row.verdict,
        row.flags,
        row.milliseconds,
        row.error,
        *result_cells(row.summary, row.change),
    )


def result_cells(found: SteadySummary | None, change: ResultChange | None) -> tuple[Cell, ...]:
    """Cells of RESULT_COLUMNS; empty where there is no result, or none to compare it with."""
    result: tuple[Cell, ...] = (None,) * 7
    if found is not None:
        enough = None if found.enough is None else "yes" if found.enough else "no"
        sure = (found.low, found.high, found.effective, enough)
        result = (found.n, found.mean, found.median, *sure)
    if change is None:
        return (*result, None, None, None, None)
    return (*result, change.share, change.low, change.high, change.word)


# --- the page ---------------------------------------------------------------------------------
def panels(request: HttpRequest, series: Series) -> list[PagePanel]:
    """Parts of the page of a series (`series.panels`)."""
    if blind.is_open(request.user, series):
        return [
            PagePanel("notice", "analysis/series_page/overlay/blind.html", _blind(request, series))
        ]
    asked = ComparisonQuery.of(request.GET)
    overlay = _asked_for(series, asked)
    marks = marks_panel(series, overlay.yardstick.campaign if overlay.yardstick else None)
    study = series.benchmark.dataset.study
    context = {
        "overlay": overlay,
        "marks": marks,
        "asked": asked,
        "study": study,
        "series": series,
        "may_run": study.role_of(request.user) == Role.OWNER,
        "run_url": run_address(series),
        "file_query": asked.query(),
        "lines": chart_lines(overlay, marks),
        "on": request.GET.getlist("on"),
    }
    walk = series_list.drilldown_walk(request, series, asked)
    aids = reverse("series-diagnostics", args=[study.slug, series.public_id])
    templates = {
        "actions": "yardstick",
        "chips": "chips",
        "under": "detections",
        "scripts": "scripts",
    }
    found = [
        PagePanel(place, f"analysis/series_page/overlay/{name}.html", context)  # type: ignore[arg-type]  # places
        for place, name in templates.items()
    ]
    found.append(
        PagePanel(
            "after",
            "analysis/series_page/diagnostics/disclosure.html",
            {"url": aids + _chosen_by(asked)},
        )
    )
    results = reverse("series-results", args=[study.slug, series.public_id]) + _chosen_by(asked)
    found.append(
        PagePanel("after", "analysis/series_page/results/disclosure.html", {"url": results})
    )
    if reads_online(row.look.slug for row in overlay.rows):
        online = reverse("series-online", args=[study.slug, series.public_id])
        found.append(
            PagePanel("after", "analysis/series_page/online/disclosure.html", {"url": online})
        )
    if walk is not None:
        found.append(PagePanel("notice", "analysis/series_page/overlay/walk.html", {"walk": walk}))
    if marks is not None:
        found.append(PagePanel("side", "analysis/series_page/overlay/marks.html", context))
    return found


def _chosen_by(asked: ComparisonQuery) -> str:
    return f"?{urlencode({'y': asked.yardstick})}" if asked.yardstick else ""


def _asked_for(series: Series, asked: ComparisonQuery) -> SeriesOverlay:
    """By the yardstick asked for; an old address still shows the series, by the default one."""
    try:
        return overlay_of(series, code=asked.yardstick, tolerance=asked.tolerance)
    except UnknownYardstick:
        return overlay_of(series, tolerance=asked.tolerance)


def _blind(request: HttpRequest, series: Series) -> dict[str, Any]:
    """One link to the reader's next open series, and never to this one's question."""
    study = series.benchmark.dataset.study
    campaign = campaign_to_continue(study, request.user) if isinstance(request.user, User) else None
    asked = (
        isinstance(request.user, User)
        and blind.asked_series(request.user).filter(pk=series.pk).exists()
    )
    if campaign is None:
        return {"url": "", "asked": asked}
    return {"url": reverse("annotate", args=[study.slug, campaign.slug]), "asked": asked}


def run_address(series: Series) -> str:
    """The form of a new run, filled in for this series' benchmark."""
    benchmark = series.benchmark
    query = {
        "dataset": benchmark.dataset.slug,
        "recording": series.recording.label,
        "system": benchmark.system,
        "text": " ".join(part for part in (benchmark.name, benchmark.params) if part),
    }
    pairs = {name: value for name, value in query.items() if value}
    return f"{reverse('run-new', args=[benchmark.dataset.study.slug])}?{urlencode(pairs)}"
