"""Results of trials beside a plan: those of the table that the command printed."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from detectors.planning.plan_trials import TRIALS, nearest_trials

PAGE = Path(__file__).parents[3] / "docs/design/planner.md"


def test_what_a_plan_says_of_trials_is_in_the_table() -> None:
    table = PAGE.read_text().partition("## What makes")[0]
    row = r"^\| ±(\d+)%(, dear|) \| \d+% \| ([\d.]+) .*? s \| ([\d.]+),"
    lines = re.findall(row, table, re.MULTILINE)

    assert [
        (float(target) / 100, float(kept), float(ratio), bool(dear))
        for target, dear, kept, ratio in lines
    ] == [(trials.target, trials.kept, trials.oracle, trials.is_dear) for trials in TRIALS]


@pytest.mark.parametrize(
    ("target", "nearest"), [(0.0, 0.01), (0.013, 0.01), (0.03, 0.02), (2, 0.1)]
)
def test_a_target_between_those_tried_has_the_nearest(target: float, nearest: float) -> None:
    assert nearest_trials(target, is_dear=True).target == nearest
