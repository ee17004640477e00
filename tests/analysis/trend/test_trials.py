"""Trials of CSIT on the trend: a dot each, the run's mean, its deviation, and CSIT's groups."""

from __future__ import annotations

import csv
import io
import json
from pathlib import Path
from typing import Any

import jumpavg as package
import numpy as np
import pytest
from django.core.management import call_command
from django.test import Client
from django.urls import reverse

from analysis.statistics.answers import Floats
from people.models import User
from series.models import Benchmark, Dataset

pytestmark = pytest.mark.django_db
RUNS = 12


@pytest.fixture
def runs(dataset: Dataset, tmp_path: Path) -> Floats:
    """Ten trials of each of twelve runs, 15 % fewer packets from run 7 on; as CSIT writes them."""
    rates = np.random.default_rng(5).normal(2e7, 2e5, (RUNS, 10))
    rates[7:] *= 0.85
    for run, trials in enumerate(rates.tolist()):
        rate = {"unit": "pps", "avg": float(np.mean(trials)), "stdev": float(np.std(trials))}
        document: dict[str, Any] = {
            "test_id": "ip4base-mrr",
            "test_type": "mrr",
            "dut_version": f"24.10-rc0~{run:03}",
            "start_time": f"2026-03-{run + 1:02}T02:00:00Z",
            "result": {"type": "mrr", "receive_rate": {"rate": {**rate, "values": trials}}},
        }
        file = tmp_path / f"run-{run:02}.info.json"
        file.write_text(json.dumps(document))
        call_command("import_series", f"{dataset.study.slug}/{dataset.slug}", file)
    return rates


def test_runs_are_means_of_all_trials_in_the_groups_of_csit(
    runs: Floats, dataset: Dataset, client: Client, olga: User
) -> None:
    client.force_login(olga)
    benchmark = Benchmark.objects.get()
    names = [dataset.study.slug, dataset.slug, benchmark.public_id]

    file = client.get(f"{reverse('trend-file', args=names)}?precision=12")
    rows = list(csv.DictReader(io.StringIO(b"".join(file).decode())))

    np.testing.assert_allclose([float(row["result"]) for row in rows], runs.mean(axis=1))
    deviations = [float(row["trial_deviation"]) for row in rows]
    np.testing.assert_allclose(deviations, runs.std(axis=1))  # as CSIT's files have it
    assert {row["trials"] for row in rows} == {"10"}
    # FDio/csit: csit.infra.dash/app/cdash/utils/utils.py, classify_anomalies: averages of runs
    groups = package.classify(runs.mean(axis=1).tolist()).group_list
    expected = [
        (group.comment if place == 0 else "", group.stats.avg, group.stats.stdev)
        for group in groups
        for place in range(group.stats.size)
    ]
    found = [(row["kind"], float(row["trend"]), float(row["group_deviation"])) for row in rows]
    assert [kind for kind, *_ in expected].count("regression") == 1
    assert [kind for kind, *_ in found] == [
        "" if kind == "normal" else kind for kind, *_ in expected
    ]
    np.testing.assert_allclose([row[1:] for row in found], [row[1:] for row in expected])


def test_a_dot_a_trial_is_drawn(runs: Floats, dataset: Dataset, client: Client, olga: User) -> None:
    client.force_login(olga)
    address = reverse("trends", args=[dataset.study.slug, dataset.slug])

    page = client.get(f"{address}?b={Benchmark.objects.get().public_id}").text

    assert page.count(": trial of ") == runs.size
