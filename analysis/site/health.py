"""Health of database, broker and workers, work that waits, room on the disk."""

from __future__ import annotations

import logging
import shutil
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Final

from celery import current_app
from django.conf import settings
from django.db import DatabaseError
from django.db.models import Count, Min
from django.utils import timezone

from analysis.site.models import WriteProbe
from analysis.work.kinds import kinds
from analysis.work.models import WorkUnit
from analysis.work.unit_messages import queue_length
from analysis.work.workers import living_workers
from people.database import write_unless_busy

log = logging.getLogger(__name__)
PROBED_EVERY: Final = timedelta(seconds=5)  # anybody may ask: a probe writes at most this often
RETRY_AFTER: Final = 5  # seconds
PROBE_WAITS: Final = 2.0  # seconds for its turn, as long as any page may have to wait


@dataclass(frozen=True, slots=True)
class ServiceStatus:
    """One part of the installation: its name, `ok` or what is wrong, whether pages need it."""

    name: str
    status: str
    is_needed: bool

    @property
    def is_well(self) -> bool:
        return self.status == "ok"


@dataclass(frozen=True, slots=True)
class QueueStatus:
    """Numbers of units that wait or are at work, and the start of the oldest."""

    waiting_count: int
    taken_count: int
    oldest_start: datetime | None


@dataclass(frozen=True, slots=True)
class InstallationHealth:
    """Health figures that a monitor asks for.

    free_bytes  of the disk with the data folder
    oldest_seconds  since the oldest work that has not ended was started; None without any,
                or where the database does not say
    """

    services: tuple[ServiceStatus, ...]
    free_bytes: int
    oldest_seconds: float | None

    @property
    def is_well(self) -> bool:
        return all(service.is_well for service in self.services if service.is_needed)

    def as_json(self) -> dict[str, object]:
        return {
            "status": "ok" if self.is_well else "down",
            **{service.name: service.status for service in self.services},
            "disk_free_bytes": self.free_bytes,
            "oldest_open_unit_seconds": self.oldest_seconds,
        }


def health() -> InstallationHealth:
    """Asks each part; none of them keeps it waiting for more than some seconds."""
    services = service_statuses()
    free_bytes = shutil.disk_usage(settings.DATA_DIR).free
    oldest_moment = _oldest_moment() if services[0].status != "down" else None
    oldest_seconds = (
        None
        if oldest_moment is None
        else round((timezone.now() - oldest_moment).total_seconds(), 1)
    )
    return InstallationHealth(tuple(services), free_bytes, oldest_seconds)


def service_statuses() -> list[ServiceStatus]:
    """Database, broker, workers. Without workers pages still work, so they are not needed."""
    database = _database_status()
    workers = "unknown" if database == "down" else _worker_status()
    return [
        ServiceStatus("database", database, is_needed=True),
        ServiceStatus("broker", _broker_status(), is_needed=True),
        ServiceStatus("workers", workers, is_needed=False),
    ]


def queue_status() -> QueueStatus:
    """Units of jobs that wait or are at work."""
    waiting_count = taken_count = 0
    oldest_moments = []
    for kind in kinds():
        rows = kind.units.open()
        counts = dict(rows.values_list("state").annotate(n=Count("pk")).order_by())
        waiting_count += counts.get(WorkUnit.State.WAITING, 0)
        taken_count += counts.get(WorkUnit.State.TAKEN, 0)
        oldest_moments.append(rows.aggregate(oldest=Min("job__created"))["oldest"])
    return QueueStatus(
        waiting_count,
        taken_count,
        min((moment for moment in oldest_moments if moment), default=None),
    )


def _database_status() -> str:
    """`down` where it cannot be read; `takes no writes` where it is locked, full or read-only."""
    probe_time = timezone.now()
    try:
        was_probed = WriteProbe.objects.filter(pk=1, written__gt=probe_time - PROBED_EVERY).exists()
    except DatabaseError:
        log.exception("the database does not answer")
        return "down"
    try:
        if was_probed or write_unless_busy(lambda: _write_probe(probe_time), seconds=PROBE_WAITS):
            return "ok"
    except DatabaseError:  # an error other than a lock, such as a missing file
        log.exception("the database does not take a row")
    log.warning("the database takes no writes")
    return "takes no writes"


def _worker_status() -> str:
    try:
        return "ok" if living_workers() else "none"
    except DatabaseError:
        return "unknown"


def _oldest_moment() -> datetime | None:
    try:
        return queue_status().oldest_start
    except DatabaseError:
        log.exception("the database does not say what waits")
        return None


def _write_probe(probe_time: datetime) -> None:
    WriteProbe.objects.bulk_create(
        [WriteProbe(pk=1, written=probe_time)],
        update_conflicts=True,
        unique_fields=["id"],
        update_fields=["written"],
    )


def _broker_status() -> str:
    """`ok` where work is done in this process, for tests, too: nobody asks a broker then."""
    if current_app.conf.task_always_eager or queue_length() is not None:
        return "ok"
    log.warning("the broker does not answer")
    return "down"
