"""Messages to workers: a chunk's number, and nothing else. Losing all of them costs seconds."""

from __future__ import annotations

import logging
from collections.abc import Iterable, Sequence
from functools import partial
from typing import Any

import redis
from celery import current_app
from django.db import transaction
from kombu.exceptions import OperationalError

from analysis.models import Chunk, Run
from analysis.runs import control

log = logging.getLogger(__name__)
TASK = "analysis.tasks.detect_chunk"  # by name: what works imports this module


def send_on_commit(chunk_ids: Iterable[int]) -> None:
    """Publish a message for each chunk, once its row is there for a worker to find."""
    transaction.on_commit(partial(send, list(chunk_ids)))


def send(chunk_ids: Sequence[int]) -> None:
    """Publish a message for each chunk.

    A broker that is down loses nothing: the chunks wait in the database, and
    the next sweep sends them.
    """
    if not chunk_ids:
        return
    task = current_app.tasks[TASK]
    try:
        with current_app.producer_or_acquire() as producer:
            for chunk_id in chunk_ids:
                # No retry: the sweep is one, and a page shall not wait for a dead broker.
                task.apply_async((chunk_id,), producer=producer, retry=False)
    except OperationalError:
        log.warning("the broker does not answer; %s chunks wait in the database", len(chunk_ids))
        return
    control.sent(chunk_ids)


def missing() -> int:
    """How many chunks wait without a message in the broker; 0 where nobody can tell."""
    waiting = Chunk.objects.filter(state=Chunk.State.WAITING, run__state__in=Run.OPEN).count()
    if not waiting or current_app.conf.task_always_eager:
        return 0
    queued = length()
    return 0 if queued is None else max(0, waiting - queued)


def length() -> int | None:
    """Messages that no worker has fetched yet; None if the broker does not say.

    Those that a worker has fetched are not counted: it may have died with
    them, and the broker keeps them from the others for half an hour.
    """
    try:
        with current_app.connection_for_read() as link:
            channel: Any = link.default_channel
            return int(channel.client.llen(current_app.conf.task_default_queue))
    except (OperationalError, redis.RedisError, AttributeError):
        return None
