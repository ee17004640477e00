"""Machine and moment of a recording."""

from __future__ import annotations

import os
import platform
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path

CPU_FACTS = Path("/proc/cpuinfo")


@dataclass(frozen=True, slots=True)
class LoadMoment:
    """A time (UTC, ISO 8601) and the load average of the last 1, 5 and 15 minutes."""

    when: str
    load: tuple[float, ...]

    @classmethod
    def current(cls) -> LoadMoment:
        return cls(time_stamp(), tuple(round(value, 2) for value in os.getloadavg()))


def machine_description() -> str:
    """Processor, number of cores and operating system; no host name."""
    return f"{_processor()}, {cores()} cores, {_system()}, {platform.machine()}"


def cores() -> int:
    """Cores that this process may use."""
    return len(os.sched_getaffinity(0))


def time_stamp() -> str:
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
