"""What a recording says about the machine and the moment it was made on."""

from __future__ import annotations

import os
import platform
from datetime import UTC, datetime
from pathlib import Path

CPU_FACTS = Path("/proc/cpuinfo")


def described() -> dict[str, str | int]:
    """Processor, cores that this process may use, and operating system; no host name."""
    return {
        "processor": _processor(),
        "cores": len(os.sched_getaffinity(0)),
        "system": f"{_system()}, {platform.machine()}",
    }


def load() -> list[float]:
    """Load average of the last 1, 5 and 15 minutes."""
    return [round(value, 2) for value in os.getloadavg()]


def now() -> str:
    return datetime.now(UTC).isoformat(timespec="seconds")


def _processor() -> str:
    for line in CPU_FACTS.read_text().splitlines() if CPU_FACTS.exists() else ():
        label, _, value = line.partition(":")
        if label.strip() == "model name":
            return value.strip()
    return platform.processor() or "unknown"


def _system() -> str:
    try:
        return platform.freedesktop_os_release()["PRETTY_NAME"]
    except OSError:
        return platform.system()
