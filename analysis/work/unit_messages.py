"""Messages to workers: kind and number of a unit. Losing all of them costs seconds."""

from __future__ import annotations

import logging
import time
from collections.abc import Iterable, Sequence
from datetime import datetime
from functools import partial
from typing import Any

from celery import current_app
from django.conf import settings
from django.db import transaction
from django.utils import timezone
from kombu import Connection, pools
from kombu.exceptions import LimitExceeded, OperationalError

from analysis.work.kinds import JobKind, kinds

log = logging.getLogger(__name__)
TASK = "analysis.work.tasks.work_on_unit"  # by name, since the task imports this module
Kind = JobKind[Any, Any]
# Seconds in which a process does not ask a broker again that has just not answered: pages that
# look at a run every second would else take all threads of the web server, each waiting in vain.
LEFT_ALONE = 5.0
_silent_since = -LEFT_ALONE


def send_on_commit(kind: Kind, unit_pks: Iterable[int]) -> None:
    """Publish a message for each unit, once its row is there for a worker to find."""
    transaction.on_commit(partial(send, kind, list(unit_pks)))


def send(kind: Kind, unit_pks: Sequence[int]) -> None:
    """Publish a message for each unit.

    A broker that is down, or hangs, loses nothing: the work waits in the
    database, and a later sweep sends it.
    """
    if not unit_pks:
        return
    # Marked before sending: a unit worked on in this process looks for further units at once.
    _store_sending_time(kind, unit_pks, timezone.now())
    if not _publish(kind, unit_pks):
        log.warning("the broker does not answer; %s wait in the database", len(unit_pks))
        _store_sending_time(kind, unit_pks, None)


def _publish(kind: Kind, unit_pks: Sequence[int]) -> bool:
    """Send messages; True if the broker took all. Some may have arrived even where it did not."""
    global _silent_since  # noqa: PLW0603  # what this process knows of its broker
    if _is_left_alone():
        return False
    task = current_app.tasks[TASK]
    try:
        with pools.producers[_broker_connection()].acquire(
            block=True, timeout=settings.BROKER_PATIENCE
        ) as producer:
            for unit_pk in unit_pks:
                # No retry: the sweep sends again, and a page must not wait for a dead broker.
                task.apply_async((kind.name, unit_pk), producer=producer, retry=False)
    except (OperationalError, LimitExceeded):
        _silent_since = time.monotonic()
        return False
    return True


def _is_left_alone() -> bool:
    was_silent_lately = time.monotonic() - _silent_since < LEFT_ALONE
    return was_silent_lately and not current_app.conf.task_always_eager


def _broker_connection() -> Connection:
    """Connection to the broker for commands that it answers at once; workers have their own."""
    timeout_options = {"socket_timeout": settings.BROKER_PATIENCE}
    return current_app.connection_for_write(transport_options=timeout_options)


def _store_sending_time(kind: Kind, unit_pks: Sequence[int], moment: datetime | None) -> None:
    """Store when the messages were sent, in the rows that they are about; None: they were not."""
    for offset in range(0, len(unit_pks), 500):
        kind.units.filter(pk__in=unit_pks[offset : offset + 500]).update(queued_at=moment)


def count_unsent() -> int:
    """Number of waiting units whose message the broker has lost; 0 where that is unknown."""
    waiting_count = sum(kind.units.sent().count() for kind in kinds())
    if not waiting_count or current_app.conf.task_always_eager:
        return 0
    message_count = queue_length()
    return 0 if message_count is None else max(0, waiting_count - message_count)


def queue_length() -> int | None:
    """Messages that no worker has fetched yet; None if the broker does not say.

    Those that a worker has fetched are not counted: it may have died with
    them, and the broker keeps them from the others for half an hour.
    """
    # Imported here: Celery is a fifth of a command's start, and most commands need no broker.
    from redis import RedisError  # noqa: PLC0415

    try:
        with _broker_connection() as link:
            channel: Any = link.default_channel
            return int(channel.client.llen(current_app.conf.task_default_queue))
    except (OperationalError, RedisError, AttributeError):
        return None
