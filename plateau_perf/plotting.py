"""A series with answers, drawn by Plotly."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from numpy.typing import ArrayLike

from detectors.arrays.robust_range import robust_range
from detectors.contract import as_series
from plateau_perf.answer import Answer
from plateau_perf.extras import import_extra

if TYPE_CHECKING:
    from plotly.graph_objects import Figure

LINE, MARK = "#4b5563", "#0f62fe"


def plot(values: ArrayLike, answers: Answer | Sequence[Answer] = (), *, unit: str = "") -> Figure:
    """The values as a line, and a labelled upright for each answer that is an iteration.

    The y-range holds every level that lasts; a single spike may lie outside. Answers of never
    are named in the title. Needs the package plotly; raises `ModuleNotFoundError` without it.
    """
    graph_objects = import_extra("plotly.graph_objects", "plot")
    series = as_series(values)
    drawn_answers = [answers] if isinstance(answers, Answer) else list(answers)
    figure = graph_objects.Figure(graph_objects.Scatter(y=series, mode="lines", name="values"))
    figure.update_traces(line={"width": 1, "color": LINE})
    for answer in drawn_answers:
        if answer.start is not None:
            figure.add_vline(answer.start, line_color=MARK, annotation_text=answer.method)
    never_names = ", ".join(answer.method for answer in drawn_answers if answer.start is None)
    figure.update_layout(
        title=f"Never steady: {never_names}" if never_names else None,
        template="plotly_white",
        xaxis_title="iteration",
        yaxis={"title": unit or "value", "range": list(robust_range(series))},
        showlegend=False,
    )
    return figure
