"""/metrics: off unless a setting says who may ask; requests of all processes, state of the work."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Callable
from datetime import timedelta
from ipaddress import ip_network
from pathlib import Path
from typing import Any
from uuid import uuid4

import pytest
from django.core.exceptions import ImproperlyConfigured
from django.test import Client
from django.utils import timezone

from analysis.runs.models import Run
from analysis.runs.selection import SeriesSelection
from analysis.runs.services import start_run
from analysis.work import workers
from annotate.answering.services import save_mark
from annotate.models import Task
from config import environment
from people.models import Study, User
from series.models import Series

TOKEN = {"Authorization": "Bearer the-token"}


@pytest.fixture
def scrape(db: None, settings: Any) -> Callable[[], dict[str, float]]:
    """Switches it on, and gives every figure by its name with its labels."""
    settings.METRICS_TOKEN = "the-token"
    settings.MIDDLEWARE = ["analysis.site.metrics.CountRequests", *settings.MIDDLEWARE]

    def read() -> dict[str, float]:
        text = Client().get("/metrics", headers=TOKEN).content.decode()
        rows = (line.rsplit(" ", 1) for line in text.splitlines() if not line.startswith("#"))
        return {name: float(value) for name, value in rows}

    return read


@pytest.mark.parametrize(
    ("token", "networks", "headers", "status"),
    [
        ("", [], {}, 404),
        ("the-token", [], TOKEN, 200),
        ("the-token", [], {}, 404),
        ("the-token", [], {"Authorization": "Bearer the-toke"}, 404),
        ("", ["127.0.0.0/8", "::1/128"], {}, 200),
        ("", ["10.0.0.0/8"], {}, 404),
        ("the-token", ["127.0.0.1/32"], {}, 404),
        ("the-token", ["10.0.0.0/8"], TOKEN, 404),
        ("the-token", ["127.0.0.1/32"], TOKEN, 200),
    ],
)
def test_it_answers_whom_the_settings_name_alone(
    token: str,
    networks: list[str],
    headers: dict[str, str],
    status: int,
    db: None,
    client: Client,
    settings: Any,
) -> None:
    settings.METRICS_TOKEN, settings.METRICS_FROM = token, list(map(ip_network, networks))

    assert client.get("/metrics", headers=headers).status_code == status


def test_a_client_without_an_address_is_in_no_network(
    client: Client, db: None, settings: Any
) -> None:
    settings.METRICS_FROM = [ip_network("127.0.0.0/8"), ip_network("10.0.0.0/8")]

    assert client.get("/metrics", REMOTE_ADDR="").status_code == 404


def test_a_network_that_is_none_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PLATEAU_METRICS_FROM", "10.0.0.1/8")

    with pytest.raises(ImproperlyConfigured, match=r"PLATEAU_METRICS_FROM: 10\.0\.0\.1/8 has host"):
        environment.networks("PLATEAU_METRICS_FROM")


def test_requests_are_counted_by_route_and_status(
    scrape: Callable[[], dict[str, float]], client: Client, study: Study, vic: User
) -> None:
    samples_before = scrape()
    client.force_login(vic)
    for path in ("/s/startup-times/", "/s/another/", "/s/another/", "/nothing/here/"):
        client.get(path)
    client.generic("BREW", "/status/")
    samples_after = scrape()

    def added_requests(method: str, route: str, status: int) -> float:
        labels = f'method="{method}",route="{route}",status="{status}"'
        name = f"plateau_requests_total{{{labels}}}"
        return samples_after.get(name, 0) - samples_before.get(name, 0)

    assert added_requests("GET", "s/<slug:study>/", 200) == 1
    assert added_requests("GET", "s/<slug:study>/", 404) == 2
    assert added_requests("GET", "other", 404) == 1
    assert added_requests("other", "status/", 405) == 1
    assert not any("startup-times" in name for name in samples_after)


def test_an_installation_without_anything_has_zeros(scrape: Callable[[], dict[str, float]]) -> None:
    samples = scrape()

    assert samples['plateau_open_units{state="waiting"}'] == 0
    assert samples["plateau_oldest_open_unit_seconds"] == 0
    assert samples["plateau_workers"] == 0
    assert samples['plateau_marks{kind="never"}'] == 0
    assert samples["plateau_disk_free_bytes"] > 0


def test_work_workers_and_marks_are_those_of_the_database(
    scrape: Callable[[], dict[str, float]], study: Study, task: Task, series: Series, ana: User
) -> None:
    keys = ("fixed@1?iteration=3", "fixed@1?iteration=4")
    start_run(study, user=None, selection=SeriesSelection("nightly"), keys=keys, queued=False)
    Run.objects.update(created=timezone.now() - timedelta(hours=1))
    workers.register_worker("w@here")
    for index in (40, 41):
        click = uuid4()
        save_mark(task, by=ana, client_id=click, digest=series.digest, kind="steady", index=index)

    samples = scrape()

    assert samples['plateau_open_units{state="waiting"}'] == 2
    assert samples["plateau_oldest_open_unit_seconds"] == pytest.approx(3600, abs=60)
    assert samples["plateau_workers"] == 1
    assert samples['plateau_marks{kind="steady"}'] == 2


PROGRAM = """
import os, django
django.setup()
from analysis.site import metrics
child = os.fork()
for _ in range(2 if child else 3):
    metrics.REQUESTS.labels("GET", "a/", 200).inc()
if not child:
    os._exit(0)
os.waitpid(child, 0)
metrics.InstallationFigures.collect = lambda self: iter(())
print(metrics.prometheus_text().decode())
"""


def test_counts_of_several_processes_are_added_up(tmp_path: Path) -> None:
    environment = os.environ | {
        "PROMETHEUS_MULTIPROC_DIR": str(tmp_path),
        "PLATEAU_MODE": "development",
    }
    environment["PLATEAU_DATA"] = str(tmp_path / "data")
    process = subprocess.run(
        [sys.executable, "-c", PROGRAM], env=environment, capture_output=True, text=True, check=True
    )

    assert 'plateau_requests_total{method="GET",route="a/",status="200"} 5.0' in process.stdout
