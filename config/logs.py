"""The log on standard error: one line of text or of JSON an entry, each with the request's id."""

from __future__ import annotations

import logging
import os
import re
from typing import Any, Final

from django.http import HttpRequest

from config import environment
from people import request_facts

FORMATS: Final = ("line", "json")
TIMES: Final = "%Y-%m-%dT%H:%M:%S%z"  # with the zone: lines of several machines are put together
SECRET_ARGUMENTS: Final = {"token", "mail_token"}  # of addresses
LONG_WORD: Final = re.compile(r"[\w:=~-]{20,}")  # tokens have 32 characters at least
HIDDEN: Final = "…"
FIELDS: Final = "%(asctime)s %(levelname)s %(name)s [%(request_id)s] %(message)s"


class AddRequestId(logging.Filter):
    """Puts the id of the request, or of the one that a worker's task comes from, on each line."""

    def filter(self, record: logging.LogRecord) -> bool:
        record.request_id = request_facts.current.get().id
        return True


class HideSecrets(logging.Filter):
    """Takes secrets out of the addresses of requests: that of an invitation is its token.

    Django logs refused requests by their path. Where no page has the address, long words go.
    """

    def filter(self, record: logging.LogRecord) -> bool:
        request = getattr(record, "request", None)
        if isinstance(request, HttpRequest) and isinstance(record.args, tuple):
            record.args = tuple(
                _hide_secrets(text, request) if isinstance(text, str) else text
                for text in record.args
            )
            record.request = _hide_secrets(f"{request.method} {request.path}", request)
        return True


def _hide_secrets(text: str, request: HttpRequest) -> str:
    if request.resolver_match is None:
        return LONG_WORD.sub(HIDDEN, text)
    for name in SECRET_ARGUMENTS & request.resolver_match.kwargs.keys():
        text = text.replace(request.resolver_match.kwargs[name], HIDDEN)
    return text


def log_settings() -> dict[str, Any]:
    """Django's LOGGING, by `PLATEAU_LOG` and `PLATEAU_LOG_FORMAT`."""
    log_format = environment.chosen_word("PLATEAU_LOG_FORMAT", FORMATS)
    handler = {
        "class": "logging.StreamHandler",
        "formatter": log_format,
        "filters": ["request_id", "secrets"],
    }
    return {
        "version": 1,
        "disable_existing_loggers": False,
        "filters": {"request_id": {"()": AddRequestId}, "secrets": {"()": HideSecrets}},
        "formatters": {
            log_format: _json() if log_format == "json" else {"format": FIELDS, "datefmt": TIMES}
        },
        "handlers": {"console": handler},
        "root": {"handlers": ["console"], "level": os.environ.get("PLATEAU_LOG", "WARNING")},
    }


def _json() -> dict[str, Any]:
    """Formatter of JSON: what a call says in `extra` becomes fields of their own; a traceback is
    `exc_info`.
    """
    return {
        "()": "pythonjsonlogger.json.JsonFormatter",  # imported only where it is asked for
        "format": FIELDS,
        "datefmt": TIMES,
        "rename_fields": {"asctime": "time", "levelname": "level", "name": "logger"},
    }
