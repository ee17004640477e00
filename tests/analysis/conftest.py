"""What tests of several packages of `analysis` need."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from analysis.web.figures import WebFigure


@pytest.fixture
def few_rank(monkeypatch: pytest.MonkeyPatch) -> None:
    """Methods rank on the few series that can be worked out by hand; test_coverage has the rule."""
    monkeypatch.setattr("analysis.statistics.coverage.LEAST_SERIES", 1)


TRACE_TYPES = {"scatter", "bar"}  # of traces that the partial bundle of Plotly draws


def refuse_unknown_parts(figure: WebFigure) -> None:
    """Raises ValueError for what plotly.py does not know, or would write in another way."""
    from plotly.graph_objects import Figure  # noqa: PLC0415  # only where a figure is made

    document: dict[str, Any] = figure.document
    plotly_json = Figure(document).to_plotly_json()
    named_parts = {
        name for name, layout_part in document["layout"].items() if layout_part != []
    }  # which it leaves out
    if set(plotly_json["layout"]) != named_parts or len(plotly_json["data"]) != len(
        document["data"]
    ):
        raise ValueError("plotly.py writes other parts")
    if unknown_types := {trace.get("type", "scatter") for trace in document["data"]} - TRACE_TYPES:
        raise ValueError(f"the library that is served cannot draw {unknown_types}")


@pytest.fixture
def check_figure() -> Callable[[WebFigure], None]:
    return refuse_unknown_parts


checked_hashes: set[int] = set()  # what many tests draw is checked in the first


@pytest.fixture(autouse=True)
def figures_are_checked(monkeypatch: pytest.MonkeyPatch) -> None:
    """Every figure that a page of a test carries is one that plotly.py could have written."""
    json_getter = vars(WebFigure)["json"].fget

    def checked_json(figure: WebFigure) -> object:
        figure_json = json_getter(figure)
        if hash(figure_json) not in checked_hashes:
            refuse_unknown_parts(figure)
            checked_hashes.add(hash(figure_json))
        return figure_json

    monkeypatch.setattr(WebFigure, "json", property(checked_json))
