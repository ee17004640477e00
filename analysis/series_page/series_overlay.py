"""Everything that is known of one series, for its page: yardstick, detections, marks.

Nothing of it is read for a person who has yet to answer the series: the provider gives one
sentence instead.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Final

import numpy as np

from analysis.methods.method_style import MethodStyle, MethodStyles, style_order
from analysis.references import yardsticks
from analysis.references.iteration_seconds import seconds_until
from analysis.references.yardsticks import UnknownYardstick, Yardstick
from analysis.runs.certainty import StatedCertainty, stated_certainty
from analysis.runs.models import Chunk, Detection
from analysis.statistics.answers import NEVER, Number
from analysis.statistics.error_seconds import seconds_between
from analysis.statistics.steady_summary import (
    ResultChange,
    SteadySummary,
    change_of_result,
    steady_summary,
)
from analysis.statistics.verdicts import TOLERANCE_PERCENT, tolerance_for, verdict
from detectors.registry import DEFAULT_METHOD
from people.templatetags.writing import grouped, si
from series.models import Series

TRUTH: Final = "truth"
# States that say why there is no answer.
WITHOUT: Final = ("too-short", "too-long", "not-available", "failed")


@dataclass(frozen=True, slots=True)
class OverlayRow:
    """One line of the table of detections, which is the legend too.

    name     names it in addresses and on the chart
    start    first steady iteration, NEVER, or None without an answer
    state    answer, too-short, too-long, not-available, failed, queued or running
    summary  the result from `start` on; change: against that of the yardstick
    reason   what the method saw in the series; empty where it does not say
    certainty     how sure the method is; None where it does not say
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
    reason: str = ""
    summary: SteadySummary | None = None
    change: ResultChange | None = None
    certainty: StatedCertainty | None = None

    @property
    def has_line(self) -> bool:
        return self.start is not None and self.start >= 0

    @property
    def other_indices(self) -> str:
        """Other indices, where they say something else: the publication's, the decision's."""
        names_by_index: dict[int, list[str]] = {}
        for name, index in (("published", self.published_index), ("decided", self.decided_at)):
            if index is not None and index != self.start:
                names_by_index.setdefault(index, []).append(name)
        return " · ".join(
            f"{' and '.join(names)} {'−1' if index == NEVER else grouped(index)}"
            for index, names in names_by_index.items()
        )

    @property
    def state_words(self) -> str:
        """The state as a word."""
        return self.state.replace("-", " ")

    @property
    def may_change(self) -> bool:
        """True if a new run may find an answer."""
        return self.state in {"not-available", "failed"}


