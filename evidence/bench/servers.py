"""Servers for a bench or a test: a PostgreSQL cluster and a Redis, each in a folder of its own."""

from __future__ import annotations

import os
import pwd
import shutil
import socket
import subprocess
import tempfile
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from evidence.bench.processes import free_port, wait_until

NEEDED = "install it (Debian: apt-get install {package}), or let `make test` do so"


class ServerMissing(RuntimeError):
    """A server's program is not installed; the sentence says what to install."""

    def __init__(self, package: str) -> None:
        super().__init__(f"{package} is not installed: {NEEDED.format(package=package)}")


def postgres_program(name: str) -> Path:
    """A program of PostgreSQL's server; Debian keeps them off the path."""
    for folder in sorted(Path("/usr/lib/postgresql").glob("*/bin"), reverse=True):
        if (folder / name).is_file():
            return folder / name
    program = shutil.which(name)
    if not program:
        raise ServerMissing("postgresql")
    return Path(program)


@contextmanager
def postgres(copied_folder: Path | None = None, *, kept_path: Path | None = None) -> Iterator[str]:
    """A cluster; the address of its superuser's database. It refuses to run as root.

    copied_folder: what another one has kept; else it is fresh.
    kept_path: where it is kept, stopped, when the block has ended well; there must be nothing.
    """
    with tempfile.TemporaryDirectory(prefix="plateau-pg-", ignore_cleanup_errors=True) as name:
        folder = Path(name)
        account = _account(folder)
        data, log, port = folder / "data", folder / "log", free_port()
        if copied_folder:
            _copy(copied_folder, data)
        else:
            init_options = ("-U", "plateau", "-A", "trust", "-N", "-E", "UTF8")
            _run([postgres_program("initdb"), "-D", data, *init_options], account)
        options = (
            f"-c listen_addresses=127.0.0.1 -c port={port} -c unix_socket_directories={folder}"
        )
        control: list[str | Path] = [postgres_program("pg_ctl"), "-D", data, "-w"]
        _run([*control, "-l", log, "-o", f"{options} -c fsync=off", "start"], account)
        try:
            yield f"postgres://plateau@127.0.0.1:{port}/postgres"
        finally:
            _run([*control, "-m", "fast" if kept_path else "immediate", "stop"], account)
        if kept_path:
            _copy(data, kept_path)


def _account(folder: Path) -> dict[str, Any]:
    """Account under which the programs of a cluster in `folder` run."""
    if os.getuid() != 0:
        return {}
    account = _unprivileged_user()
    os.chown(folder, account.pw_uid, account.pw_gid)
    return {"user": account.pw_uid, "group": account.pw_gid, "extra_groups": [], "cwd": folder}


def _run(command: Sequence[str | Path], account: Mapping[str, Any]) -> None:
    subprocess.run(
        command, check=True, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, **account
    )


def _copy(data: Path, target: Path) -> None:
    """Copy a folder with the owner of each file."""
    subprocess.run(["cp", "-a", data, target], check=True)


def _unprivileged_user() -> pwd.struct_passwd:
    for name in ("postgres", "nobody"):
        try:
            return pwd.getpwnam(name)
        except KeyError:
            continue
    raise RuntimeError("PostgreSQL refuses to run as root; found neither postgres nor nobody")


@contextmanager
def redis_server() -> Iterator[str]:
    """A Redis on a free port of this machine; its address."""
    program = shutil.which("redis-server") or shutil.which("valkey-server")
    if not program:
        raise ServerMissing("redis-server")
    port = free_port()
    folder = tempfile.mkdtemp(prefix="plateau-redis-")
    command = [str(program), "--port", str(port), "--bind", "127.0.0.1", "--dir", folder]
    server = subprocess.Popen([*command, "--save", ""], stdout=subprocess.DEVNULL)
    try:
        wait_until(lambda: _listens(port), seconds=10, goal="Redis to listen")
        yield f"redis://127.0.0.1:{port}/0"
    finally:
        server.terminate()
        server.wait(timeout=10)
        shutil.rmtree(folder, ignore_errors=True)


def _listens(port: int) -> bool:
    with socket.socket() as probe:
        return probe.connect_ex(("127.0.0.1", port)) == 0
