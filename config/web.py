"""The configuration of gunicorn: `gunicorn --config python:config.web config.wsgi`."""

from __future__ import annotations

import os
import shutil
import tempfile
import threading

from config import environment

workers = 2
threads = 4
preload_app = True
graceful_timeout = 3
loglevel = "warning"
limit_request_line = 8190
control_socket_disable = True
proc_name = "plateau-web"

environment.take_over_settings()
COUNTS = "PROMETHEUS_MULTIPROC_DIR"  # named by its library, which reads it when it is imported
if os.environ.get("PLATEAU_METRICS_FROM") or os.environ.get("PLATEAU_METRICS_TOKEN"):
    os.environ.setdefault(COUNTS, tempfile.mkdtemp(prefix="plateau-metrics-"))

WARM_AFTER = 2.0  # seconds: those who wait for the server to start come first


def post_worker_init(worker: object) -> None:  # noqa: ARG001  # gunicorn gives it
    """Load, before anybody waits for it, what the first answer would have to load."""
    from config import wsgi  # noqa: PLC0415  # the settings are read by now

    timer = threading.Timer(WARM_AFTER, wsgi.begin_warming)
    timer.daemon = True
    timer.start()


def on_exit(server: object) -> None:  # noqa: ARG001  # gunicorn gives it
    """Counts begin anew with the next server, as Prometheus expects of a restart."""
    if folder := os.environ.get(COUNTS):
        shutil.rmtree(folder, ignore_errors=True)
