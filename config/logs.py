"""The log on standard error: one line of text or of JSON an entry, each with the request's id."""

from __future__ import annotations

import logging
import os
from typing import Any, Final

from config import environment
from people import request_facts

FORMATS: Final = ("line", "json")
TIMES: Final = "%Y-%m-%dT%H:%M:%S%z"  # with the zone: lines of several machines are put together
FIELDS: Final = "%(asctime)s %(levelname)s %(name)s [%(request_id)s] %(message)s"


class AddRequestId(logging.Filter):
    """Puts the id of the request, or of the one that a worker's task comes from, on each line."""

    def filter(self, record: logging.LogRecord) -> bool:
        record.request_id = request_facts.current.get().id
        return True


def log_settings() -> dict[str, Any]:
    """Django's LOGGING, by `PLATEAU_LOG` and `PLATEAU_LOG_FORMAT`."""
    wanted = environment.one_of("PLATEAU_LOG_FORMAT", FORMATS)
    handler = {"class": "logging.StreamHandler", "formatter": wanted, "filters": ["request_id"]}
    return {
        "version": 1,
        "disable_existing_loggers": False,
        "filters": {"request_id": {"()": AddRequestId}},
        "formatters": {
            wanted: _json() if wanted == "json" else {"format": FIELDS, "datefmt": TIMES}
        },
        "handlers": {"console": handler},
        "root": {"handlers": ["console"], "level": os.environ.get("PLATEAU_LOG", "WARNING")},
    }


def _json() -> dict[str, Any]:
    """What a call says in `extra` becomes fields of their own; a traceback is `exc_info`."""
    return {
        "()": "pythonjsonlogger.json.JsonFormatter",  # imported only where it is asked for
        "format": FIELDS,
        "datefmt": TIMES,
        "rename_fields": {"asctime": "time", "levelname": "level", "name": "logger"},
    }
