"""Sobol' indices of KB-KSSD on published measurements, as far as a small sample can tell."""

from __future__ import annotations

import json

import numpy as np
import pytest

from analysis.statistics.answers import Answers
from analysis.statistics.parameter_space import PUBLISHED_SOBOL
from analysis.statistics.sensitivity import (
    SensitivityIndices,
    parameter_sample,
    sensitivity_indices,
    squared_sum,
)
from detectors.methods.kb_kssd import KbKssd
from detectors.parameter_sets.evaluation import answers
from tests.published_data import replication_folder

BASE, EVERY = (
    2**6,
    3,
)  # the whole sample, on all series: `python -m evidence.replication.sobol_indices`


@pytest.fixture(scope="module")
def published_indices() -> SensitivityIndices:
    folder = replication_folder()
    records = json.loads((folder / "expected.json").read_text())
    marked_rows = [row for row, record in enumerate(records) if record["marks"]][::EVERY]
    with np.load(folder / "series.npz") as arrays:
        series = list(arrays["fork0"][marked_rows])
    truth = Answers.from_list(records[row]["jagt_published"] for row in marked_rows)
    sets = PUBLISHED_SOBOL.parameters(KbKssd.Params, parameter_sample(PUBLISHED_SOBOL, BASE))
    return sensitivity_indices(PUBLISHED_SOBOL, squared_sum(answers(KbKssd, sets, series), truth))


def test_the_window_of_the_step_hardly_matters(published_indices: SensitivityIndices) -> None:
    """Published: 0.014 in all, all others above 0.26."""
    assert published_indices.order[-1] == "step_window"
    assert (
        next(index for index in published_indices.total if index.names == ("step_window",)).value
        < 0.05
    )


def test_two_parameters_matter_most(published_indices: SensitivityIndices) -> None:
    """Published: 0.463 and 0.462, the next 0.357."""
    assert set(published_indices.order[:2]) == {"prob_window", "t_crit"}
