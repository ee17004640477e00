"""Kinds of JMH files, with and without recorded warm-up, from the file to all that counts it.

Three forks of each file take 1.5 ms an operation until iteration 60 behind the configured warm-up,
then 1 ms. Recorded iterations last 0.1 s, or are one operation.
"""

from __future__ import annotations

import csv
import io
import json
from typing import Any, NamedTuple

import numpy as np
import pytest
from django.core.management import call_command
from django.test import Client
from django.urls import reverse

from analysis.comparison.query import ComparisonQuery
from analysis.comparison.table import compare_stored
from analysis.cost.query import CostQuery
from analysis.cost.table import comparison_costs
from analysis.harness.query import HarnessQuery
from analysis.harness.reads import harness_runs
from analysis.harness.table import HarnessTable
from analysis.methods.series_context import context_of_series
from analysis.planner.query import PlanQuery
from analysis.planner.reads import plan_page
from analysis.runs.models import Detection
from annotate.blind import EVERYTHING
from detectors.contract import Detector
from detectors.registry import registry
from people.models import User
from series.importing import services
from series.models import Dataset, Series
from series.reading.file_readers import FileToRead

FORKS, N, START, LATE = 3, 240, 60, 20


class JmhFile(NamedTuple):
    """A file, and what its configured warm-up is in recorded iterations.

    unrecorded, recorded  of these, what was run before the first value, and what is in the file
    each                  iterations of 0.1 s that each recorded one of warm-up lasts
    single                an iteration is one operation
    rounded_up            seconds by which `unrecorded` iterations last longer than the warm-up
    """

    content: bytes
    unrecorded: int = 0
    recorded: int = 0
    single: bool = False
    rounded_up: float = 0.0
    each: int = 1

    @property
    def warm_up(self) -> int:
        """Configured warm-up in iterations of 0.1 s."""
        return self.unrecorded + self.each * self.recorded

    @property
    def warm_up_seconds(self) -> float:
        return 0.1 * self.warm_up - self.rounded_up


def levels(recorded: int = 0) -> list[list[float]]:
    """ms an operation: recorded warm-up, slow iterations, and the level behind them."""
    values = 1 + 0.01 * np.random.default_rng(1).normal(size=(FORKS, recorded + N))
    values[:, : recorded + START] += 0.5
    return [[float(value) for value in fork] for fork in values]


def json_file(unit: str = "ms/op", **fields: object) -> bytes:
    values = levels()
    if unit == "ops/ms":
        values = [[1 / value for value in fork] for fork in values]
    metric: dict[str, Any] = {"scoreUnit": unit, "rawData": values}
    if fields.get("mode") == "sample":
        histograms = [[[[value, 100]] for value in fork] for fork in values]
        metric = {"scoreUnit": unit, "rawDataHistogram": histograms}
    run = {"mode": "avgt", "measurementTime": "100 ms", "warmupTime": "1 s", **fields}
    run |= {"benchmark": "a.B.c", "forks": FORKS, "threads": 1, "measurementIterations": N}
    return json.dumps([{**run, "primaryMetric": metric}]).encode()


def log_file(recorded: int, warmup_time: str = "100 ms") -> bytes:
    lines = [
        "# JMH version: 1.36",
        f"# Warmup: {recorded or '<none>'}{f' iterations, {warmup_time} each' * bool(recorded)}",
        f"# Measurement: {N} iterations, 100 ms each",
        "# Threads: 1 thread, will synchronize iterations",
        "# Benchmark mode: Average time, time/op",
        "# Benchmark: a.B.c",
        "# Run progress: 0.00% complete, ETA 00:01:40",
    ]
    for fork, values in enumerate(levels(recorded), start=1):
        lines += [f"# Fork: {fork} of {FORKS}"]
        for index, value in enumerate(values, start=1):
            is_warm_up = index <= recorded
            number = index if is_warm_up else index - recorded
            lines += [f"{'# Warmup ' * is_warm_up}Iteration {number:3}: {value:.6f} ms/op"]
    return "\n".join([*lines, ""]).encode()


