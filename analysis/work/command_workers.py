"""Names under which commands take units: they say which process of which machine it is."""

from __future__ import annotations

import os
import re
import socket
from typing import Final

from series.importing.jobs import lives

_NAME: Final = re.compile(r"command-(?P<pid>\d+)@(?P<host>.+)")


def command_worker() -> str:
    """Name of this process as a worker."""
    return f"command-{os.getpid()}@{socket.gethostname()}"


def has_ended(worker: str) -> bool:
    """True if `worker` is a command of this machine whose process is gone."""
    name = _NAME.fullmatch(worker)
    return name is not None and not lives(name["host"], int(name["pid"]))