@dataclass(frozen=True, slots=True)
class SeriesOverlay:
    """One series with its yardstick and all detections.

    truth   the yardstick's answer; None where it has none
    has_iteration_length   it is known how long an iteration lasts
    result  what the series gives from there on
    """

    series: Series
    yardstick: Yardstick | None
    choices: Sequence[Yardstick]
    truth: Number | None
    agreement: str
    tolerance: int
    rows: Sequence[OverlayRow]
    has_iteration_length: bool
    result: SteadySummary | None = None

    @property
    def yardstick_symbol(self) -> str:
        """The class of the yardstick's symbol: that of an answer, or of ground truth."""
        yardstick = self.yardstick
        is_answer = yardstick is not None and (yardstick.kind == "method" or bool(yardstick.person))
        return "symbol-mark" if is_answer else "symbol-truth"

    @property
    def tolerance_words(self) -> str:
        """The tolerance, and which share of the series it is where nobody has set it."""
        is_default = self.tolerance == tolerance_for(self.series.n)
        share_phrase = f", {TOLERANCE_PERCENT} % of the series" if is_default else ""
        return f"±{grouped(self.tolerance)} iterations{share_phrase}"

    @property
    def result_words(self) -> str:
        """The result by the yardstick, as one line."""
        if self.result is None:
            return "mean, median and interval from any iteration on"
        start, mean = (grouped(self.result.start), si(self.result.mean, self.series.benchmark.unit))
        return f"mean {mean} from iteration {start} on"

    @property
    def has_other_indices(self) -> bool:
        """True if the table has indices beside the first steady iteration."""
        return any(row.other_indices for row in self.rows)

    @property
    def has_certainty(self) -> bool:
        return any(row.certainty for row in self.rows)

    @property
    def is_pending(self) -> bool:
        return any(row.state in {"queued", "running"} for row in self.rows)

    @property
    def finding(self) -> str:
        """The yardstick's answer, and how many methods agree, as one sentence.

        Without a yardstick the default method's answer and why, and how many say steady.
        """
        answered_rows = [row for row in self.rows if row.start is not None]
        method_phrase = f"{len(answered_rows)} method{'' if len(answered_rows) == 1 else 's'}"
        if self.yardstick is None or self.truth is None:
            steady_count = sum(row.has_line for row in answered_rows)
            default_sentence = self._default_sentence
            if default_sentence and len(answered_rows) == 1:
                return default_sentence
            verb = "says" if len(answered_rows) == 1 else "say"
            count_sentence = f"{steady_count} of {method_phrase} {verb} that it becomes steady."
            return f"{default_sentence} {count_sentence}".strip()
        n_agree = sum(row.verdict in {"agrees", "both never"} for row in answered_rows)
        truth_words = "never" if self.truth == NEVER else f"from {grouped(self.truth)}"
        tolerance = "" if self.truth == NEVER else f" within ±{grouped(self.tolerance)}"
        title = self.yardstick.line
        return f"Steady {truth_words} by {title}; {n_agree} of {method_phrase} agree{tolerance}."

    @property
    def _default_sentence(self) -> str:
        """Sentence of the default method's answer and why; empty without one."""
        row = next((row for row in self.rows if row.name == DEFAULT_METHOD), None)
        if row is None or row.start is None:
            return ""
        answer = "Never steady" if row.start == NEVER else f"Steady from {grouped(row.start)}"
        reason = f": {row.reason}" if row.reason else ""
        return f"{answer} by {row.look.title}, the default{reason}."

    @property
    def sentence(self) -> str:
        """The overlay in words, from its figures."""
        sentences = []
        if self.yardstick is not None and self.truth is not None:
            truth_words = (
                "never steady" if self.truth == NEVER else f"steady from {grouped(self.truth)}"
            )
            yardstick_words = self.yardstick.line
            sentences.append(f"{yardstick_words[:1].upper()}{yardstick_words[1:]}: {truth_words}.")
        answer_words = [
            f"{row.look.label} {'never' if row.start == NEVER else grouped(row.start)}"
            for row in self.rows
            if row.start is not None
        ]
        return " ".join([*sentences, f"{', '.join(answer_words)}." if answer_words else ""]).strip()


def read_overlay(series: Series, *, code: str = "", tolerance: int | None = None) -> SeriesOverlay:
    """The overlay of a series that the reader may see. Raises UnknownYardstick."""
    choices = yardsticks.covering_yardsticks(series)
    chosen_yardstick = _chosen_yardstick(series, choices, code)
    yardstick_answers = (
        None
        if chosen_yardstick is None
        else yardsticks.yardstick_answers(chosen_yardstick, [series.pk])
    )
    truth = None if yardstick_answers is None else yardstick_answers.answers.value(0)
    stored_detections = Detection.objects.filter(series=series)
    styles = MethodStyles(series.benchmark.dataset.study)
    detections = sorted(
        stored_detections, key=lambda detection: style_order(styles(detection.detector_key))
    )
    shown_detections = [
        detection
        for detection in detections
        if chosen_yardstick is None or detection.detector_key != chosen_yardstick.key
    ]
    allowed_iterations = int(tolerance_for(series.n, tolerance))
    iteration_length = series.iteration_length
    values = series.array() if hasattr(series, "stored") else None
    seconds_before_iteration = None
    if shown_detections and values is not None:
        seconds_before_iteration = seconds_until(values, series.benchmark.unit, iteration_length)
    measure = _OverlayMeasure(
        styles, truth, allowed_iterations, seconds_before_iteration, values, series.n
    )
    rows = [measure.row(detection) for detection in shown_detections] + _pending_rows(
        series, detections
    )
    return SeriesOverlay(
        series=series,
        yardstick=chosen_yardstick,
        choices=choices
        if chosen_yardstick is None or chosen_yardstick in choices
        else [*choices, chosen_yardstick],
        truth=truth,
        agreement=yardstick_answers.words[0] if yardstick_answers else "",
        tolerance=allowed_iterations,
        rows=sorted(rows, key=_distance_sort_key),
        has_iteration_length=iteration_length is not None,
        result=result_from(values, truth, None)[0],
    )


