"""Figures for Prometheus: requests counted by each web process, everything else from the database.

Imported only where metrics are on. Web processes of one machine share a folder of counts, which
`config.web` makes; a request for the figures adds them up, whichever process answers it.
"""

from __future__ import annotations

import os
import shutil
import time
from collections.abc import Callable, Iterator
from typing import Final

from django.conf import settings
from django.db.models import Count
from django.http import HttpRequest, HttpResponse
from django.utils import timezone
from prometheus_client import (
    CONTENT_TYPE_LATEST,
    REGISTRY,
    CollectorRegistry,
    Counter,
    Summary,
    generate_latest,
)
from prometheus_client.core import GaugeMetricFamily
from prometheus_client.multiprocess import MultiProcessCollector
from prometheus_client.registry import Collector

from analysis.site import health
from analysis.work.workers import living_workers
from annotate.models import Mark
from people.request_facts import route_of

CONTENT_TYPE: Final = CONTENT_TYPE_LATEST
METHODS: Final = frozenset({"GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS"})
# Both fail with ValueError where a process imports this module twice.
REQUESTS: Final = Counter(
    "plateau_requests", "Requests answered, by route and status.", ["method", "route", "status"]
)
SECONDS: Final = Summary("plateau_request_seconds", "Seconds until the answer began.", ["route"])


class CountRequests:
    """Counts every answer; an address that nothing has, and files, have the route `other`."""

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponse]) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponse:
        start_time = time.perf_counter()
        response = self.get_response(request)
        # Anybody may send any method: a label for each would fill the memory.
        method = request.method if request.method in METHODS else "other"
        route = route_of(request) or "other"
        REQUESTS.labels(method, route, response.status_code).inc()
        SECONDS.labels(route).observe(time.perf_counter() - start_time)
        return response


class InstallationFigures(Collector):
    """Figures of the database: equal for every web process and every machine."""

    def collect(self) -> Iterator[GaugeMetricFamily]:
        queue, current_moment = health.queue_status(), timezone.now()
        gauge = GaugeMetricFamily("plateau_open_units", "Units of work by state.", labels=["state"])
        gauge.add_metric(["waiting"], queue.waiting_count)
        gauge.add_metric(["taken"], queue.taken_count)
        yield gauge
        oldest_age = (
            (current_moment - queue.oldest_start).total_seconds() if queue.oldest_start else 0.0
        )
        help_text = "Seconds since the job of the oldest open unit was started; 0 without any."
        yield GaugeMetricFamily("plateau_oldest_open_unit_seconds", help_text, oldest_age)
        help_text = "Workers that have reported lately."
        yield GaugeMetricFamily("plateau_workers", help_text, len(living_workers()))
        yield _marks()
        free_bytes = shutil.disk_usage(settings.DATA_DIR).free
        yield GaugeMetricFamily("plateau_disk_free_bytes", "Of the disk with the data.", free_bytes)


def _marks() -> GaugeMetricFamily:
    help_text = "Stored answers of annotators, every revision, by kind."
    family = GaugeMetricFamily("plateau_marks", help_text, labels=["kind"])
    count_by_kind = dict(Mark.objects.order_by().values_list("kind").annotate(n=Count("pk")))
    for kind in Mark.Kind.values:
        family.add_metric([kind], count_by_kind.get(kind, 0))
    return family


def prometheus_text() -> bytes:
    """All of it in the text format of Prometheus."""
    registry = CollectorRegistry()
    registry.register(InstallationFigures())
    if "PROMETHEUS_MULTIPROC_DIR" in os.environ:
        MultiProcessCollector(registry)
        return generate_latest(registry)
    return generate_latest(registry) + generate_latest(REGISTRY)