FILES = {
    "five.json": JmhFile(json_file(warmupIterations=5), 50),
    "none.json": JmhFile(json_file(warmupIterations=0)),
    "unsaid.json": JmhFile(json_file()),
    "quarter.json": JmhFile(json_file(warmupIterations=3, warmupTime="250 ms"), 8, rounded_up=0.05),
    "minute.json": JmhFile(json_file(warmupIterations=1, warmupTime="1 min"), 600),
    "rate.json": JmhFile(json_file("ops/ms", mode="thrpt", warmupIterations=5), 50),
    "samples.json": JmhFile(json_file(mode="sample", warmupIterations=5), 50),
    "single.json": JmhFile(json_file(mode="ss", warmupIterations=5), 5, single=True),
    "warm.log": JmhFile(log_file(50), 0, 50),
    "long.log": JmhFile(log_file(5, "1 s"), 0, 5, each=10),
    "cold.log": JmhFile(log_file(0)),
}
Forks = tuple[JmhFile, list[Series]]


@pytest.fixture(params=FILES)
def imported(request: pytest.FixtureRequest, dataset: Dataset) -> Forks:
    """A file and its forks, steady from `START` on and by MSER-5 `LATE` iterations later."""
    file = FILES[request.param]
    services.import_file(dataset, FileToRead(request.param, data=file.content))
    Series.objects.update(known_start=file.recorded + START)
    forks = list(Series.objects.select_related("benchmark__dataset__study").order_by("fork"))
    for series in forks:
        start = file.recorded + START + LATE
        Detection.objects.create(
            series=series, detector_key="mser@1", slug="mser", steady_start=start, milliseconds=1.0
        )
    return file, forks


def start_by(method: Detector, series: Series) -> int | None:
    return method.answer(series.array(), context_of_series(series)).steady_start


def test_methods(imported: Forks) -> None:
    file, (first, *_) = imported
    methods = registry()

    if first.settings.get("warmup_iterations") is not None:
        assert start_by(methods["developer"](), first) == file.recorded
    if not file.single:
        seconds = file.warm_up_seconds + 3
        by_time = start_by(methods["fixed-time"](seconds=seconds), first)
        assert by_time == pytest.approx(file.recorded + 30, abs=3)


def test_plan_page_and_files(
    imported: Forks, client: Client, vic: User, capsys: pytest.CaptureFixture[str]
) -> None:
    file, (first, *_) = imported
    client.force_login(vic)
    warm_up = file.warm_up + START

    page = plan_page(first.benchmark, EVERYTHING, PlanQuery())
    address = reverse("what-to-do", args=["startup-times"])
    shown = client.get(address, {"b": first.benchmark.public_id}).text
    call_command("plan", "startup-times/nightly", "--format", "csv")
    row = next(csv.DictReader(io.StringIO(capsys.readouterr().out)))

    assert page is not None
    assert page.plan is not None
    best_configuration = page.plan.recommended
    assert best_configuration is not None
    assert warm_up <= best_configuration.warm_up == int(row["warm_up"]) < warm_up + 10  # rounded up
    assert int(row["unrecorded"]) == file.unrecorded
    assert f"-wi {best_configuration.warm_up} " in shown
    assert ("run before the first" in shown) == bool(file.unrecorded)
    if "warmup_iterations" in first.settings:
        assert page.today_setup is not None
        assert page.today_setup.warm_up == file.warm_up


def test_harness_page_and_costs(imported: Forks, dataset: Dataset) -> None:
    file, _ = imported
    if file.single:
        pytest.skip("operations of a millisecond are too few seconds for a rule of a harness")

    table = HarnessTable(harness_runs(dataset, EVERYTHING, HarnessQuery()))
    comparison = compare_stored(dataset.study, EVERYTHING, ComparisonQuery(yardstick="known"))
    costs = comparison_costs(comparison, CostQuery(measured=100, cap=100_000))

    in_time = file.warm_up_seconds
    assert table.truth.q50 == pytest.approx(in_time + 0.1 * START, rel=0.02)
    (developer,) = (row for row in table.rows if row["harness"] == "developer")
    if developer["n"]:
        assert developer["warm_up_q50"] == pytest.approx(in_time, rel=0.02)
    assert costs is not None
    (mser,) = costs.method_cells.values()
    assert mser["warm_up_q50"] == file.unrecorded + file.recorded + START + LATE
    assert mser["seconds_total"] == pytest.approx(
        FORKS * (in_time + 0.1 * (START + LATE + 100)), rel=0.02
    )
