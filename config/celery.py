"""The Celery application: `celery -A config worker`."""

from __future__ import annotations

import os
from typing import Any

from celery import Celery, Task, signals

from config import garbage
from people import request_facts
from people.late_registry import register_waiting
from people.request_facts import NO_ID, RequestFacts

HEADER = "plateau_request"  # of a message: the id of the request that it comes from

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "config.settings")
# One thread for each process, set before numpy is loaded: workers already fill the cores.
os.environ.setdefault("OMP_NUM_THREADS", "1")
os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")
# Of what Django checks, nearly all is about pages, which a worker would have to load for it.
os.environ.setdefault("CELERY_SKIP_CHECKS", "true")

app = Celery("plateau")
app.config_from_object("django.conf:settings", namespace="CELERY")
app.autodiscover_tasks()


@signals.celeryd_init.connect
def begin_loading(**_: object) -> None:
    garbage.pause()


@signals.worker_init.connect
def end_loading(**_: object) -> None:
    """Load what draws reports, before the processes of the pool are forked: they share it."""
    from analysis.web.figures import load_plotly  # noqa: PLC0415  # after settings

    register_waiting()
    load_plotly()
    garbage.resume()


@signals.before_task_publish.connect
def send_request_id(headers: dict[str, Any], **_: object) -> None:
    """Let the worker's lines be found with those of the request that asked for the work."""
    if (request_id := request_facts.current.get().id) != NO_ID:
        headers[HEADER] = request_id


@signals.task_prerun.connect
def take_request_id(task_id: str, task: Task, **_: object) -> None:
    """The id of the message, else that of the task; in a page's own process the page's stays."""
    if request_facts.current.get().request is None:
        request_id = getattr(task.request, HEADER, None) or task_id
        request_facts.current.set(RequestFacts(request_id))


@signals.task_postrun.connect
def forget_request_id(**_: object) -> None:
    """Forget the request: what the process does between two tasks belongs to none."""
    if request_facts.current.get().request is None:
        request_facts.current.set(request_facts.NO_REQUEST)
