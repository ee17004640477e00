"""Two installations, as people have them: PostgreSQL with Redis, SQLite with our own broker."""

from __future__ import annotations

import subprocess
import tempfile
from collections.abc import Iterator
from pathlib import Path

import numpy as np
import pytest

from config import broker
from tests.processes import until
from tests.stack import servers
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
    with servers.postgres() as url:
        yield url


@pytest.fixture(scope="session")
def redis_url() -> Iterator[str]:
    with servers.redis_server() as url:
        yield url


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
