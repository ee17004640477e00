"""The small figure of the marks of one series."""

from __future__ import annotations

from itertools import pairwise
from typing import Any

from analysis.series_page.marks_panel import LETTER, MarksPanel, marks_panel
from annotate.models import Task
from annotate.simulation.simulated_annotators import make_campaign
from detectors.simulated.synthetic import simulate
from people.models import Study, User


def panel_of(task: Task) -> MarksPanel:
    panel = marks_panel(task.series, task.campaign)
    assert panel
    return panel


def test_labels_of_simulated_annotators_are_short_and_do_not_overlap(
    study: Study, make_series: Any, olga: User
) -> None:
    series = [
        make_series(simulate("decay", n=600, seed=seed).values, name=f"s{seed}")
        for seed in range(6)
    ]
    panels = [panel_of(task) for task in make_campaign(study, series, by=olga).tasks.all()]

    mark_names = {place.name for panel in panels for place in panel.plotted_marks}
    assert mark_names == {"S1", "S2", "S3", "S4", "S5"}
    assert any(len(panel.labels) > 1 for panel in panels)  # labels beside one another
    for panel in panels:
        label_spans = [(name.x, LETTER * len(name.name) / 2) for name in panel.labels]
        for (left, left_half), (right, right_half) in pairwise(label_spans):
            assert left + left_half <= right - right_half
