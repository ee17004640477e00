"""Calls of the webhook that settings name: bounded as a whole, whatever its server does.

A timeout of a socket bounds each of its reads, and a server that sends a byte a second has many. A
process of its own ends with everything that it waits for, a look-up of a name included.
"""

from __future__ import annotations

import json
import subprocess
import sys
from collections.abc import Mapping
from pathlib import Path
from typing import Final

from django.conf import settings

PROGRAM: Final = Path(__file__).with_name("webhook_call.py")


class WebhookError(OSError):
    """The notice was not taken; the message says why."""


def post(body: bytes, headers: Mapping[str, str]) -> None:
    """Post `body`. WebhookError unless the webhook answers 2xx, TimeoutError where it is late."""
    patience = settings.NOTICE_PATIENCE
    call = {"address": settings.WEBHOOK, "body": body.decode(), "headers": dict(headers)}
    try:
        completed_call = subprocess.run(  # noqa: S603  # a program of ours; the call is its input
            [sys.executable, "-I", "-S", PROGRAM],
            input=json.dumps({**call, "seconds": patience}),
            capture_output=True,
            text=True,
            check=True,
            timeout=patience,
        )
    except subprocess.TimeoutExpired as error:
        raise TimeoutError from error
    except subprocess.CalledProcessError as error:
        raise WebhookError(f"the call failed: {error.stderr[-200:]}") from error
    if completed_call.stdout:
        raise WebhookError(completed_call.stdout.strip())
