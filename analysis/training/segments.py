"""Labelled windows of one series, and what the model that has not seen it says of each.

As Figure 3 of the AI-driven paper: the parts of a series before the first steady iteration give
unstable windows, those after it stable ones, and these are what is learned from.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

import numpy as np

from analysis.methods.series_context import context_of_series, durations_of
from analysis.series_page.diagnostics.figures import column_extremes, extremes_line, value_limits
from analysis.training.models import Training
from analysis.web.figures import (
    WHOLE_PAGE,
    FigureTable,
    Part,
    Trace,
    WebFigure,
    axis_words,
    level,
    number_axis,
    points,
    upright,
)
from detectors.contract import NEVER, NotAvailable, Values
from detectors.learned import crossfit
from detectors.learned.crossfit import FoldModel
from detectors.learned.learned_stopping import Jury
from detectors.learned.windows import windows_at
from detectors.training.labels.labelled_windows import Labels, Starts, window_starts
from people.templatetags.writing import grouped, si_unit
from series.models import Series

WORDS: Final = {False: "unstable", True: "stable"}
COLOURS: Final = {False: "var(--ink-3)", True: "var(--accent)"}


@dataclass(frozen=True, slots=True, eq=False)
class SegmentsOfSeries:
    """Windows by their first iteration, with their labels; never-steady series have none.

    first_steady: iteration, -1 never. scores: of each by `model`; None without one.
    """

    series: Series
    width: int
    first_steady: int
    starts: Starts
    is_stable: Labels
    model: FoldModel | None = None
    scores: Values | None = None

    @property
    def agreed_count(self) -> int:
        """Number of windows that the model classifies as they are labelled."""
        if self.model is None or self.scores is None:
            return 0
        model, threshold = self.model.model, self.model.threshold
        is_accepted = [model.accepts(score, threshold) for score in self.scores.tolist()]
        return int((np.array(is_accepted, dtype=np.bool_) == self.is_stable).sum())

    @property
    def sentence(self) -> str:
        if not self.starts.size:
            return "This series is labelled as never steady: no window of it is learned from."
        stable_count = int(self.is_stable.sum())
        rings, dots = grouped(self.starts.size - stable_count), grouped(stable_count)
        sentence = (
            f"{grouped(self.starts.size)} windows of {self.width} values, each at its first "
            f"iteration: {rings} unstable (rings), {dots} stable (dots), which begin at iteration "
            f"{grouped(self.first_steady)} or later."
        )
        if self.model is None:
            return sentence
        return (
            f"{sentence} The model of fold {self.model.number}, which has not seen this benchmark, "
            f"calls {grouped(self.agreed_count)} of them as they are labelled."
        )


def segments_of_series(training: Training, series: Series) -> SegmentsOfSeries:
    """The windows that are taken of a series, judged where the training has its weights."""
    first_window = dict(training.labels)[series.pk]
    values = durations_of(series, series.array())
    if values is None or first_window == NEVER:
        no_starts = np.empty(0, dtype=np.int64)
        return SegmentsOfSeries(
            series, training.window, first_window, no_starts, no_starts.astype(bool)
        )
    unstable_starts, stable_starts = window_starts(values.size, first_window, training.window)
    starts = np.concatenate([unstable_starts, stable_starts])
    labels = np.repeat([False, True], [unstable_starts.size, stable_starts.size])
    model = _blind_model(training, series)
    scores = None
    if model is not None and starts.size:
        scores = Jury((model,), 1, "").scores(windows_at(values, starts, training.window))[:, 0]
    return SegmentsOfSeries(series, training.window, first_window, starts, labels, model, scores)


def _blind_model(training: Training, series: Series) -> FoldModel | None:
    """The model that has not seen the benchmark; None before there is one, or where it is lost."""
    if not training.weights:
        return None
    try:
        model_set = crossfit.set_named(training.slug, training.weights)
    except NotAvailable:
        return None
    return model_set.blind_to(context_of_series(series).benchmark)


# --- drawing ----------------------------------------------------------------------------------
def segments_figure(segments: SegmentsOfSeries) -> WebFigure:
    """The series above, its windows below: by their score, or by their label alone."""
    values = segments.series.array()
    limits = value_limits(values, shows_everything=False)
    factor, unit = si_unit(limits[1], segments.series.benchmark.unit)
    value_indices, extremes = column_extremes(values)
    return WebFigure(
        name="segments",
        label="Labelled windows of the series",
        traces=[
            extremes_line(value_indices, extremes / factor, unit),
            *(_points(segments, is_stable=is_stable) for is_stable in WORDS),
        ],
        layout={
            "margin": {"l": 60, "r": 12, "t": 8, "b": 40},
            "xaxis": number_axis([0, max(values.size - 1, 1)], 8),
            "yaxis": {
                **number_axis([limit / factor for limit in limits], 5, unit),
                "domain": [0.42, 1],
            },
            "yaxis2": {**_second_axis(segments), "domain": [0, 0.32], "anchor": "x"},
            "shapes": _shapes(segments),
            "annotations": [axis_words("iteration")],
        },
        table=_window_table(segments),
        height=340,
        sentence=segments.sentence,
        most_width=WHOLE_PAGE,
    )


def _points(segments: SegmentsOfSeries, *, is_stable: bool) -> Trace:
    is_shown = segments.is_stable == is_stable
    heights = segments.is_stable.astype(float) if segments.scores is None else segments.scores
    return points(
        segments.starts[is_shown].tolist(),
        [float(f"{score:.4g}") for score in heights[is_shown].tolist()],
        {
            "size": 6,
            "color": COLOURS[is_stable],
            "symbol": "circle" if is_stable else "circle-open",
        },
        yaxis="y2",
        hovertemplate=f"from %{{x:,}}, labelled {WORDS[is_stable]}: %{{y}}<extra></extra>",
    )


def _second_axis(segments: SegmentsOfSeries) -> Part:
    if segments.scores is None or not segments.scores.size:
        return number_axis([-0.3, 1.3], 2, tickvals=[0, 1], ticktext=list(WORDS.values()))
    low, high = min(0.0, float(segments.scores.min())), max(1.0, float(segments.scores.max()))
    pad = 0.1 * (high - low)
    return number_axis([low - pad, high + pad], 3)


def _shapes(segments: SegmentsOfSeries) -> list[Part]:
    """Lines at the start of the steady state, and at the score from which a window is accepted."""
    shapes: list[Part] = []
    if segments.first_steady != NEVER:
        shapes.append({**upright(segments.first_steady, "var(--ink-3)"), "layer": "below"})
    if segments.model is not None:
        threshold_line = level(segments.model.threshold, "var(--ink-3)", 0, 1)
        shapes.append({**threshold_line, "xref": "paper", "yref": "y2"})
    return shapes


def _window_table(segments: SegmentsOfSeries) -> FigureTable:
    scores = [""] * segments.starts.size
    if segments.scores is not None:
        scores = [f"{score:.3f}" for score in segments.scores.tolist()]
    labels = [WORDS[is_stable] for is_stable in segments.is_stable.tolist()]
    rows = zip(map(grouped, segments.starts.tolist()), labels, scores, strict=True)
    return FigureTable.from_rows(("window from", "label", "score of the model"), rows)
