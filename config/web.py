"""The configuration of gunicorn: `gunicorn --config python:config.web config.wsgi`."""

from __future__ import annotations

import threading

workers = 2
threads = 4
preload_app = True
graceful_timeout = 3
loglevel = "warning"
limit_request_line = 8190
control_socket_disable = True
proc_name = "plateau-web"

WARM_AFTER = 2.0  # seconds: those who wait for the server to start come first


def post_worker_init(worker: object) -> None:  # noqa: ARG001  # gunicorn gives it
    """Load, before anybody waits for it, what the first answer would have to load."""
    from config import wsgi  # noqa: PLC0415  # the settings are read by now

    timer = threading.Timer(WARM_AFTER, wsgi.begin_warming)
    timer.daemon = True
    timer.start()
