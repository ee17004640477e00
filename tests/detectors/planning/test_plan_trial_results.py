"""Results of trials beside a plan: those of the table that the command printed."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from detectors.planning.plan_trial_results import TRIALS, nearest_trials

PAGE = Path(__file__).parents[3] / "docs/design/planner.md"


def test_what_a_plan_says_of_trials_is_in_the_table() -> None:
    table = PAGE.read_text().partition("| promised |")[2].partition("\n\n")[0]
    lines = re.findall(
        r"^\| ±([\d.]+)% \| \d+% \| ([\d.]+) .*? s \| ([\d.]+),", table, re.MULTILINE
    )
    printed = {
        float(precision) / 100: (float(kept_share), float(ratio))
        for precision, kept_share, ratio in lines
    }

    assert {trials.precision: (trials.kept, trials.oracle) for trials in TRIALS} == {
        trials.precision: printed[trials.precision] for trials in TRIALS
    }


@pytest.mark.parametrize(
    ("precision", "nearest"), [(0.0, 0.01), (0.013, 0.01), (0.03, 0.02), (2, 0.2)]
)
def test_a_precision_between_those_tried_has_the_nearest(precision: float, nearest: float) -> None:
    assert nearest_trials(precision).precision == nearest
