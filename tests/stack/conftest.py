"""Two installations, as people have them: PostgreSQL with Redis, SQLite with our own broker."""

from __future__ import annotations

import os
import subprocess
import tempfile
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager
from pathlib import Path

import numpy as np
import pytest

from bench import servers
from bench.processes import until
from config import broker
from tests.stack.installation import StackInstallation

SERIES, LENGTH = 20, 1400


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    here = Path(__file__).parent
    for item in items:
        if here in item.path.parents:
            item.add_marker(pytest.mark.stack)


@pytest.fixture(scope="session")
def measurements(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """20 simulated forks: a step down somewhere, then noise."""
    file = tmp_path_factory.mktemp("measurements") / "forks.csv"
    random = np.random.default_rng(7)
    iterations = np.arange(LENGTH)
    forks = [
        np.where(iterations < 40 * fork, 2.0, 1.0) + random.exponential(0.02, LENGTH)
        for fork in range(SERIES)
    ]
    lines = [
        f"sort,{f},{i},{value!r}"
        for f, fork in enumerate(forks)
        for i, value in enumerate(fork.tolist())
    ]
    file.write_text("\n".join(["benchmark,fork,iteration,value", *lines]) + "\n", encoding="utf-8")
    return file


@pytest.fixture(scope="module")
def postgres() -> Iterator[str]:
    """Empty: two files that meet in one process would find each other's people in it."""
    yield from _started(servers.postgres)


@pytest.fixture(scope="session")
def redis_url() -> Iterator[str]:
    yield from _started(servers.redis_server)


def _started(server: Callable[[], AbstractContextManager[str]]) -> Iterator[str]:
    """Its address. Where it is not installed, skips on a machine of one's own, and fails in CI."""
    try:
        with server() as url:
            yield url
    except servers.ServerMissing as missing:
        (pytest.fail if os.environ.get("CI") == "true" else pytest.skip)(str(missing))


def filled(installation: StackInstallation, measurements: Path) -> StackInstallation:
    """Migrated, with an owner and the measurements."""
    assert installation.do("fill", str(measurements)) == SERIES
    return installation


@pytest.fixture(scope="module")
def on_postgres(postgres: str, redis_url: str, measurements: Path) -> Iterator[StackInstallation]:
    with tempfile.TemporaryDirectory(prefix="plateau-stack-") as data:
        installation = StackInstallation(Path(data), DATABASE_URL=postgres, REDIS_URL=redis_url)
        try:
            yield filled(installation, measurements)
        finally:
            installation.close()


@pytest.fixture(scope="module")
def on_sqlite(measurements: Path) -> Iterator[StackInstallation]:
    """A file and a socket: what `make run` starts, without its web server."""
    with tempfile.TemporaryDirectory(prefix="plateau-stack-") as name:
        data = Path(name)
        where = broker.socket_for(data)
        program = broker.carried_program() or broker.server_program()
        command = broker.command(program, socket=where, folder=data)
        server = subprocess.Popen(command, stdout=subprocess.DEVNULL)
        installation = StackInstallation(data, PLATEAU_BROKER_SOCKET=str(where))
        try:
            until(where.exists, seconds=10, what="the broker to listen")
            yield filled(installation, measurements)
        finally:
            installation.close()
            server.terminate()
            server.wait(timeout=10)