def yardstick_answer(series: Series, code: str = "") -> tuple[Number | None, str]:
    """The yardstick's answer for one series, and its words; of the default one for an old code."""
    choices = yardsticks.covering_yardsticks(series)
    try:
        chosen_yardstick = _chosen_yardstick(series, choices, code)
    except UnknownYardstick:
        chosen_yardstick = _chosen_yardstick(series, choices, "")
    if chosen_yardstick is None:
        return None, ""
    return yardsticks.yardstick_answers(chosen_yardstick, [series.pk]).answers.value(
        0
    ), chosen_yardstick.line


def _chosen_yardstick(series: Series, choices: Sequence[Yardstick], code: str) -> Yardstick | None:
    if not code:
        # A method is a yardstick only when somebody asks for it.
        return next((choice for choice in choices if choice.kind != "method"), None)
    return yardsticks.yardstick(series.benchmark.dataset.study, code)


@dataclass(frozen=True, slots=True)
class _OverlayMeasure:
    """Yardstick, tolerance and values that every detection of the series is measured by."""

    styles: MethodStyles
    truth: Number | None
    tolerance: int
    seconds_before_iteration: np.ndarray | None
    values: np.ndarray | None
    n: int

    def row(self, detection: Detection) -> OverlayRow:
        style, start = self.styles(detection.detector_key), detection.steady_start
        delta, seconds = self._distance(start)
        summary, change = result_from(self.values, start, self.truth)
        return OverlayRow(
            name=style.name,
            look=style,
            start=start,
            state=detection.outcome,
            delta=delta,
            seconds=seconds,
            verdict=verdict(start, self.truth, self.tolerance) or "",
            milliseconds=detection.milliseconds,
            error=detection.error,
            published_index=detection.published_index,
            decided_at=detection.decided_at,
            flags=detection.flags,
            reason=detection.reason,
            summary=summary,
            change=change,
            certainty=stated_certainty(detection, self.n),
        )

    def _distance(self, start: int | None) -> tuple[Number | None, float | None]:
        """Predicted − yardstick in iterations and in seconds, where both say steady."""
        if start is None or self.truth is None or min(start, self.truth) < 0:
            return None, None
        seconds_before_iteration = self.seconds_before_iteration
        seconds = (
            None
            if seconds_before_iteration is None
            else seconds_between(seconds_before_iteration, int(self.truth), start)
        )
        return start - self.truth, seconds


def result_from(
    values: np.ndarray | None, start: Number | None, truth: Number | None
) -> tuple[SteadySummary | None, ResultChange | None]:
    """The result from a start on, and how far it is from that of the yardstick."""
    if values is None or start is None or start < 0:
        return None, None
    is_comparable = truth is not None and truth >= 0
    change = change_of_result(values, int(start), int(truth or 0)) if is_comparable else None
    return steady_summary(values, int(start)), change


def _distance_sort_key(row: OverlayRow) -> tuple[int, float, tuple[bool, int, bool, str]]:
    """Nearest to the yardstick first, then those without a distance, then those on their way."""
    groups = (row.delta is not None, row.start is not None, row.state in WITHOUT, True)
    return groups.index(True), abs(row.delta or 0), style_order(row.look)


def _pending_rows(series: Series, detections: Iterable[Detection]) -> list[OverlayRow]:
    """Methods that a worker will answer with, or is at."""
    stored_keys = {detection.detector_key for detection in detections}
    study = series.benchmark.dataset.study
    open_chunks = Chunk.objects.open().filter(job__study=study, members__series=series)
    rows = open_chunks.exclude(detector_key__in=stored_keys).order_by("pk")
    state_by_key = {
        key: "running" if state == Chunk.State.TAKEN else "queued"
        for key, state in rows.values_list("detector_key", "state")
    }
    styles = sorted(map(MethodStyles(study), state_by_key), key=style_order)
    return [OverlayRow(style.name, style, None, state_by_key[style.key]) for style in styles]
