"""Stops of published models: known first windows, and how much is measured after them."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from evidence.replication.learned_stopping import use_published
from evidence.replication.model_stops import MODELS, add_model_stops, model_stops
from evidence.replication.published_files import NotPublishedData, read_study
from evidence.replication.published_study import PublishedStudy
from evidence.replication.stopping_figures import stopping_figures_of
from tests.published_data import replication_folder

FIRST = {"ROCKET": [1, 2, 1, 8], "FCN": [1, 2, 17, 7]}  # accepted windows of fork 0


@pytest.fixture(scope="module")
def study() -> PublishedStudy:
    return read_study(replication_folder())


def test_stops_are_those_of_the_published_weights(study: PublishedStudy) -> None:
    detectors = {name: use_published(method, study) for name, method in MODELS.items()}

    stops = [model_stops(detectors, benchmark) for benchmark in study.stopped[:4]]

    for name, first in FIRST.items():
        assert [benchmark_stops[name][0][0] + 1 for benchmark_stops in stops] == first
        for benchmark, benchmark_stops in zip(study.stopped, stops, strict=False):
            (warm_up, end), *_ = benchmark.stops["SOP"]
            last, last_measured = benchmark_stops[name][0]
            assert last_measured - last == end - warm_up
            assert benchmark_stops[f"{name}/CV"][0] == (last, last + 100)


def test_figures_hold_models_against_each_baseline(study: PublishedStudy) -> None:
    measured_rows = [benchmark for benchmark in study.stopped if benchmark.forks[1:]][:2]
    part = replace(study, benchmarks=measured_rows)
    # Folds of two benchmarks would be others than the published ones.
    stops = [
        replace(benchmark, stops={**benchmark.stops, "ROCKET": benchmark.stops["SOP"]})
        for benchmark in part.stopped
    ]

    figures = stopping_figures_of(stops, quick=True).values

    assert figures["ROCKET.seconds.q50"] == figures["SOP.seconds.q50"]
    assert figures["ROCKET/SOP.a12"] == 0.5


def test_without_models_there_are_no_stops(study: PublishedStudy, tmp_path: Path) -> None:
    with pytest.raises(NotPublishedData, match="no published models"):
        add_model_stops(replace(study, folder=tmp_path))
