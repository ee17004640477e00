"""Shape and noise of a series on its page, with the numbers that decided."""

from __future__ import annotations

from detectors.shapes.shape_words import (
    MEANINGS,
    classes_sentence,
    noise_figures,
    noise_sentence,
    shape_figures,
    speed_word,
)
from series import shapes
from series.models import Series
from series.panels import PagePanel
from series.shape_facts import shape_facts

TEMPLATE = "analysis/series_page/shape.html"


def shape_panel(series: Series) -> PagePanel:
    """Beside the chart (`series.panels`), for a reader who may see answers to the series."""
    stored_shape = shapes.current_shape(series)
    if stored_shape is None:
        return PagePanel("side", TEMPLATE)
    shape, noise = shape_facts(stored_shape.facts)
    context = {
        "shape": classes_sentence(shape),
        "meaning": MEANINGS[shape.shape],
        "faster": speed_word(shape.shape, more_is_better=series.benchmark.direction.more),
        "both": (shape_figures(shape), noise_figures(noise)),
        "noise": noise_sentence(noise),
    }
    return PagePanel("side", TEMPLATE, context)
