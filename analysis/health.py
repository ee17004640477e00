"""Whether database, broker and workers answer."""

from __future__ import annotations

import logging
from dataclasses import dataclass

from celery import current_app
from django.db import DatabaseError, connection
from django.db.models import Count, Min

from analysis.models import Chunk, Part as Explored, Worker
from analysis.models.leased import Leased
from analysis.queue import length
from analysis.workers import alive

log = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True)
class Part:
    """One part of the installation: its name, `ok` or what is wrong, whether pages need it."""

    name: str
    word: str
    needed: bool

    @property
    def well(self) -> bool:
        return self.word == "ok"


@dataclass(frozen=True, slots=True)
class Queue:
    """What waits for workers."""

    waiting: int
    taken: int
    oldest: object


def parts() -> list[Part]:
    """Database, broker, workers. Without workers pages still work, so they are not needed."""
    return [
        Part("database", _database(), needed=True),
        Part("broker", _broker(), needed=True),
        Part("workers", "ok" if workers() else "none", needed=False),
    ]


def workers() -> list[Worker]:
    """Workers that have reported lately."""
    return list(alive())


def queue() -> Queue:
    """Chunks and parts that wait or are at work, and since when the oldest waits."""
    waiting = taken = 0
    since = []
    for rows, created in (
        (Chunk.objects, "run__created"),
        (Explored.objects, "exploration__created"),
    ):
        counts = dict(rows.values_list("state").annotate(n=Count("pk")).order_by())
        waiting += counts.get(Leased.State.WAITING, 0)
        taken += counts.get(Leased.State.TAKEN, 0)
        open_ones = rows.filter(state=Leased.State.WAITING)
        since.append(open_ones.aggregate(oldest=Min(created))["oldest"])
    return Queue(waiting, taken, min((each for each in since if each), default=None))


def _database() -> str:
    try:
        with connection.cursor() as cursor:
            cursor.execute("SELECT 1")
    except DatabaseError:
        log.exception("the database does not answer")
        return "down"
    return "ok"


def _broker() -> str:
    """`ok` where work is done in this process, for tests, too: nobody asks a broker then."""
    if current_app.conf.task_always_eager or length() is not None:
        return "ok"
    log.warning("the broker does not answer")
    return "down"
