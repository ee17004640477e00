"""The diagram of average ranks: elbows from the axis to labels, and bars over methods alike."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

from analysis.comparison.query import ComparisonQuery
from analysis.comparison.rank_diagram import RankSection, rank_section
from analysis.comparison.table import compare_stored
from analysis.web.figures import WebFigure
from annotate.blind import EVERYTHING
from people.models import Study
from series.models import Series
from tests.analysis.comparison.conftest import key_of

OFF = {"kb-kssd": 1, "cp-ssd": 30, "pilot": 30, "sdm": 2}


@pytest.fixture
def section(
    study: Study, make_series: Callable[..., Series], store: Callable[..., None]
) -> RankSection:
    """Twelve series, each steady from 40; two methods are always equally far off."""
    steps = np.where(np.arange(200) < 40, 2.0, 1.0)
    forks = [make_series(steps + fork / 100, fork=fork, known_start=40) for fork in range(12)]
    for slug, errors in OFF.items():
        store(key_of(slug), forks, [40 + errors] * 12)
    comparison = compare_stored(study, EVERYTHING, ComparisonQuery(yardstick="known"))
    assert comparison
    return rank_section(comparison)


def figure_of(section: RankSection) -> WebFigure:
    assert section.figure
    return section.figure


def test_every_elbow_begins_at_its_rank_and_ends_at_its_label(
    section: RankSection, check_figure: Any
) -> None:
    figure = figure_of(section)

    check_figure(figure)
    traces = figure.document["data"]
    elbows = {trace["legendgroup"]: trace for trace in traces if "legendgroup" in trace}
    assert {name: trace["x"][0] for name, trace in elbows.items()} == {
        "kb-kssd": 1,
        "sdm": 2,
        "cp-ssd": 3.5,
        "pilot": 3.5,
    }
    labels = traces[-1]
    ends = zip(labels["x"], labels["y"], strict=True)
    assert dict(zip(labels["ids"], ends, strict=True)) == {
        name: (trace["x"][-1], trace["y"][-1]) for name, trace in elbows.items()
    }
    assert list(figure.methods) == ["kb-kssd", "sdm", "cp-ssd", "pilot"]


def test_methods_alike_stand_under_one_bar(section: RankSection) -> None:
    traces = figure_of(section).document["data"]
    (bar,) = [trace for trace in traces if trace.get("line", {}).get("width") == 4]

    assert np.mean(bar["x"]) == 3.5


def test_the_table_has_every_pair_the_better_first(section: RankSection) -> None:
    table = figure_of(section).table

    assert table
    assert len(table.rows) == 6
    first_texts = [cell.text for cell in table.rows[0]]
    assert first_texts[2] == "−1.0 (−1.0 to −1.0)"
